/** Tests the prices of options: Black-76 and Greeks against a published library and by differences, and quotes that nobody earns by without risk. */
import fc from "fast-check";
import * as published from "greeks";
import { blackScholes } from "black-scholes";
import { describe, expect, it } from "vitest";
import { NARROW_SPREAD, WIDE_SPREAD, futuresQuote, markOf, pricedLevel } from "#contract/futures-price.ts";
import {
  blackPrice,
  cumulative,
  fairPremium,
  forwardOf,
  greeksOf,
  OPTION_RIGHTS,
  optionQuote,
  payoffOf,
  premiumTick,
  USUAL_SMILE,
  volatilityOf,
} from "#contract/option-price.ts";
import type { PricedLevel } from "#contract/futures-price.ts";
import type { OptionInput, OptionRight, Smile } from "#contract/option-price.ts";

const right = fc.constantFrom(...OPTION_RIGHTS);
/** Calm and wild markets, with smiles up to the steepest ones that leave nothing to earn. */
const smile = fc
  .record({
    level: fc.double({ min: 0.03, max: 1.2, noNaN: true }),
    lean: fc.constantFrom(0, -0.35, -0.7),
    steep: fc.double({ min: 0.02, max: 2, noNaN: true }),
  })
  .map(({ steep, ...rest }): Smile => ({ ...rest, curve: steep / (1 + Math.abs(rest.lean)) }));
const input = fc
  .record({
    right,
    smile: fc.oneof(fc.constant(USUAL_SMILE), smile),
    forward: fc.integer({ min: 5_000, max: 60_000 }),
    part: fc.double({ min: 0.8, max: 1.25, noNaN: true }),
    days: fc.double({ min: 0.05, max: 250, noNaN: true }),
  })
  .map(({ part, ...rest }): OptionInput => ({ ...rest, strike: Math.round(rest.forward * part) }));
const volatility = fc.double({ min: 0.08, max: 0.6, noNaN: true });

describe("Black-76", () => {
  it("prices as a published library does where there is no interest", () => {
    fc.assert(
      fc.property(input, volatility, (of, v) => {
        const years = of.days / 252;
        // The library's normal distribution is a series that loses digits far out.
        expect(blackPrice(of, v)).toBeCloseTo(blackScholes(of.forward, of.strike, years, v, 0, of.right), 3);
        const greeks = greeksOf(of, v);
        expect(greeks.delta).toBeCloseTo(published.getDelta(of.forward, of.strike, years, v, 0, of.right), 6);
        expect(greeks.gamma).toBeCloseTo(published.getGamma(of.forward, of.strike, years, v, 0), 9);
        expect(greeks.vega).toBeCloseTo(published.getVega(of.forward, of.strike, years, v, 0), 6);
        expect(greeks.theta).toBeCloseTo(published.getTheta(of.forward, of.strike, years, v, 0, of.right, 252), 6);
      }),
    );
  });

  it("has the Greeks that its prices differ by", () => {
    fc.assert(
      fc.property(input, volatility, (of, v) => {
        const at = (over: Partial<OptionInput>, more = 0) => blackPrice({ ...of, ...over }, v + more);
        const step = of.forward * 1e-4;
        const [up, down] = [at({ forward: of.forward + step }), at({ forward: of.forward - step })];
        const greeks = greeksOf(of, v);
        const spread = v * Math.sqrt(of.days / 252);
        // Nearer to expiry than the step, differences tell nothing.
        fc.pre(spread > 0.005);
        expect(greeks.delta).toBeCloseTo((up - down) / (2 * step), 3);
        expect(greeks.gamma * of.forward * spread).toBeCloseTo(((up - 2 * at({}) + down) / step ** 2) * of.forward * spread, 2);
        expect(greeks.vega / of.forward).toBeCloseTo((at({}, 1e-4) - at({}, -1e-4)) / 2e-4 / 100 / of.forward, 6);
        const day = of.days * 1e-4;
        expect(greeks.theta / of.forward).toBeCloseTo(
          (at({ days: of.days - day }) - at({ days: of.days + day })) / (2 * day) / of.forward,
          6,
        );
      }),
    );
  });

  it("has a normal distribution that is exact to twelve digits", () => {
    expect(cumulative(0)).toBe(0.5);
    expect(cumulative(1)).toBeCloseTo(0.841344746068543, 12);
    expect(cumulative(-3)).toBeCloseTo(0.00134989803163009, 12);
    expect(cumulative(6.5) + cumulative(-6.5)).toBeCloseTo(1, 12);
    expect([cumulative(9), cumulative(-9)]).toEqual([1, 0]);
  });

  it("pays what is left at expiry", () => {
    expect(fairPremium({ right: "call", strike: 23_000, forward: 23_155, days: 0, smile: USUAL_SMILE })).toBe(155);
    expect(fairPremium({ right: "put", strike: 23_000, forward: 23_155, days: 0, smile: USUAL_SMILE })).toBe(0);
    expect(greeksOf({ right: "put", strike: 23_200, forward: 23_155, days: 0, smile: USUAL_SMILE }, 0.2)).toEqual({
      delta: -1,
      gamma: 0,
      vega: 0,
      theta: 0,
    });
    expect([payoffOf("call", 10, 12), payoffOf("put", 10, 12), payoffOf("put", 12, 10)]).toEqual([2, 0, 2]);
  });

  it("has a smile: lower strikes cost more volatility, and both wings more than the money", () => {
    const at = (strike: number) => volatilityOf({ right: "call", strike, forward: 23_000, days: 21, smile: USUAL_SMILE });
    expect(at(23_000)).toBeCloseTo(0.17, 3);
    expect(at(21_000)).toBeGreaterThan(at(25_000));
    expect(at(25_500)).toBeGreaterThan(at(24_000));
  });
});

