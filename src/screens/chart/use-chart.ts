/** Runs a chart on an element: connects the candle source to the canvas, and handles the cursor and the texts of the bars. */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { RefObject } from "react";
import type { Observable } from "rxjs";
import type { CorporateAction } from "#contract/corporate-action.ts";
import type { StudySettings } from "#contract/preference.ts";
import type { Kind } from "#contract/instrument.ts";
import { grouped } from "#contract/kernel/money.ts";
import type { DayLimits } from "#contract/tick.ts";
import type { ChartRequest, StudyKind } from "#src/streams/worker.ts";
import { barText, placeAt, summaryOf } from "./bar.ts";
import type { BarText, Summary } from "./bar.ts";
import type { Drawing } from "./drawing.ts";
import { ChartData } from "./chart-data.ts";
import type { CandleUpdate, ChartPhase } from "./chart-data.ts";
import { onRepaint, paletteOf } from "./palette.ts";
import { actionsByPlace, actionText, lineLabel, planTexts } from "./study-values.ts";
import type { Words } from "./study-values.ts";
import type { StudyPlan } from "./study.ts";
import type { View } from "./view.ts";

/** An open source of one instrument's candles. */
export interface CandleSource {
  updates$: Observable<CandleUpdate>;
  /** Requests one more page of older bars. */
  older: () => void;
  /** Requests other studies, or other parameters. */
  study: (studies: StudyKind[], settings: StudySettings) => void;
}

/** The instrument whose prices are drawn. */
export interface ChartSubject {
  code: string;
  /** The instrument's name, for screen readers. */
  name: string;
  kind: Kind;
  decimals: number;
  session: { opensAt: number; closesAt: number };
  /** The previous close in ten-thousandths; null while unknown. */
  reference: number | null;
  /** The day's limits; null where there are none. */
  limits: DayLimits | null;
  /** Opens a candle source. */
  open: (request: ChartRequest) => CandleSource;
}

/** Everything a drawing shows: the instrument, the view, and the member's studies. */
export interface ChartSpec {
  subject: ChartSubject;
  view: View;
  request: ChartRequest;
  plans: readonly StudyPlan[];
  /** Ex-events of the instrument, oldest first; empty where the view does not span days. */
  actions: readonly CorporateAction[];
}

/** A formatted bar with its full volume, studies and ex-events. */
export interface SpokenBar extends BarText {
  volume: string;
  shortVolume: string;
  /** In the order of the plans and their lines. */
  values: string[];
  note: string;
}

/** Formatted bars, newest first. */
export interface TableOfBars {
  /** Labels of the study lines. */
  columns: string[];
  rows: { at: number; text: SpokenBar }[];
}

/** Listeners called on every pointer move and tick, bypassing React. */
export interface ChartListeners {
  /** The bar under the cursor, or the newest one. */
  onBar: (bar: SpokenBar, place: number) => void;
  /** Prices and times may have moved on screen. */
  onDrawn: (drawing: Drawing) => void;
  /** The cursor points at this y of the price pane, or null outside it. */
  onPointed: (y: number | null, drawing: Drawing) => void;
}

export interface Chart {
  phase: ChartPhase;
  count: number;
  /** A summary of the bars, as of the last load or the last time the chart took focus. */
  summary: Summary | null;
  /** The canvas, once its module has loaded. */
  drawing: Drawing | null;
  /** The bars and studies, once the chart is mounted. */
  model: RefObject<ChartData | null>;
  /** The bar the keyboard cursor is on. */
  cursor: { place: number; at: number; text: SpokenBar } | null;
  /** Moves the keyboard cursor by some bars (infinite: to the end), or clears it. */
  move: (by: number | null) => void;
  /** Refreshes the summary, because a screen reader is about to read it. */
  refresh: () => void;
  /** The bars in view, newest first. */
  table: () => TableOfBars;
}

