/** The index beside a chart: its own feed, drawn as percent since the left edge, for as long as it is wanted. */
import { useEffect, useEffectEvent, useRef } from "react";
import { formatPercent } from "#contract/kernel/money.ts";
import type { ChartRequest } from "#src/streams/worker.ts";
import { Comparison, percentSince } from "./compare.ts";
import type { Drawing } from "./drawing.ts";
import type { Chart, ChartSubject } from "./use-chart.ts";

/** What to compare with, and how the legend calls both. */
export interface Compared {
  code: string;
  own: string;
  other: string;
}

/** Percents since the left edge at a place, own first; empty where one is missing. */
export type SayPercents = (place: number, drawing: Drawing) => [own: string, other: string];

/** Follow the index while `compared` names one. */
export function useCompare(
  chart: Pick<Chart, "drawing" | "model" | "count">,
  compared: Compared | null,
  subject: Pick<ChartSubject, "open">,
  request: ChartRequest,
): SayPercents {
  const { drawing, model, count } = chart;
  const comparison = useRef<Comparison | null>(null);
  const closes = useRef<(number | null)[]>([]);
  const code = compared?.code ?? null;

  const redraw = useEffectEvent(() => {
    closes.current = comparison.current?.beside(model.current?.bars ?? []) ?? [];
    drawing?.setCompared(closes.current);
  });
  const form = useEffectEvent(() => {
    const newest = comparison.current?.newest ?? null;
    const end = (model.current?.bars.length ?? 0) - 1;
    if (newest === null || end < 0) return;
    closes.current[end] = newest;
    drawing?.formCompared(newest);
  });
  const begin = useEffectEvent((index: string) => subject.open({ ...request, code: index, adjustment: "none", studies: [] }));

  useEffect(() => {
    if (code === null || !drawing) {
      drawing?.setCompared(null);
      return;
    }
    const feed = begin(code);
    const own = new Comparison(feed.older);
    comparison.current = own;
    const subscription = feed.news$.subscribe((news) => (own.take(news) ? redraw() : form()));
    return () => {
      subscription.unsubscribe();
      comparison.current = null;
    };
  }, [code, drawing]);
  useEffect(() => {
    if (count > 0 && comparison.current) redraw();
  }, [count]);

  return (place, by) => {
    if (code === null) return ["", ""];
    const edge = by.edge();
    const bars = model.current?.bars ?? [];
    const own = percentSince(
      bars.map(({ close }) => close),
      edge,
      place,
    );
    const other = percentSince(closes.current, edge, place);
    return [own === null ? "--" : formatPercent(own), other === null ? "--" : formatPercent(other)];
  };
}
