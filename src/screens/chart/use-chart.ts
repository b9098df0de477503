/** A chart's life on its place: the feed joined to the canvas, the cursor, and what there is to say about the bars. */
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
import type { TableOfBars } from "./bar-table.tsx";
import type { Drawing } from "./drawing.ts";
import { ChartData } from "./chart-data.ts";
import type { CandleNews, ChartPhase } from "./chart-data.ts";
import { onRepaint, paletteOf } from "./palette.ts";
import { actionsByPlace, actionText, lineLabel, planTexts } from "./study-values.ts";
import type { Words } from "./study-values.ts";
import type { StudyPlan } from "./study.ts";
import type { View } from "./view.ts";

/** An open feed of one instrument's candles. */
export interface CandleSource {
  news$: Observable<CandleNews>;
  /** Ask for one more page of older bars. */
  older: () => void;
  /** Ask for other studies, or with other parameters. */
  study: (studies: StudyKind[], settings: StudySettings) => void;
}

/** Whose prices are drawn. */
export interface ChartSubject {
  code: string;
  /** For the voice: what the chart is of. */
  name: string;
  kind: Kind;
  decimals: number;
  session: { opensAt: number; closesAt: number };
  /** The previous close in ten-thousandths; null while unknown. */
  reference: number | null;
  /** The day's limits; null where there are none. */
  limits: DayLimits | null;
  /** Opens a feed. */
  open: (request: ChartRequest) => CandleSource;
}

/** Everything a drawing is of: the instrument, the view, and what the member wants over and below the prices. */
export interface ChartOrder {
  subject: ChartSubject;
  view: View;
  request: ChartRequest;
  plans: readonly StudyPlan[];
  /** Ex-events of the instrument, oldest first; none where the view does not reach across days. */
  actions: readonly CorporateAction[];
}

/** A bar in texts: its volume in full, its studies and its ex-events. */
export interface SpokenBar extends BarText {
  volume: string;
  shortVolume: string;
  /** In the order of the plans and their lines. */
  values: string[];
  note: string;
}

/** What follows finger and feed without React. */
export interface Followers {
  /** The bar under the cursor, or the newest one. */
  say: (bar: SpokenBar, place: number) => void;
  /** Prices and times may be at other places now. */
  drawn: (drawing: Drawing) => void;
  /** The cursor points at this height of the prices' pane, or not into it. */
  pointed: (y: number | null, drawing: Drawing) => void;
}

export interface Chart {
  phase: ChartPhase;
  count: number;
  /** The bars there are in numbers; as of the last load or the last time the chart took focus. */
  summary: Summary | null;
  /** The canvas, once its file has come. */
  drawing: Drawing | null;
  /** The bars and studies, once the chart stands. */
  model: RefObject<ChartData | null>;
  /** The bar the keyboard stands on. */
  cursor: { place: number; at: number; text: SpokenBar } | null;
  /** Move the keyboard's cursor by some bars (infinite: to the end), or take it away. */
  move: (by: number | null) => void;
  /** Sum up again: a reader is about to listen. */
  refresh: () => void;
  /** The bars in view, newest first. */
  table: () => TableOfBars;
}

/** Run a chart on `host`; `view` and the instrument are those of the mount. */
export function useChart(order: ChartOrder, words: Words, host: RefObject<HTMLElement | null>, followers: Followers): Chart {
  const { subject, view, request, plans, actions } = order;
  const { reference, limits } = subject;
  const model = useRef<ChartData | null>(null);
  const feed = useRef<CandleSource | null>(null);
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
  const spoken = useRef<number | null>(null);
  const say = (place: number | null): void => {
    spoken.current = place;
    const at = place ?? lastPlace();
    const text = textAt(at);
    if (text) followers.say(text, at);
  };
  const summed = (known: ChartData): Summary | null => summaryOf(known.bars, start);

  const sayNewest = useEffectEvent(() => {
    if (spoken.current === null) say(null);
  });
  const mark = useEffectEvent((canvas: Drawing | null, events: readonly CorporateAction[]) => {
    marks.current = actionsByPlace(model.current?.bars ?? [], events);
    canvas?.setMarks([...marks.current.keys()]);
  });
  const changed = useEffectEvent((phase: ChartPhase, count: number) => {
    const known = model.current;
    setState({ phase, count, summary: known ? summed(known) : null });
    // Older bars came before the cursor's: it stays on its bar, whose number is another one now.
    if (cursor && known) {
      const place = placeAt(known.bars, cursor.at);
      setCursor({ ...cursor, place, text: textAt(place) ?? cursor.text });
    }
    mark(drawing, actions);
    sayNewest();
  });
  const pointed = useEffectEvent((place: number | null, y: number | null, by: Drawing) => {
    followers.pointed(y, by);
    say(place ?? cursor?.place ?? null);
  });
  const drawnAnew = useEffectEvent((by: Drawing) => {
    followers.drawn(by);
    say(spoken.current);
  });
  const begin = useEffectEvent(() => {
    const opened = subject.open(request);
    const made: ChartData = new ChartData(view, subject.session, {
      older: opened.older,
      onForm: () => sayNewest(),
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
      onDrawn: () => drawnAnew(made),
    });
    return made;
  });

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const { opened, made } = begin();
    model.current = made;
    feed.current = opened;
    let canvas: Drawing | null = null;
    const subscription = opened.news$.subscribe((news) => made.take(news));
    const stopRepaint = onRepaint(() => canvas?.paint(paletteOf(element)));
    import("./drawing.ts").then(
      (library) => {
        if (model.current !== made) return;
        canvas = draw(library.Drawing, element, made);
        made.attach(canvas);
        setDrawing(canvas);
      },
      // The library's file did not come: an update, a lost line.
      () => setState({ phase: "failed", count: 0, summary: null }),
    );
    return () => {
      subscription.unsubscribe();
      stopRepaint();
      canvas?.destroy();
      model.current = null;
      feed.current = null;
      setDrawing(null);
    };
  }, [host]);

  useEffect(() => drawing?.setDay({ reference, limits }), [drawing, reference, limits]);
  useEffect(() => mark(drawing, actions), [drawing, actions]);

  const asked = useRef(plans);
  const study = useEffectEvent(() => {
    model.current?.forgetStudies();
    feed.current?.study(request.studies, request.settings);
  });
  useEffect(() => {
    if (asked.current === plans) return;
    asked.current = plans;
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
      say(place);
    },
    refresh: () => {
      const known = model.current;
      if (known) setState((before) => ({ ...before, summary: summed(known) }));
    },
    table: () => {
      const columns = plans.flatMap(({ lines }) => lines.filter(({ told }) => told !== null).map((line) => lineLabel(line, words.t)));
      const known = model.current;
      if (!known) return { columns, rows: [] };
      const isTold = plans.flatMap(({ lines }) => lines.map(({ told }) => told !== null));
      const [first, last] = drawing?.visible() ?? [0, lastPlace()];
      const rows = known.bars.slice(first, last + 1).flatMap((bar, at) => {
        const text = textAt(first + at);
        return text ? [{ at: bar.at, text: { ...text, values: text.values.filter((_, value) => isTold[value]) } }] : [];
      });
      return { columns, rows: rows.toReversed() };
    },
  };
}
