/** Runs a chart on an element: its data, its drawing, the bar being read, and the keyboard cursor. */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { RefObject } from "react";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { placeAt, summaryOf } from "./bar.ts";
import type { Summary } from "./bar.ts";
import type { ChartData, ChartPhase } from "./chart-data.ts";
import { priceBefore } from "./chart-spec.ts";
import type { ChartSpec } from "./chart-spec.ts";
import type { Drawing } from "./drawing.ts";
import { spokenBar, tableOfBars } from "./spoken-bar.ts";
import type { SpokenBar, TableOfBars } from "./spoken-bar.ts";
import { actionsByPlace, actionText } from "./study-values.ts";
import type { Words } from "./study-values.ts";
import { useCanvas } from "./use-canvas.ts";
import { useChartData } from "./use-chart-data.ts";

/** Listeners called on every pointer move and tick, bypassing React. */
export interface ChartListeners {
  /** The bar under the cursor (`pointed`), or the newest one. */
  onBar: (bar: SpokenBar, place: number, pointed: boolean) => void;
  /** Prices and times may have moved on screen. */
  onDrawn: (drawing: Drawing) => void;
  /** The cursor points at this y of the price pane, or null outside it. */
  onPointed: (y: number | null, drawing: Drawing) => void;
}

/** The bar the keyboard cursor is on: its index, its time and its text. */
export interface CursorBar {
  place: number;
  at: number;
  text: SpokenBar;
}

interface ChartState {
  phase: ChartPhase;
  count: number;
  /** A summary of the bars, as of the last load or the last time the chart took focus. */
  summary: Summary | null;
}

export interface Chart extends ChartState {
  /** The canvas, once its module has loaded. */
  drawing: Drawing | null;
  /** The bars and studies, once the chart is mounted. */
  model: RefObject<ChartData | null>;
  cursor: CursorBar | null;
  /** Moves the keyboard cursor by some bars (infinite: to the end), or clears it. */
  move: (by: number | null) => void;
  /** Refreshes the summary, because a screen reader is about to read it. */
  refresh: () => void;
  /** The bars in view, newest first. */
  table: () => TableOfBars;
}

/** Runs a chart on `host`; `view` and the instrument are fixed at mount. */
export function useChart(spec: ChartSpec, words: Words, host: RefObject<HTMLElement | null>, listeners: ChartListeners): Chart {
  const { plans, actions } = spec;
  const [state, setState] = useState<ChartState>({ phase: "loading", count: 0, summary: null });
  const model = useChartData(spec, { onChange: changed, onForm: () => reading.showNewest() });
  const bars = (): ChartData["bars"] => model.current?.bars ?? [];
  const summarise = (): Summary | null => summaryOf(bars(), priceBefore(spec));
  const exEvents = useExEvents(bars, words);
  const textAt = (place: number): SpokenBar | null => model.current && spokenBar(model.current, place, spec, exEvents.noteAt(place), words);
  const reading = useReading(bars, textAt, listeners.onBar);
  const { cursor, step, restore } = useCursor(bars, textAt);
  const drawing = useCanvas(spec, words, host, model, {
    onCursor: (place, y, by) => {
      listeners.onPointed(y, by);
      reading.show(place ?? cursor?.place ?? null);
    },
    onDrawn: (by) => {
      listeners.onDrawn(by);
      reading.showAgain();
    },
    onFailed: () => setState({ phase: "failed", count: 0, summary: null }),
  });
  const mark = useEffectEvent(exEvents.mark);
  useEffect(() => mark(drawing, actions), [drawing, actions]);

  function changed(phase: ChartPhase, count: number): void {
    setState({ phase, count, summary: summarise() });
    // Older bars were prepended: the cursor stays on its bar, whose index has changed.
    restore();
    exEvents.mark(drawing, actions);
    reading.showNewest();
  }

  return {
    ...state,
    drawing,
    model,
    cursor,
    move: (by) => {
      const place = step(by);
      drawing?.point(place);
      reading.show(place);
    },
    refresh: () => model.current && setState((before) => ({ ...before, summary: summarise() })),
    table: () => {
      const [first, last] = drawing?.visible() ?? [0, bars().length - 1];
      const shown = bars()
        .slice(first, last + 1)
        .flatMap(({ at }, nth) => {
          const text = textAt(first + nth);
          return text ? [{ at, text }] : [];
        });
      return tableOfBars(shown, plans, words);
    },
  };
}

type Bars = () => ChartData["bars"];
type TextAt = (place: number) => SpokenBar | null;

/** The ex-events of the bars: marked on the drawing, and named in the bars' texts. */
function useExEvents(bars: Bars, words: Words) {
  const byPlace = useRef(new Map<number, CorporateAction[]>());
  return {
    noteAt: (place: number): string => (byPlace.current.get(place) ?? []).map((action) => actionText(action, words)).join(", "),
    /** Finds the bars of the ex-events again, because either have changed. */
    mark: (drawing: Drawing | null, actions: readonly CorporateAction[]): void => {
      byPlace.current = actionsByPlace(bars(), actions);
      drawing?.setMarks([...byPlace.current.keys()]);
    },
  };
}

/** The bar being read, for `onBar`: the one at the cursor, or the newest one. */
function useReading(bars: Bars, textAt: TextAt, onBar: ChartListeners["onBar"]) {
  /** The index of the bar at the cursor; null follows the newest one. */
  const shown = useRef<number | null>(null);
  const show = (place: number | null): void => {
    shown.current = place;
    const at = place ?? bars().length - 1;
    const text = textAt(at);
    if (text) onBar(text, at, place !== null);
  };
  return {
    show,
    showAgain: () => show(shown.current),
    showNewest: () => {
      if (shown.current === null) show(null);
    },
  };
}

/** The keyboard cursor. */
function useCursor(bars: Bars, textAt: TextAt) {
  const [cursor, setCursor] = useState<CursorBar | null>(null);
  return {
    cursor,
    /** Moves it by some bars, or clears it. Returns the index of its bar. */
    step: (by: number | null): number | null => {
      const end = bars().length - 1;
      const place = by === null ? null : Math.min(end, Math.max(0, (cursor?.place ?? end + (by > 0 ? 0 : 1)) + by));
      const text = place === null ? null : textAt(place);
      const at = place === null ? undefined : bars()[place]?.at;
      setCursor(place === null || text === null || at === undefined ? null : { place, at, text });
      return place;
    },
    /** Finds its bar again among changed bars. */
    restore: (): void => {
      if (!cursor) return;
      const place = placeAt(bars(), cursor.at);
      setCursor({ ...cursor, place, text: textAt(place) ?? cursor.text });
    },
  };
}
