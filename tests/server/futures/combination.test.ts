/** Tests the exchange's combined margins: each pair by its rule, the least margin of random accounts against every way to pair them, and what a day can cost. */
import { describe, expect, it } from "vitest";
import { cents } from "#contract/kernel/money.ts";
import { blackPrice, fairPremium, USUAL_SMILE, volatilityOf } from "#contract/option-price.ts";
import { exerciseCostOf, exerciseTaxOf, OPTION_MULTIPLIER, optionFeeOf, premiumWorth, sellerMargin } from "#contract/option-terms.ts";
import { combine, initialWithout, unpairedCents } from "#server/trading/futures/combination.ts";
import type { Leg } from "#server/trading/futures/combination.ts";
import { OPTION_RULE as RULE } from "#tests/support/option-rule.ts";
import { randomFrom } from "#tests/server/simulation/random.ts";
import type { Random } from "#tests/server/simulation/random.ts";

const INDEX = 20_000;
const DAYS = 20;
const POINT = OPTION_MULTIPLIER * 100;
/** The initial margin of a small future. */
const FUTURE_CENTS = 8_050_000;

const markAt = (right: "call" | "put", strike: number): number =>
  Math.round(fairPremium({ right, strike, forward: INDEX, days: DAYS, smile: USUAL_SMILE }) * 10);
const option = (kind: "call" | "put", strike: number, lots: number): Leg => ({ kind, strike, lots, mark: markAt(kind, strike) });
const future = (lots: number): Leg => ({ kind: "future", strike: 0, lots, mark: 0 });
const aloneOf = ({ kind, strike, mark }: Leg, lots = 1) => {
  if (kind === "future") throw new Error("no option");
  return sellerMargin(kind, strike, mark, INDEX, lots, RULE);
};
const marginOf = (...legs: Leg[]) => {
  const { initialCents, maintenanceCents } = combine(legs, INDEX, RULE);
  return { initialCents, maintenanceCents };
};

describe("a pair", () => {
  it("of a spread needs what its strikes are apart and what its expiry is charged, and nothing where the bought option is worth more", () => {
    // NT$25 and the tax of each, up to the next whole NT$: of calls at twice the higher strike, of puts at the lower one.
    expect(marginOf(option("call", 20_000, -3), option("call", 20_200, 3))).toEqual({
      initialCents: 600 * POINT + 6 * (2_500 + 4_100),
      maintenanceCents: 600 * POINT,
    });
    expect(marginOf(option("put", 20_000, -1), option("put", 19_900, 1))).toEqual({
      initialCents: 100 * POINT + 2 * (2_500 + 2_000),
      maintenanceCents: 100 * POINT,
    });
    expect(marginOf(option("call", 20_000, 1), option("call", 20_200, -1)).initialCents).toBe(0);
    expect(marginOf(option("put", 20_000, 1), option("put", 19_900, -1)).initialCents).toBe(0);
  });

  it("of many lots of a spread covers what all of them are taxed at expiry, together", () => {
    for (const low of [19_300, 19_310, 19_440, 19_499]) {
      const needed = marginOf(option("put", low + 100, -200), option("put", low, 200)).initialCents;
      const taxed = 2 * exerciseTaxOf(low - 2, 200, RULE) + 2 * optionFeeOf(200, RULE);
      expect(needed).toBeGreaterThanOrEqual(200 * 100 * POINT + taxed);
    }
  });

  it("of strikes too far apart needs no more than the sold option alone", () => {
    const sold = option("call", 20_000, -1);
    expect(marginOf(sold, option("call", 26_000, 1))).toEqual(aloneOf(sold));
  });

  it("of two sold options needs the larger margin, the other premium and C", () => {
    const [call, put] = [option("call", 20_000, -2), option("put", 19_500, -2)];
    const larger = aloneOf(call, 2);
    expect(larger.initialCents).toBeGreaterThan(aloneOf(put, 2).initialCents);
    expect(marginOf(call, put)).toEqual({
      initialCents: larger.initialCents + premiumWorth(put.mark, 2) + 2 * RULE.initialCCents,
      maintenanceCents: larger.maintenanceCents + premiumWorth(put.mark, 2) + 2 * RULE.maintenanceCCents,
    });
  });

  it("of two sold options needs what brokers published as an example when C was introduced", () => {
    // A call of 590 and a put of 98 points, both of 10,200, at 10,873: NT$52,500 for the call alone, 16,900 for the put, 58,600 together.
    const rule = { ...RULE, initialACents: cents(2_300_000), initialBCents: cents(1_200_000), initialCCents: cents(120_000) };
    const call: Leg = { kind: "call", strike: 10_200, lots: -1, mark: 5_900 };
    const put: Leg = { kind: "put", strike: 10_200, lots: -1, mark: 980 };
    expect(combine([call], 10_873, rule).initialCents).toBe(5_250_000);
    expect(combine([put], 10_873, rule).initialCents).toBe(1_690_000);
    expect(combine([put, call], 10_873, rule).initialCents).toBe(5_860_000);
  });

  it("of a sold option and a future that covers it needs its premium, beside the margin of the future", () => {
    const call = option("call", 20_300, -1);
    const put = option("put", 19_700, -1);
    expect(marginOf(call, future(1)).initialCents).toBe(premiumWorth(call.mark));
    expect(marginOf(put, future(-1)).initialCents).toBe(premiumWorth(put.mark));
    // A future on the wrong side covers nothing; one of four lots covers four.
    expect(marginOf(call, future(-1))).toEqual(aloneOf(call));
    expect(marginOf(put, future(1))).toEqual(aloneOf(put));
    const five = { ...call, lots: -5 };
    expect(marginOf(five, future(4)).initialCents).toBe(premiumWorth(call.mark, 4) + aloneOf(call).initialCents);
  });

  it("of options bought and sold of both kinds, a conversion, frees nothing: the sold one is margined alone", () => {
    const call = option("call", 20_000, -1);
    expect(marginOf(call, option("put", 20_000, 1))).toEqual(aloneOf(call));
  });
});

