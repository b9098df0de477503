/** One drawing on its place: its readout and legend, its cursor by key, its words for screen readers, its states. */
import { useEffect, useId, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { KeyboardEvent, Ref, RefObject } from "react";
import { useTranslation } from "react-i18next";
import { formatPercent, formatPrice } from "#contract/kernel/money.ts";
import { useShortNumber } from "#src/streams/short-numbers.ts";
import { Hidden } from "#src/ui/hidden.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { momentText } from "./bar.ts";
import { Legend } from "./legend.tsx";
import type { LegendHandle } from "./legend.tsx";
import { LineLayer } from "./line-layer.tsx";
import type { LineEditor } from "./use-lines.ts";
import { lineLabel } from "./study-values.ts";
import { Readout } from "./crosshair-readout.tsx";
import type { ReadoutHandle } from "./crosshair-readout.tsx";
import { useChart } from "./use-chart.ts";
import type { Chart, ChartOrder, Followers, SpokenBar } from "./use-chart.ts";
import { useCompare } from "./use-compare.ts";
import type { Compared } from "./use-compare.ts";
import styles from "./chart.module.css";

/** What the chart's tools ask of the drawing. */
export interface ChartHandle extends Pick<Chart, "table"> {
  /** The newest price in ten-thousandths; 0 for none. */
  last: () => number;
}

export interface ChartCanvasProps extends ChartOrder {
  compared: Compared | null;
  /** The member's lines; null where they would lie at other prices than the bars'. */
  desk: LineEditor | null;
  onLines: () => void;
  /** As many panes lie below the prices at most. */
  mostPanes: number;
  /** The chosen range in words. */
  what: string;
  /** Mounts the drawing anew. */
  onRetry: () => void;
  ref: Ref<ChartHandle>;
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };

/** The drawing. Mount it anew (by key) for another instrument or view. */
export function ChartCanvas({ compared, desk, onLines, mostPanes, what, onRetry, ref, ...order }: ChartCanvasProps) {
  const { subject, view, plans } = order;
  const { t } = useTranslation();
  const lots = useShortNumber();
  const host = useRef<HTMLDivElement>(null);
  const readout = useRef<ReadoutHandle>(null);
  const legend = useRef<LegendHandle>(null);
  const layer = useRef<Pick<Followers, "drawn" | "pointed">>(null);
  const id = useId();
  const chart = useChart(order, { t, lots, decimals: subject.decimals }, host, {
    say: (bar, place) => {
      readout.current?.say(bar);
      legend.current?.say(bar.values);
      if (chart.drawing) legend.current?.sayBeside(...percents(place, chart.drawing), bar.note);
    },
    drawn: (by) => {
      legend.current?.place(by.tops());
      layer.current?.drawn(by);
    },
    pointed: (y, by) => layer.current?.pointed(y, by),
  });
  const percents = useCompare(chart, compared, subject, order.request);
  const skeleton = useSkeleton(chart.phase === "loading");
  const height = useHeight(host);
  const { drawing, phase, cursor, summary, count } = chart;
  useEffect(() => {
    if (height > 0) drawing?.setPlans(plans, height, mostPanes);
  }, [drawing, plans, height, mostPanes]);
  const last = (): number => chart.model.current?.bars.at(-1)?.close ?? 0;
  useImperativeHandle(ref, () => ({ table: chart.table, last }));
  const end = Math.max(0, count - 1);
  const pressed = (event: KeyboardEvent): void => {
    const close = cursor && chart.model.current?.bars[cursor.place]?.close;
    const step = STEPS[event.key];
    if (event.key === "Enter" && desk && close) desk.add(close);
    else if (step !== undefined || (event.key === "Escape" && cursor)) chart.move(step ?? null);
    else return;
    event.preventDefault();
    // Esc here takes the cursor away; it must not also close what the chart stands in.
    event.stopPropagation();
  };
  const limits = view.shape === "line" ? subject.limits : null;
  const units = (price: number): string => formatPrice(price, subject.decimals);
  const labels = useMemo(
    () => plans.flatMap(({ lines }) => lines.map((line) => (line.told === null ? null : lineLabel(line, t)))),
    [plans, t],
  );
  return (
    <>
      <Readout ref={readout} />
      <div className={styles.place} data-panes={Math.min(mostPanes, plans.filter(({ main }) => !main).length)}>
        <div
          className={styles.canvas}
          ref={host}
          role="slider"
          tabIndex={0}
          aria-label={t("chart.label", { name: subject.name, what })}
          aria-describedby={id}
          aria-orientation="horizontal"
          aria-valuemin={0}
          aria-valuemax={end}
          aria-valuenow={cursor?.place ?? end}
          aria-valuetext={cursor ? spoken(cursor.text) : t("chart.hint")}
          onKeyDown={pressed}
          onFocus={chart.refresh}
          onBlur={() => cursor && chart.move(null)}
        />
        <Legend
          plans={plans}
          compared={compared}
          limits={limits && t("chart.limits", { down: units(limits.down), up: units(limits.up) })}
          ref={legend}
        />
        {desk && <LineLayer subject={subject} desk={desk} drawing={drawing} onOpen={onLines} ref={layer} />}
        <div id={id}>
          {summary && (
            <Hidden>
              {t("chart.summary", {
                from: momentText(summary.from, view.period),
                to: momentText(summary.to, view.period),
                last: units(summary.last),
                percent: formatPercent(summary.changeBasisPoints),
                high: units(summary.high),
                low: units(summary.low),
              })}
            </Hidden>
          )}
        </div>
        {phase === "loading" && skeleton && (
          <div className={styles.loading}>
            <Skeleton shape="block" />
          </div>
        )}
        {(phase === "empty" || phase === "failed") && (
          <div className={styles.cover}>
            {phase === "empty" ? <EmptyState why={t("chart.empty")} /> : <ErrorState what={t("chart.failed")} onRetry={onRetry} />}
          </div>
        )}
        <a
          className={styles.credit}
          href="https://www.tradingview.com/"
          target="_blank"
          rel="noopener noreferrer"
          aria-label={t("chart.credit")}
          title={t("chart.credit")}
        >
          TradingView
        </a>
      </div>
    </>
  );

  /** A bar with its studies and ex-events, as it is read out. */
  function spoken(text: SpokenBar): string {
    const beside = labels.flatMap((label, at) => (label === null ? [] : [t("chart.value", { label, value: text.values[at] ?? "" })]));
    const more = text.note === "" ? beside : [...beside, text.note];
    const bar = t("chart.bar", { ...text });
    return more.length === 0 ? bar : t("chart.barBeside", { bar, beside: more.join(", ") });
  }
}

/** The height of an element in whole CSS pixels; 0 before it is known. */
function useHeight(host: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [host]);
  return height;
}
