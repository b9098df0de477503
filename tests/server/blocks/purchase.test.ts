/** Block purchases on a real broker: refusals, parallel purchases, held money, the position and its lock, rejections, restarts. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { query } from "#server/db/database.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { DAY_MS, formatDateTime } from "#contract/kernel/time.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { becomes, buy, expectCleanBooks, newId, offerOf, pass } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => broker.venue.set(0, { last: 100, bids: [], asks: [] }));
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

const RICH = 1_000_000_000;
/** 10,000 shares at 99.80, and 0.1425 % of it. */
const VALUE = 99_800_000;
const FEE = 142_200;

/** Lists one offer. @returns its id */
function offer(over: Parameters<typeof offerOf>[1] = {}): string {
  const listing = offerOf(broker, over);
  broker.venue.setBlocks([listing]);
  return listing.offerId;
}

const moneyOf = async (member: number) => {
  const { available, held } = await readBalances(broker.db.kysely, member);
  return { available, held };
};

async function sellersGot(): Promise<number> {
  const [row] = await query<{ balance: number }>(broker.db.kysely, "SELECT balance FROM pocket WHERE kind = 'blockSellers'");
  return row?.balance ?? 0;
}

it("holds the money, then opens an ordinary position at the price, locked until the next trading day", async () => {
  const member = await broker.newMember();
  const before = await sellersGot();
  const offerId = offer();
  const placed = await buy(broker, member, offerId);
  expect(placed).toMatchObject({ status: "pending", shares: 10_000, valueCents: VALUE, feeCents: FEE, isReviewed: false });
  expect(await moneyOf(member)).toEqual({ available: RICH - VALUE - FEE, held: VALUE + FEE });
  pass(broker, 4);
  const { orderNo, unlocksAt } = await becomes(broker, member, placed.blockNo, "holding");
  expect(await moneyOf(member)).toEqual({ available: RICH - VALUE - FEE, held: 0 });
  expect((await sellersGot()) - before).toBe(VALUE);
  const [position] = (await broker.call("listPositions", member, {})).positions;
  expect(position).toMatchObject({
    orderNo,
    origin: "block",
    status: "holding",
    filledLots: 10,
    lotShares: 1000,
    openCents: VALUE,
    openFeeCents: FEE,
    openTaxCents: 0,
    lockedUntil: unlocksAt,
    funding: "cash",
  });
  const flows = await broker.call("listFlows", member, { kinds: null, from: null, until: null, cursor: null });
  expect(flows.items.map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
    ["fee", -FEE],
    ["buy", -VALUE],
    ["blockHold", 0],
    ["deposit", RICH],
  ]);
  const inbox = await broker.call("listMessages", member, { cursor: null });
  expect(inbox.items[0]).toMatchObject({ kind: "executionReport", report: { orderNo, lots: 10, side: "buy" } });
  if (orderNo === null) throw new Error("no position");
  broker.venue.set(0, { bids: [[100, 20]] });
  const locked = await refusalOf(broker.close(member, orderNo, { lots: 10 }));
  expect(locked).toMatchObject({ code: "TRD_BLOCK_LOCKED", params: { n: formatDateTime(unlocksAt) } });
  expect(await refusalOf(broker.place(member, { direction: "fall" }))).toMatchObject({ code: "TRD_BLOCK_NO_SHORT", field: "direction" });
  broker.clock.now = unlocksAt;
  await broker.close(member, orderNo, { lots: 10 });
  const { order } = await broker.call("readOrder", member, { orderNo });
  expect(order).toMatchObject({ status: "closed", closeCents: 100_000_000, closeTaxCents: 300_000, closeFeeCents: 142_500 });
  expect(order.profitCents).toBe(100_000_000 - VALUE - FEE - 300_000 - 142_500);
  expect(order.profitCents).toBeLessThan(0);
});