/** Some lots on a few strikes, and perhaps futures. */
function randomLegs(random: Random, most: number, strikes: number): Leg[] {
  const legs = Array.from({ length: random.int(1, most) }, () => {
    const lots = random.int(1, 3) * (random.once(2) ? 1 : -1);
    return random.once(6) ? future(lots) : option(random.pick(["call", "put"] as const), INDEX + 100 * random.int(-strikes, strikes), lots);
  });
  // A series is held one way only.
  return legs.filter(({ kind, strike }, at) => legs.findIndex((one) => one.kind === kind && one.strike === strike) === at);
}

/** The margin of two lots, if they may be paired, by the exchange's table. */
function tabled(a: Leg, b: Leg): number {
  const [first, second] = a.kind === "future" || a.lots > 0 ? [b, a] : [a, b];
  if (first.kind === "future" || first.lots > 0) return Infinity;
  const own = aloneOf(first).initialCents;
  if (second.kind === "future") return first.kind === (second.lots > 0 ? "call" : "put") ? premiumWorth(first.mark) : Infinity;
  if (second.lots > 0) {
    if (second.kind !== first.kind) return Infinity;
    const [low, high] = [Math.min(first.strike, second.strike), Math.max(first.strike, second.strike)];
    const cost = 2 * exerciseCostOf(first.kind === "call" ? 2 * high : low, RULE);
    return Math.max(0, (first.kind === "call" ? second.strike - first.strike : first.strike - second.strike) * POINT + cost);
  }
  if (second.kind === first.kind) return Infinity;
  const other = aloneOf(second).initialCents;
  return Math.max(own, other) + premiumWorth(own >= other ? second.mark : first.mark) + RULE.initialCCents;
}

/** The least margin of every way to pair single lots. */
function least(lots: readonly Leg[]): number {
  const [first, ...rest] = lots;
  if (!first) return 0;
  const own = first.kind === "future" || first.lots > 0 ? 0 : aloneOf(first).initialCents;
  let best = own + least(rest);
  for (const [at, other] of rest.entries()) {
    const pair = tabled(first, other);
    if (pair < Infinity) best = Math.min(best, pair + least(rest.toSpliced(at, 1)));
  }
  return best;
}