const spread = fc.constantFrom(WIDE_SPREAD, NARROW_SPREAD);
/** Points that a contract on its last day may be worth more or less than its level. */
const between = fc.constantFrom(0, 30_000, 200_000);
/** A moment of the venue: an index and two expiries. */
const moment = fc.record({
  level: fc
    .tuple(fc.integer({ min: 50_000_000, max: 600_000_000 }), spread, between)
    .map(([index, half, more]): PricedLevel => pricedLevel(index, half, more)),
  days: fc.double({ min: 0, max: 120, noNaN: true }),
  more: fc.double({ min: 0, max: 130, noNaN: true }),
  smile: fc.oneof(fc.constant(USUAL_SMILE), smile),
  /** How much variance the days after the nearer expiry have, by those before it, and how much more its wings add. */
  rising: fc.oneof(
    fc.constant(null),
    fc.record({ part: fc.double({ min: 0, max: 3, noNaN: true }), wings: fc.double({ min: 0, max: 1, noNaN: true }) }),
  ),
  strike: fc.double({ min: 0.75, max: 1.3, noNaN: true }),
  width: fc.integer({ min: 1, max: 2_000 }),
  second: fc.integer({ min: 1, max: 2_000 }),
});
const calendarDays = (days: number): number => Math.ceil(days * 1.4);

/** The smile of a later expiry: its total variance is no less, nor what its wings add to it. */
function laterSmile({ level, lean, curve }: Smile, days: number, more: number, { part, wings }: { part: number; wings: number }): Smile {
  const [near, all] = [(level * level * days) / 252, (level * level * (days + more * part)) / 252];
  const added = (variance: number, by: number): number => by * Math.sqrt(variance / (1 + variance));
  const least = added(all, 1) > 0 ? (curve * added(near, 1)) / added(all, 1) : curve;
  const most = 2 / (1 + Math.abs(lean));
  const far = days + more > 0 ? Math.sqrt((all * 252) / (days + more)) : level;
  return { level: far, lean, curve: least + wings * (most - least) };
}

function market(level: PricedLevel, days: number, by: Smile) {
  const index = level.units;
  const forward = forwardOf(index, calendarDays(days));
  const of = (kind: OptionRight, strike: number) => {
    const { bid, ask } = optionQuote({ right: kind, strike, forward, days, smile: by }, level);
    return { bid: (bid ?? 0) / 10, ask: ask / 10 };
  };
  const future = futuresQuote(level, calendarDays(days), markOf(index, calendarDays(days)));
  if (!future) throw new Error("no quote of the future");
  return { of, future };
}

