/** Tests which fills move prices: they are stored with the fill, published after it, and given back to the market at the next start. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { unitsPerWhole } from "#contract/instrument.ts";
import { price } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { MemberFills } from "#server/venue/matching/member-trade.ts";
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
  await broker.shut();
});

/** The lots that were published, which are those in the log. */
async function lots(): Promise<number[]> {
  const stored = await query<{ code: string; at: number; lots: number }>(
    broker.db.kysely,
    "SELECT code, at, lots FROM member_fill ORDER BY id",
  );
  const published = broker.venue.moving.map(({ row, at, lots: each }) => ({ code: broker.venue.instruments[row]?.code, at, lots: each }));
  expect(stored).toEqual(published);
  return stored.map((fill) => fill.lots);
}

describe("a price is moved by", () => {
  it("what an order takes from the book: up by a purchase, down by a sale", async () => {
    const { orderNo } = await broker.place(first, { lots: 5 });
    expect(await lots()).toEqual([3, 2]);
    await broker.close(first, orderNo, { lots: 4 });
    expect((await lots()).slice(2)).toEqual([-4]);
  });

  it("what an order that rests gets of a trade that is on the tape", async () => {
    broker.venue.set(0, { bids: [[99.5, 2]] });
    await broker.place(first, { price: 99.5, lots: 4 });
    broker.venue.set(0, { last: 99.5, volume: 1_005 });
    await broker.settled();
    expect(await lots()).toEqual([3]);
  });

  it("what a batch took a while to decide, from when it is written on", async () => {
    const { consume } = broker.venue;
    const { now } = broker.clock;
    broker.venue.consume = (want, executions) => {
      broker.clock.now += 1_500;
      consume.call(broker.venue, want, executions);
    };
    await broker.place(first, { lots: 2 });
    expect(await lots()).toEqual([2]);
    expect(broker.venue.moving.map(({ at }) => at)).toEqual([now + 1_500]);
  });

  it("what comes to an order that rests", async () => {
    await broker.place(first, { price: 99, lots: 4 });
    broker.venue.set(0, { bids: [[98, 5]], asks: [[98.5, 3]] });
    await broker.settled();
    expect(await lots()).toEqual([3]);
  });
});

describe("no price is moved by", () => {
  it("what one member takes from another", async () => {
    broker.venue.set(0, { bids: [[99, 5]], asks: [[101, 5]] });
    await broker.place(first, { price: 100, lots: 4 });
    const position = await broker.place(second, { lots: 2 });
    expect(await lots()).toEqual([2]);
    await broker.close(second, position.orderNo, { lots: 2, price: 100 });
    expect(await lots()).toEqual([2]);
  });

  it("what trades at a price limit, where it would cost nothing to move it", async () => {
    broker.venue.set(0, { last: 110, bids: [[109.5, 5]], asks: [[110, 5]] });
    const { orderNo } = await broker.place(first, { lots: 4 });
    expect(await lots()).toEqual([]);
    await broker.close(first, orderNo, { lots: 2 });
    expect(await lots()).toEqual([-2]);
    broker.venue.set(0, { last: 110, bids: [[110, 500]], asks: [] });
    await broker.close(first, orderNo, { lots: 2 });
    expect(await lots()).toEqual([-2]);
  });

  it("but by what trades at a limit that only members have pushed the price to", async () => {
    broker.venue.set(0, { last: 109, bids: [[109.5, 5]], asks: [[110, 5]] });
    const { quote } = broker.venue;
    broker.venue.quote = (row) => ({ ...quote.call(broker.venue, row), bid: price(1_085_000), ask: price(1_090_000) });
    await broker.place(first, { lots: 4 });
    expect(await lots()).toEqual([4]);
  });

  it("an order that is not filled at once and must be", async () => {
    await broker.place(first, { lots: 90, also: { validity: "fok" } });
    expect(await lots()).toEqual([]);
  });

  it("a call, single shares or digital currency", async () => {
    await broker.place(first, { price: 100, lots: 30, also: { market: "odd" } });
    broker.venue.setCall(0, { asks: [[100, 50]] }, true);
    broker.venue.call("odd");
    await broker.settled();
    const rich = await broker.newMember({ depositCents: 100_000_000_000 });
    await signByHand(broker, rich, "crypto");
    const coin = unitsPerWhole({ kind: "crypto" });
    broker.venue.set(6, { last: 4_000, reference: 4_000, asks: [[4_000, 9 * coin]], bids: [] });
    await broker.place(rich, { code: "BTC", lots: 2 * coin });
    broker.venue.setPhase("preOpen");
    broker.venue.setCall(0, { bids: [[99, 8]], asks: [[101, 20]], anchor: 100 });
    await broker.place(first, { price: 102, lots: 30 });
    broker.venue.setPhase("open");
    broker.venue.call("opening");
    await broker.settled();
    expect(broker.venue.reported.some(({ side }) => side === 0)).toBe(true);
    expect(await lots()).toEqual([]);
  });

  it("anything in a real market", async () => {
    const { state } = broker.venue;
    broker.venue.state = (now) => ({ ...state(now), simulated: false });
    await broker.place(first, { lots: 2 });
    expect(await query(broker.db.kysely, "SELECT FROM member_fill")).toEqual([]);
  });
});

it("the market gets them back at the next start, in the order of the log, and none of another market", async () => {
  await broker.place(first, { lots: 5 });
  broker.clock.now += 50;
  await broker.place(second, { lots: 1 });
  const { now } = broker.clock;
  const copy = "INSERT INTO member_fill (universe, code, opens_at, at, lots) SELECT 'another', code, opens_at, at, lots FROM member_fill";
  await query(broker.db.kysely, copy);
  await broker.stop();
  const given: (readonly MemberFills[] | undefined)[] = [];
  broker.venue.restore = ({ fills: all }) => void given.push(all);
  broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
  const fills = [
    [now - 50, 3],
    [now - 50, 2],
    [now, 1],
  ];
  expect(given).toEqual([[{ row: 0, opensAt: broker.venue.state(now).opensAt, fills }]]);
});
