/** Charts: bars as they were read, then the forming one as it changes; older ones on demand. */
import { filter, Observable } from "rxjs";
import { CANDLE_STRIDE } from "#contract/candle.ts";
import type { CandlePeriod } from "#contract/candle.ts";
import { frames$ } from "./frames.ts";
import { door, messages$ } from "./link.ts";

/** One change of a chart. Bars are flat, in the order of CANDLE_FIELDS, oldest first. */
export type CandleChange =
  /** All bars: first, and again after a broken line. Replaces everything. */
  | { change: "loaded"; bars: number[]; more: boolean }
  /** A page to put before those known. */
  | { change: "older"; bars: number[]; more: boolean }
  /** The forming bar: updates the last one, or is a new last one. */
  | { change: "bar"; bars: number[] }
  /** The bars could not be read; they are being tried again. */
  | { change: "failed" };

export interface Candles extends Observable<CandleChange> {
  /** Ask for one page of older bars; it comes as a change. Does nothing while one is on its way or none are left. */
  loadOlder(): void;
}

/** The chart of an instrument in a period; each subscription is a chart of its own. */
export function candles$(code: string, period: CandlePeriod): Candles {
  const open = new Set<number>();
  const changes$ = new Observable<CandleChange>((watcher) => {
    let chart: number | null = null;
    let over = false;
    const said = messages$.pipe(filter((message) => message.kind === "chart")).subscribe((message) => {
      if (message.chart !== chart) return;
      watcher.next(message.change === "failed" ? { change: "failed" } : { change: message.change, bars: message.bars, more: message.more });
    });
    const moved = frames$.subscribe(({ bars = [] }) => {
      for (let at = 0; at < bars.length; at += CANDLE_STRIDE + 1) {
        if (bars[at] === chart) watcher.next({ change: "bar", bars: bars.slice(at + 1, at + 1 + CANDLE_STRIDE) });
      }
    });
    const close = (id: number): void => void door().then((worker) => worker.closeChart(id));
    void door()
      .then((worker) => worker.openChart(code, period))
      .then((id) => {
        if (over) return close(id);
        chart = id;
        open.add(id);
      });
    return () => {
      over = true;
      said.unsubscribe();
      moved.unsubscribe();
      if (chart === null) return;
      open.delete(chart);
      close(chart);
    };
  });
  const loadOlder = (): void => {
    for (const chart of open) void door().then((worker) => worker.loadOlder(chart));
  };
  return Object.assign(changes$, { loadOlder });
}
