/** The legend of every pane: the studies' values at the cursor, written to the DOM directly. */
import { useImperativeHandle, useRef } from "react";
import type { Ref } from "react";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { SUB_STUDIES } from "#contract/preference.ts";
import type { SubStudy } from "#contract/preference.ts";
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
  collapsed: readonly SubStudy[];
  /** The name of a pane was pressed: collapse or expand it. */
  onCollapse: (study: SubStudy) => void;
  /** Names of the instrument and of the index it is compared with; null when not comparing. */
  compared: { own: string; other: string } | null;
  /** The daily limits as text, for the intraday line; null otherwise. */
  limits: string | null;
  ref: Ref<LegendHandle>;
}

function write(element: Element | null | undefined, text: string): void {
  if (element && element.textContent !== text) element.textContent = text;
}

/** The values are hidden from screen readers: they read the slider's own value text. */
export function Legend({ plans, collapsed, onCollapse, compared, limits, ref }: LegendProps) {
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => ({
    show: (texts) => host.current?.querySelectorAll("[data-color] b").forEach((value, at) => write(value, texts[at] ?? "")),
    showBeside: (own, other, note) => {
      write(host.current?.querySelector("[data-part=own] b"), own);
      write(host.current?.querySelector("[data-part=other] b"), other);
      write(host.current?.querySelector("[data-part=note]"), note);
    },
    place: (tops) => {
      host.current?.querySelectorAll<HTMLElement>("[data-pane]").forEach((pane, at) => {
        const top = tops[at];
        // The last entry is the end of the panes: a pane that starts there was left out for lack of height.
        pane.hidden = top === undefined || at >= tops.length - 1;
        if (!pane.hidden) pane.style.translate = `0 ${top}px`;
      });
      const folded = host.current?.querySelector<HTMLElement>("[data-folded]");
      if (folded) folded.style.translate = `0 ${tops[1] ?? 0}px`;
    },
  }));
  const spans = (plan: StudyPlan) => (
    <span key={plan.study}>
      {planTitle(plan, t)}{" "}
      {plan.lines.map((line, at) => (
        <span key={line.row} data-color={line.color}>
          <LineLabel label={lineLabel(line, t)} first={at === 0 ? null : lineLabel(plan.lines[0] ?? line, t)} /> <b />{" "}
        </span>
      ))}
    </span>
  );
  const panes = plans.filter(({ main }) => !main);
  const isFolded = ({ study }: StudyPlan): boolean => collapsed.some((one) => one === study);
  const fold = ({ study }: StudyPlan) => {
    const own = SUB_STUDIES.find((one) => one === study);
    return own && <Fold key={study} study={own} folded={collapsed.includes(own)} onPress={() => onCollapse(own)} />;
  };
  return (
    <div className={styles.legend} ref={host}>
      <div data-pane hidden>
        <p aria-hidden>
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
      </div>
      {panes.map((plan) => (
        <div key={plan.study} data-pane={isFolded(plan) ? undefined : true} hidden>
          <p aria-hidden>{spans(plan)}</p>
          {!isFolded(plan) && fold(plan)}
        </div>
      ))}
      <div className={styles.folded} data-folded>
        {panes.filter(isFolded).map(fold)}
      </div>
    </div>
  );
}

/** `MA5`, and after it `MA10`: a narrow phone leaves out the letters that are those of the first, so that four averages fit in one line. */
function LineLabel({ label, first }: { label: string; first: string | null }) {
  const letters = lettersOf(label);
  const left = first !== null && lettersOf(first) === letters ? letters : "";
  return (
    <>
      {left && <span data-letters>{left}</span>}
      {label.slice(left.length)}
    </>
  );
}

const lettersOf = (label: string): string => /^\D+(?=\d)/.exec(label)?.[0] ?? "";

interface FoldProps {
  study: SubStudy;
  folded: boolean;
  onPress: () => void;
}

/** Collapses a pane, or expands it again; the name is shown while the pane is not. */
function Fold({ study, folded, onPress }: FoldProps) {
  const { t } = useTranslation();
  const name = t(`chart.study.${study}`);
  return (
    <button type="button" className={styles.fold} aria-expanded={!folded} aria-label={t("chart.pane", { name })} onClick={onPress}>
      {folded ? <ChevronRight aria-hidden /> : <ChevronDown aria-hidden />}
      {folded && name}
    </button>
  );
}
