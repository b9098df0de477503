/** The order book by itself: who is served first, and whom an order that is about to trade may meet. */
import { describe, expect, it } from "vitest";
import { OrderBook, comparePriority, restingOf } from "#server/trading/sequencer/order-book.ts";
import type { RestingOrder } from "#server/trading/sequencer/order-book.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { INSTRUMENTS } from "#tests/support/trading.ts";
import { fakeVenue } from "#tests/support/fake-venue.ts";

const MEMBER = 1;
const OTHER = 2;
const THIRD = 3;
let made = 0;

/** A resting sell of 5 lots at 100, later than every earlier one. */
function resting(over: Partial<RestingOrder> = {}): RestingOrder {
  made += 1;
  const timePriority = String(made).padStart(6, "0");
  const usual = { row: 0, side: "sell", market: "board", atMarket: false, limit: 100, lots: 5, memberId: OTHER } as const;
  return { orderNo: `K${timePriority}`, timePriority, ...usual, ...over };
}

function bookOf(...orders: RestingOrder[]): OrderBook {
  const book = new OrderBook();
  for (const order of orders) book.put(order);
  return book;
}

const numbers = (orders: readonly RestingOrder[]): string[] => orders.map(({ orderNo }) => orderNo);
const query = { row: 0, side: "buy", limit: 100, lots: 5, memberId: MEMBER } as const;

describe("the queue", () => {
  it("serves market orders, then the better price, then the earlier order", () => {
    const [late, early, cheap] = [resting({ timePriority: "9" }), resting({ timePriority: "1" }), resting({ limit: 99 })];
    const market = resting({ atMarket: true, limit: null });
    const bound = resting({ atMarket: true, limit: 90 });
    const book = bookOf(late, early, cheap, bound, market);
    expect(numbers(book.queue(0, "sell"))).toEqual(numbers([bound, market, cheap, early, late].toSorted(comparePriority)));
    expect(numbers(book.queue(0, "sell")).slice(2)).toEqual(numbers([cheap, early, late]));
    const [low, high] = [resting({ side: "buy", limit: 99 }), resting({ side: "buy", limit: 101 })];
    expect(numbers(bookOf(low, high).queue(0, "buy"))).toEqual(numbers([high, low]));
    expect(comparePriority(early, early)).toBe(0);
  });

  it("holds an order once, where it stands now, and forgets it", () => {
    const [first, second] = [resting(), resting()];
    const book = bookOf(first, second);
    book.put({ ...first, timePriority: "zzz" });
    expect(numbers(book.queue(0, "sell"))).toEqual(numbers([second, first]));
    expect([book.size, [...book.rows("board")], [...book.rows("odd")]]).toEqual([2, [0], []]);
    book.remove(second.orderNo);
    book.remove(second.orderNo);
    expect(numbers(book.queue(0, "sell"))).toEqual(numbers([first]));
    book.remove(first.orderNo);
    expect([book.size, [...book.rows("board")]]).toEqual([0, []]);
  });

  it("is one for each row, side and market", () => {
    const orders = [resting(), resting({ row: 1 }), resting({ side: "buy" }), resting({ market: "odd" })];
    const book = bookOf(...orders);
    expect([book.queue(0, "sell"), book.queue(1, "sell"), book.queue(0, "buy"), book.queue(0, "sell", "odd")].map(numbers)).toEqual(
      orders.map((order) => [order.orderNo]),
    );
  });
});

