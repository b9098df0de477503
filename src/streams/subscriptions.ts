/** What is watched beside cells, counted per watcher, told to the worker once per change of the whole. */
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
/** Of these there is one at a time: the newest watcher's. */
const newest = (kind: Kind): string | null => [...counts[kind].keys()].at(-1) ?? null;

let telling = false;

function tellSoon(): void {
  if (telling) return;
  telling = true;
  queueMicrotask(() => {
    telling = false;
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

/** Watch something until the returned function is called. Rankings and sorted lists are their own key, as JSON. */
export function watch(kind: Kind | "ranks" | "sorts", key: string): () => void {
  const count = counts[kind];
  count.set(key, (count.get(key) ?? 0) + 1);
  tellSoon();
  return () => {
    const left = (count.get(key) ?? 1) - 1;
    if (left > 0) count.set(key, left);
    else count.delete(key);
    tellSoon();
  };
}
