/** Three stories of orders in a queue, with times and lots, through the broker. `QUEUE_STORIES=1` prints them. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { OrderNo } from "#contract/kernel/id.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import type { FakeBook } from "#tests/support/fake-book.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let start: number;

beforeEach(async () => {
  broker = await openTestBroker();
  start = broker.clock.now;
  broker.venue.set(0, { last: 100, reference: 100, volume: 1_000 });
});
afterEach(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

/** What happens to the market at a second of a story: trades of some lots at a price, and the book after them. */
type Event = FakeBook & { sold?: number; at?: number };

/** An order of a story. */
interface Told {
  member: number;
  orderNo: OrderNo;
}

async function buys(lots: number, price: number): Promise<Told> {
  const member = await broker.newMember();
  return { member, orderNo: (await broker.place(member, { price, lots })).orderNo };
}

/** The lots before an order (null: it is done) and those it has got. */
async function stateOf({ member, orderNo }: Told): Promise<[before: number | null, got: number]> {
  const { places } = await broker.call("readQueue", member, { orderNos: [orderNo] });
  return [places[0]?.lots ?? null, (await broker.call("readOrder", member, { orderNo })).order.filledLots];
}

/** Lets a second of a story come, with what happens then. Every five seconds others cancel. @returns how the orders stand afterwards */
async function after(second: number, { sold = 0, at = 100, ...book }: Event, ...orders: readonly Told[]): Promise<unknown[]> {
  broker.clock.now = start + second * 1_000;
  if (sold > 0) broker.venue.set(0, { ...book, last: at, volume: broker.venue.quote(0).volume + sold });
  else broker.venue.set(0, book);
  await broker.settled();
  if (second % 5 === 0) await broker.tick();
  await broker.settled();
  const states = await Promise.all(orders.map(stateOf));
  if (process.env["QUEUE_STORIES"]) console.info(`+${second} s`, JSON.stringify({ sold, at, ...book }), JSON.stringify(states));
  return states;
}

it("at a price that trades: of 454 lots before it 446 trade, and eight are cancelled", async () => {
  broker.venue.set(0, { bids: [[100, 454]], asks: [[100.5, 300]] });
  const order = await buys(10, 100);
  expect(await after(0, {}, order)).toEqual([[454, 0]]);
  expect(await after(2, { sold: 52, bids: [[100, 402]] }, order)).toEqual([[402, 0]]);
  // Of those before it one in fifty has cancelled after five seconds.
  expect(await after(5, {}, order)).toEqual([[394, 0]]);
  expect(await after(8, { sold: 390, bids: [[100, 12]] }, order)).toEqual([[4, 0]]);
  expect(await after(11, { sold: 6 }, order)).toEqual([[0, 2]]);
  expect(await after(12, { sold: 20 }, order)).toEqual([[null, 10]]);
});

it("when two lots trade a tick below: of 226 lots before it 224 still are, and an offer at its price is theirs first", async () => {
  broker.venue.set(0, { bids: [[100, 226]], asks: [[100.5, 300]] });
  const order = await buys(10, 100);
  expect(await after(1, { sold: 2, at: 99.5 }, order)).toEqual([[224, 0]]);
  expect(await after(2, { bids: [[99.5, 80]], asks: [[100, 50]] }, order)).toEqual([[174, 0]]);
  expect(broker.venue.depth(0).asks).toEqual([]);
  // Nobody is displayed at its price any more: the 174 have cancelled.
  expect(await after(5, {}, order)).toEqual([[0, 0]]);
  expect(await after(6, { asks: [[100, 4]] }, order)).toEqual([[0, 4]]);
  expect(await after(7, { sold: 3, at: 99.5 }, order)).toEqual([[0, 7]]);
  expect(await after(8, { sold: 3, at: 100 }, order)).toEqual([[null, 10]]);
});

it("when a block trades two ticks below: it runs down the queues by price and then by time, and no lot of it counts twice", async () => {
  broker.venue.set(0, {
    bids: [
      [100, 226],
      [99.5, 100],
    ],
    asks: [[100.5, 300]],
  });
  const first = await buys(5, 100);
  const lower = await buys(5, 99.5);
  broker.venue.set(0, {
    bids: [
      [100, 300],
      [99.5, 100],
    ],
  });
  const second = await buys(5, 100);
  const all = [first, second, lower];
  expect(await after(0.5, {}, ...all)).toEqual([
    [226, 0],
    [305, 0],
    [100, 0],
  ]);
  // 226 lots, the first order's five, and 19 of the 74 that came before the second.
  expect(await after(1, { sold: 250, at: 99 }, ...all)).toEqual([
    [null, 5],
    [55, 0],
    [100, 0],
  ]);
  // 55 lots, the second order's five, and 40 of the hundred a tick below.
  expect(await after(2, { sold: 100, at: 99 }, ...all)).toEqual([
    [null, 5],
    [null, 5],
    [60, 0],
  ]);
  expect(await after(3, { sold: 64, at: 99 }, ...all)).toEqual([
    [null, 5],
    [null, 5],
    [0, 4],
  ]);
});
