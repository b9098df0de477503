/** Draws the compared instrument on a chart, as percent since the left edge, from its own candle source. */
import { useEffect, useEffectEvent, useRef } from "react";
import { formatPercent } from "#contract/kernel/money.ts";
import type { ChartRequest } from "#src/streams/worker.ts";
import { Comparison, percentSince } from "./compare.ts";
import type { Drawing } from "./drawing.ts";
import type { ChartSubject } from "./chart-spec.ts";
import type { Chart } from "./use-chart.ts";

/** What to compare with, and the legend's names for both. */
export interface Compared {
  code: string;
  own: string;
  other: string;
}

/** Formatted percentages since the left edge at a bar index, own first; empty where one is missing. */
export type PercentsAt = (place: number, drawing: Drawing) => [own: string, other: string];

/** Follows the other instrument while `compared` names one. */
export function useCompare(
  chart: Pick<Chart, "drawing" | "model" | "count">,
  compared: Compared | null,
  subject: Pick<ChartSubject, "open">,
  request: ChartRequest,
): PercentsAt {
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
  const openSource = useEffectEvent((other: string) => subject.open({ ...request, code: other, studies: [] }));

  useEffect(() => {
    if (code === null || !drawing) {
      drawing?.setCompared(null);
      return;
    }
    const source = openSource(code);
    const own = new Comparison(source.older);
    comparison.current = own;
    const subscription = source.updates$.subscribe((update) => (own.apply(update) ? redraw() : form()));
    return () => {
      subscription.unsubscribe();
      own.stopRetrying();
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
