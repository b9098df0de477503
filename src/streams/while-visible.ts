/** An interval for what must be asked for again while it is shown: silent while the page is hidden, and due at once when it is seen again. */
import { EMPTY, defer, fromEvent, startWith, switchMap, timer } from "rxjs";
import type { Observable } from "rxjs";

export const everyWhileVisible = (ms: number): Observable<number> =>
  defer(() =>
    fromEvent(document, "visibilitychange").pipe(
      startWith(null),
      switchMap((change) => (document.visibilityState === "hidden" ? EMPTY : timer(change === null ? ms : 0, ms))),
    ),
  );
