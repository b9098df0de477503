/** Tests the arithmetic of futures: nothing is lost between opening and closing, quotes leave nothing to earn, margin and taxes by hand. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  closeLots,
  FUTURES_PRODUCTS,
  futuresFeeOf,
  futuresLimits,
  futuresMargin,
  futuresQuote,
  futuresTaxOf,
  NARROW_SPREAD,
  lowerLots,
  markLots,
  markOf,
  openLots,
  pointsWorth,
  pricedLevel,
  WIDE_SPREAD,
} from "#contract/futures-price.ts";
import type { HeldLots } from "#contract/futures-price.ts";

const NONE: HeldLots = { lots: 0, costPoints: 0, markedPoints: 0 };
const TAX = { taxPerMillion: 20 };
const price = fc.integer({ min: 1, max: 60_000 });
const spread = fc.constantFrom(WIDE_SPREAD, NARROW_SPREAD);
const step = fc.oneof(
  fc.record({ does: fc.constant("trade" as const), lots: fc.integer({ min: -40, max: 40 }), price }),
  fc.record({ does: fc.constant("mark" as const), price }),
  fc.record({ does: fc.constant("dividend" as const), points: fc.integer({ min: 0, max: 80 }) }),
);

describe("marking to market", () => {
  it("pays exactly what was sold for, less what was bought for, whatever happens between", () => {
    fc.assert(
      fc.property(fc.constantFrom(...FUTURES_PRODUCTS), fc.array(step, { maxLength: 40 }), price, (product, steps, last) => {
        let [held, paid, cash] = [NONE, 0, 0];
        const trade = (lots: number, at: number): void => {
          cash -= lots * at;
          const against = Math.sign(lots) === -Math.sign(held.lots) ? Math.min(Math.abs(lots), Math.abs(held.lots)) : 0;
          if (against > 0) {
            const { left, gained } = closeLots(held, against, at);
            held = left;
            paid += pointsWorth(product, gained);
          }
          const rest = lots - Math.sign(lots) * against;
          if (rest !== 0) held = openLots(held, rest, at);
        };
        for (const one of steps) {
          if (one.does === "trade") trade(one.lots, one.price);
          else if (one.does === "dividend") {
            // Who holds a contract over an ex-date has what the index lost besides.
            cash += held.lots * one.points;
            held = lowerLots(held, one.points);
          } else {
            const { left, gained } = markLots(held, one.price);
            held = left;
            paid += pointsWorth(product, gained);
          }
        }
        trade(-held.lots, last);
        expect(held).toEqual({ lots: 0, costPoints: expect.closeTo(0), markedPoints: expect.closeTo(0) });
        expect(paid).toBe(pointsWorth(product, cash));
      }),
    );
  });

  it("keeps the average of what stays open", () => {
    const two = openLots(openLots(NONE, 2, 20_000), 1, 20_003);
    const { left, gained } = closeLots(two, 1, 20_010);
    expect([left, gained]).toEqual([{ lots: 2, costPoints: 40_002, markedPoints: 40_002 }, 9]);
    expect(closeLots(openLots(NONE, -2, 20_000), 2, 19_990)).toEqual({ left: { lots: 0, costPoints: 0, markedPoints: 0 }, gained: 20 });
  });
});

describe("quotes", () => {
  it("buy below the index and sell above it, and both meet it at expiry", () => {
    fc.assert(
      fc.property(fc.integer({ min: 10_000_000, max: 600_000_000 }), fc.integer({ min: 0, max: 400 }), spread, (index, days, half) => {
        const level = pricedLevel(index, half);
        const quote = futuresQuote(level, days, markOf(index, days));
        expect(quote).not.toBeNull();
        const { bid = 0, ask = 0 } = quote ?? {};
        expect(bid * 10_000).toBeLessThan(index);
        expect(ask * 10_000).toBeGreaterThan(index);
        // A later month is never bought for less than a nearer one is sold for, nor the other way around.
        const nearer = futuresQuote(level, Math.floor(days / 2), markOf(index, days));
        expect(ask).toBeGreaterThan(nearer?.bid ?? 0);
        expect(bid).toBeLessThan(nearer?.ask ?? Infinity);
      }),
    );
    expect(futuresQuote(pricedLevel(231_504_200, WIDE_SPREAD), 0, 23_150)).toEqual({ bid: 23_136, ask: 23_165 });
    expect(futuresQuote(pricedLevel(231_504_200, NARROW_SPREAD), 0, 23_150)).toEqual({ bid: 23_149, ask: 23_152 });
    expect(futuresQuote(pricedLevel(231_504_200, NARROW_SPREAD), 100, 23_150)).toEqual({ bid: 23_149, ask: 23_156 });
    // What it is worth lies somewhere within seven points of the level.
    expect(futuresQuote(pricedLevel(231_504_200, NARROW_SPREAD, 70_000), 0, 23_150)).toEqual({ bid: 23_142, ask: 23_159 });
    expect(markOf(231_504_200, 0)).toBe(23_150);
  });

  it("end at the limits, and without an index", () => {
    expect(futuresLimits(23_155)).toEqual({ upper: 25_470, lower: 20_840 });
    expect(futuresQuote(pricedLevel(254_500_000, WIDE_SPREAD), 0, 23_155)).toEqual({ bid: 25_434, ask: 25_466 });
    expect(futuresQuote(pricedLevel(254_550_000, WIDE_SPREAD), 0, 23_155)).toBeNull();
    expect(futuresQuote(pricedLevel(208_400_000, WIDE_SPREAD), 0, 23_155)).toBeNull();
    expect(futuresQuote(pricedLevel(0, WIDE_SPREAD), 0, 23_155)).toBeNull();
  });
});

/** A margin of which a quarter is no whole cent. */
const TERMS = { initialCents: 8_050_001, maintenanceCents: 6_175_000, liquidationPercent: 25 };

describe("money", () => {
  it("is taxed 2 per 100,000 in whole NT$, and charged a fee a lot", () => {
    // 23,155 points × 200 × 3 = 13,893,000; 2 per 100,000 of it is 277.86.
    expect(futuresTaxOf("TX", 23_155, 3, TAX)).toBe(27_800);
    expect(futuresTaxOf("TMF", 23_155, 1, TAX)).toBe(500);
    expect(futuresFeeOf(3, { feeCents: 3_000 })).toBe(9_000);
    expect(pointsWorth("TMF", -7)).toBe(-7_000);
  });

  it("secures what is held, and lets only paid money beyond the initial margin go", () => {
    const held = openLots(NONE, -2, 20_000);
    const of = (wallet: number, mark: number | null) => futuresMargin(wallet, [{ product: "MTX", held, price: mark, terms: TERMS }]);
    const { initialCents } = TERMS;
    const both = { initialCents: 2 * initialCents, maintenanceCents: 12_350_000, liquidationCents: 4_025_001 };
    expect(of(20_000_000, null)).toEqual({ equityCents: 20_000_000, freeCents: 20_000_000 - 2 * initialCents, ...both });
    // 100 points × 50 × 2 lots, gained and not paid.
    expect(of(20_000_000, 19_900)).toEqual({ equityCents: 21_000_000, freeCents: 20_000_000 - 2 * initialCents, ...both });
    expect(of(20_000_000, 20_100)).toEqual({ equityCents: 19_000_000, freeCents: 19_000_000 - 2 * initialCents, ...both });
    expect(of(10_000_000, 20_100).freeCents).toBe(0);
  });
});