it("refuses at each field, and changes nothing", async () => {
  const member = await broker.newMember();
  const offerId = offer();
  const poor = await broker.newMember({ depositCents: VALUE });
  const barred = await broker.newMember();
  await query(broker.db.kysely, "UPDATE member SET restrictions = ARRAY['tradeBarred'] WHERE id = $1", [barred]);
  const unverified = await broker.newMember({ identity: "unverified" });
  const cases: [string, Promise<unknown>, object][] = [
    ["too few", buy(broker, member, offerId, { shares: 9_000 }), { code: "TRD_BLOCK_MIN", params: { n: "10,000" }, field: "shares" }],
    ["the day's limit", buy(broker, member, offerId, { shares: 101_000 }), { code: "TRD_BLOCK_DAILY_LIMIT", field: "shares" }],
    [
      "more than is left",
      buy(broker, member, offerId, { shares: 51_000 }),
      { code: "TRD_BLOCK_QUOTA", params: { n: "50,000" }, field: "shares" },
    ],
    ["an unknown offer", buy(broker, member, "no-such-offer"), { code: "TRD_BLOCK_ENDED", field: "offerId" }],
    ["too little money", buy(broker, poor, offerId), { code: "FUND_AVAILABLE_INSUFFICIENT", field: "shares" }],
    ["a barred member", buy(broker, barred, offerId), { code: "ACC_TRADE_BARRED" }],
    ["an unverified member", buy(broker, unverified, offerId), { code: "ACC_REALNAME_REQUIRED" }],
  ];
  for (const [name, asked, refusal] of cases) expect(await refusalOf(asked), name).toMatchObject(refusal);
  broker.venue.setFresh(false);
  expect(await refusalOf(buy(broker, member, offerId))).toMatchObject({ code: "TRD_PRICE_STALE" });
  broker.venue.setFresh(true);
  broker.venue.setBlocks(null);
  expect(await refusalOf(buy(broker, member, offerId))).toMatchObject({ code: "TRD_BLOCK_CLOSED" });
  const ended = offer({ closesAt: broker.clock.now });
  expect(await refusalOf(buy(broker, member, ended))).toMatchObject({ code: "TRD_BLOCK_ENDED" });
  expect(await moneyOf(member)).toEqual({ available: RICH, held: 0 });
  expect((await broker.call("listBlocks", member, { cursor: null })).items).toEqual([]);
});

it("is not to be had once the market pays more than a round trip costs above it, at the last price or the bid", async () => {
  const member = await broker.newMember();
  const offerId = offer();
  // 99.80 covers a sale up to 100.24, at the lowest fees.
  for (const book of [{ last: 100.3 }, { last: 100, bids: [[100.3, 1]] as const }]) {
    broker.venue.set(0, book);
    expect(await refusalOf(buy(broker, member, offerId))).toMatchObject({ code: "TRD_BLOCK_MOVED", field: "offerId" });
  }
  broker.venue.set(0, { last: 100.2, bids: [] });
  expect((await buy(broker, member, offerId)).status).toBe("pending");
});

it("gives the money back when the market moves away before both sides are paired, and says so", async () => {
  const member = await broker.newMember();
  const { blockNo } = await buy(broker, member, offer());
  broker.venue.set(0, { last: 103 });
  pass(broker, 4);
  expect(await becomes(broker, member, blockNo, "cancelled")).toMatchObject({ reason: "moved", orderNo: null });
  expect(await moneyOf(member)).toEqual({ available: RICH, held: 0 });
  const inbox = await broker.call("listMessages", member, { cursor: null });
  expect(inbox.items[0]).toMatchObject({ kind: "block", block: { blockNo, reason: "moved" } });
});

it("acts once for one request id, and refuses it for another body", async () => {
  const member = await broker.newMember();
  const offerId = offer();
  const requestId = newId();
  const [first, again] = await Promise.all([buy(broker, member, offerId, { requestId }), buy(broker, member, offerId, { requestId })]);
  expect(again).toEqual(first);
  expect(await refusalOf(buy(broker, member, offerId, { requestId, shares: 11_000 }))).toMatchObject({ code: "GEN_REQUEST_REUSED" });
  expect((await moneyOf(member)).held).toBe(VALUE + FEE);
});

