/** Lets a step be taken once in a batch: two clocks may have asked for it, and both have read the row as it was before. */
import type { Batch } from "./batch.ts";

const taken = new WeakMap<Batch, Set<string>>();

/** Whether this is the first call with the key in the batch. */
export function isFirst(batch: Batch, key: string): boolean {
  const keys = taken.get(batch) ?? new Set<string>();
  taken.set(batch, keys);
  if (keys.has(key)) return false;
  keys.add(key);
  return true;
}
