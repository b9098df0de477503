/** Strategies on the index: what follows its largest one-minute moves, for who trades it in the same moment at the cost of a future. */
import type { Panel } from "./panel.ts";
import { quantile } from "./statistics.ts";

/** Spread, fee and tax of a future both ways. */
const COSTS = 0.0001;
/** The moves that count as large, by those of the session before. */
const LARGE = 0.98;
const HELD_MINUTES = 5;

/** The moves of a session's minutes in continuous trading; the first is that from the opening auction on. */
function movesOf(marks: Float64Array, continuous: number): number[] {
  return Array.from({ length: continuous - 1 }, (_, minute) => Math.log((marks[minute + 1] ?? 1) / (marks[minute] ?? 1)));
}

/** What the minutes after the large moves of a session added in their direction, without overlap. */
export function afterLargeMoves(marks: Float64Array, before: Float64Array, continuous: number): number[] {
  const least = quantile(movesOf(before, continuous).map(Math.abs), LARGE);
  const moves = movesOf(marks, continuous);
  const after: number[] = [];
  for (let minute = 0; minute + HELD_MINUTES < moves.length; minute += 1) {
    const move = moves[minute] ?? 0;
    if (Math.abs(move) <= least) continue;
    after.push(Math.sign(move) * Math.log((marks[minute + 1 + HELD_MINUTES] ?? 1) / (marks[minute + 1] ?? 1)));
    minute += HELD_MINUTES;
  }
  return after;
}

/** By strategy, what its trades of each session earned; sessions without any are left out. */
export function indexStrategies({ index, continuous }: Pick<Panel, "index" | "continuous">): { name: string; sessions: number[][] }[] {
  const after = index.slice(1).map((marks, nth) => afterLargeMoves(marks, index[nth] ?? marks, continuous));
  return ([1, -1] as const).map((sign) => ({
    name: `${sign > 0 ? "follow" : "fade"} a large minute of the index`,
    sessions: after.filter(({ length }) => length > 0).map((own) => own.map((gain) => sign * gain - COSTS)),
  }));
}
