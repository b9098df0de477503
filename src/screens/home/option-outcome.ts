/** What an option order brings at expiry: the most that can be lost and gained, where it breaks even, and the line of its payoff. */
import { cents } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import { payoffOf, premiumTick } from "#contract/option-price.ts";
import type { OptionRight } from "#contract/option-price.ts";
import { premiumWorth } from "#contract/option-terms.ts";
import type { OptionSide, SpreadLeg } from "#contract/option.ts";

/** Lots of a series at a premium (tenths of a point), with the charges of the order. */
export interface OptionDeal {
  right: OptionRight;
  /** In points. */
  strike: number;
  side: OptionSide;
  lots: number;
  price: number;
  chargesCents: number;
}

export interface Outcome {
  /** Null where there is no limit. */
  mostLossCents: Cents | null;
  mostGainCents: Cents | null;
  /** Where the index has to be at expiry to bring nothing, in tenths of a point. */
  evenTenths: number;
  /** What a point of the index beyond the strike is worth. */
  pointCents: Cents;
}

/** The gain at expiry, negative for a loss, if the index is settled at a level in points. */
export function gainAt({ right, strike, side, lots, price, chargesCents }: OptionDeal, level: number): number {
  const sign = side === "buy" ? 1 : -1;
  const held = premiumWorth(10, lots) * payoffOf(right, strike, level);
  return Math.round(sign * (held - premiumWorth(price, lots)) - chargesCents);
}

export function outcomeOf(deal: OptionDeal): Outcome {
  const { right, strike, side, lots, price, chargesCents } = deal;
  // A buyer has to earn the charges too; a seller keeps as much less.
  const charged = Math.ceil(chargesCents / premiumWorth(1, lots));
  const kept = side === "buy" ? price + charged : Math.max(0, price - charged);
  const atZero = gainAt(deal, 0);
  const still = gainAt(deal, strike);
  const [lost, gained] = [Math.max(0, -Math.min(atZero, still)), Math.max(0, atZero, still)];
  const bought = side === "buy";
  return {
    mostLossCents: right === "call" && !bought ? null : cents(lost),
    mostGainCents: right === "call" && bought ? null : cents(gained),
    evenTenths: strike * 10 + (right === "call" ? kept : -kept),
    pointCents: premiumWorth(10, lots),
  };
}

/** Ticks that a quote may move away between what is shown and the order. */
const SLIP_TICKS = 3;

/** The worst premium at which an order without a limit of its own is filled: a little beyond the quote it was reviewed at. */
export function worstPrice(side: OptionSide, price: number): number {
  const slip = SLIP_TICKS * premiumTick(price);
  if (side === "sell") return Math.max(1, price - slip);
  // Where the ticks become larger, the next one of them.
  const tick = premiumTick(price + slip);
  return Math.ceil((price + slip) / tick) * tick;
}

/** A payoff as it is drawn in a box of 100 by 100. */
export interface PayoffLine {
  path: string;
  /** The height at which nothing is gained. */
  zero: number;
  /** Where the index stands now and where nothing is gained; null outside the box, or where that is nowhere. */
  index: number | null;
  even: number | null;
  /** The levels of the index at the edges, in points. */
  from: number;
  to: number;
}

/** The least part of the strike that is shown on each side of it. */
const LEAST_REACH = 0.03;

interface Payoff {
  /** The levels at which the line bends, ascending. */
  strikes: readonly number[];
  /** How far beyond the middle of them the box reaches. */
  away: number;
  gain: (level: number) => number;
  even: number | null;
  level: number | null;
}

function drawn({ strikes, away, gain, even, level }: Payoff): PayoffLine {
  const middle = strikes.reduce((sum, strike) => sum + strike, 0) / strikes.length;
  const [from, to] = [Math.max(0, Math.round(middle - away)), Math.round(middle + away)];
  const levels = [from, ...strikes, to];
  const gains = levels.map((one) => gain(one));
  const [low, high] = [Math.min(0, ...gains), Math.max(0, ...gains)];
  const x = (one: number): number => Math.round(((one - from) / (to - from)) * 1_000) / 10;
  // A little room, so that no line lies on the edge.
  const y = (one: number): number => Math.round((95 - ((one - low) / Math.max(1, high - low)) * 90) * 10) / 10;
  return {
    path: levels.map((one, nth) => `${nth === 0 ? "M" : "L"}${x(one)} ${y(gains[nth] ?? 0)}`).join(""),
    zero: y(0),
    index: level === null ? null : x(level),
    even: even === null ? null : x(even),
    from,
    to,
  };
}

export function payoffLine(deal: OptionDeal, level: number | null): PayoffLine {
  const { strike } = deal;
  const even = outcomeOf(deal).evenTenths / 10;
  const away = Math.max(strike * LEAST_REACH, Math.abs(even - strike) * 2, level === null ? 0 : Math.abs(level - strike) * 1.3);
  return drawn({ strikes: [strike], away, gain: (one) => gainAt(deal, one), even, level });
}

/** The gain of legs at expiry, at their premiums and the charges of an order. */
export const gainOfLegs = (legs: readonly SpreadLeg[], chargesCents: number, level: number): number =>
  legs.reduce(
    (sum, { right, strike, lots, costTenths }) => sum + premiumWorth(10, lots) * payoffOf(right, strike, level) - premiumWorth(costTenths),
    0 - chargesCents,
  );

/** The payoff of spreads, which are level beyond their strikes. */
export function spreadLine(legs: readonly SpreadLeg[], chargesCents: number, level: number | null): PayoffLine {
  const gain = (one: number): number => gainOfLegs(legs, chargesCents, one);
  const strikes = [...new Set(legs.map(({ strike }) => strike))].toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [strikes[0], strikes.at(-1)];
  const middle = (low + high) / 2;
  const away = Math.max(middle * LEAST_REACH, high - low, level === null ? 0 : Math.abs(level - middle) * 1.3);
  const crossed = strikes.findIndex((strike, nth) => nth > 0 && gain(strikes[nth - 1] ?? strike) * gain(strike) < 0);
  const [before = 0, after = 0] = [strikes[crossed - 1], strikes[crossed]];
  const even = crossed < 1 ? null : before + ((after - before) * gain(before)) / (gain(before) - gain(after));
  return drawn({ strikes, away, gain, even, level });
}
