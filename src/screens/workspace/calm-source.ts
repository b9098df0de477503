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
  #running = false;
  #nth = 0;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** Calls a function at each of the next moments until it returns true. @returns a function that stops it */
  wait(draw: (nth: number) => boolean): () => void {
    this.#waiting.add(draw);
    if (!this.#running) this.#start();
    return () => void this.#waiting.delete(draw);
  }

  #start(): void {
    this.#running = true;
    setTimeout(() => this.#run(), this.#everyMs);
  }

  #run(): void {
    this.#nth += 1;
    for (const draw of this.#waiting) if (draw(this.#nth)) this.#waiting.delete(draw);
    if (this.#waiting.size > 0) this.#start();
    else this.#running = false;
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

const PLACES = [0, 1, 2, 3] as const;

/** Where the charts open their candles, by place: as `openCandleSource`, calmed. */
export class CalmSources {
  #active = 0;
  readonly open = PLACES.map((at): ChartSubject["open"] => (request) => {
    const source = openCandleSource(request);
    return { ...source, updates$: calmed(source.updates$, () => this.#active === at) };
  });

  /** From now on the chart at this place is the active one. */
  activate(at: number): void {
    this.#active = at;
  }
}
