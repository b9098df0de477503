/**
 * The exchange's combined margins: sold options of an expiry are paired with bought ones, with each other and with futures that cover them, so
 * that the account needs the least. Pure.
 */
import { cents } from "#contract/kernel/money.ts";
import type { OptionRight } from "#contract/option-price.ts";
import type { OptionRule } from "#contract/option-rule.ts";
import { exerciseCostOf, OPTION_MULTIPLIER, premiumWorth, sellerMargin } from "#contract/option-terms.ts";
import type { SellerMargin } from "#contract/option-terms.ts";
import { bestPairs } from "./pairing.ts";

/** A position of an expiry, options and futures alike in lots of an option. */
export interface Leg {
  kind: OptionRight | "future";
  /** In points; of a future nothing. */
  strike: number;
  /** Negative where sold. A large future covers four options, a small one covers one. */
  lots: number;
  /** The price of the moment, in tenths of a point. */
  mark: number;
}

/** Lots of two positions that are margined as one, by their places. */
export interface Pair {
  first: number;
  second: number;
  lots: number;
  /** The margins of a lot of the pair. */
  margin: SellerMargin;
}

/** The margins of an expiry's options. The margin of futures is charged apart, for each. */
export interface Combined extends SellerMargin {
  pairs: readonly Pair[];
  /** What a lot of each position needs alone, and the lots of it that are. */
  alone: readonly SellerMargin[];
  single: readonly number[];
  /** The part of the margins that belongs to each position: what was sold bears it. */
  shares: readonly SellerMargin[];
}

const NOTHING: SellerMargin = { initialCents: cents(0), maintenanceCents: cents(0) };

const plus = (a: SellerMargin, b: SellerMargin, lots = 1): SellerMargin => ({
  initialCents: cents(a.initialCents + b.initialCents * lots),
  maintenanceCents: cents(a.maintenanceCents + b.maintenanceCents * lots),
});
const both = (amount: number): SellerMargin => ({ initialCents: cents(amount), maintenanceCents: cents(amount) });
/** The premium of a lot, in whole cents also where a mark is a part of a position's. */
const premiumOf = ({ mark }: Leg): number => Math.round(premiumWorth(mark));

/** How far above the strikes of a spread of calls its taxes at expiry are reckoned: no index doubles beyond them. */
const CALLS_SETTLE = 2;

/**
 * What a pair of a sold option with a bought one can lose: the strikes apart, where the bought one is worth less; and to begin with what both
 * are charged at expiry, so that an account with nothing but this margin owes nothing then. It is the same at every index.
 */
function spreadMargin(sold: Leg, bought: Leg, rule: OptionRule): SellerMargin {
  const isCall = sold.kind === "call";
  const apart = (isCall ? bought.strike - sold.strike : sold.strike - bought.strike) * OPTION_MULTIPLIER * 100;
  // Both puts have value only below the lower strike.
  const final = isCall ? CALLS_SETTLE * Math.max(sold.strike, bought.strike) : Math.min(sold.strike, bought.strike);
  return {
    initialCents: cents(Math.max(0, apart + 2 * exerciseCostOf(final, rule))),
    maintenanceCents: cents(Math.max(0, apart)),
  };
}

/** A sold call and a sold put: the margin of the one that needs more, the premium of the other, and C. */
function straddleMargin(larger: SellerMargin, other: Leg, rule: OptionRule): SellerMargin {
  return plus(plus(larger, both(premiumOf(other))), {
    initialCents: rule.initialCCents,
    maintenanceCents: rule.maintenanceCCents,
  });
}

/** The margins of a lot of two positions together; null where the exchange does not pair them. */
function pairMargin(legs: readonly [Leg, Leg], alone: readonly [SellerMargin, SellerMargin], rule: OptionRule): SellerMargin | null {
  const [a, b] = legs;
  if (a.kind === "future" || b.kind === "future") {
    const [future, option] = a.kind === "future" ? [a, b] : [b, a];
    // A future that was bought covers a sold call, one that was sold a sold put.
    const isCovered = option.lots < 0 && option.kind === (future.lots > 0 ? "call" : "put");
    return isCovered ? both(premiumOf(option)) : null;
  }
  if (a.kind === b.kind) {
    if (a.lots < 0 === b.lots < 0) return null;
    return a.lots < 0 ? spreadMargin(a, b, rule) : spreadMargin(b, a, rule);
  }
  if (a.lots > 0 || b.lots > 0) return null;
  return alone[0].initialCents >= alone[1].initialCents ? straddleMargin(alone[0], b, rule) : straddleMargin(alone[1], a, rule);
}

/** Which of two sides a position is paired on: every pair of the exchange has one of each. */
const isLeft = ({ kind, lots }: Leg): boolean => (kind === "call" ? lots < 0 : kind === "put" ? lots > 0 : lots < 0);

/** In an order of the positions themselves: which of equal pairings is taken must not depend on how they were listed. */
const byTerms = (a: Leg, b: Leg): number => a.kind.localeCompare(b.kind, "en") || a.strike - b.strike || a.lots - b.lots || a.mark - b.mark;

/**
 * The places of a side's positions. None is left out: a member holds no more lots than the rules allow on a side of the market, which is a
 * side here, so that no account is dear to look at.
 */
