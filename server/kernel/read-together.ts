/** Reads by key in groups: whatever is asked for in one turn of the event loop is one query. */

/**
 * Makes a function that reads one key from one that reads many. A query that fails fails for those whose keys it read; the next turn's is another one.
 * @returns what `read` gives for the key, undefined where it gives nothing
 */
export function readTogether<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let next: { keys: Set<Key>; found: Promise<ReadonlyMap<Key, Value>> } | null = null;
  return async (key) => {
    if (!next) {
      const keys = new Set<Key>();
      const turn = new Promise<void>((ended) => setImmediate(ended));
      const found = turn.then(() => {
        next = null;
        return read([...keys]);
      });
      next = { keys, found };
    }
    next.keys.add(key);
    return (await next.found).get(key);
  };
}
