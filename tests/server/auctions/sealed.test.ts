/**
 * Tests that nothing tells a bid before the opening: no response, fact or log differs by another's bid, nor contains the secret or the crowd;
 * and that after it everybody can check what was sealed.
 */
import { createHash, createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allocate } from "#contract/auction-allocation.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import type { Code } from "#contract/kernel/id.ts";
import { query } from "#server/db/database.ts";
import { prepareOpening } from "#server/offerings/auctions/awards.ts";
import { exportedRows } from "#tests/support/own-export.ts";
import { refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { announce, AT, bid, bidNow, crowdAt, expectCleanBooks, newBidder, newId, openAuctionBroker, passHours } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openAuctionBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

/** Everything that could tell something of an auction, as one text. */
async function seenBy(member: number, code: Code): Promise<string> {
  const calls: [EndpointName, object][] = [
    ["listAuctions", {}],
    ["readAuction", { code }],
    ["listBids", { cursor: null }],
    ["listOfferings", { phases: null, kinds: null, cursor: null }],
    ["listMessages", { cursor: null }],
    ["factsSince", { after: 0 }],
    ["listInstruments", {}],
    ["readRules", {}],
    ["readMember", {}],
    ["listPositions", {}],
  ];
  const answers = [];
  for (const [name, body] of calls) answers.push(await broker.call(name, member, body));
  return JSON.stringify(answers);
}

interface Sealed {
  secret: string;
  crowd: number[];
}
const sealedOf = async (code: Code): Promise<Sealed> => {
  const [row] = await query<Sealed>(
    broker.db.kysely,
    "SELECT secret, crowd FROM auction_sealed JOIN auction ON auction.id = auction_id WHERE code = $1",
    [code],
  );
  if (!row) throw new Error("nothing is sealed");
  return row;
};

const CROWD = [...crowdAt(567_000, 90), ...crowdAt(543_000, 70), ...crowdAt(532_000, 80)];

describe("before the opening", () => {
  it("no answer and no fact differs by the bids of others, in no phase", async () => {
    const code = await announce(broker, { crowd: CROWD });
    const member = await newBidder(broker);
    const stranger = await newBidder(broker);
    const others = await Promise.all([newBidder(broker), newBidder(broker)]);
    await passHours(broker, AT.opens);
    const { bidNo } = await bid(broker, member, code);
    const before = { member: await seenBy(member, code), stranger: await seenBy(stranger, code) };
    const published = broker.published.length;
    for (const [nth, other] of others.entries()) await bid(broker, other, code, { price: 611_000 + nth * 1_000, lots: 7 });
    expect(await seenBy(member, code)).toBe(before.member);
    expect(await seenBy(stranger, code)).toBe(before.stranger);
    const told = broker.published.slice(published).filter(({ fact }) => fact.type.startsWith("bid."));
    expect(new Set(told.map(({ memberId }) => memberId))).toEqual(new Set(others));
    await passHours(broker, AT.closes - AT.opens + 1);
    const closed = await seenBy(stranger, code);
    expect(closed).not.toMatch(/611000|612000|567000|543000|532000/);
    expect(closed).not.toContain(bidNo);
    expect(closed).not.toContain((await sealedOf(code)).secret);
    const { auction, disclosure } = await broker.call("readAuction", stranger, { code });
    expect([auction.status, auction.outcome, disclosure]).toEqual(["closed", null, null]);
  });

  it("a bid has the same number and the same refusals however many others there are", async () => {
    const code = await announce(broker, { crowd: CROWD });
    const [first, second] = [await newBidder(broker), await newBidder(broker)];
    await passHours(broker, AT.opens);
    const requestId = newId();
    const alone = await bid(broker, first, code, { requestId });
    for (let nth = 0; nth < 9; nth += 1) await bid(broker, first, code, { price: 600_000 + 1_000 * nth, lots: 20 });
    // Of two members, so that the same id is not a repeat.
    const crowded = await bid(broker, second, code, { requestId });
    expect({ ...crowded, placedAt: 0 }).toEqual({ ...alone, placedAt: 0 });
    // More lots are bid for than there are, and the cap is each member's own.
    expect((await bid(broker, second, code, { lots: 20 })).status).toBe("placed");
    expect(await refusalOf(bid(broker, second, code, { lots: 21 }))).toMatchObject({ code: "AUC_LOTS_MAX", params: { n: "20" } });
  });

  it("the export of own data has no number that counts the bids of others", async () => {
    const code = await announce(broker);
    const member = await newBidder(broker);
    await passHours(broker, AT.opens);
    await bid(broker, member, code);
    const [row] = await query<Record<string, unknown>>(broker.db.kysely, "SELECT * FROM bid WHERE member_id = $1", [member]);
    const { OWN_TABLES } = await import("#server/accounts/own-data.ts");
    const hidden = OWN_TABLES.find(({ table }) => table === "bid")?.hidden ?? [];
    expect(Object.keys(row ?? {}).filter((column) => /(^|_)id$/.test(column) && !hidden.includes(column))).toEqual([
      "member_id",
      "auction_id",
      "request_id",
    ]);
  });
});

describe("after the opening", () => {
  it("everybody can check the commitment, the draw and the outcome from what is published", async () => {
    const code = await announce(broker, { crowd: [...crowdAt(550_000, 230), ...crowdAt(567_000, 90)] });
    const members = await Promise.all([newBidder(broker), newBidder(broker), newBidder(broker)]);
    const stranger = await newBidder(broker);
    const before = await broker.call("readAuction", stranger, { code });
    await passHours(broker, AT.opens);
    const bids = await Promise.all(members.map((member) => bid(broker, member, code, { lots: 15 })));
    await passHours(broker, AT.opened - AT.opens);
    const { auction, disclosure } = await broker.call("readAuction", stranger, { code });
    if (!disclosure || !auction.outcome) throw new Error("not opened");
    const { secret, crowd, tied, commitment } = disclosure;
    expect(
      createHash("sha256")
        .update(`${secret}:${code}:${crowd.join(",")}`)
        .digest("hex"),
    ).toBe(before.auction.commitment);
    expect(commitment).toBe(before.auction.commitment);
    const drawn = (ticket: string) => createHmac("sha256", Buffer.from(secret, "hex")).update(`${code}:${ticket}`).digest("hex");
    // 110 of 200 lots are left at 55.00 for 230 of the crowd and 45 of members.
    expect(tied.map(({ ticket }) => drawn(ticket))).toEqual(tied.map(({ ticket }) => drawn(ticket)).toSorted());
    expect(tied.reduce((sum, { wonLots }) => sum + wonLots, 0)).toBe(110);
    const all = [
      ...crowd.flatMap((price, at) =>
        at % 2 === 0 ? [{ ticket: `C${at / 2}`, bidder: `C${at / 2}`, price, lots: crowd[at + 1] ?? 0 }] : [],
      ),
      ...bids.map(({ bidNo, price, lots }, nth) => ({ ticket: bidNo, bidder: `M${nth}`, price, lots })),
    ];
    const again = new Map(
      allocate(all, { lots: auction.lots, cap: auction.capLots }, drawn).map(({ bid: one, wonLots }) => [one.ticket, wonLots]),
    );
    for (const [nth, { bidNo }] of bids.entries()) expect((await bidNow(broker, members[nth] ?? 0, bidNo)).wonLots).toBe(again.get(bidNo));
    expect(auction.outcome).toMatchObject({ bids: all.length, lotsWon: 200, cutOff: 550_000 });
    const inHistogram = auction.outcome.histogram.reduce((sum, { lots }) => sum + lots, 0);
    expect(inHistogram).toBe(all.reduce((sum, { lots }) => sum + lots, 0));
    expect((await broker.call("listAuctions", stranger, {})).auctions.every(({ outcome }) => (outcome?.histogram ?? []).length === 0)).toBe(
      true,
    );
  });

  it("tells each result to its own member only", async () => {
    const code = await announce(broker, { crowd: CROWD });
    const members = await Promise.all([newBidder(broker), newBidder(broker)]);
    await passHours(broker, AT.opens);
    const bids = await Promise.all(members.map((member, nth) => bid(broker, member, code, { price: 531_000 + 30_000 * nth })));
    const published = broker.published.length;
    await passHours(broker, AT.opened - AT.opens);
    const told = broker.published.slice(published).filter(({ fact }) => JSON.stringify(fact).includes(code));
    expect(told).toHaveLength(2);
    expect(new Set(told.map(({ memberId, fact }) => `${memberId} ${fact.type} ${"bid" in fact ? fact.bid.bidNo : ""}`))).toEqual(
      new Set(bids.map(({ bidNo }, nth) => `${members[nth]} ${nth === 1 ? "bid.won" : "bid.lost"} ${bidNo}`)),
    );
  });
});

describe("between the reckoning and the opening", () => {
  it("the member's own export tells nothing of an award that is written already", async () => {
    const code = await announce(broker, { crowd: CROWD });
    const member = await newBidder(broker);
    await passHours(broker, AT.opens);
    const { bidNo } = await bid(broker, member, code, { price: 600_000, lots: 5 });
    await passHours(broker, AT.closes - AT.opens);
    const before = await exportedRows(broker, member, "bid");
    const [auction] = await query<{ id: number; opens_bids_at: number }>(
      broker.db.kysely,
      "SELECT id, opens_bids_at FROM auction WHERE code = $1",
      [code],
    );
    if (!auction) throw new Error("no auction");
    expect((await prepareOpening(broker.db, auction.id, auction.opens_bids_at))?.rows).toMatchObject([{ won_lots: 5 }]);
    expect(await exportedRows(broker, member, "bid")).toEqual(before);
    await passHours(broker, AT.opened - AT.closes);
    expect((await bidNow(broker, member, bidNo)).status).toBe("won");
    expect(await exportedRows(broker, member, "bid")).toMatchObject([{ won_lots: 5, won_cents: 5 * 60_000_00 }]);
  });
});