describe("the counterparties", () => {
  it("reach as far as the lots, and no further", () => {
    const [one, two, three] = [resting(), resting(), resting()];
    const book = bookOf(one, two, three);
    const met = (lots: number): string[] => numbers(book.findCounterparties([{ ...query, lots }]));
    expect(met(5)).toEqual(numbers([one]));
    expect(met(6)).toEqual(numbers([one, two]));
    expect(met(10)).toEqual(numbers([one, two]));
    expect(met(11)).toEqual(numbers([one, two, three]));
  });

  it("reach as far as the limit, on both sides", () => {
    const [at, beyond] = [resting(), resting({ limit: 101 })];
    const book = bookOf(at, beyond);
    expect(numbers(book.findCounterparties([{ ...query, lots: 99 }]))).toEqual(numbers([at]));
    expect(numbers(book.findCounterparties([{ ...query, lots: 99, limit: 101 }]))).toEqual(numbers([at, beyond]));
    expect(numbers(book.findCounterparties([{ ...query, lots: 99, limit: null }]))).toEqual(numbers([at, beyond]));
    const [bid, low] = [resting({ side: "buy" }), resting({ side: "buy", limit: 99 })];
    expect(numbers(bookOf(bid, low).findCounterparties([{ ...query, side: "sell", lots: 99 }]))).toEqual(numbers([bid]));
  });

  it("count neither the member's own orders nor those at market against the lots", () => {
    const own = resting({ memberId: MEMBER });
    const market = resting({ atMarket: true, limit: null });
    const [one, two] = [resting(), resting()];
    expect(numbers(bookOf(own, one, two).findCounterparties([query]))).toEqual(numbers([own, one]));
    expect(numbers(bookOf(market, one, two).findCounterparties([query]))).toEqual(numbers([market, one]));
  });

  it("of several orders are found together: for all their lots, up to the furthest limit, for all their members", () => {
    const [one, two, dear] = [resting({ memberId: THIRD }), resting(), resting({ limit: 102 })];
    const book = bookOf(one, two, dear);
    const third = { ...query, memberId: THIRD };
    expect(numbers(book.findCounterparties([query, third]))).toEqual(numbers([one, two]));
    expect(numbers(book.findCounterparties([{ ...query, lots: 6 }, third]))).toEqual(numbers([one, two]));
    for (const limit of [102, null])
      expect(
        numbers(
          book.findCounterparties([
            { ...query, lots: 6 },
            { ...third, limit },
          ]),
        ),
      ).toEqual(numbers([one, two, dear]));
    expect(numbers(book.findCounterparties([{ ...query, lots: 6, limit: 102 }, third]))).toEqual(numbers([one, two, dear]));
    const bids = [resting({ side: "buy", limit: 99 }), resting({ side: "buy", limit: 98 })];
    const sells = [query, { ...query, limit: 98 }].map((one) => ({ ...one, side: "sell" as const, lots: 50 }));
    expect(numbers(bookOf(...bids).findCounterparties(sells))).toEqual(numbers(bids));
    const elsewhere = resting({ row: 1 });
    expect(numbers(bookOf(one, elsewhere).findCounterparties([query, { ...query, row: 1 }]))).toEqual(numbers([one, elsewhere]));
  });
});

describe("what an order waits for", () => {
  const venue = fakeVenue(INSTRUMENTS, () => 0);
  const opening = {
    order_no: "K1",
    member_id: MEMBER,
    code: "2330",
    lot_shares: 1000,
    turn: "7",
    trigger_kind: null,
    reserved_for: null,
    status: "pending",
    direction: "rise",
    market: "board",
    validity: "rod",
    pricing: "market",
    price: null,
    bound_price: 1_100_000,
    lots: 3,
    filled_lots: 1,
  };
  const closing = {
    ...opening,
    status: "readyToClose",
    close_market: "board",
    close_validity: "rod",
    close_pricing: "limit",
    close_price: 900_000,
    close_cause: "member",
    closing_lots: 2,
  };
  const waits = (record: object): RestingOrder | null => restingOf(record as OrderRecord, venue);

  it("is nothing while it is reserved for a later session", () => {
    for (const order of [opening, closing]) expect(waits({ ...order, reserved_for: 1 })).toBeNull();
  });

  it("to open: at market, bound to what was held for a buy and to nothing for a sell, or at its limit", () => {
    const usual = { orderNo: "K1", memberId: MEMBER, row: 0, market: "board", lots: 2, timePriority: "7" };
    expect(waits(opening)).toEqual({ ...usual, side: "buy", atMarket: true, limit: 1_100_000 });
    expect(waits({ ...opening, direction: "fall" })).toEqual({ ...usual, side: "sell", atMarket: true, limit: null });
    const limited = { ...opening, pricing: "limit", price: 1_050_000 };
    expect(waits(limited)).toEqual({ ...usual, side: "buy", atMarket: false, limit: 1_050_000 });
  });

  it("to close: at the member's limit; a forced close on the board at market, whatever price it came to a call with", () => {
    expect(waits(closing)).toMatchObject({ side: "sell", atMarket: false, limit: 900_000, lots: 2 });
    expect(waits({ ...closing, close_pricing: "market", close_price: null })).toMatchObject({ atMarket: true, limit: null });
    expect(waits({ ...closing, close_cause: null })).toMatchObject({ atMarket: false, limit: 900_000 });
    for (const cause of ["condition", "liquidation", "marginCall"]) {
      expect(waits({ ...closing, close_cause: cause })).toMatchObject({ atMarket: true, limit: null });
      expect(waits({ ...closing, close_cause: cause, close_market: "odd" })).toMatchObject({ atMarket: false, limit: 900_000 });
    }
  });

  it("is nothing for what waits for its trigger, is done, or is of no listed instrument", () => {
    const records = [
      { ...opening, trigger_kind: "stop" },
      { ...opening, filled_lots: 3 },
      { ...opening, code: "none" },
      { ...opening, status: "holding" },
    ];
    expect(records.map(waits)).toEqual([null, null, null, null]);
  });

  it("is in whole lots on the board, and in shares in the odd-lot market", () => {
    const shares = { ...closing, lot_shares: 1, closing_lots: 2_500 };
    expect(waits(shares)).toMatchObject({ lots: 2 });
    expect(waits({ ...shares, close_market: "odd" })).toMatchObject({ lots: 2_500 });
    expect(waits({ ...shares, closing_lots: 999 })).toBeNull();
  });
});
