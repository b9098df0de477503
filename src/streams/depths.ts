/** The five-level book of the instrument on screen. */
import { filter, map, Observable } from "rxjs";
import type { Depth } from "#contract/quote.ts";
import { frames$ } from "./frames.ts";
import { watch } from "./watching.ts";

/** The book of an instrument as it changes. One book is watched at a time: the newest watcher's. */
export function depth$(code: string): Observable<Depth> {
  const books$ = frames$.pipe(
    map((frame) => frame.depth),
    filter((told) => told?.code === code),
    map((told) => told?.depth),
    filter((depth) => depth !== undefined),
  );
  return new Observable((watcher) => {
    const watching = books$.subscribe(watcher);
    const stop = watch("depth", code);
    return () => {
      watching.unsubscribe();
      stop();
    };
  });
}
