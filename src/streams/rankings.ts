/** Live rankings: which instruments, in which order; about once a second. */
import { Observable } from "rxjs";
import type { Board } from "#contract/instrument.ts";
import type { Ranking } from "#contract/quote.ts";
import { frames$ } from "./frames.ts";
import { watchRank } from "./watching.ts";

const newest = new Map<string, string[]>();
const watchers = new Map<string, Set<(codes: string[]) => void>>();

frames$.subscribe((frame) => {
  for (const [key, codes] of frame.ranks ?? []) {
    const watching = watchers.get(key);
    if (!watching) continue;
    newest.set(key, codes);
    for (const tell of watching) tell(codes);
  }
});

/** Codes of the first `size` of a board (null: of all), best first; their cells stay fresh while it is watched. */
export function ranking$(by: Ranking, board: Board | null, size: number): Observable<string[]> {
  const key = `${by} ${board ?? "all"} ${size}`;
  return new Observable((watcher) => {
    const tell = (codes: string[]): void => watcher.next(codes);
    const beside = watchers.get(key) ?? new Set();
    watchers.set(key, beside.add(tell));
    const stop = watchRank(key, { by, board, size });
    const known = newest.get(key);
    if (known) tell(known);
    return () => {
      beside.delete(tell);
      stop();
      if (beside.size === 0) watchers.delete(key);
    };
  });
}

/** The session ended. */
export function clearRankings(): void {
  newest.clear();
}