describe("an account", () => {
  it("needs the least of every way to pair its lots", () => {
    const random = randomFrom(7);
    let saved = 0;
    for (let nth = 0; nth < 400; nth += 1) {
      const legs = randomLegs(random, 6, 4);
      const lots = legs.flatMap((leg) => Array.from({ length: Math.abs(leg.lots) }, () => ({ ...leg, lots: Math.sign(leg.lots) })));
      if (lots.length > 9) continue;
      const { initialCents, maintenanceCents, pairs, shares } = combine(legs, INDEX, RULE);
      expect(initialCents).toBe(least(lots));
      expect(maintenanceCents).toBeLessThanOrEqual(initialCents);
      expect(shares.reduce((sum, share) => sum + share.initialCents, 0)).toBe(initialCents);
      if (pairs.length > 1) saved += 1;
    }
    expect(saved).toBeGreaterThan(40);
  });

  it("never needs more after a sold option is bought back, and after closing anything no more than is foretold", () => {
    const random = randomFrom(8);
    for (let nth = 0; nth < 400; nth += 1) {
      const legs = randomLegs(random, 12, 8);
      const combined = combine(legs, INDEX, RULE);
      const gone = random.int(0, legs.length - 1);
      const leg = legs[gone];
      const after = combine(legs.toSpliced(gone, 1), INDEX, RULE).initialCents;
      if (leg && leg.kind !== "future" && leg.lots < 0) expect(after).toBeLessThanOrEqual(combined.initialCents);
      expect(after).toBeLessThanOrEqual(initialWithout(combined, [gone]));
      const [pair] = combined.pairs;
      if (!pair) continue;
      const both = [pair.first, pair.second].toSorted((a, b) => b - a);
      const rest = both.reduce((left, at) => left.toSpliced(at, 1), legs);
      expect(combine(rest, INDEX, RULE).initialCents).toBeLessThanOrEqual(initialWithout(combined, both));
    }
  });

  it("needs no more in pairs than each position does alone, and as much where there are no pairs", () => {
    const random = randomFrom(11);
    const counts = { fewer: 0, same: 0 };
    for (let round = 0; round < 300; round += 1) {
      const legs = randomLegs(random, 8, 6);
      const { initialCents, pairs } = combine(legs, INDEX, RULE);
      const alone = legs.reduce((sum, leg) => sum + (leg.kind === "future" || leg.lots > 0 ? 0 : aloneOf(leg, -leg.lots).initialCents), 0);
      expect(unpairedCents(legs, INDEX, RULE)).toBe(alone);
      if (pairs.length === 0) expect(initialCents).toBe(alone);
      else expect(initialCents).toBeLessThan(alone);
      counts[pairs.length === 0 ? "same" : "fewer"] += 1;
    }
    expect(Math.min(counts.fewer, counts.same)).toBeGreaterThan(20);
  });

  it("needs the same however its positions are listed", () => {
    const random = randomFrom(9);
    for (let nth = 0; nth < 600; nth += 1) {
      const legs = randomLegs(random, 10, 8);
      const [listed, reversed] = [combine(legs, INDEX, RULE), combine(legs.toReversed(), INDEX, RULE)];
      expect(reversed.initialCents).toBe(listed.initialCents);
      expect(reversed.maintenanceCents).toBe(listed.maintenanceCents);
      expect(reversed.shares.toReversed()).toEqual(listed.shares);
    }
  });

  it("of very many positions needs no more for a bought option without a partner, and less once a sold one is bought back", () => {
    const legs = Array.from({ length: 15 }, (_, nth) => [
      option("call", 20_000 + 100 * nth, -2),
      option("call", 20_050 + 100 * nth, 2),
    ]).flat();
    const paired = combine(legs, INDEX, RULE).initialCents;
    const charged = Array.from({ length: 15 }, (_, nth) => 4 * exerciseCostOf(2 * (20_050 + 100 * nth), RULE));
    expect(paired).toBe(15 * 2 * 50 * POINT + charged.reduce((sum, cost) => sum + cost, 0));
    // Puts that nothing is sold against, of more lots than anything else.
    const puts = Array.from({ length: 60 }, (_, nth) => option("put", 16_000 + 50 * nth, 3));
    expect(combine([...legs, ...puts], INDEX, RULE).initialCents).toBe(paired);
    const fewer = legs.map((leg, at) => (at === 0 ? { ...leg, lots: -1 } : leg));
    expect(combine([...fewer, ...puts], INDEX, RULE).initialCents).toBeLessThanOrEqual(paired);
  });
});