/** Runs a chart on `host`; `view` and the instrument are fixed at mount. */
export function useChart(spec: ChartSpec, words: Words, host: RefObject<HTMLElement | null>, listeners: ChartListeners): Chart {
  const { subject, view, request, plans, actions } = spec;
  const { reference, limits } = subject;
  const model = useRef<ChartData | null>(null);
  const source = useRef<CandleSource | null>(null);
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [state, setState] = useState<{ phase: ChartPhase; count: number; summary: Summary | null }>({
    phase: "loading",
    count: 0,
    summary: null,
  });
  const [cursor, setCursor] = useState<Chart["cursor"]>(null);
  const marks = useRef(new Map<number, CorporateAction[]>());

  const start = view.shape === "line" ? reference : null;
  const noteAt = (place: number): string => (marks.current.get(place) ?? []).map((action) => actionText(action, words)).join(", ");
  const textAt = (place: number): SpokenBar | null => {
    const known = model.current;
    const bar = known?.bars[place];
    if (!known || !bar) return null;
    return {
      ...barText(bar, known.before(place) ?? start, view.period, subject.decimals),
      volume: grouped(String(bar.volume)),
      shortVolume: words.lots(bar.volume),
      values: plans.flatMap((plan) => planTexts(plan, known.studies, place, bar, words)),
      note: noteAt(place),
    };
  };
  const lastPlace = (): number => (model.current?.bars.length ?? 0) - 1;
  const emittedPlace = useRef<number | null>(null);
  const emitBar = (place: number | null): void => {
    emittedPlace.current = place;
    const at = place ?? lastPlace();
    const text = textAt(at);
    if (text) listeners.onBar(text, at);
  };
  const summarise = (known: ChartData): Summary | null => summaryOf(known.bars, start);

  const emitNewest = useEffectEvent(() => {
    if (emittedPlace.current === null) emitBar(null);
  });
  const mark = useEffectEvent((canvas: Drawing | null, events: readonly CorporateAction[]) => {
    marks.current = actionsByPlace(model.current?.bars ?? [], events);
    canvas?.setMarks([...marks.current.keys()]);
  });
  const changed = useEffectEvent((phase: ChartPhase, count: number) => {
    const known = model.current;
    setState({ phase, count, summary: known ? summarise(known) : null });
    // Older bars were prepended: the cursor stays on its bar, whose index has changed.
    if (cursor && known) {
      const place = placeAt(known.bars, cursor.at);
      setCursor({ ...cursor, place, text: textAt(place) ?? cursor.text });
    }
    mark(drawing, actions);
    emitNewest();
  });
  const pointed = useEffectEvent((place: number | null, y: number | null, by: Drawing) => {
    listeners.onPointed(y, by);
    emitBar(place ?? cursor?.place ?? null);
  });
  const redrawn = useEffectEvent((by: Drawing) => {
    listeners.onDrawn(by);
    emitBar(emittedPlace.current);
  });
  const openSource = useEffectEvent(() => {
    const opened = subject.open(request);
    const made: ChartData = new ChartData(view, subject.session, {
      older: opened.older,
      onForm: () => emitNewest(),
      onChange: (phase, count) => changed(phase, count),
    });
    return { opened, made };
  });
  const draw = useEffectEvent((Canvas: typeof Drawing, element: HTMLElement, known: ChartData): Drawing => {
    const made: Drawing = new Canvas(element, {
      shape: view.shape,
      period: view.period,
      decimals: subject.decimals,
      lots: words.lots,
      palette: paletteOf(element),
      motion: !window.matchMedia("(prefers-reduced-motion: reduce)").matches,
      onCursor: (place, y) => pointed(place, y, made),
      onNearStart: () => known.nearStart(),
      onDrawn: () => redrawn(made),
    });
    return made;
  });

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const { opened, made } = openSource();
    model.current = made;
    source.current = opened;
    let canvas: Drawing | null = null;
    const subscription = opened.updates$.subscribe((update) => made.apply(update));
    const stopRepaint = onRepaint(() => canvas?.paint(paletteOf(element)));
    import("./drawing.ts").then(
      (library) => {
        if (model.current !== made) return;
        canvas = draw(library.Drawing, element, made);
        made.attach(canvas);
        setDrawing(canvas);
      },
      // The library's module failed to load: a new release, or no connection.
      () => setState({ phase: "failed", count: 0, summary: null }),
    );
    return () => {
      subscription.unsubscribe();
      stopRepaint();
      canvas?.destroy();
      model.current = null;
      source.current = null;
      setDrawing(null);
    };
  }, [host]);

  useEffect(() => drawing?.setDay({ reference, limits }), [drawing, reference, limits]);
  useEffect(() => mark(drawing, actions), [drawing, actions]);

  const requestedPlans = useRef(plans);
  const study = useEffectEvent(() => {
    model.current?.forgetStudies();
    source.current?.study(request.studies, request.settings);
  });
  useEffect(() => {
    if (requestedPlans.current === plans) return;
    requestedPlans.current = plans;
    study();
  }, [plans]);

  return {
    ...state,
    drawing,
    model,
    cursor,
    move: (by) => {
      const end = lastPlace();
      const place = by === null ? null : Math.min(end, Math.max(0, (cursor?.place ?? end + (by > 0 ? 0 : 1)) + by));
      const text = place === null ? null : textAt(place);
      const at = place === null ? undefined : model.current?.bars[place]?.at;
      setCursor(place === null || text === null || at === undefined ? null : { place, at, text });
      drawing?.point(place);
      emitBar(place);
    },
    refresh: () => {
      const known = model.current;
      if (known) setState((before) => ({ ...before, summary: summarise(known) }));
    },
    table: () => {
      const columns = plans.flatMap(({ lines }) => lines.filter(({ row }) => row !== null).map((line) => lineLabel(line, words.t)));
      const known = model.current;
      if (!known) return { columns, rows: [] };
      const hasRow = plans.flatMap(({ lines }) => lines.map(({ row }) => row !== null));
      const [first, last] = drawing?.visible() ?? [0, lastPlace()];
      const rows = known.bars.slice(first, last + 1).flatMap((bar, at) => {
        const text = textAt(first + at);
        return text ? [{ at: bar.at, text: { ...text, values: text.values.filter((_, value) => hasRow[value]) } }] : [];
      });
      return { columns, rows: rows.toReversed() };
    },
  };
}
