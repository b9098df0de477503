/** The state of every instrument that rankings, sector heat and contributions are computed from, whichever venue provides it. */
import type { Category, Instrument } from "#contract/instrument.ts";

/** The columns of a day: one entry per row, prices in price units, 0 for none. */
type Column = "last" | "open" | "high" | "low" | "reference" | "volume" | "turnover";

/**
 * A venue's table as read by `Rank`, `heatOf` and `contributionOf`. Every venue has one: the sandbox from its market state, a live
 * feed from its latest ticks (`Columns` has the arrays). Volume is in lots, turnover in price units times lots.
 */
export interface MarketColumns {
  readonly instruments: readonly Instrument[];
  readonly categories: readonly Category[];
  readonly columns: { readonly [Name in Column]: ArrayLike<number> };
  /**
   * The price an index measures a constituent's move from: the previous close in today's shares. On an ex-date that is the
   * reference plus the cash dividend; a venue that does not know the dividend returns the reference.
   */
  previous(row: number): number;
  /** Thousands of shares issued on the day, in its shares. */
  issued(row: number): number;
  /** The day's price limits of a row; `NO_LIMITS`, which no price reaches, where there are none. */
  limits(row: number): { up: number; down: number };
}

/** The limits of an instrument without price limits. */
export const NO_LIMITS = { up: Number.MAX_SAFE_INTEGER, down: 0 };

/** A row's current price and the one its change is measured from; equal when it has not traded, null when it has no price at all. */
export function moveOf({ columns }: MarketColumns, row: number): { now: number; from: number } | null {
  const from = columns.reference[row] ?? 0;
  const now = (columns.last[row] ?? 0) || from;
  return now > 0 ? { now, from: from || now } : null;
}

/** 1 when a row's last price is at its upper limit, -1 at its lower limit, else 0. */
export function limitOf({ columns, limits }: MarketColumns, row: number): 1 | 0 | -1 {
  const now = columns.last[row] ?? 0;
  if (now === 0) return 0;
  const { up, down } = limits(row);
  return now >= up ? 1 : now <= down ? -1 : 0;
}
