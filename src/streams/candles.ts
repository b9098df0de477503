/** Charts: bars as they were read with their studies, then the forming one as it changes; older ones on demand. */
import { Observable } from "rxjs";
import { CANDLE_STRIDE } from "#contract/candle.ts";
import type { StudySettings } from "#contract/preference.ts";
import { takePart } from "./frames.ts";
import { marketApi, onWorkerMessage } from "./worker-link.ts";
import type { ChartMessage, ChartRequest, StudyKind, StudyUpdate } from "./worker.ts";

/** One change of a chart. Bars are flat, in the order of CANDLE_FIELDS, oldest first, adjusted as was asked. */
export type CandleChange =
  /** All bars: first, and again after a broken line. Replaces everything. */
  | { change: "loaded"; bars: number[]; more: boolean; studies: StudyUpdate[] }
  /** A page to put before those known; the studies are over all bars. */
  | { change: "older"; bars: number[]; more: boolean; studies: StudyUpdate[] }
  /** Other studies over the same bars. */
  | { change: "studied"; studies: StudyUpdate[] }
  /** The forming bar: updates the last one, or is a new last one; `values` are every study's lines at it, in their order. */
  | { change: "bar"; bars: number[]; values: number[][] }
  /** The bars could not be read; they are being tried again. */
  | { change: "failed" };

export interface Candles extends Observable<CandleChange> {
  /** Ask for one page of older bars; it comes as a change. Does nothing while one is on its way or none are left. */
  loadOlder(): void;
  /** Ask for other studies or other parameters; they come as a change. */
  study(studies: StudyKind[], settings: StudySettings): void;
}

function changeOf(message: ChartMessage): CandleChange {
  if (message.change === "failed") return { change: "failed" };
  if (message.change === "studied") return { change: "studied", studies: message.studies };
  return { change: message.change, bars: message.bars, more: message.more, studies: message.studies };
}

/** The chart that was asked for; each subscription is a chart of its own. */
export function candles$(request: ChartRequest): Candles {
  const open = new Set<number>();
  // What was asked for while the worker was still opening the chart counts, too.
  let asked = request;
  const changes$ = new Observable<CandleChange>((watcher) => {
    let chart: number | null = null;
    let over = false;
    const unhear = onWorkerMessage("chart", (message) => {
      if (message.chart === chart) watcher.next(changeOf(message));
    });
    const untake = takePart("bars", (bars, { studies = [] }) => {
      for (let at = 0; at < bars.length; at += CANDLE_STRIDE + 1) {
        if (bars[at] !== chart) continue;
        const bar = bars.slice(at + 1, at + 1 + CANDLE_STRIDE);
        const tail = studies.find((each) => each.chart === chart && each.at === bar[0]);
        watcher.next({ change: "bar", bars: bar, values: tail?.values ?? [] });
      }
    });
    const close = (id: number): void => void marketApi().then((worker) => worker.closeChart(id));
    const opened = asked;
    void marketApi()
      .then((worker) => worker.openChart(opened))
      .then((id) => {
        if (over) return close(id);
        chart = id;
        open.add(id);
        if (asked !== opened) restudy(id);
      });
    return () => {
      over = true;
      unhear();
      untake();
      if (chart === null) return;
      open.delete(chart);
      close(chart);
    };
  });
  const restudy = (id: number): void => void marketApi().then((worker) => worker.studyChart(id, asked.studies, asked.settings));
  const loadOlder = (): void => {
    for (const chart of open) void marketApi().then((worker) => worker.loadOlder(chart));
  };
  const study = (studies: StudyKind[], settings: StudySettings): void => {
    asked = { ...asked, studies, settings };
    for (const chart of open) restudy(chart);
  };
  return Object.assign(changes$, { loadOlder, study });
}
