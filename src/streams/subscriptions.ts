/** Everything watched besides cells, counted per subscriber and sent to the worker as a whole after changes. */
import type { RankView } from "#contract/quote.ts";
import { post } from "./worker-link.ts";
import type { Sorting } from "./worker.ts";

type Kind = "quotes" | "depth" | "tape" | "index" | "heat" | "profits" | "profitSum";

const counts: Record<Kind | "ranks" | "sorts", Map<string, number>> = {
  quotes: new Map(),
  ranks: new Map(),
  sorts: new Map(),
  depth: new Map(),
  tape: new Map(),
  index: new Map(),
  heat: new Map(),
  profits: new Map(),
  profitSum: new Map(),
};
const rankOf = (key: string): { key: string; rank: RankView } => ({ key, rank: JSON.parse(key) as RankView });
const sortingOf = (key: string): { key: string; sorting: Sorting } => ({ key, sorting: JSON.parse(key) as Sorting });
/** Kinds with one active key at a time: the one watched last. */
const newest = (kind: Kind): string | null => [...counts[kind].keys()].at(-1) ?? null;

let scheduled = false;

function scheduleUpdate(): void {
  if (scheduled) return;
  scheduled = true;
  queueMicrotask(() => {
    scheduled = false;
    post({
      kind: "watching",
      watching: {
        quotes: [...counts.quotes.keys()],
        ranks: [...counts.ranks.keys()].map(rankOf),
        sorts: [...counts.sorts.keys()].map(sortingOf),
        depth: newest("depth"),
        tape: newest("tape"),
        index: newest("index"),
        heat: counts.heat.size > 0,
        profits: [...counts.profits.keys()],
        profitSum: counts.profitSum.size > 0,
      },
    });
  });
}

/** Watch something until the returned function is called. The key of rankings and sorted lists is their definition as JSON. */
export function watch(kind: Kind | "ranks" | "sorts", key: string): () => void {
  const count = counts[kind];
  count.set(key, (count.get(key) ?? 0) + 1);
  scheduleUpdate();
  return () => {
    const left = (count.get(key) ?? 1) - 1;
    if (left > 0) count.set(key, left);
    else count.delete(key);
    scheduleUpdate();
  };
}
