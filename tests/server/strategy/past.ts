/** Past days for tests of strategies. */
import { DAY_MS, taipeiMidnight } from "#contract/kernel/time.ts";
import type { DaySeries, MarketDays } from "#server/accounts/strategies/market-days.ts";
import type { TradedInstrument } from "#server/accounts/strategies/backtest.ts";
import type { Random } from "#tests/server/simulation/random.ts";

/** In currency units: a price in ten-thousandths. */
export const ONE = 10_000;
const FIRST_DAY = 20_000;

/** Days on which an instrument opens where it closed the day before and moves to each close; every day has more than one price. */
export function seriesOf(code: string, closes: readonly number[], volume = 1_000): DaySeries {
  const price = closes.map((close) => Math.round(close * ONE));
  const open = price.map((close, day) => price[day - 1] ?? close);
  return {
    code,
    open,
    close: price,
    high: price.map((close, day) => Math.max(close, open[day] ?? close) + 100),
    low: price.map((close, day) => Math.min(close, open[day] ?? close)),
    volume: price.map(() => volume),
  };
}

export function daysOf(...series: DaySeries[]): MarketDays {
  const count = series[0]?.close.length ?? 0;
  return { at: Array.from({ length: count }, (_, day) => taipeiMidnight(FIRST_DAY) + day * DAY_MS), series };
}

/** A walk whose moves nobody can tell before. */
export function walk(random: Random, count: number, from = 30): number[] {
  let price = from;
  return Array.from({ length: count }, () => {
    price = Math.max(5, price * (1 + random.int(-300, 300) / 10_000));
    return Math.round(price * 100) / 100;
  });
}

/** Terms of a fund: commission 0.1425 % with a least of NT$20, tax 0.1 %. */
export const FUND: TradedInstrument = {
  code: "0056",
  kind: "etf",
  lotShares: 1_000,
  terms: {
    feePerMillion: 1_425,
    feeMinimumCents: 2_000,
    taxPerMillion: 1_000,
    ownPerMillion: 1_000_000,
    collateralPerMillion: 0,
    interestPerMillion: 0,
    borrowPerMillion: 0,
    maintenancePerMillion: 0,
    lockSeconds: 0,
    settlementDays: 2,
  } as TradedInstrument["terms"],
};
