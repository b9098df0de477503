/** The dates of a sale as a timeline: those that have passed, the next one, and those ahead. */
import { useTranslation } from "react-i18next";
import { formatDateTime } from "#contract/kernel/time.ts";
import { Hidden } from "#src/ui/hidden.tsx";
import styles from "./date-steps.module.css";

export interface DateStep {
  label: string;
  at: number;
}

/** In the order given; the first one that has not passed is next. */
export function DateSteps({ steps, now }: { steps: readonly DateStep[]; now: number }) {
  const { t } = useTranslation();
  const next = steps.find(({ at }) => at > now);
  return (
    <ol className={styles.steps} role="list">
      {steps.map((step) => {
        const state = step.at <= now ? "done" : step === next ? "next" : "ahead";
        return (
          <li key={step.label} data-state={state}>
            <span className={styles.label}>{step.label}</span>
            <span className={styles.at}>{formatDateTime(step.at)}</span>
            {state === "done" && <Hidden>{t("ui.done")}</Hidden>}
          </li>
        );
      })}
    </ol>
  );
}
