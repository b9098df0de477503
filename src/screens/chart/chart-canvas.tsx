/** One drawn chart: its readout and legend, keyboard cursor, screen reader text, and loading, empty and error states. */
import { lazy, Suspense, useEffect, useId, useImperativeHandle, useMemo, useRef, useState } from "react";
import type { KeyboardEvent, Ref, RefObject } from "react";
import { useTranslation } from "react-i18next";
import { formatPercent, formatPrice } from "#contract/kernel/money.ts";
import type { ShapeKind, SubStudy } from "#contract/preference.ts";
import { loadTranslations } from "#src/gateway/language.ts";
import { useShapes } from "#src/streams/shapes.ts";
import { useShortNumber } from "#src/streams/short-numbers.ts";
import { Hidden } from "#src/ui/hidden.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { momentText } from "./bar.ts";
import type { Summary } from "./bar.ts";
import type { ChartPhase } from "./chart-data.ts";
import type { ChartSpec } from "./chart-spec.ts";
import { Legend } from "./legend.tsx";
import type { LegendHandle } from "./legend.tsx";
import { LineLayer } from "./line-layer.tsx";
import type { ShapeLayerProps } from "./shape-layer.tsx";
import type { LineEditor } from "./use-lines.ts";
import { lineLabel } from "./study-values.ts";
import { Readout } from "./crosshair-readout.tsx";
import type { ReadoutHandle } from "./crosshair-readout.tsx";
import type { SpokenBar } from "./spoken-bar.ts";
import { useChart } from "./use-chart.ts";
import type { Chart, ChartListeners } from "./use-chart.ts";
import { useCompare } from "./use-compare.ts";
import type { Compared } from "./use-compare.ts";
import type { View } from "./view.ts";
import styles from "./chart.module.css";

/** Loaded beside the drawing library: the prices do not wait for it. */
const OwnLayer = lazy(async () => ({ default: (await import("./own-layer.tsx")).OwnLayer }));

/** Loaded when the member has drawn a shape, or is about to. */
const ShapeLayer = lazy(async () => {
  const [{ ShapeLayer }] = await Promise.all([import("./shape-layer.tsx"), loadTranslations("sheets")]);
  return { default: ShapeLayer };
});

/** What the chart's tools read from the drawing. */
export interface ChartHandle extends Pick<Chart, "table"> {
  /** The newest price in ten-thousandths; 0 for none. */
  last: () => number;
}

export interface ChartCanvasProps extends ChartSpec {
  /** Panes below the prices that are collapsed, and what a press on a pane's name does. */
  collapsed: readonly SubStudy[];
  onCollapse: (study: SubStudy) => void;
  compared: Compared | null;
  /** The member's lines; null where they would not match the prices of the bars. */
  editor: LineEditor | null;
  onLines: () => void;
  /** The tool that draws a shape, while one is in use. */
  tool: ShapeKind | null;
  onTool: (tool: ShapeKind | null) => void;
  /** Draws the member's own positions, orders and executions. */
  own: boolean;
  /** The maximum number of panes below the prices. */
  maxPanes: number;
  /** The label of the chosen range. */
  what: string;
  /** Mounts the drawing again. */
  onRetry: () => void;
  ref: Ref<ChartHandle>;
}

/** The drawing. Remount it (by key) for another instrument or view. */
export function ChartCanvas({ ref, ...props }: ChartCanvasProps) {
  const { collapsed, onCollapse, compared, editor, onLines, tool, onTool, own, maxPanes, what, onRetry, ...spec } = props;
  const { subject, view, plans } = spec;
  const drawn = useMemo(() => plans.filter(({ study }) => !collapsed.some((one) => one === study)), [plans, collapsed]);
  const { t } = useTranslation();
  const lots = useShortNumber();
  const host = useRef<HTMLDivElement>(null);
  const readout = useRef<ReadoutHandle>(null);
  const legend = useRef<LegendHandle>(null);
  const layer = useRef<Pick<ChartListeners, "onDrawn" | "onPointed">>(null);
  const ownLayer = useRef<Pick<ChartListeners, "onDrawn">>(null);
  const id = useId();
  const chart = useChart(spec, { t, lots, decimals: subject.decimals }, host, {
    onBar: (bar, place, pointed) => {
      readout.current?.show(bar, pointed);
      legend.current?.show(bar.values);
      if (chart.drawing) legend.current?.showBeside(...percents(place, chart.drawing), bar.note);
    },
    onDrawn: (by) => {
      legend.current?.place(by.tops());
      layer.current?.onDrawn(by);
      ownLayer.current?.onDrawn(by);
    },
    onPointed: (y, by) => layer.current?.onPointed(y, by),
  });
  const percents = useCompare(chart, compared, subject, spec.request);
  const { drawing, phase } = chart;
  usePanes(drawing, host, drawn, maxPanes);
  const last = (): number => chart.model.current?.bars.at(-1)?.close ?? 0;
  useImperativeHandle(ref, () => ({ table: chart.table, last }));
  const limits = view.shape === "line" ? subject.limits : null;
  const units = (price: number): string => formatPrice(price, subject.decimals);
  return (
    <>
      <div className={styles.place} data-panes={Math.min(2, maxPanes, drawn.filter(({ main }) => !main).length)}>
        <Cursor
          host={host}
          chart={chart}
          editor={editor}
          plans={plans}
          describedBy={id}
          label={t("chart.label", { name: subject.name, what })}
        />
        <Readout ref={readout} />
        <Legend
          plans={plans}
          collapsed={collapsed}
          onCollapse={onCollapse}
          compared={compared}
          limits={limits && t("chart.limits", { down: units(limits.down), up: units(limits.up) })}
          ref={legend}
        />
        {/* Both are at prices of today, like the member's lines. */}
        {editor && own && (
          <Suspense fallback={null}>
            <OwnLayer subject={subject} drawing={drawing} last={last} ref={ownLayer} />
          </Suspense>
        )}
        {editor && <LineLayer subject={subject} editor={editor} drawing={drawing} onOpen={onLines} ref={layer} />}
        {editor && drawing && <Shapes subject={subject} drawing={drawing} tool={tool} onTool={onTool} onOpen={onLines} />}
        <div id={id}>{chart.summary && <SpokenSummary summary={chart.summary} period={view.period} units={units} />}</div>
        <Cover phase={phase} onRetry={onRetry} />
        <Credit />
      </div>
    </>
  );
}

