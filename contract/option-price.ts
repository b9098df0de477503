/**
 * Prices of TAIEX options: Black-76 on the future's fair price, a smile without arbitrage, Greeks, ticks and quotes. Pure, for server and
 * worker; fractions occur inside only: every price that leaves is a whole number of tenths of a point.
 */
import { fairOf } from "./futures-price.ts";
import type { PricedLevel } from "./futures-price.ts";

export const OPTION_RIGHTS = ["call", "put"] as const;
export type OptionRight = (typeof OPTION_RIGHTS)[number];

/** What an option is priced by. */
export interface OptionInput {
  right: OptionRight;
  /** In points. */
  strike: number;
  /** The fair price of the future that expires with it, in points; fractions are welcome. */
  forward: number;
  /** Trading days until expiry, with the part of the current one that is left. */
  days: number;
  smile: Smile;
}

/**
 * Volatility by strike: a power-law surface of total variance (SSVI). It has neither a butterfly nor a calendar to earn by while
 * `curve × (1 + |lean|)` is at most 2 and neither the variance of an expiry nor what its wings add is below that of an earlier one.
 */
export interface Smile {
  /** The yearly volatility at the money until the expiry, 0.17 for 17 %. */
  level: number;
  /** How much it leans to the lower strikes, below 0, and how much it curves. */
  lean: number;
  curve: number;
}

export interface Greeks {
  /** Points of premium for a point of the future. */
  delta: number;
  /** Delta for a point of the future. */
  gamma: number;
  /** Points of premium for a hundredth of volatility. */
  vega: number;
  /** Points of premium for a trading day that passes. */
  theta: number;
}

export const DAYS_A_YEAR = 252;
const POINT = 10_000;
/** On an index of which nobody knows how far it is going to move: what is usual for this one, and a little more, as sellers are paid for their risk. */
export const USUAL_SMILE: Smile = { level: 0.17, lean: -0.35, curve: 0.7 };

/** Less than this of a trading day is no time: nothing trades then. */
const LEAST_DAYS = 1e-4;
const yearsOf = ({ days }: OptionInput): number => (days < LEAST_DAYS ? 0 : days / DAYS_A_YEAR);

const density = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/** The cumulative normal distribution, by its power series: all that a double holds up to eight deviations, and 0 or 1 beyond. */
export function cumulative(x: number): number {
  if (!(Math.abs(x) <= 8)) return x > 0 ? 1 : 0;
  let [sum, term] = [x, x];
  for (let odd = 3; sum + term !== sum || odd === 3; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + sum * density(x);
}

/** The variance of the logarithm of the future until expiry, of a strike. */
function totalVariance(input: OptionInput): number {
  const { strike, forward } = input;
  const { level, lean, curve } = input.smile;
  const atMoney = level * level * yearsOf(input);
  if (atMoney === 0) return 0;
  const slope = curve / Math.sqrt(atMoney * (1 + atMoney));
  const away = slope * Math.log(strike / forward);
  return (atMoney / 2) * (1 + lean * away + Math.sqrt((away + lean) ** 2 + 1 - lean * lean));
}

/** The yearly volatility of a series: 0.17 for 17 %. */
export const volatilityOf = (input: OptionInput): number =>
  yearsOf(input) > 0 ? Math.sqrt(totalVariance(input) / yearsOf(input)) : input.smile.level;

/** What a series pays at a final price of the index, in points. */
export const payoffOf = (right: OptionRight, strike: number, final: number): number =>
  Math.max(0, right === "call" ? final - strike : strike - final);

/** The price by Black-76 with a given volatility and no interest, in points. */
export function blackPrice(input: OptionInput, volatility: number): number {
  const { right, strike, forward } = input;
  const spread = volatility * Math.sqrt(yearsOf(input));
  if (spread === 0) return payoffOf(right, strike, forward);
  const upper = Math.log(forward / strike) / spread + spread / 2;
  // The option out of the money has no large numbers to subtract; parity gives the other one.
  const out = forward > strike ? "put" : "call";
  const value =
    out === "call"
      ? forward * cumulative(upper) - strike * cumulative(upper - spread)
      : strike * cumulative(spread - upper) - forward * cumulative(-upper);
  return Math.max(0, value) + (right === out ? 0 : payoffOf(right, strike, forward));
}

/** The fair price of a series in points, by the smile. */
export const fairPremium = (input: OptionInput): number => blackPrice(input, volatilityOf(input));

/** The sensitivities of a series at a volatility. */
export function greeksOf(input: OptionInput, volatility: number): Greeks {
  const { right, strike, forward } = input;
  const years = yearsOf(input);
  const spread = volatility * Math.sqrt(years);
  if (spread === 0) return { delta: payoffOf(right, strike, forward) > 0 ? (right === "call" ? 1 : -1) : 0, gamma: 0, vega: 0, theta: 0 };
  const upper = Math.log(forward / strike) / spread + spread / 2;
  const peak = density(upper);
  return {
    delta: cumulative(upper) - (right === "call" ? 0 : 1),
    gamma: peak / (forward * spread),
    vega: (forward * peak * Math.sqrt(years)) / 100,
    theta: -(forward * peak * volatility) / (2 * Math.sqrt(years)) / DAYS_A_YEAR,
  };
}

/** The exchange's ticks of a premium, in tenths of a point: 0.1 below 10 points, 0.5 below 50, 1 below 500, 5 below 1,000, 10 above. */
const TICKS: readonly (readonly [below: number, tick: number])[] = [
  [100, 1],
  [500, 5],
  [5_000, 10],
  [10_000, 50],
  [Infinity, 100],
];
export const premiumTick = (tenths: number): number => TICKS.find(([below]) => tenths < below)?.[1] ?? 1;
/** Whether a premium is one that an order may name. */
export const onPremiumTick = (tenths: number): boolean => tenths % premiumTick(tenths) === 0;

export interface OptionQuote {
  /** What the market buys for; null where that is nothing. */
  bid: number | null;
  ask: number;
  /** The fair price: what positions are valued by. */
  mark: number;
}

/** The future's fair price so many days of the calendar before expiry, in points with fractions. */
export const forwardOf = (indexUnits: number, daysLeft: number): number => fairOf(indexUnits, daysLeft) / POINT;

/** Half of the spreads that an option is quoted by. */
export type OptionSpread = Pick<PricedLevel, "half" | "halfVolatility">;

/**
 * The quote of a series in tenths of a point: half the spread of the future for a point of delta, and that of volatility. Bid and ask lie on the two sides of a fair price that is one of a whole without arbitrage, as
 * the quote of the future does: what pays nothing but gains costs at least nothing.
 */
export function optionQuote(input: OptionInput, { half: halfFuture, halfVolatility }: OptionSpread): OptionQuote {
  const volatility = volatilityOf(input);
  const fair = blackPrice(input, volatility) * 10;
  const { delta, vega } = greeksOf(input, volatility);
  const points = (Math.abs(delta) * halfFuture) / POINT + vega * halfVolatility * 100;
  const half = Math.max(1, points * 10);
  const low = Math.max(0, fair - half);
  const high = fair + half;
  const bid = Math.floor(low / premiumTick(low)) * premiumTick(low);
  const ask = Math.ceil(high / premiumTick(high)) * premiumTick(high);
  return { bid: bid > 0 ? bid : null, ask, mark: Math.round(fair) };
}
