/** Rankings over any venue's market, computed at most once a second per query. */
import { hasEnded } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { Ranking, RankView } from "#contract/quote.ts";
import { RANKINGS, MAX_WATCHED } from "#contract/quote.ts";
import { TtlCache } from "./ttl-cache.ts";
import { limitOf, moveOf } from "./market-columns.ts";
import type { MarketColumns } from "./market-columns.ts";

/** The value a ranking sorts by, largest first; null leaves the row out. */
type Score = (market: MarketColumns, row: number) => number | null;

const change: Score = (market, row) => {
  const move = moveOf(market, row);
  return move && (move.now - move.from) / move.from;
};
/** Instruments at a price limit, by turnover. */
const atLimit =
  (side: 1 | -1): Score =>
  (market, row) =>
    limitOf(market, row) === side ? (market.columns.turnover[row] ?? 0) : null;

const SCORES: Record<Ranking, Score> = {
  gainers: change,
  losers: (market, row) => {
    const up = change(market, row);
    return up === null ? null : -up;
  },
  volume: ({ columns }, row) => columns.volume[row] ?? 0,
  turnover: ({ columns }, row) => columns.turnover[row] ?? 0,
  amplitude: ({ columns }, row) => {
    const from = columns.reference[row] ?? 0;
    return from > 0 ? ((columns.high[row] ?? 0) - (columns.low[row] ?? 0)) / from : null;
  },
  limitUp: atLimit(1),
  limitDown: atLimit(-1),
};

/** The key of a group of instruments that can be ranked. */
const groupKey = (board: string | null, category: string | null): string => `${board ?? ""}/${category ?? ""}`;

export class Rank {
  readonly #market: MarketColumns;
  /** Rows of every group that can be queried. */
  readonly #groups = new Map<string, number[]>();
  readonly #cached: Map<Ranking, TtlCache<string, number[]>>;

  constructor(market: MarketColumns) {
    this.#market = market;
    for (const instrument of market.instruments) this.add(instrument);
    this.#cached = new Map(RANKINGS.map((by) => [by, new TtlCache((group, now) => this.#sort(by, group, now))]));
  }

  /** Adds an instrument to its groups. */
  add({ row, board, category, tradable }: Instrument): void {
    // What is no security, or cannot be traded, is ranked only within its own board.
    for (const market of tradable && board !== "crypto" ? [null, board] : [board]) {
      for (const group of [null, category]) this.#addTo(groupKey(market, group), row);
    }
  }

  #addTo(group: string, row: number): void {
    const rows = this.#groups.get(group);
    if (rows) rows.push(row);
    else this.#groups.set(group, [row]);
  }

  /** Whether an instrument is not traded yet, or not any more. */
  #isOut(row: number, now: number): boolean {
    const { instruments, columns } = this.#market;
    const instrument = instruments[row];
    return instrument !== undefined && ((instrument.tradesFrom > 0 && (columns.reference[row] ?? 0) === 0) || hasEnded(instrument, now));
  }

  #sort(by: Ranking, group: string, now: number): number[] {
    const scored: { row: number; score: number }[] = [];
    for (const row of this.#groups.get(group) ?? []) {
      // A new issue is ranked from its first session on, and a fund with a term to its last.
      const score = this.#isOut(row, now) ? null : SCORES[by](this.#market, row);
      if (score !== null) scored.push({ row, score });
    }
    scored.sort((a, b) => b.score - a.score || a.row - b.row);
    return scored.slice(0, MAX_WATCHED).map(({ row }) => row);
  }

  /** The first rows of a ranking, at most `MAX_WATCHED`; ties in row order; empty for an unknown category. */
  first({ by, board, category, size }: RankView, now: number): number[] {
    const group = groupKey(board, category);
    // Only existing groups are cached, or queries for unknown ones would fill the memory.
    if (!this.#groups.has(group)) return [];
    return this.#cached.get(by)?.get(group, now).slice(0, size) ?? [];
  }
}
