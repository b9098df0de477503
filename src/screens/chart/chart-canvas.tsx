/** One drawing on its place: its readout, its cursor by key, its words for screen readers, its states. */
import { useId, useImperativeHandle, useRef } from "react";
import type { KeyboardEvent, Ref } from "react";
import { useTranslation } from "react-i18next";
import { formatPercent, formatPrice } from "#contract/kernel/money.ts";
import { Hidden } from "#src/ui/hidden.tsx";
import { EmptyState, ErrorState } from "#src/ui/state.tsx";
import { momentText } from "./bar.ts";
import { Readout } from "./readout.tsx";
import type { ReadoutHandle } from "./readout.tsx";
import { useChart } from "./use-chart.ts";
import type { Chart, ChartSubject } from "./use-chart.ts";
import type { View } from "./view.ts";
import styles from "./chart.module.css";

export type ChartHandle = Pick<Chart, "table">;

interface ChartCanvasProps {
  subject: ChartSubject;
  view: View;
  /** The chosen range in words. */
  what: string;
  /** Mounts the drawing anew. */
  onRetry: () => void;
  ref: Ref<ChartHandle>;
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity };

/** The drawing. Mount it anew (by key) for another instrument or view. */
export function ChartCanvas({ subject, view, what, onRetry, ref }: ChartCanvasProps) {
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const readout = useRef<ReadoutHandle>(null);
  const id = useId();
  const chart = useChart(subject, view, host, readout);
  useImperativeHandle(ref, () => ({ table: chart.table }));
  const { phase, cursor, summary, count } = chart;
  const end = Math.max(0, count - 1);
  const pressed = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined && !(event.key === "Escape" && cursor)) return;
    event.preventDefault();
    // Esc here takes the cursor away; it must not also close what the chart stands in.
    event.stopPropagation();
    chart.move(step ?? null);
  };
  const units = (price: number): string => formatPrice(price, subject.decimals);
  return (
    <>
      <Readout ref={readout} />
      <div className={styles.place}>
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
          aria-valuetext={cursor ? t("chart.bar", { ...cursor.text }) : t("chart.hint")}
          onKeyDown={pressed}
          onFocus={chart.refresh}
          onBlur={() => cursor && chart.move(null)}
        />
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
}