describe("quotes", () => {
  it("are prices of the exchange on the two sides of the mark", () => {
    fc.assert(
      fc.property(input, spread, (of, half) => {
        const { bid, ask, mark } = optionQuote(of, pricedLevel(of.forward * 10_000, half));
        expect(ask % premiumTick(ask)).toBe(0);
        expect((bid ?? 0) % premiumTick(bid ?? 0)).toBe(0);
        expect(ask).toBeGreaterThan(mark);
        expect(bid ?? 0).toBeLessThanOrEqual(mark);
        expect(bid).not.toBe(0);
        expect(bid ?? -1).toBeLessThan(ask);
      }),
    );
    expect([99, 100, 499, 500, 4_999, 5_000, 9_999, 10_000].map((at) => premiumTick(at))).toEqual([1, 5, 5, 10, 10, 50, 50, 100]);
    const near = { right: "call", strike: 23_000, forward: 23_000, days: 21, smile: USUAL_SMILE } as const;
    expect(optionQuote(near, pricedLevel(230_000_000, WIDE_SPREAD))).toEqual({ bid: 4_160, ask: 4_840, mark: 4_502 });
    expect(optionQuote(near, pricedLevel(230_000_000, NARROW_SPREAD))).toEqual({ bid: 4_470, ask: 4_540, mark: 4_502 });
  });

  it("leave nothing between a call, a put and the future", () => {
    fc.assert(
      fc.property(moment, ({ level, days, smile: by, strike: part }) => {
        const { of, future } = market(level, days, by);
        const strike = Math.round((level.units / 10_000) * part);
        const [call, put] = [of("call", strike), of("put", strike)];
        // Bought in options and sold in the future, and the other way around.
        expect(call.ask - put.bid + strike).toBeGreaterThan(future.bid);
        expect(call.bid - put.ask + strike).toBeLessThan(future.ask);
        // More than the future is worth is never paid for a right, nor less than what using it gives.
        expect(call.bid).toBeLessThan(future.ask);
        expect(put.bid).toBeLessThan(strike);
        expect(call.ask).toBeGreaterThanOrEqual(Math.max(0, future.bid - strike));
        expect(put.ask).toBeGreaterThanOrEqual(Math.max(0, strike - future.ask));
      }),
    );
  });

  it("leave nothing in a vertical, a box or a butterfly", () => {
    fc.assert(
      fc.property(moment, ({ level, days, smile: by, strike: part, width, second }) => {
        const { of } = market(level, days, by);
        const low = Math.round((level.units / 10_000) * part);
        const [middle, high] = [low + width, low + width + second];
        for (const [kind, near, far] of [
          ["call", low, middle],
          ["put", middle, low],
        ] as const) {
          expect(of(kind, near).ask - of(kind, far).bid).toBeGreaterThanOrEqual(0);
          expect(of(kind, near).bid - of(kind, far).ask).toBeLessThanOrEqual(width);
        }
        const box = (one: "bid" | "ask", other: "bid" | "ask") =>
          of("call", low)[one] - of("call", middle)[other] + of("put", middle)[one] - of("put", low)[other];
        expect(box("ask", "bid")).toBeGreaterThanOrEqual(width);
        expect(box("bid", "ask")).toBeLessThanOrEqual(width);
        for (const kind of OPTION_RIGHTS) {
          const wings = of(kind, low).ask * second + of(kind, high).ask * width;
          expect(wings - of(kind, middle).bid * (width + second)).toBeGreaterThanOrEqual(-1e-6);
        }
      }),
    );
  });

  it("leave nothing between two expiries", () => {
    fc.assert(
      fc.property(moment, ({ level, days, more, smile: by, rising, strike: part }) => {
        const later = rising ? laterSmile(by, days, more, rising) : by;
        const [near, far] = [market(level, days, by), market(level, days + more, later)];
        const strike = Math.round((level.units / 10_000) * part);
        // The futures of two months differ by points that are known: the later strike is as much higher.
        const carry = Math.round(forwardOf(level.units, calendarDays(days + more)) - forwardOf(level.units, calendarDays(days)));
        for (const kind of OPTION_RIGHTS) {
          expect(far.of(kind, strike + carry).ask).toBeGreaterThanOrEqual(near.of(kind, strike).bid);
          if (kind === "call") expect(far.of(kind, strike).ask).toBeGreaterThanOrEqual(near.of(kind, strike).bid);
        }
      }),
    );
  });

  it("come of a surface that is convex in the strike and rises with time before any spread", () => {
    fc.assert(
      fc.property(input, fc.double({ min: 1, max: 100, noNaN: true }), (of, more) => {
        const step = of.forward * 0.002;
        const at = (strike: number, days = of.days) => fairPremium({ ...of, strike, days });
        expect(at(of.strike - step) - 2 * at(of.strike) + at(of.strike + step)).toBeGreaterThan(-1e-7);
        expect(at(of.strike, of.days + more)).toBeGreaterThan(at(of.strike) - 1e-7);
        const slope = (at(of.strike + step) - at(of.strike)) / step;
        expect(of.right === "call" ? -slope : slope).toBeGreaterThanOrEqual(-1e-9);
        expect(Math.abs(slope)).toBeLessThanOrEqual(1 + 1e-9);
      }),
    );
  });
});
