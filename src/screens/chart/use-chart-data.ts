/** Keeps the bars and studies of a mounted chart, from a candle source of its own. */
import { useEffect, useEffectEvent, useRef } from "react";
import type { RefObject } from "react";
import { ChartData } from "./chart-data.ts";
import type { ChartHooks } from "./chart-data.ts";
import type { CandleSource, ChartSpec } from "./chart-spec.ts";

/** The data, null until mounted. The instrument and the view are fixed at mount; other studies are requested from the same source. */
export function useChartData(
  { subject, view, request, plans }: ChartSpec,
  on: Pick<ChartHooks, "onChange" | "onForm">,
): RefObject<ChartData | null> {
  const model = useRef<ChartData | null>(null);
  const source = useRef<CandleSource | null>(null);
  const latest = useEffectEvent(() => on);
  const openSource = useEffectEvent(() => {
    const opened = subject.open(request);
    const made = new ChartData(view, subject.session, {
      older: opened.older,
      onForm: (bar) => latest().onForm(bar),
      onChange: (phase, count) => latest().onChange(phase, count),
    });
    return { opened, made };
  });
  useEffect(() => {
    const { opened, made } = openSource();
    model.current = made;
    source.current = opened;
    const subscription = opened.updates$.subscribe((update) => made.apply(update));
    return () => {
      subscription.unsubscribe();
      model.current = null;
      source.current = null;
    };
  }, []);

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
  return model;
}
