/** Chart data: bars with their studies, then updates of the forming bar; older bars on demand. */
import { Observable } from "rxjs";
import type { Kind } from "#contract/instrument.ts";
import { CANDLE_STRIDE } from "#contract/candle.ts";
import type { StudySettings } from "#contract/preference.ts";
import { onFramePart } from "./frames.ts";
import { marketApi, onWorkerMessage } from "./worker-link.ts";
import type { ChartMessage, ChartRequest, StudyKind, StudyUpdate, VolumeByPrice } from "./worker.ts";

/** One change of a chart. Bars are flat, in the order of CANDLE_FIELDS, oldest first, adjusted as requested. */
export type CandleChange =
  /** All bars: first, and again after a reconnect. Replaces everything. */
  | { change: "loaded"; bars: number[]; more: boolean; studies: StudyUpdate[] }
  /** A page of older bars to prepend; the studies cover all bars. */
  | { change: "older"; bars: number[]; more: boolean; studies: StudyUpdate[] }
  /** Other studies over the same bars. */
  | { change: "studied"; studies: StudyUpdate[] }
  /** The forming bar: updates the last bar or appends a new one; `values` holds every study's lines at it, in order. */
  | { change: "bar"; bars: number[]; values: number[][] }
  /** The bars could not be read; the worker tries again. */
  | { change: "failed" };

export interface Candles extends Observable<CandleChange> {
  /** Request one page of older bars, delivered as a change. Does nothing while one is loading or none are left. */
  loadOlder(): void;
  /** Request other studies or other parameters, delivered as a change. */
  study(studies: StudyKind[], settings: StudySettings): void;
}

/** The volume of a session by price, since it opened. Rejects when it cannot be read. */
export async function readVolumeByPrice(code: string, kind: Kind, since: number): Promise<VolumeByPrice> {
  return (await marketApi()).volumeByPrice(code, kind, since);
}

function changeOf(message: ChartMessage): CandleChange {
  if (message.change === "failed") return { change: "failed" };
  if (message.change === "studied") return { change: "studied", studies: message.studies };
  return { change: message.change, bars: message.bars, more: message.more, studies: message.studies };
}

/** The requested chart; each subscription opens its own chart in the worker. */
export function candles$(request: ChartRequest): Candles {
  const open = new Set<number>();
  // Studies requested while the worker is still opening the chart count, too.
  let latest = request;
  const changes$ = new Observable<CandleChange>((subscriber) => {
    let chart: number | null = null;
    let closed = false;
    const stopMessages = onWorkerMessage("chart", (message) => {
      if (message.chart === chart) subscriber.next(changeOf(message));
    });
    const stopBars = onFramePart("bars", (bars, { studies = [] }) => {
      for (let at = 0; at < bars.length; at += CANDLE_STRIDE + 1) {
        if (bars[at] !== chart) continue;
        const bar = bars.slice(at + 1, at + 1 + CANDLE_STRIDE);
        const tail = studies.find((each) => each.chart === chart && each.at === bar[0]);
        subscriber.next({ change: "bar", bars: bar, values: tail?.values ?? [] });
      }
    });
    const close = (id: number): void => void marketApi().then((worker) => worker.closeChart(id));
    const opened = latest;
    void marketApi()
      .then((worker) => worker.openChart(opened))
      .then((id) => {
        if (closed) return close(id);
        chart = id;
        open.add(id);
        if (latest !== opened) restudy(id);
      });
    return () => {
      closed = true;
      stopMessages();
      stopBars();
      if (chart === null) return;
      open.delete(chart);
      close(chart);
    };
  });
  const restudy = (id: number): void => void marketApi().then((worker) => worker.studyChart(id, latest.studies, latest.settings));
  const loadOlder = (): void => {
    for (const chart of open) void marketApi().then((worker) => worker.loadOlder(chart));
  };
  const study = (studies: StudyKind[], settings: StudySettings): void => {
    latest = { ...latest, studies, settings };
    for (const chart of open) restudy(chart);
  };
  return Object.assign(changes$, { loadOlder, study });
}
