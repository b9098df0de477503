/** The five-level book of the instrument on screen. */
import type { Observable } from "rxjs";
import type { Depth } from "#contract/quote.ts";
import { takePart } from "./frames.ts";
import { LatestByKey } from "./latest-by-key.ts";
import { watch } from "./subscriptions.ts";

const books = new LatestByKey<Depth>();

takePart("depth", ({ code, depth }) => books.tell(code, depth));

/** The book of an instrument as it changes. One book is watched at a time: the newest watcher's. */
export function depth$(code: string): Observable<Depth> {
  return books.of(code, () => watch("depth", code));
}
