/** The candles of one of several charts: forming bars are drawn twice a second at most, and those of all charts at the same moments. */
import { Observable } from "rxjs";
import type { CandleUpdate } from "#src/screens/chart/chart-data.ts";
import { openCandleSource } from "#src/screens/chart/candle-source.ts";
import type { ChartSubject } from "#src/screens/chart/chart-spec.ts";

const EVERY_MS = 500;
/** A chart that is not active is drawn at every so many of these moments. */
const SELDOM = 3;

/** The moments at which charts draw, by one timer: what they share of a frame (style, layout, layers, presentation) costs once for all. */
export class SharedMoments {
  readonly #everyMs: number;
  readonly #waiting = new Set<(nth: number) => boolean>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nth = 0;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** Calls a function at each of the next moments until it returns true. @returns a function that stops it */
  wait(draw: (nth: number) => boolean): () => void {
    this.#waiting.add(draw);
    this.#timer ??= setTimeout(() => this.#run(), this.#everyMs);
    return () => void this.#waiting.delete(draw);
  }

  #run(): void {
    this.#nth += 1;
    for (const draw of this.#waiting) if (draw(this.#nth)) this.#waiting.delete(draw);
    this.#timer = this.#waiting.size > 0 ? setTimeout(() => this.#run(), this.#everyMs) : undefined;
  }
}

const moments = new SharedMoments(EVERY_MS);

/**
 * Passes on the newest update of each forming bar at the shared moments, more seldom while the chart is not active; any other change at
 * once, after the waiting ones.
 */
export function calmed(updates$: Observable<CandleUpdate>, isActive: () => boolean, shared = moments): Observable<CandleUpdate> {
  return new Observable((subscriber) => {
    const waiting = new Map<number, CandleUpdate>();
    let stop: (() => void) | null = null;
    const flush = (): void => {
      stop?.();
      stop = null;
      for (const update of waiting.values()) subscriber.next(update);
      waiting.clear();
    };
    const draw = (nth: number): boolean => {
      const now = isActive() || nth % SELDOM === 0;
      if (now) flush();
      return now;
    };
    const watching = updates$.subscribe({
      next: (update) => {
        if (update.change === "forming") {
          waiting.set(update.bar.at, update);
          stop ??= shared.wait(draw);
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
      stop?.();
      watching.unsubscribe();
    };
  });
}

/** As `openCandleSource`, calmed. */
export const calmSource =
  (isActive: () => boolean): ChartSubject["open"] =>
  (request) => {
    const source = openCandleSource(request);
    return { ...source, updates$: calmed(source.updates$, isActive) };
  };
