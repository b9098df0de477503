/** Tick sizes and daily price limits: which prices are valid. */
import type { Instrument, Kind } from "./instrument.ts";
import { PRICE_ONE, price } from "./kernel/money.ts";
import type { Price } from "./kernel/money.ts";

/** `[below, tick]` in price units: the tick for prices below `below`; the last band is open-ended. */
export type Bands = readonly (readonly [below: number, tick: number])[];

const unit = (text: number): number => Math.round(text * PRICE_ONE);
const bands = (table: readonly (readonly [number, number])[]): Bands => table.map(([below, tick]) => [unit(below), unit(tick)]);

const STOCK = bands([
  [10, 0.01],
  [50, 0.05],
  [100, 0.1],
  [500, 0.5],
  [1000, 1],
  [Infinity, 5],
]);
const FUND = bands([
  [50, 0.01],
  [Infinity, 0.05],
]);
const BOND = bands([
  [150, 0.05],
  [1000, 1],
  [Infinity, 5],
]);
const CENT = bands([[Infinity, 0.01]]);
const FINE = bands([[Infinity, 0.0001]]);

const BANDS: Record<Kind, Bands> = {
  stock: STOCK,
  preferred: STOCK,
  tdr: STOCK,
  etf: FUND,
  etn: FUND,
  reit: FUND,
  bond: BOND,
  index: CENT,
  crypto: CENT,
  forex: FINE,
};

/** The tick-size table of an instrument kind. */
export function tickBands(kind: Kind): Bands {
  return BANDS[kind];
}

/** The tick size at a price (TWSE Operating Rules art. 62; domain.md 2.3). */
export function tickSize(kind: Kind, at: number): number {
  const table = BANDS[kind];
  // By number: the simulated market asks millions of times when it starts, and an iterator takes thrice as long.
  for (let nth = 0; nth < table.length; nth += 1) if (at < (table[nth]?.[0] ?? 0)) return table[nth]?.[1] ?? 1;
  return table[table.length - 1]?.[1] ?? 1;
}

/** Tells whether a price is a multiple of its tick size. */
export function onTick(kind: Kind, at: number): boolean {
  return at % tickSize(kind, at) === 0;
}

/** Rounds to the nearest price on a tick, halves up, never below one tick. */
export function toTick(kind: Kind, at: number): Price {
  const tick = tickSize(kind, at);
  return price(Math.max(tick, Math.round(at / tick) * tick));
}

/** Rounds down to a price on a tick, never below one tick: for what must not pass a limit. */
export function toTickBelow(kind: Kind, at: number): Price {
  const tick = tickSize(kind, at);
  return price(Math.max(tick, Math.floor(at / tick) * tick));
}

/** The next valid price up (+1) or down (-1), never below one tick. */
export function step(kind: Kind, at: number, by: 1 | -1): Price {
  if (by > 0) {
    const tick = tickSize(kind, at);
    return price((Math.floor(at / tick) + 1) * tick);
  }
  const tick = tickSize(kind, at - 1);
  return price(Math.max(tick, (Math.ceil(at / tick) - 1) * tick));
}

/** The usual daily price limit of a kind, in percent of the reference price; null where there is no limit. */
export function usualLimitPercent(kind: Kind): number | null {
  return kind === "index" || kind === "crypto" || kind === "forex" ? null : 10;
}

/** The instrument fields that determine its limits. */
export type Limited = Pick<Instrument, "kind" | "limitPercent">;

/** The day's lowest and highest valid price. */
export interface DayLimits {
  down: Price;
  up: Price;
}

/**
 * The day's limits from the reference price, by the exchange's exact algorithm (domain.md 2.4): the upper limit is rounded down and
 * the lower one up, to the tick of the raw limit; at least one tick away from the reference, never below one tick. Null for no limit.
 */
export function dayLimits({ kind, limitPercent: percent }: Limited, reference: number): DayLimits | null {
  if (percent === null || reference <= 0) return null;
  const rawUp = Math.floor((reference * (100 + percent)) / 100);
  const rawDown = Math.ceil((reference * (100 - percent)) / 100);
  const upTick = tickSize(kind, rawUp);
  const downTick = tickSize(kind, rawDown);
  const up = Math.floor(rawUp / upTick) * upTick;
  const down = Math.ceil(rawDown / downTick) * downTick;
  return {
    up: price(up <= reference ? step(kind, reference, 1) : up),
    down: price(Math.max(downTick, down >= reference ? step(kind, reference, -1) : down)),
  };
}

/** Tells whether a new listing is in its first trading days, which have no limits. */
export function isFree({ freeUntil }: Pick<Instrument, "freeUntil">, now: number): boolean {
  return now < freeUntil;
}

/** Tells whether an instrument has no price limits at a moment: its kind never has them, or it is newly listed. */
export function isUnlimited(instrument: Pick<Instrument, "limitPercent" | "freeUntil">, now: number): boolean {
  return instrument.limitPercent === null || isFree(instrument, now);
}

/** The price limits of an instrument at a moment; null if it has none or is in its first trading days. */
export function limitsOf(instrument: Limited & Pick<Instrument, "freeUntil">, reference: number, now: number): DayLimits | null {
  return isFree(instrument, now) ? null : dayLimits(instrument, reference);
}
