/** Tests which fills are trades of the market: they are stored with the fill, published after it, and given back to the market at the next start. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { unitsPerWhole } from "#contract/instrument.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import type { MemberLog, MemberTrade } from "#server/venue/matching/member-trade.ts";
import { signByHand } from "#tests/support/signature.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { openThinBook } from "./thin-book.ts";

let broker: TestBroker;
let first: number;
let second: number;

beforeEach(async () => {
  ({ broker, first, second } = await openThinBook());
});
afterEach(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

type Shown = [price: number, lots: number, side: number];
const shown = ({ price, lots, side }: Pick<MemberTrade, "price" | "lots" | "side">): Shown => [price / PRICE_ONE, lots, side];

/** The trades that were published, which are those in the log. */
async function trades(): Promise<Shown[]> {
  const stored = await query<MemberTrade & { code: string }>(broker.db.kysely, "SELECT * FROM member_trade ORDER BY id");
  expect(stored.map(shown)).toEqual(broker.venue.reported.map(shown));
  for (const trade of broker.venue.reported)
    expect(stored.some(({ at, code }) => at === trade.at && code === broker.venue.instruments[trade.row]?.code)).toBe(true);
  return stored.map(shown);
}

const filled = async (member: number, orderNo: OrderNo): Promise<number> =>
  (await broker.call("readOrder", member, { orderNo })).order.filledLots;

describe("a trade of the market is", () => {
  it("what an order takes from the book, level by level", async () => {
    const { orderNo } = await broker.place(first, { lots: 5 });
    expect(await trades()).toEqual([
      [100, 3, 1],
      [100.5, 2, 1],
    ]);
    await broker.close(first, orderNo, { lots: 4 });
    expect((await trades()).slice(2)).toEqual([[99.5, 4, -1]]);
  });

  it("what one member takes from another, once, on the side of the one who came", async () => {
    broker.venue.set(0, { bids: [[99, 5]], asks: [[101, 5]] });
    const resting = await broker.place(first, { price: 100, lots: 4 });
    const position = await broker.place(second, { lots: 2 });
    expect(await trades()).toEqual([[101, 2, 1]]);
    await broker.close(second, position.orderNo, { lots: 2, price: 100 });
    expect(await filled(first, resting.orderNo)).toBe(2);
    expect((await trades()).slice(1)).toEqual([[100, 2, -1]]);
  });

  it("what comes to an order that rests, at its price, on the side of the book", async () => {
    const { orderNo } = await broker.place(first, { price: 99, lots: 4 });
    expect(await trades()).toEqual([]);
    broker.venue.set(0, { bids: [[98, 5]], asks: [[98.5, 3]] });
    await broker.settled();
    expect(await filled(first, orderNo)).toBe(3);
    expect(await trades()).toEqual([[99, 3, -1]]);
  });
});

describe("no further trade is", () => {
  it("what an order that rests gets of a trade that is on the tape", async () => {
    broker.venue.set(0, { bids: [[99.5, 2]] });
    const { orderNo } = await broker.place(first, { price: 99.5, lots: 4 });
    broker.venue.set(0, { last: 99.5, volume: 1_005 });
    await broker.settled();
    expect([await filled(first, orderNo), await trades()]).toEqual([3, []]);
  });

  it("an order that is not filled at once and must be", async () => {
    await broker.place(first, { lots: 90, also: { validity: "fok" } });
    expect(await trades()).toEqual([]);
  });

  it("a trade of single shares, in their own auction", async () => {
    const { orderNo } = await broker.place(first, { price: 100, lots: 30, also: { market: "odd" } });
    broker.venue.setCall(0, { asks: [[100, 50]] }, true);
    broker.venue.call("odd");
    await broker.settled();
    expect([await filled(first, orderNo), await trades()]).toEqual([30, []]);
  });

  it("less than a coin, and of more the part beyond whole coins", async () => {
    const coin = unitsPerWhole({ kind: "crypto" });
    const rich = await broker.newMember({ depositCents: 100_000_000_000 });
    await signByHand(broker, rich, "crypto");
    broker.venue.set(6, { last: 4_000, reference: 4_000, asks: [[4_000, 9 * coin]], bids: [] });
    await broker.place(rich, { code: "BTC", lots: coin / 2 });
    expect(await trades()).toEqual([]);
    await broker.place(rich, { code: "BTC", lots: 2 * coin + 7 });
    expect(await trades()).toEqual([[4_000, 2, 1]]);
  });

  it("any in a real market", async () => {
    const { state } = broker.venue;
    broker.venue.state = (now) => ({ ...state(now), simulated: false });
    await broker.place(first, { lots: 2 });
    expect(await query(broker.db.kysely, "SELECT FROM member_trade")).toEqual([]);
  });
});

