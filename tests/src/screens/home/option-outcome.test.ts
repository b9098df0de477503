/** Tests what an option order brings at expiry: by hand for the four kinds, and that the drawing agrees with it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { onPremiumTick, premiumTick } from "#contract/option-price.ts";
import { gainAt, gainOfLegs, outcomeOf, payoffLine, spreadLine, worstPrice } from "#src/screens/home/option-outcome.ts";
import type { OptionDeal } from "#src/screens/home/option-outcome.ts";

/** Two lots at 125.0 points: a premium of NT$12,500, and NT$75 of charges. */
const deal = (over: Partial<OptionDeal>): OptionDeal => ({
  right: "call",
  strike: 23_000,
  side: "buy",
  lots: 2,
  price: 1_250,
  chargesCents: 7_500,
  ...over,
});

describe("an order", () => {
  it("that buys loses no more than premium and charges", () => {
    const paid = { mostLossCents: 1_257_500, pointCents: 10_000 };
    // NT$75 of charges are 0.75 points of two lots, told as 0.8.
    expect(outcomeOf(deal({}))).toEqual({ ...paid, mostGainCents: null, evenTenths: 231_258 });
    expect(outcomeOf(deal({ right: "put" }))).toEqual({ ...paid, mostGainCents: 23_000 * 10_000 - 1_257_500, evenTenths: 228_742 });
  });

  it("that sells a call loses without limit, and one that sells a put all of the strike", () => {
    const kept = { mostGainCents: 1_242_500, pointCents: 10_000 };
    expect(outcomeOf(deal({ side: "sell" }))).toEqual({ ...kept, mostLossCents: null, evenTenths: 231_242 });
    expect(outcomeOf(deal({ side: "sell", right: "put" }))).toEqual({
      ...kept,
      mostLossCents: 23_000 * 10_000 - 1_242_500,
      evenTenths: 228_758,
    });
  });
});

const anyDeal = fc.record({
  right: fc.constantFrom("call" as const, "put" as const),
  side: fc.constantFrom("buy" as const, "sell" as const),
  strike: fc.integer({ min: 100, max: 40_000 }),
  lots: fc.integer({ min: 1, max: 200 }),
  price: fc.integer({ min: 20, max: 9_000 }),
  chargesCents: fc.integer({ min: 0, max: 5_000 }),
});

it("is nearly even where it says, gains beyond it, and nowhere loses more than the most", () => {
  fc.assert(
    fc.property(anyDeal, fc.integer({ min: 0, max: 80_000 }), (one, level) => {
      const { evenTenths, mostLossCents, mostGainCents, pointCents } = outcomeOf(one);
      if (evenTenths >= 0) expect(Math.abs(gainAt(one, evenTenths / 10))).toBeLessThanOrEqual(pointCents / 10 + 1);
      const gain = gainAt(one, level);
      if (mostLossCents !== null) expect(gain).toBeGreaterThanOrEqual(0 - mostLossCents);
      if (mostGainCents !== null) expect(gain).toBeLessThanOrEqual(mostGainCents);
    }),
  );
});

it("is drawn within its box, below the line where it loses, with the index in view", () => {
  fc.assert(
    fc.property(anyDeal, fc.integer({ min: 100, max: 40_000 }), (one, level) => {
      const { path, zero, index, from, to } = payoffLine(one, level);
      const heights = [...path.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
      expect(heights).toHaveLength(3);
      for (const [x, y] of heights) expect(x >= 0 && x <= 100 && y >= 0 && y <= 100).toBe(true);
      expect(Math.sign(zero - (heights[0]?.[1] ?? 0)) * gainAt(one, from)).toBeGreaterThanOrEqual(0);
      expect(Math.sign(zero - (heights[2]?.[1] ?? 0)) * gainAt(one, to)).toBeGreaterThanOrEqual(0);
      expect(index).toBeGreaterThanOrEqual(0);
      expect(index).toBeLessThanOrEqual(100);
    }),
  );
  expect(payoffLine(deal({}), null).index).toBeNull();
});

it("without a limit of its own is filled at most three ticks beyond the quote", () => {
  expect([worstPrice("buy", 1_250), worstPrice("sell", 1_250)]).toEqual([1_280, 1_220]);
  expect([worstPrice("buy", 40), worstPrice("sell", 2)]).toEqual([43, 1]);
});

it("without a limit of its own names a tick, also where ticks change", () => {
  expect([worstPrice("buy", 99), worstPrice("buy", 490), worstPrice("sell", 500)]).toEqual([105, 510, 470]);
  fc.assert(
    fc.property(fc.constantFrom("buy" as const, "sell" as const), fc.integer({ min: 1, max: 20_000 }), (side, price) => {
      const quoted = Math.ceil(price / premiumTick(price)) * premiumTick(price);
      expect(onPremiumTick(worstPrice(side, quoted))).toBe(true);
    }),
  );
});

describe("a spread", () => {
  const legs = [
    { right: "call" as const, strike: 20_000, lots: -2, costTenths: -2_000 },
    { right: "call" as const, strike: 20_500, lots: 2, costTenths: 800 },
  ];
  it("gains its premiums below both strikes, loses what they are apart above them, and is drawn level beyond", () => {
    // 120 points of NT$50, less NT$60 of charges.
    expect(gainOfLegs(legs, 6_000, 19_000)).toBe(594_000);
    expect(gainOfLegs(legs, 6_000, 20_500)).toBe(594_000 - 5_000_000);
    expect(gainOfLegs(legs, 6_000, 30_000)).toBe(594_000 - 5_000_000);
    const { path, from, to, even, index } = spreadLine(legs, 6_000, 20_100);
    const points = path.split(/[ML]/).flatMap((point) => (point === "" ? [] : [point.split(" ").map(Number)]));
    expect(points).toHaveLength(4);
    expect([points[0]?.[1], points[3]?.[1]]).toEqual([points[1]?.[1], points[2]?.[1]]);
    // 59.4 points above the strike that was sold.
    expect(even).toBeCloseTo(((20_059.4 - from) / (to - from)) * 100, 1);
    expect(index).toBeCloseTo(((20_100 - from) / (to - from)) * 100, 1);
  });

  it("that gains at no level breaks even nowhere", () => {
    expect(spreadLine(legs, 10_000_000, null).even).toBe(null);
  });
});