describe("a day's limit move", () => {
  const MOVES = [0.9, 0.93, 0.95, 0.98, 1, 1.02, 1.05, 1.07, 1.1].map((factor) => INDEX * factor);
  /** Volatility falls to half, stays, or doubles; a day has passed, or all but one. */
  const GRID = MOVES.flatMap((to) => [0.5, 1, 2].flatMap((volatility) => [DAYS - 1, 1].map((days) => ({ to, volatility, days }))));

  /** What an account with just its initial margin owes after a move: the margin is money beside premiums received, bought options are paid for. */
  function owedAt(legs: readonly Leg[], { to, volatility, days }: (typeof GRID)[number]): number {
    return legs.reduce(
      (owed, { kind, strike, lots }) => {
        if (kind === "future") return owed - lots * (to - INDEX) * POINT - FUTURE_CENTS * Math.abs(lots);
        const input = { right: kind, strike, forward: to, days, smile: USUAL_SMILE };
        return owed - premiumWorth(Math.round(blackPrice(input, volatilityOf(input) * volatility) * 10), lots);
      },
      0 - combine(legs, INDEX, RULE).initialCents,
    );
  }
  const worstOf = (...legs: Leg[]): number => Math.max(...GRID.map((at) => owedAt(legs, at)));
  const strikes = Array.from({ length: 31 }, (_, nth) => INDEX + 100 * (nth - 15));
  /** What a sold lot alone owes at most: of one that is out of the money the exchange asks half of A. */
  const singles = strikes.flatMap((strike) => [worstOf(option("call", strike, -1)), worstOf(option("put", strike, -1))]);
  const MOST_OF_ONE = Math.max(...singles);

  it("may cost a sold option, or a future, alone some more than its margin", () => {
    expect(MOST_OF_ONE).toBeGreaterThan(0);
    // NT$, where volatility doubles besides.
    expect(Math.round(MOST_OF_ONE / 100)).toBe(30_220);
    expect(worstOf(future(1))).toBe(2_000 * POINT - FUTURE_CENTS);
  });

  it("costs no spread more than its margin, but where its strikes are so far apart that it is none", () => {
    for (const right of ["call", "put"] as const) {
      for (const apart of [-1_500, -300, -100, 100, 300, 1_500]) {
        for (const strike of [18_500, 19_500, 20_000, 20_500, 21_500]) {
          const legs = [option(right, strike, -1), option(right, strike + apart, 1)];
          // A point for prices in whole tenths.
          const most = combine(legs, INDEX, RULE).pairs.length > 0 ? POINT : MOST_OF_ONE;
          expect(worstOf(...legs)).toBeLessThanOrEqual(most);
        }
      }
    }
  });

  it("costs no pair of two that are margined as one more than the worst sold option alone", () => {
    for (const call of strikes)
      for (const put of strikes) expect(worstOf(option("call", call, -1), option("put", put, -1))).toBeLessThanOrEqual(MOST_OF_ONE);
    for (const strike of strikes) {
      expect(worstOf(future(1), option("call", strike, -1))).toBeLessThanOrEqual(MOST_OF_ONE);
      expect(worstOf(future(-1), option("put", strike, -1))).toBeLessThanOrEqual(MOST_OF_ONE);
    }
  });

  it("costs no random account more than its sold options and futures alone could", () => {
    const random = randomFrom(10);
    for (let nth = 0; nth < 200; nth += 1) {
      const legs = randomLegs(random, 10, 10);
      const allowed = legs.reduce((sum, { kind, lots }) => {
        if (kind === "future") return sum + worstOf(future(1)) * Math.abs(lots);
        return sum + (lots < 0 ? MOST_OF_ONE * -lots : 0);
      }, 0);
      expect(worstOf(...legs)).toBeLessThanOrEqual(allowed);
    }
  });
});
