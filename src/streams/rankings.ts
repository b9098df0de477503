/** Live orders of instruments: rankings of a board, and lists of one's own kept sorted; about once a second. */
import type { Observable } from "rxjs";
import type { RankView } from "#contract/quote.ts";
import { takePart } from "./frames.ts";
import { LatestByKey } from "./latest-by-key.ts";
import { watch } from "./subscriptions.ts";
import type { Sorting } from "./worker.ts";

/** So many are kept when nobody watches: the screen one comes back to shows its last order at once. */
const KEPT = 32;
const orders = new LatestByKey<string[]>(KEPT);

takePart("ranks", (ranks) => {
  for (const [key, codes] of ranks) orders.tell(key, codes);
});

/** Codes of a ranking, best first; the cells of the first ones stay fresh while it is watched. */
export function ranking$({ by, board, category, size }: RankView): Observable<string[]> {
  const key = JSON.stringify({ by, board, category, size } satisfies RankView);
  return orders.of(key, () => watch("ranks", key));
}

/** The codes of a list in the order asked for; their cells stay fresh while it is watched. */
export function sorted$({ codes, by, descending }: Sorting): Observable<string[]> {
  const key = JSON.stringify({ codes, by, descending } satisfies Sorting);
  return orders.of(key, () => watch("sorts", key));
}