/** The member's shapes, at prices of today like the lines. */
function Shapes(props: ShapeLayerProps) {
  const { value: shapes } = useShapes(props.subject.code);
  // Once there was one it stays: the last one's removal can be undone.
  const [needed, setNeeded] = useState(false);
  if (!needed && (props.tool !== null || shapes?.length)) setNeeded(true);
  if (!needed) return null;
  return (
    <Suspense fallback={null}>
      <ShapeLayer {...props} />
    </Suspense>
  );
}

interface CursorProps extends Pick<ChartCanvasProps, "editor" | "plans"> {
  host: RefObject<HTMLDivElement | null>;
  chart: Chart;
  label: string;
  describedBy: string;
}

/** The element of the drawing: a slider along the bars, by keyboard. */
function Cursor({ host, chart, editor, plans, label, describedBy }: CursorProps) {
  const { t } = useTranslation();
  const spoken = useSpokenText(plans);
  const { cursor, count } = chart;
  const end = Math.max(0, count - 1);
  return (
    <div
      className={styles.canvas}
      ref={host}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-describedby={describedBy}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={end}
      aria-valuenow={cursor?.place ?? end}
      aria-valuetext={cursor ? spoken(cursor.text) : t("chart.hint")}
      onKeyDown={(event) => onCursorKey(event, chart, editor)}
      onFocus={chart.refresh}
      onBlur={() => cursor && chart.move(null)}
    />
  );
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };

/** Moves the keyboard cursor, clears it, or adds a line at its bar. */
function onCursorKey(event: KeyboardEvent, { cursor, model, move }: Chart, editor: LineEditor | null): void {
  const close = cursor && model.current?.bars[cursor.place]?.close;
  const step = STEPS[event.key];
  if (event.key === "Enter" && editor && close) editor.add(close);
  else if (step !== undefined || (event.key === "Escape" && cursor)) move(step ?? null);
  else return;
  event.preventDefault();
  // Esc here clears the cursor; it must not also close what contains the chart.
  event.stopPropagation();
}

/** A function that gives a bar with its studies and ex-events as a screen reader announces it. */
function useSpokenText(plans: ChartSpec["plans"]): (text: SpokenBar) => string {
  const { t } = useTranslation();
  const labels = useMemo(
    () => plans.flatMap(({ lines }) => lines.map((line) => (line.row === null ? null : lineLabel(line, t)))),
    [plans, t],
  );
  return (text) => {
    const extras = labels.flatMap((label, at) => (label === null ? [] : [t("chart.value", { label, value: text.values[at] ?? "" })]));
    const more = text.note === "" ? extras : [...extras, text.note];
    const bar = t("chart.bar", { ...text });
    return more.length === 0 ? bar : t("chart.barBeside", { bar, beside: more.join(", ") });
  };
}

interface SpokenSummaryProps {
  summary: Summary;
  period: View["period"];
  /** Formats a price in ten-thousandths. */
  units: (price: number) => string;
}

/** The summary of the bars, for screen readers only. */
function SpokenSummary({ summary, period, units }: SpokenSummaryProps) {
  const { t } = useTranslation();
  return (
    <Hidden>
      {t("chart.summary", {
        from: momentText(summary.from, period),
        to: momentText(summary.to, period),
        last: units(summary.last),
        percent: formatPercent(summary.changeBasisPoints),
        high: units(summary.high),
        low: units(summary.low),
      })}
    </Hidden>
  );
}

/** Covers a drawing that has nothing to show: still loading, without bars, or failed. */
function Cover({ phase, onRetry }: { phase: ChartPhase; onRetry: () => void }) {
  const { t } = useTranslation();
  const skeleton = useSkeleton(phase === "loading");
  if (phase === "ready") return null;
  if (phase === "loading") {
    return (
      skeleton && (
        <div className={styles.loading}>
          <Skeleton shape="block" />
        </div>
      )
    );
  }
  return (
    <div className={styles.cover}>
      {phase === "empty" ? <EmptyState why={t("chart.empty")} /> : <ErrorState what={t("chart.failed")} onRetry={onRetry} />}
    </div>
  );
}

/** The link that the licence of the drawing library asks for. */
function Credit() {
  const { t } = useTranslation();
  return (
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
  );
}

/** Divides the drawing into panes, as many as its height allows. */
function usePanes(drawing: Chart["drawing"], host: RefObject<HTMLElement | null>, plans: ChartSpec["plans"], maxPanes: number): void {
  const height = useHeight(host);
  useEffect(() => {
    if (height > 0) drawing?.setPlans(plans, height, maxPanes);
  }, [drawing, plans, height, maxPanes]);
}

/** The height of an element in whole CSS pixels; 0 until it is known. */
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
