/** Where every instrument stands: what rankings, heat and contributions are worked out from, whichever venue keeps it. */
import type { Category, Instrument } from "#contract/instrument.ts";

/** The columns a day's standing is read from: one place a row, prices in price units, 0 for none. */
type Column = "last" | "open" | "high" | "low" | "reference" | "volume" | "turnover";

/**
 * A venue's table as `Rank`, `heatOf` and `contributionOf` read it. Every venue has one: the sandbox over its floor, a live feed
 * over what it last heard (`Columns` has the arrays). Volume is in lots, turnover in price units times lots.
 */
export interface MarketSnapshot {
  readonly instruments: readonly Instrument[];
  readonly categories: readonly Category[];
  readonly columns: { readonly [Name in Column]: ArrayLike<number> };
  /**
   * What an index counts a constituent's move from: the close before in shares of today. On an ex-date that is the reference with the
   * cash that went out put back; a venue that does not know it says the reference.
   */
  previous(row: number): number;
  /** The day's limits of a row; where there are none, `NO_LIMITS`, so far away that no price reaches them. */
  limits(row: number): { up: number; down: number };
}

/** The limits of what has none. */
export const NO_LIMITS = { up: Number.MAX_SAFE_INTEGER, down: 0 };

/** A row's price now and the one its change is counted from; the same when it has not traded, null when it has no price at all. */
export function moveOf({ columns }: MarketSnapshot, row: number): { now: number; from: number } | null {
  const from = columns.reference[row] ?? 0;
  const now = (columns.last[row] ?? 0) || from;
  return now > 0 ? { now, from: from || now } : null;
}

/** 1 where a row's last price is its upper limit, -1 where it is its lower one, else 0. */
export function limitOf({ columns, limits }: MarketSnapshot, row: number): 1 | 0 | -1 {
  const now = columns.last[row] ?? 0;
  if (now === 0) return 0;
  const { up, down } = limits(row);
  return now >= up ? 1 : now <= down ? -1 : 0;
}
