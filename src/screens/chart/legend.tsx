/** The legend of every pane: the studies' values at the cursor, written to the DOM directly. */
import { useImperativeHandle, useRef } from "react";
import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import { lineLabel, planTitle } from "./study-values.ts";
import type { StudyPlan } from "./study.ts";
import styles from "./chart.module.css";

/** How the chart updates the legend. */
export interface LegendHandle {
  /** The values in the order of the plans and their lines. */
  show: (texts: readonly string[]) => void;
  /** The percentages since the left edge, own first, and the ex-events of the bar. */
  showBeside: (own: string, other: string, note: string) => void;
  /** The y where each pane begins, and where the last one ends. */
  place: (tops: readonly number[]) => void;
}

interface LegendProps {
  plans: readonly StudyPlan[];
  /** Names of the instrument and of the index it is compared with; null when not comparing. */
  compared: { own: string; other: string } | null;
  /** The daily limits as text, for the intraday line; null otherwise. */
  limits: string | null;
  ref: Ref<LegendHandle>;
}

function write(element: Element | null | undefined, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}

/** Hidden from screen readers: they read the slider's own value text. */
export function Legend({ plans, compared, limits, ref }: LegendProps) {
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => ({
    show: (texts) => host.current?.querySelectorAll("[data-color] b").forEach((value, at) => write(value, texts[at] ?? "")),
    showBeside: (own, other, note) => {
      write(host.current?.querySelector("[data-part=own] b"), own);
      write(host.current?.querySelector("[data-part=other] b"), other);
      write(host.current?.querySelector("[data-part=note]"), note);
    },
    place: (tops) =>
      host.current?.querySelectorAll<HTMLElement>("[data-pane]").forEach((pane, at) => {
        const top = tops[at];
        // The last entry is the end of the panes: a pane that starts there was left out for lack of height.
        pane.hidden = top === undefined || at >= tops.length - 1;
        if (!pane.hidden) pane.style.translate = `0 ${top}px`;
      }),
  }));
  const spans = (plan: StudyPlan) => (
    <span key={plan.study}>
      {planTitle(plan, t)}{" "}
      {plan.lines.map((line) => (
        <span key={line.row} data-color={line.color}>
          {lineLabel(line, t)} <b />{" "}
        </span>
      ))}
    </span>
  );
  return (
    <div className={styles.legend} ref={host} aria-hidden>
      <p data-pane hidden>
        {plans.filter(({ main }) => main).map(spans)}
        {compared && (
          <>
            <span data-part="own">
              {compared.own} <b />{" "}
            </span>
            <span data-part="other">
              {compared.other} <b />{" "}
            </span>
          </>
        )}
        {limits !== null && <span data-part="limits">{limits} </span>}
        <span data-part="note" />
      </p>
      {plans
        .filter(({ main }) => !main)
        .map((plan) => (
          <p key={plan.study} data-pane hidden>
            {spans(plan)}
          </p>
        ))}
    </div>
  );
}
