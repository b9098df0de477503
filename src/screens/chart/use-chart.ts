/** A chart's life on its place: the feed joined to the canvas, the cursor, and what there is to say about the bars. */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { RefObject } from "react";
import type { Observable } from "rxjs";
import type { CandlePeriod } from "#contract/candle.ts";
import { grouped } from "#contract/kernel/money.ts";
import { barText, placeAt, summaryOf } from "./bar.ts";
import type { BarText, Summary } from "./bar.ts";
import type { TableOfBars } from "./bar-table.tsx";
import type { Drawing } from "./drawing.ts";
import { ChartModel } from "./model.ts";
import type { CandleNews, ChartPhase } from "./model.ts";
import { onRepaint, paletteOf } from "./palette.ts";
import type { ReadoutHandle } from "./readout.tsx";
import type { View } from "./view.ts";

/** An open feed of one instrument's candles. */
export interface CandleFeed {
  news$: Observable<CandleNews>;
  /** Ask for one more page of older bars. */
  older: () => void;
}

/** Whose prices are drawn. */
export interface ChartSubject {
  code: string;
  /** For the voice: what the chart is of. */
  name: string;
  decimals: number;
  session: { opensAt: number; closesAt: number };
  /** The previous close in ten-thousandths; null while unknown. */
  reference: number | null;
  /** Opens a feed. */
  open: (code: string, period: CandlePeriod) => CandleFeed;
}

/** A bar in texts, with its volume in full. */
export type SpokenBar = BarText & { volume: string };

export interface Chart {
  phase: ChartPhase;
  count: number;
  /** The bars there are in numbers; as of the last load or the last time the chart took focus. */
  summary: Summary | null;
  /** The bar the keyboard stands on. */
  cursor: { place: number; at: number; text: SpokenBar } | null;
  /** Move the keyboard's cursor by some bars (infinite: to the end), or take it away. */
  move: (by: number | null) => void;
  /** Sum up again: a reader is about to listen. */
  refresh: () => void;
  /** The bars in view, newest first. */
  table: () => TableOfBars;
}

interface Parts {
  model: ChartModel;
  drawing: Drawing | null;
}

/** Run a chart on `host`; `view` and the instrument are those of the mount. */
export function useChart(
  subject: ChartSubject,
  view: View,
  host: RefObject<HTMLElement | null>,
  readout: RefObject<ReadoutHandle | null>,
): Chart {
  const { reference } = subject;
  const parts = useRef<Parts | null>(null);
  const [state, setState] = useState<{ phase: ChartPhase; count: number; summary: Summary | null }>({
    phase: "loading",
    count: 0,
    summary: null,
  });
  const [cursor, setCursor] = useState<Chart["cursor"]>(null);

  const textAt = (place: number): SpokenBar | null => {
    const model = parts.current?.model;
    const bar = model?.bars[place];
    if (!model || !bar) return null;
    const start = view.shape === "line" ? reference : null;
    return { ...barText(bar, model.before(place) ?? start, view.period, subject.decimals), volume: grouped(String(bar.volume)) };
  };
  const lastPlace = (): number => (parts.current?.model.bars.length ?? 0) - 1;
  const say = (place: number | null): void => {
    const text = textAt(place ?? lastPlace());
    if (text) readout.current?.say(text);
  };
  const summed = (model: ChartModel): Summary | null => summaryOf(model.bars, view.shape === "line" ? reference : null);

  const hovered = useRef(false);
  const sayNewest = useEffectEvent(() => {
    if (!hovered.current && cursor === null) say(null);
  });
  const changed = useEffectEvent((phase: ChartPhase, count: number) => {
    const model = parts.current?.model;
    setState({ phase, count, summary: model ? summed(model) : null });
    // Older bars came before the cursor's: it stays on its bar, whose number is another one now.
    if (cursor && model) setCursor({ ...cursor, place: placeAt(model.bars, cursor.at) });
    sayNewest();
  });
  const pointed = useEffectEvent((place: number | null) => {
    hovered.current = place !== null;
    if (place !== null || cursor === null) say(place);
  });
  const begin = useEffectEvent(() => {
    const feed = subject.open(subject.code, view.period);
    const model: ChartModel = new ChartModel(view, subject.session, {
      older: feed.older,
      onForm: () => sayNewest(),
      onChange: (phase, count) => changed(phase, count),
    });
    return { feed, model };
  });
  const draw = useEffectEvent((Canvas: typeof Drawing, element: HTMLElement, model: ChartModel) => {
    const drawing = new Canvas(element, {
      shape: view.shape,
      period: view.period,
      decimals: subject.decimals,
      palette: paletteOf(element),
      motion: !window.matchMedia("(prefers-reduced-motion: reduce)").matches,
      onCursor: (place) => pointed(place),
      onNearStart: () => model.nearStart(),
    });
    drawing.setReference(reference);
    return drawing;
  });

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const { feed, model } = begin();
    const own: Parts = { model, drawing: null };
    parts.current = own;
    const subscription = feed.news$.subscribe((news) => model.take(news));
    const stopRepaint = onRepaint(() => own.drawing?.paint(paletteOf(element)));
    import("./drawing.ts").then(
      (library) => {
        if (parts.current !== own) return;
        own.drawing = draw(library.Drawing, element, model);
        model.attach(own.drawing);
      },
      // The library's file did not come: an update, a lost line.
      () => setState({ phase: "failed", count: 0, summary: null }),
    );
    return () => {
      subscription.unsubscribe();
      stopRepaint();
      own.drawing?.destroy();
      parts.current = null;
    };
  }, [host]);

  useEffect(() => parts.current?.drawing?.setReference(reference), [reference]);

  return {
    ...state,
    cursor,
    move: (by) => {
      const end = lastPlace();
      const place = by === null ? null : Math.min(end, Math.max(0, (cursor?.place ?? end + (by > 0 ? 0 : 1)) + by));
      const text = place === null ? null : textAt(place);
      const at = place === null ? undefined : parts.current?.model.bars[place]?.at;
      setCursor(place === null || text === null || at === undefined ? null : { place, at, text });
      parts.current?.drawing?.point(place);
      say(place);
    },
    refresh: () => {
      const model = parts.current?.model;
      if (model) setState((before) => ({ ...before, summary: summed(model) }));
    },
    table: () => {
      const now = parts.current;
      if (!now) return { period: view.period, rows: [] };
      const [first, last] = now.drawing?.visible() ?? [0, lastPlace()];
      const rows = now.model.bars.slice(first, last + 1).map((bar, at) => ({ bar, before: now.model.before(first + at) }));
      return { period: view.period, rows: rows.toReversed() };
    },
  };
}
