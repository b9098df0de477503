/** The candles of one of several charts: a forming bar is drawn twice a second at most, since drawing all of them costs most. */
import { Observable } from "rxjs";
import type { CandleUpdate } from "#src/screens/chart/chart-data.ts";
import { openCandleSource } from "#src/screens/chart/candle-source.ts";
import type { ChartSubject } from "#src/screens/chart/chart-spec.ts";

const EVERY_MS = 500;

/** Passes on the newest update of each forming bar once per interval; any other change at once, after the waiting ones. */
export function calmed(updates$: Observable<CandleUpdate>, everyMs = EVERY_MS): Observable<CandleUpdate> {
  return new Observable((subscriber) => {
    const waiting = new Map<number, CandleUpdate>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = (): void => {
      clearTimeout(timer);
      timer = undefined;
      for (const update of waiting.values()) subscriber.next(update);
      waiting.clear();
    };
    const watching = updates$.subscribe({
      next: (update) => {
        if (update.change === "forming") {
          waiting.set(update.bar.at, update);
          timer ??= setTimeout(flush, everyMs);
          return;
        }
        flush();
        subscriber.next(update);
      },
      error: (problem: unknown) => subscriber.error(problem),
      complete: () => {
        flush();
        subscriber.complete();
      },
    });
    return () => {
      clearTimeout(timer);
      watching.unsubscribe();
    };
  });
}

/** As `openCandleSource`, calmed. */
export const openCalmSource: ChartSubject["open"] = (request) => {
  const source = openCandleSource(request);
  return { ...source, updates$: calmed(source.updates$) };
};
