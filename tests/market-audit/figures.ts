/** The figures of days that look real: each measured on the simulated market and compared with a band around the real one. */
import type { Panel, Stock } from "./panel.ts";
import { autocorrelation, correlation, kurtosis, mean, median, quantile, variance } from "./statistics.ts";

interface Figure {
  name: string;
  /** Of Taiwanese stocks, or what a market nobody can milk must have. */
  real: string;
  band: readonly [least: number, most: number];
  value: number;
}

/** Sessions of an exchange's year. */
const YEAR = 245;
/** Pairs of stocks whose correlation is measured: each with the next few. */
const PARTNERS = 4;

/** A gap beyond this leaves the day too little room before its limit. */
const ROOM = 0.04;

const returnsOf = ({ days }: Stock): number[] => days.map(({ close, reference }) => Math.log(close / reference));
const isLocked = ({ close, up, down }: Stock["days"][number]): boolean => close === up || close === down;

/** The days on which anything was known of the day before. */
function pairs({ stocks }: Panel, wanted: (before: Stock["days"][number]) => boolean): [before: number, after: number][] {
  return stocks.flatMap((stock) => {
    const returns = returnsOf(stock);
    return stock.days
      .slice(0, -1)
      .flatMap((day, nth): [number, number][] => (wanted(day) ? [[returns[nth] ?? 0, returns[nth + 1] ?? 0]] : []));
  });
}

function correlationOf(list: readonly (readonly [number, number])[]): number {
  return correlation(
    list.map(([one]) => one),
    list.map(([, other]) => other),
  );
}

/** The mean correlation of each stock's returns with those of a few others of the list. */
function pairCorrelation(stocks: readonly Stock[]): number {
  const returns = stocks.map((stock) => returnsOf(stock));
  const found = returns.flatMap((own, nth) =>
    Array.from({ length: PARTNERS }, (_, by) => returns[nth + by + 1]).flatMap((other) => (other ? [correlation(own, other)] : [])),
  );
  return mean(found);
}

/** All stocks' returns in an order in which neighbours share nothing, and the same within industries. */
function pairFigures({ stocks }: Panel): { all: number; sector: number } {
  const spread = stocks.toSorted((a, b) => (stocks.indexOf(a) % 7) - (stocks.indexOf(b) % 7));
  const sectors = Map.groupBy(stocks, ({ category }) => category);
  const within = [...sectors.values()].filter(({ length }) => length > 2).map((own) => pairCorrelation(own));
  return { all: pairCorrelation(spread), sector: mean(within) };
}

/** Frequencies per thousand stock-days of ordinary days. */
function limitFigures(panel: Panel): { up: number; down: number; near: number; again: number } {
  const days = panel.stocks.flatMap((stock) => stock.days);
  const perThousand = (wanted: (day: Stock["days"][number]) => boolean): number => (1000 * days.filter(wanted).length) / days.length;
  const after = panel.stocks.flatMap(({ days: own }) => own.slice(1).filter((_, nth) => own[nth]?.close === own[nth]?.up));
  return {
    up: perThousand(({ close, up }) => close === up),
    down: perThousand(({ close, down }) => close === down),
    near: perThousand(({ close, reference }) => Math.abs(close / reference - 1) >= 0.0675 && Math.abs(close / reference - 1) < 0.09),
    again: after.filter(({ close, up }) => close === up).length / Math.max(1, after.length),
  };
}

/** What decides whether a gap, a range or yesterday tells anything of what comes next. */
function martingaleFigures(panel: Panel): Figure[] {
  // Chosen by what is known at the open: days chosen by their close would correlate by that alone.
  const free = panel.stocks.flatMap(({ days }) => days.filter(({ open, reference }) => Math.abs(open / reference - 1) < ROOM));
  const gaps = free.map(({ open, reference }): number => Math.log(open / reference));
  const rests = free.map(({ open, close }): number => Math.log(close / open));
  const parkinson = mean(free.map(({ high, low }) => Math.log(high / low) ** 2)) / (4 * Math.LN2);
  return [
    { name: "gap and rest correlate by", real: "0 (.01)", band: [-0.02, 0.02], value: correlation(gaps, rests) },
    { name: "range variance / open-close variance", real: "1.0", band: [0.9, 1.1], value: parkinson / variance(rests) },
    { name: "a day and the next correlate by", real: "≤ .10", band: [-0.02, 0.1], value: correlationOf(pairs(panel, () => true)) },
    { name: "… after an unlocked close", real: "0", band: [-0.02, 0.02], value: correlationOf(pairs(panel, (day) => !isLocked(day))) },
  ];
}

/** Measures every figure on one panel. */
export function figuresOf(panel: Panel): Figure[] {
  const { stocks, sessions } = panel;
  const returns = stocks.map((stock) => returnsOf(stock));
  const annual = returns.map((own) => Math.sqrt(variance(own) * YEAR));
  const market = Array.from({ length: sessions }, (_, nth) => mean(returns.map((own) => own[nth] ?? 0)));
  const breadth = Array.from({ length: sessions }, (_, nth) => returns.filter((own) => (own[nth] ?? 0) > 0).length / returns.length);
  const { up, down, near, again } = limitFigures(panel);
  const { all, sector } = pairFigures(panel);
  return [
    { name: "annual volatility p10", real: ".15", band: [0.12, 0.2], value: quantile(annual, 0.1) },
    { name: "annual volatility p50", real: ".31", band: [0.26, 0.36], value: median(annual) },
    { name: "annual volatility p90", real: ".47", band: [0.4, 0.56], value: quantile(annual, 0.9) },
    { name: "kurtosis", real: "8.3", band: [6, 11], value: median(returns.map((own) => kurtosis(own))) },
    {
      name: "autocorrelation of |r|",
      real: ".21",
      band: [0.15, 0.28],
      value: median(returns.map((own) => autocorrelation(own.map(Math.abs)))),
    },
    {
      name: "autocorrelation of log volume",
      real: ".66",
      band: [0.55, 0.75],
      value: median(stocks.map(({ days }) => autocorrelation(days.map(({ volume }) => Math.log(volume))))),
    },
    { name: "limit-up per 1,000", real: "9.4", band: [6, 13], value: up },
    { name: "limit-down per 1,000", real: "2.9", band: [1.5, 5], value: down },
    { name: "6.75 – 9 % per 1,000", real: "9.9", band: [6, 14], value: near },
    { name: "limit-up again next day", real: ".24", band: [0.15, 0.33], value: again },
    { name: "market kurtosis", real: "29", band: [8, 51], value: kurtosis(market) },
    { name: "pair correlation", real: ".18", band: [0.1, 0.24], value: all },
    { name: "… in a sector", real: "above all", band: [all, 0.4], value: sector },
    { name: "breadth p5", real: ".18", band: [0.1, 0.26], value: quantile(breadth, 0.05) },
    { name: "breadth p50", real: ".49", band: [0.42, 0.54], value: median(breadth) },
    { name: "breadth p95", real: ".75", band: [0.68, 0.88], value: quantile(breadth, 0.95) },
    ...martingaleFigures(panel),
  ];
}

/** The median of each figure over several seeds; the band of a figure that depends on another is the first seed's. */
export function medianFigures(panels: readonly (readonly Figure[])[]): Figure[] {
  return (panels[0] ?? []).map((figure, nth) => ({ ...figure, value: median(panels.map((own) => own[nth]?.value ?? 0)) }));
}

export const passes = ({ band: [least, most], value }: Figure): boolean => value >= least && value <= most;
