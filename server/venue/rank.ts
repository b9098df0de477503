/** Rankings of tradable instruments, made at most once a second for each question. */
import type { Board } from "#contract/instrument.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import type { Ranking } from "#contract/quote.ts";
import type { Floor } from "./floor.ts";

const MOST = 100;

export class Rank {
  readonly #floor: Floor;
  readonly #kept = new Map<string, { at: number; rows: number[] }>();

  constructor(floor: Floor) {
    this.#floor = floor;
  }

  #score(by: Ranking, row: number): number {
    const { last, reference, turnover } = this.#floor;
    if (by === "hot") return turnover[row] ?? 0;
    const from = reference[row] ?? 0;
    const now = last[row] || from;
    const change = from > 0 ? (now - from) / from : 0;
    return by === "gainers" ? change : -change;
  }

  /** The first rows of a ranking; equal ones in row order. */
  first(by: Ranking, board: Board | null, size: number, now: number): number[] {
    const question = `${by} ${board ?? ""}`;
    let kept = this.#kept.get(question);
    if (!kept || now - kept.at >= SECOND_MS || now < kept.at) {
      const scored: { row: number; score: number }[] = [];
      for (const { instrument } of this.#floor.market.universe.listings) {
        if (!instrument.tradable || (board && instrument.board !== board)) continue;
        scored.push({ row: instrument.row, score: this.#score(by, instrument.row) });
      }
      scored.sort((a, b) => b.score - a.score || a.row - b.row);
      kept = { at: now, rows: scored.slice(0, MOST).map(({ row }) => row) };
      this.#kept.set(question, kept);
    }
    return kept.rows.slice(0, size);
  }
}