function sideOf(legs: readonly Leg[], left: boolean): number[] {
  const ofSide = [...legs.entries()].filter(([, leg]) => leg.lots !== 0 && isLeft(leg) === left);
  return ofSide.toSorted(([, a], [, b]) => byTerms(a, b)).map(([at]) => at);
}

/** The pairs that save the most of the initial margin. */
function pairsOf(legs: readonly Leg[], alone: readonly SellerMargin[], rule: OptionRule): Pair[] {
  // Without a sold option nothing needs margin.
  if (!legs.some(({ kind, lots }) => kind !== "future" && lots < 0)) return [];
  const [left, right] = [sideOf(legs, true), sideOf(legs, false)];
  const marginAt = (first: number, second: number): SellerMargin | null => {
    const [a, b] = [legs[first], legs[second]];
    return a && b ? pairMargin([a, b], [alone[first] ?? NOTHING, alone[second] ?? NOTHING], rule) : null;
  };
  const margins = left.map((first) => right.map((second) => marginAt(first, second)));
  const apart = (first: number, second: number): SellerMargin => plus(alone[first] ?? NOTHING, alone[second] ?? NOTHING);
  const savings = margins.map((row, from) =>
    row.map((margin, to) => (margin ? apart(left[from] ?? -1, right[to] ?? -1).initialCents - margin.initialCents : 0)),
  );
  const lotsOf = (places: readonly number[]): number[] => places.map((at) => Math.abs(legs[at]?.lots ?? 0));
  return bestPairs(lotsOf(left), lotsOf(right), savings).flatMap(({ left: from, right: to, lots }) => {
    const [first = -1, second = -1] = [left[from], right[to]];
    const margin = margins[from]?.[to];
    if (!margin) return [];
    // No pair needs more than its two positions apart.
    const { maintenanceCents } = apart(first, second);
    const least = { ...margin, maintenanceCents: margin.maintenanceCents < maintenanceCents ? margin.maintenanceCents : maintenanceCents };
    return [{ first, second, lots, margin: least }];
  });
}

/** Who bears the margin of a pair: the sold option; of two, the one that needs more pays its own margin and the other bears the rest. */
function bearers({ first, second }: Pair, legs: readonly Leg[], alone: readonly SellerMargin[]): { bears: number; pays: number | null } {
  const isSold = (at: number): boolean => legs[at]?.kind !== "future" && (legs[at]?.lots ?? 0) < 0;
  if (!isSold(first)) return { bears: second, pays: null };
  if (!isSold(second)) return { bears: first, pays: null };
  const [a, b] = [alone[first]?.initialCents ?? 0, alone[second]?.initialCents ?? 0];
  return a >= b ? { bears: second, pays: first } : { bears: first, pays: second };
}

/** What a lot of each position needs alone, at an index in points; without one nothing is out of the money. */
const aloneOf = (legs: readonly Leg[], index: number | null, rule: OptionRule): SellerMargin[] =>
  legs.map(({ kind, strike, lots, mark }) =>
    kind === "future" || lots >= 0 ? NOTHING : sellerMargin(kind, strike, mark, index ?? strike, 1, rule),
  );

/** The initial margin of options that are not paired: pairs never need more, and which ones to make is most of the work of `combine`. */
export const unpairedCents = (legs: readonly Leg[], index: number | null, rule: OptionRule): number =>
  aloneOf(legs, index, rule).reduce((sum, { initialCents }, at) => sum + initialCents * Math.abs(legs[at]?.lots ?? 0), 0);

/** The margins of the options of one expiry, with futures that may cover them. */
export function combine(legs: readonly Leg[], index: number | null, rule: OptionRule): Combined {
  const alone = aloneOf(legs, index, rule);
  const pairs = pairsOf(legs, alone, rule);
  const single = legs.map(({ lots }) => Math.abs(lots));
  const shares = legs.map(() => NOTHING);
  const add = (at: number, margin: SellerMargin, lots: number): void => {
    shares[at] = plus(shares[at] ?? NOTHING, margin, lots);
  };
  for (const pair of pairs) {
    single[pair.first] = (single[pair.first] ?? 0) - pair.lots;
    single[pair.second] = (single[pair.second] ?? 0) - pair.lots;
    const { bears, pays } = bearers(pair, legs, alone);
    const own = pays === null ? NOTHING : (alone[pays] ?? NOTHING);
    if (pays !== null) add(pays, own, pair.lots);
    add(bears, plus(pair.margin, own, -1), pair.lots);
  }
  for (const [at, lots] of single.entries()) add(at, alone[at] ?? NOTHING, lots);
  const sum = shares.reduce((total, share) => plus(total, share), NOTHING);
  return { ...sum, pairs, alone, single, shares };
}

/** What is needed at most once some positions are gone: what they were paired with is alone. */
export function initialWithout({ pairs, alone, single }: Combined, gone: readonly number[]): number {
  const ownOf = (at: number): number => (gone.includes(at) ? 0 : (alone[at]?.initialCents ?? 0));
  const unpaired = single.reduce((sum, lots, at) => sum + ownOf(at) * lots, 0);
  return pairs.reduce((sum, { first, second, lots, margin }) => {
    const isWhole = !gone.includes(first) && !gone.includes(second);
    return sum + (isWhole ? margin.initialCents : ownOf(first) + ownOf(second)) * lots;
  }, unpaired);
}
