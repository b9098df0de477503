/** Matches an order against the displayed book: it takes level after level of the other side as far as its limit allows. */
import { price as priced } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";

/**
 * A request to the matcher: whole lots on one side, at market (`limit` null) or at a price or better. Of digital currency its lots, and those
 * of executions, are the units that orders count (`unitsPerWhole`), while a book displays whole coins.
 */
export interface Want {
  row: number;
  side: "buy" | "sell";
  limit: Price | null;
  lots: number;
}

/** One execution against a level of the book, with what explains its price. */
export interface Execution {
  price: Price;
  lots: number;
  /** 1 for the best level. */
  level: number;
  /** The best price on the side traded against, at that moment. */
  best: Price;
}

/** One level of a book. */
export type Level = [price: number, lots: number];
/** Number of levels shown per side. */
export const LEVELS = 5;

/**
 * The executions an order gets from the levels of the side it trades against (best first): each at the level's price, as deep as
 * the limit allows and while lots remain. Changes nothing.
 */
export function sweepBook(levels: readonly Level[], want: Want): Execution[] {
  const best = levels[0]?.[0] ?? 0;
  const executions: Execution[] = [];
  let remaining = want.lots;
  for (let at = 0; at < levels.length && remaining > 0; at += 1) {
    const [price, lots] = levels[at] ?? [0, 0];
    if (want.limit !== null && (want.side === "buy" ? price > want.limit : price < want.limit)) break;
    const filled = Math.min(remaining, lots);
    executions.push({ price: priced(price), lots: filled, level: at + 1, best: priced(best) });
    remaining -= filled;
  }
  return executions;
}