it("never sells more than an offer has, nor more than the day's limit, in parallel", async () => {
  const members = await Promise.all(Array.from({ length: 8 }, () => broker.newMember()));
  const offerId = offer({ shares: 25_000 });
  const asked = await Promise.allSettled(members.map((member) => buy(broker, member, offerId)));
  expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  const codes = asked.flatMap((one) => (one.status === "rejected" ? [(one.reason as { code: string }).code] : []));
  expect(new Set(codes)).toEqual(new Set(["TRD_BLOCK_QUOTA"]));
  const { market } = await broker.call("readBlockMarket", members[0] ?? 0, {});
  expect(market.offers).toMatchObject([{ offerId, left: 5_000, market: 1_000_000 }]);
  const greedy = await broker.newMember({ depositCents: 10 * RICH });
  const large = offer({ shares: 500_000, price: 998_000 });
  const many = await Promise.allSettled(Array.from({ length: 6 }, () => buy(broker, greedy, large, { shares: 30_000 })));
  expect(many.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect((await broker.call("readBlockMarket", greedy, {})).usedShares).toBe(90_000);
});

it("is cancelled by its member before the review, which frees the shares and still counts for the day", async () => {
  const member = await broker.newMember();
  const other = await broker.newMember();
  const offerId = offer({ shares: 100_000 });
  const { blockNo } = await buy(broker, member, offerId, { shares: 60_000 / 6 });
  const theirs = await refusalOf(broker.call("cancelBlock", other, { requestId: newId(), blockNo }));
  const none = await refusalOf(broker.call("cancelBlock", other, { requestId: newId(), blockNo: "G999999" }));
  expect(theirs).toEqual(none);
  expect(theirs.code).toBe("GEN_NOT_FOUND");
  expect(await broker.call("cancelBlock", member, { requestId: newId(), blockNo })).toMatchObject({
    status: "cancelled",
    reason: "member",
  });
  expect(await moneyOf(member)).toEqual({ available: RICH, held: 0 });
  const { market, usedShares } = await broker.call("readBlockMarket", member, {});
  expect({ left: market.offers[0]?.left, usedShares }).toEqual({ left: 100_000, usedShares: 10_000 });
  const again = await refusalOf(broker.call("cancelBlock", member, { requestId: newId(), blockNo }));
  expect(again).toMatchObject({ code: "TRD_ORDER_NOT_REVIEW" });
});

it("cannot be cancelled and settled at once", async () => {
  const member = await broker.newMember();
  const { blockNo } = await buy(broker, member, offer());
  pass(broker, 4);
  const cancelled = await broker.call("cancelBlock", member, { requestId: newId(), blockNo }).then(
    () => true,
    () => false,
  );
  await becomes(broker, member, blockNo, cancelled ? "cancelled" : "holding");
  await broker.settled();
  expect((await moneyOf(member)).held).toBe(0);
  expect((await broker.call("listPositions", member, {})).positions).toHaveLength(cancelled ? 0 : 1);
});

it("is refused while the member sells the code short, also by an order that waits", async () => {
  const member = await broker.newMember();
  const { orderNo } = await broker.place(member, { direction: "fall", price: 105 });
  const offerId = offer();
  expect(await refusalOf(buy(broker, member, offerId))).toMatchObject({ code: "TRD_BLOCK_SHORT" });
  await broker.cancel(member, orderNo);
  const both = await Promise.allSettled([buy(broker, member, offerId), broker.place(member, { direction: "fall", price: 105 })]);
  expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
});

it("binds the broker: a debt does not sell what is locked, and a purchase on its way is rejected", async () => {
  const member = await broker.newMember();
  const offerId = offer();
  const first = await buy(broker, member, offerId);
  pass(broker, 4);
  const { orderNo } = await becomes(broker, member, first.blockNo, "holding");
  const second = await buy(broker, member, offerId);
  broker.venue.set(0, { bids: [[100, 100]] });
  await broker.sequencer.submit({
    memberIds: [member],
    decide: (batch) => {
      const amount = batch.ledger.balance(member, "available") + 500;
      batch.ledger.settle({ memberId: member, kind: "interest", orderNo: null, moves: [] }, [{ to: "interest", amount }]);
      batch.emit(member, { type: "wallet.changed", kind: "interest", currencies: ["TWD"] });
    },
  });
  pass(broker, 4);
  expect(await becomes(broker, member, second.blockNo, "rejected")).toMatchObject({ reason: "debt" });
  expect((await readBalances(broker.db.kysely, member)).debt).toBe(0);
  if (orderNo === null) throw new Error("no position");
  expect((await broker.call("readOrder", member, { orderNo })).order.status).toBe("holding");
});

it("moves on after a restart, and what happened meanwhile decides", async () => {
  const member = await broker.newMember();
  const late = await broker.newMember();
  const offerId = offer({ unlocksAt: broker.clock.now + 60_000 });
  const placed = await buy(broker, member, offerId);
  await broker.stop();
  await broker.sequencer.idle();
  pass(broker, 4);
  const again = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
  await becomes(again, member, placed.blockNo, "holding");
  const other = await again.call("buyBlock", late, { requestId: newId(), offerId, shares: 10_000 });
  await again.stop();
  await again.sequencer.idle();
  again.clock.now += DAY_MS;
  broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
  expect(await becomes(broker, late, other.blockNo, "cancelled")).toMatchObject({ reason: "expired" });
});
