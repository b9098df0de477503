/** The five-level order book of the instrument on screen. */
import type { Observable } from "rxjs";
import type { Depth } from "#contract/quote.ts";
import { onFramePart } from "./frames.ts";
import { LatestByKey } from "./latest-by-key.ts";
import { watch } from "./subscriptions.ts";

const books = new LatestByKey<Depth>();

onFramePart("depth", ({ code, depth }) => books.publish(code, depth));

/** An instrument's order book as it changes. Only one is watched at a time: the one subscribed last. */
export function depth$(code: string): Observable<Depth> {
  return books.of(code, () => watch("depth", code));
}