describe("a call that members' orders are in", () => {
  const opening = (): void => {
    broker.venue.setPhase("open");
    broker.venue.call("opening");
  };
  const fills = async (member: number, orderNo: OrderNo): Promise<[price: number, lots: number][]> =>
    (await broker.call("readOrder", member, { orderNo })).fills.map(({ price, lots }) => [price / PRICE_ONE, lots]);
  beforeEach(() => {
    broker.venue.setPhase("preOpen");
    broker.venue.setCall(0, {
      bids: [[99, 8]],
      asks: [
        [99, 2],
        [101, 20],
      ],
      anchor: 100,
    });
  });

  it("has one official price, that of their fills, with the lots they add", async () => {
    const { orderNo } = await broker.place(first, { price: 102, lots: 30 });
    opening();
    // The price is public before anything is booked, so that nobody sees another.
    expect(broker.venue.reported.map(shown)).toEqual([[102, 22, 0]]);
    await broker.settled();
    expect(await trades()).toEqual([[102, 22, 0]]);
    expect(await fills(first, orderNo)).toEqual([[102, 22]]);
  });

  it("changes nothing where they only wait", async () => {
    await broker.place(first, { price: 98, lots: 30 });
    opening();
    await broker.settled();
    expect(await trades()).toEqual([]);
  });

  it("is priced again without an order that is cancelled while it is priced: that makes no price, and nobody trades with it", async () => {
    const buys = await broker.place(first, { price: 102, lots: 10 });
    const position = await broker.newMember();
    broker.venue.setPhase("open");
    const held = await broker.place(position, { lots: 12 });
    broker.venue.setPhase("preOpen");
    await broker.close(position, held.orderNo, { lots: 12, price: 95 });
    const before = broker.venue.reported.length;
    await broker.sequencer.submit({
      memberIds: [position],
      orderNos: [held.orderNo],
      // The call takes place while the cancellation is on its way to the database.
      prepare: async () => opening(),
      decide: (batch) => {
        const order = batch.order(position, held.orderNo);
        if (order) cancelRest(batch, order, "broker");
      },
    });
    await broker.settled();
    const [once, again, ...more] = broker.venue.reported.slice(before).map(shown);
    expect([once?.[0], again, more]).toEqual([99, [101, 10, 0], []]);
    expect(await fills(first, buys.orderNo)).toEqual([[101, 10]]);
    const stored = await query<MemberTrade>(broker.db.kysely, "SELECT * FROM member_trade WHERE side = 0");
    expect(stored.map(shown)).toEqual([[101, 10, 0]]);
  });

  it("is taken back where all its orders are cancelled before it is booked, with nothing said of what is stored", async () => {
    const { orderNo } = await broker.place(first, { price: 102, lots: 30 });
    const report = vi.spyOn(broker.venue, "report");
    await broker.sequencer.submit({
      memberIds: [first],
      orderNos: [orderNo],
      prepare: async () => opening(),
      decide: (batch) => {
        const order = batch.order(first, orderNo);
        if (order) cancelRest(batch, order, "broker");
      },
    });
    await broker.settled();
    // Of something stored, a follower would take it for what it knows already, and show the price for good.
    expect(report.mock.calls.map(([trades, , stored]) => [trades.map(shown), stored])).toEqual([
      [[[102, 22, 0]], undefined],
      [[[99, 0, 0]], undefined],
    ]);
    expect(await query(broker.db.kysely, "SELECT FROM member_trade")).toEqual([]);
  });

  it("is taken back where it cannot be booked", async () => {
    const { orderNo } = await broker.place(first, { price: 102, lots: 30 });
    const { state } = broker.venue;
    broker.venue.setPhase("open");
    broker.venue.state = () => {
      throw new Error("broken");
    };
    broker.venue.call("opening");
    await broker.sequencer.idle();
    broker.venue.state = state;
    expect(broker.faults.splice(0).map(String)).toContain("Error: broken");
    expect(broker.venue.reported.map(shown)).toEqual([
      [102, 22, 0],
      [99, 0, 0],
    ]);
    expect([await fills(first, orderNo), await query(broker.db.kysely, "SELECT FROM member_trade")]).toEqual([[], []]);
  });
});

it("the market gets its trades back at the next start, old sessions summed up, and none of another market", async () => {
  await broker.place(first, { lots: 5 });
  broker.clock.now += 50;
  await broker.place(second, { lots: 1 });
  const { now } = broker.clock;
  const copy = (changes: string): Promise<unknown> =>
    query(
      broker.db.kysely,
      `INSERT INTO member_trade (universe, code, opens_at, at, price, lots, side) SELECT ${changes} FROM member_trade WHERE universe = 'fake' AND opens_at = 0`,
    );
  const old = now - 60 * 86_400_000;
  await copy(`universe, code, ${old}, at - ${now - old}, price, lots, side`);
  await copy("'another', code, opens_at, at, price, lots, side");
  await copy("universe, 'GONE', opens_at, at, price, lots, side");
  await broker.stop();
  const given: MemberLog[] = [];
  broker.venue.restore = (log) => void given.push(log);
  const { state } = broker.venue;
  // The session opened a while ago, and those trades belong to it.
  broker.venue.state = (at) => ({ ...state(at), opensAt: now as never });
  for (const table of ["member_trade", "member_fill"])
    await query(broker.db.kysely, `UPDATE ${table} SET opens_at = ${now} WHERE opens_at = 0`);
  broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
  expect(given).toHaveLength(1);
  expect(given[0]?.trades.map(shown)).toEqual([
    [100, 3, 1],
    [100.5, 2, 1],
    [100.5, 1, 1],
  ]);
  expect(given[0]?.trades[2]?.at).toBe(now);
  expect(await given[0]?.past?.("2330", 0)).toEqual([
    {
      opensAt: old,
      fills: [],
      span: {
        firstAt: old - 50,
        lastAt: old,
        open: 100 * PRICE_ONE,
        high: 100.5 * PRICE_ONE,
        low: 100 * PRICE_ONE,
        close: 100.5 * PRICE_ONE,
        lots: 6,
        turnover: (3 * 100 + 3 * 100.5) * PRICE_ONE,
        trades: 3,
        bought: 6,
        sold: 0,
        opensPriced: false,
        closesPriced: false,
      },
    },
  ]);
});
