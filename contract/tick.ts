/** Tick sizes and daily price limits: which prices the market knows. */
import type { Instrument, Kind } from "./instrument.ts";
import { PRICE_ONE, price } from "./kernel/money.ts";
import type { Price } from "./kernel/money.ts";
import { taipeiDay } from "./kernel/time.ts";

/** `[below, tick]` in price units, for prices below `below`; the last one is open-ended. */
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
const CENT = bands([[Infinity, 0.01]]);
const FINE = bands([[Infinity, 0.0001]]);

const BANDS: Record<Kind, Bands> = {
  stock: STOCK,
  preferred: STOCK,
  tdr: STOCK,
  etf: FUND,
  etn: FUND,
  reit: FUND,
  index: CENT,
  crypto: CENT,
  forex: FINE,
};

/** The whole ladder of a kind, for reading. */
export function tickBands(kind: Kind): Bands {
  return BANDS[kind];
}

/** The smallest step of a price at this height (TWSE Operating Rules art. 62; domain.md 2.3). */
export function tickSize(kind: Kind, at: number): number {
  const table = BANDS[kind];
  for (const [below, tick] of table) if (at < below) return tick;
  return table[table.length - 1]?.[1] ?? 1;
}

/** Whether a price lies on its tick. */
export function onTick(kind: Kind, at: number): boolean {
  return at % tickSize(kind, at) === 0;
}

/** The nearest price on a tick; halves go up; never below one tick. */
export function toTick(kind: Kind, at: number): Price {
  const tick = tickSize(kind, at);
  return price(Math.max(tick, Math.round(at / tick) * tick));
}

/** The next price up (+1) or down (-1) the ladder, never below one tick. */
export function step(kind: Kind, at: number, by: 1 | -1): Price {
  if (by > 0) {
    const tick = tickSize(kind, at);
    return price((Math.floor(at / tick) + 1) * tick);
  }
  const tick = tickSize(kind, at - 1);
  return price(Math.max(tick, (Math.ceil(at / tick) - 1) * tick));
}

/** How far the day of an ordinary instrument of a kind may go from its reference, per cent; null where the market sets no limit. */
export function usualLimitPercent(kind: Kind): number | null {
  return kind === "index" || kind === "crypto" || kind === "forex" ? null : 10;
}

/** What of an instrument decides its limits. */
export type Limited = Pick<Instrument, "kind" | "limitPercent">;

/** The day's lowest and highest price; `null` where there is no limit. */
export interface DayLimits {
  down: Price;
  up: Price;
}

/**
 * The day's limits from the reference price, by the exchange's exact algorithm (domain.md 2.4): up is rounded down and
 * down is rounded up, on the tick of the raw limit; never less than one tick away, never below one tick.
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

/** Whether a newcomer is in its first trading days, which have no limits. */
export function isFree({ freeBefore }: Pick<Instrument, "freeBefore">, now: number): boolean {
  return taipeiDay(now) < freeBefore;
}

/** Whether nothing bounds the price of an instrument's day: it never has limits, or is a newcomer. */
export function isUnlimited(instrument: Pick<Instrument, "limitPercent" | "freeBefore">, now: number): boolean {
  return instrument.limitPercent === null || isFree(instrument, now);
}

/** The limits of an instrument's day at a moment; none on a newcomer's first trading days. */
export function limitsOf(instrument: Limited & Pick<Instrument, "freeBefore">, reference: number, now: number): DayLimits | null {
  return isFree(instrument, now) ? null : dayLimits(instrument, reference);
}
