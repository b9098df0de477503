/** Tests that the call auction yields the price of the published algorithm, for any combination of orders. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Kind } from "#contract/instrument.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { dayLimits, onTick, step, toTick } from "#contract/tick.ts";
import { auctionPriceOf } from "#server/venue/matching/call-auction.ts";
import type { CallBook, CallOrder, AuctionPrice } from "#server/venue/matching/call-auction.ts";

const units = (amount: number): number => Math.round(amount * PRICE_ONE);
const order = ([at, lots]: readonly [number | null, number]): CallOrder => [at === null ? null : units(at), lots];

/** A book of a stock with reference 100, so that its limits are 90 and 110. */
function book(bids: [number | null, number][], asks: [number | null, number][], anchor = 100): CallBook {
  return {
    kind: "stock",
    bids: bids.map(order),
    asks: asks.map(order),
    anchor: units(anchor),
    limits: { up: units(110), down: units(90) },
  };
}

const sum = (orders: readonly CallOrder[], matches: (price: number | null) => boolean): number =>
  orders.reduce((total, [price, lots]) => total + (matches(price) ? lots : 0), 0);

/** The algorithm as the rules state it, tick by tick from limit to limit. */
function tickByTick({ kind, bids, asks, anchor, limits }: CallBook): AuctionPrice | null {
  if (!limits) throw new Error("the tick-by-tick algorithm needs limits");
  let best: AuctionPrice | null = null;
  for (let at = toTick(kind, limits.down); at <= limits.up; at = step(kind, at, 1)) {
    const demand = sum(bids, (price) => (price ?? limits.up) >= at);
    const supply = sum(asks, (price) => (price ?? limits.down) <= at);
    const above = sum(bids, (price) => (price ?? limits.up) > at);
    const below = sum(asks, (price) => (price ?? limits.down) < at);
    const lots = Math.min(demand, supply);
    if (lots === 0 || above > supply || below > demand) continue;
    const [distance, bestDistance] = [Math.abs(at - anchor), Math.abs((best?.price ?? 0) - anchor)];
    if (!best || lots > best.lots || (lots === best.lots && distance <= bestDistance)) best = { price: at, lots };
  }
  return best;
}

describe("one price", () => {
  test.each<[string, CallBook, [number, number] | null]>([
    ["nothing on either side", book([], []), null],
    ["bids below asks", book([[99, 5]], [[99.9, 5]]), null],
    ["one bid and one ask that cross", book([[100, 5]], [[100, 3]]), [100, 3]],
    [
      "the most lots",
      book(
        [
          [102, 10],
          [101, 20],
          [100, 40],
        ],
        [
          [99, 15],
          [100, 30],
          [101, 10],
        ],
      ),
      [100, 45],
    ],
    ["among prices with equal lots, the closest to the anchor", book([[105, 10]], [[95, 10]], 101), [101, 10]],
    ["with more bid than asked, what is bid", book([[105, 10]], [[95, 9]], 101), [105, 9]],
    ["with an anchor out of reach, the nearest end", book([[99, 10]], [[95, 10]], 101), [99, 10]],
    ["of two equally close prices, the higher", book([[101, 10]], [[100, 10]], 100.25), [100.5, 10]],
    ["market orders alone match at the anchor", book([[null, 7]], [[null, 7]], 100), [100, 7]],
    [
      "market bids take the available asks",
      book(
        [[null, 7]],
        [
          [104, 4],
          [105, 9],
        ],
      ),
      [105, 7],
    ],
    [
      "an excess of market bids ends at the limit",
      book(
        [[null, 50]],
        [
          [104, 4],
          [105, 9],
        ],
      ),
      [110, 13],
    ],
  ])("%s", (_, input, expected) => {
    const result = auctionPriceOf(input);
    expect(result && [result.price / PRICE_ONE, result.lots]).toEqual(expected);
  });

  test("a market without limits has an auction price too", () => {
    const open: CallBook = { kind: "crypto", bids: [[units(2000), 3]], asks: [[units(1999), 3]], anchor: units(1999.5), limits: null };
    expect(auctionPriceOf(open)).toEqual({ price: units(1999.5), lots: 3 });
  });
});

const KINDS: Kind[] = ["stock", "etf"];

/** Books around references in every price band, with prices on ticks and occasional market orders. */
const books = fc.constantFrom(...KINDS).chain((kind) =>
  fc.integer({ min: units(9), max: units(120) }).chain((reference) => {
    const limits = dayLimits({ kind, limitPercent: 10 }, reference);
    if (!limits) throw new Error("a kind without limits");
    const price = fc
      .integer({ min: -12, max: 12 })
      .map((steps): number => Math.min(limits.up, Math.max(limits.down, toTick(kind, reference + steps * Math.ceil(reference / 400)))));
    const orders = fc.array(
      fc.tuple(fc.oneof({ weight: 9, arbitrary: price }, { weight: 1, arbitrary: fc.constant(null) }), fc.integer({ min: 1, max: 9 })),
      {
        maxLength: 9,
      },
    );
    return fc.record({
      kind: fc.constant(kind),
      bids: orders,
      asks: orders,
      anchor: fc.oneof(price, fc.constant(reference)),
      limits: fc.constant(limits),
    });
  }),
);

test("any book gives the same price as the tick-by-tick algorithm", () => {
  fc.assert(
    fc.property(books, (input) => {
      expect(auctionPriceOf(input)).toEqual(tickByTick(input));
    }),
    { numRuns: 400 },
  );
});

test("an auction price is a tick within the limits, and leaves no better-priced order unfilled", () => {
  fc.assert(
    fc.property(books, (input) => {
      const result = auctionPriceOf(input);
      const { up, down } = input.limits;
      if (!result) {
        // The highest bid and the lowest ask do not cross.
        const bid = Math.max(0, ...input.bids.map(([price]) => price ?? up));
        const ask = Math.min(Infinity, ...input.asks.map(([price]) => price ?? down));
        expect(bid < ask).toBe(true);
        return;
      }
      const { price, lots } = result;
      expect(onTick(input.kind, price)).toBe(true);
      expect(price >= down && price <= up).toBe(true);
      expect(sum(input.bids, (at) => (at ?? up) > price)).toBeLessThanOrEqual(lots);
      expect(sum(input.asks, (at) => (at ?? down) < price)).toBeLessThanOrEqual(lots);
    }),
  );
});
