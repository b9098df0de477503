/** What is watched beside cells, counted per watcher, told to the worker once per change of the whole. */
import type { RankView } from "#contract/kernel/push.ts";
import { post } from "./link.ts";

type Kind = "quotes" | "ranks" | "depth" | "profits" | "profitSum";

const counts: Record<Kind, Map<string, number>> = {
  quotes: new Map(),
  ranks: new Map(),
  depth: new Map(),
  profits: new Map(),
  profitSum: new Map(),
};
const rankViews = new Map<string, RankView>();
let telling = false;

function tellSoon(): void {
  if (telling) return;
  telling = true;
  queueMicrotask(() => {
    telling = false;
    const ranks = [...counts.ranks.keys()].flatMap((key) => {
      const rank = rankViews.get(key);
      return rank ? [{ key, rank }] : [];
    });
    post({
      kind: "watching",
      watching: {
        quotes: [...counts.quotes.keys()],
        ranks,
        // One book at a time: the newest watcher's.
        depth: [...counts.depth.keys()].at(-1) ?? null,
        profits: [...counts.profits.keys()],
        profitSum: counts.profitSum.size > 0,
      },
    });
  });
}

/** Watch something until the returned function is called. */
export function watch(kind: Kind, key: string): () => void {
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

/** Watch a ranking; its key names it. */
export function watchRank(key: string, rank: RankView): () => void {
  rankViews.set(key, rank);
  return watch("ranks", key);
}
