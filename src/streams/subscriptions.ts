/** Everything watched besides cells, counted per subscriber and sent to the worker as a whole after changes. */
import type { Channel } from "#contract/channel.ts";
import type { RankView } from "#contract/quote.ts";
import { post } from "./worker-link.ts";
import type { ChannelKeys, Sorting } from "./worker.ts";

type Kind = "quotes" | "ranks" | "sorts" | "profits" | "profitSum";

const counts: Record<Kind, Map<string, number>> = {
  quotes: new Map(),
  ranks: new Map(),
  sorts: new Map(),
  profits: new Map(),
  profitSum: new Map(),
};
const rankOf = (key: string): { key: string; rank: RankView } => ({ key, rank: JSON.parse(key) as RankView });
const sortingOf = (key: string): { key: string; sorting: Sorting } => ({ key, sorting: JSON.parse(key) as Sorting });
const channelCounts = new Map<Channel, Map<string, number>>();

/** A channel has one active key at a time: the one watched last. */
function channelKeys(): ChannelKeys {
  const keys: ChannelKeys = {};
  for (const [channel, count] of channelCounts) for (const key of count.keys()) keys[channel] = key;
  return keys;
}

const ahead = new Map<object, readonly string[]>();

/** Says which codes a list is about to show, so that their quotes are known when it does; replaces what the list said before. */
export function foresee(list: object, codes: readonly string[]): void {
  if (codes.length > 0) ahead.set(list, codes);
  else ahead.delete(list);
  scheduleUpdate();
}

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
        ahead: [...ahead.values()].flat(),
        ranks: [...counts.ranks.keys()].map(rankOf),
        sorts: [...counts.sorts.keys()].map(sortingOf),
        channels: channelKeys(),
        profits: [...counts.profits.keys()],
        profitSum: counts.profitSum.size > 0,
      },
    });
  });
}

/** Watch something until the returned function is called. The key of rankings and sorted lists is their definition as JSON. */
export function watch(kind: Kind, key: string): () => void {
  return countWatch(counts[kind], key);
}

/** Watch a key of a channel until the returned function is called. */
export function watchChannel(channel: Channel, key: string): () => void {
  const count = channelCounts.get(channel) ?? new Map<string, number>();
  channelCounts.set(channel, count);
  return countWatch(count, key);
}

function countWatch(count: Map<string, number>, key: string): () => void {
  count.set(key, (count.get(key) ?? 0) + 1);
  scheduleUpdate();
  return () => {
    const left = (count.get(key) ?? 1) - 1;
    if (left > 0) count.set(key, left);
    else count.delete(key);
    scheduleUpdate();
  };
}
