/** Live rankings of a board and live sorting of a given list of instruments; about once a second. */
import type { Observable } from "rxjs";
import type { RankView } from "#contract/quote.ts";
import { onFramePart } from "./frames.ts";
import { LatestByKey } from "./latest-by-key.ts";
import { watch } from "./subscriptions.ts";
import type { Sorting } from "./worker.ts";

/** Number of rankings cached without subscribers: a revisited screen shows its last order at once. */
const CACHED = 32;
const orders = new LatestByKey<string[]>(CACHED);

onFramePart("ranks", (ranks) => {
  for (const [key, codes] of ranks) orders.publish(key, codes);
});

/** Codes of a ranking, best first; the cells of the first rows stay fresh while it is watched. */
export function ranking$({ by, board, category, size }: RankView): Observable<string[]> {
  const key = JSON.stringify({ by, board, category, size } satisfies RankView);
  return orders.of(key, () => watch("ranks", key));
}

/** The codes of a list in the requested order; their cells stay fresh while it is watched. */
export function sorted$({ codes, by, descending }: Sorting): Observable<string[]> {
  const key = JSON.stringify({ codes, by, descending } satisfies Sorting);
  return orders.of(key, () => watch("sorts", key));
}
