/** Prices a chain of options from the index of the moment, by the broker's own pricing, and formats what has changed. */
import { MINUS } from "#contract/kernel/money.ts";
import { greeksOf, optionQuote, volatilityOf } from "#contract/option-price.ts";
import type { OptionRight, OptionSpread, Smile } from "#contract/option-price.ts";
import { formatPremium } from "#contract/premium.ts";

/** What a cell of a series can show; texts are in this order. */
export const SERIES_FIELDS = ["bid", "ask", "mark", "volatility", "delta", "gamma", "theta", "vega"] as const;
export type SeriesField = (typeof SERIES_FIELDS)[number];

export interface ChainSeries {
  code: string;
  right: OptionRight;
  strike: number;
  /** Whether the broker quotes it now. */
  quoted: boolean;
}

/** A chain as it was read: the index and the future's fair price then, in ten-thousandths, the trading days that are left, the volatility, and the spreads. */
export interface PricedChain extends OptionSpread {
  index: number;
  forward: number;
  /** Whether the future moves with the index; otherwise its price is that of the reading until the next. */
  followsIndex: boolean;
  days: number;
  smile: Smile;
  series: readonly ChainSeries[];
}

/** `[code, text, …]`: of each series that changed, its texts. */
export type ChainUpdate = string[];

const NOTHING = "--";
const POINT = 10_000;

const signed = (value: number, decimals: number): string =>
  value
    .toFixed(decimals)
    .replace(/^-0\.?0*$/, (0).toFixed(decimals))
    .replace("-", MINUS);

/** The texts of a series while the index stands at a level: a future that follows it has moved as far. */
export function seriesTexts(chain: PricedChain, { right, strike, quoted }: ChainSeries, level: number): string[] {
  const { forward, index, followsIndex, days, smile } = chain;
  const input = { right, strike, forward: (followsIndex ? forward + level - index : forward) / POINT, days, smile };
  const { bid, ask, mark } = optionQuote(input, chain);
  const volatility = volatilityOf(input);
  const { delta, gamma, theta, vega } = greeksOf(input, volatility);
  return [
    quoted && bid !== null ? formatPremium(bid) : NOTHING,
    quoted ? formatPremium(ask) : NOTHING,
    formatPremium(mark),
    `${(volatility * 100).toFixed(1)}%`,
    signed(delta, 2),
    gamma.toFixed(5),
    signed(theta, 1),
    vega.toFixed(1),
  ];
}

/** The worker's API: a chain, then the levels of the index as they come. */
export function optionChainApi() {
  let chain: PricedChain | null = null;
  let told = new Map<string, string>();
  const price = (level: number): ChainUpdate => {
    const changed: ChainUpdate = [];
    for (const series of chain?.series ?? []) {
      const texts = chain ? seriesTexts(chain, series, level) : [];
      const all = texts.join(" ");
      if (told.get(series.code) === all) continue;
      told.set(series.code, all);
      changed.push(series.code, ...texts);
    }
    return changed;
  };
  return {
    /** Takes a chain as it was read. */
    use(read: PricedChain): void {
      if (read.series[0]?.code !== chain?.series[0]?.code) told = new Map();
      chain = read;
    },
    price,
  };
}
export type OptionChainApi = ReturnType<typeof optionChainApi>;
