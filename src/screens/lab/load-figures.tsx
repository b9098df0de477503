/** The load lab's figures: the current ones and those of the last scripted run. */
import { useTranslation } from "react-i18next";
import { grouped } from "#contract/kernel/money.ts";
import type { Measured } from "./measure.ts";
import styles from "./load.module.css";

/** In display order. */
const FIGURES = [
  "framesPerSecond",
  "longestGapMs",
  "longTasks",
  "longTaskMs",
  "inputP50Ms",
  "inputP95Ms",
  "elements",
  "heapMb",
  "bytesPerSecond",
  "quotesPerSecond",
] as const satisfies readonly (keyof Measured)[];

function text(value: number | null | undefined): string {
  if (value === null || value === undefined) return "--";
  return Number.isInteger(value) ? grouped(String(value)) : value.toFixed(1);
}

/** A table that updates every two seconds; updates are not announced to screen readers. */
export function Figures({ now, result, running }: { now: Measured | null; result: Measured | null; running: boolean }) {
  const { t } = useTranslation();
  return (
    <table className={styles.figures}>
      <caption>{running ? t("load.running") : t("load.figures")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("load.figure")}</th>
          <th scope="col">{t("load.now")}</th>
          <th scope="col">{t("load.lastRun")}</th>
        </tr>
      </thead>
      <tbody>
        {FIGURES.map((figure) => (
          <tr key={figure}>
            <th scope="row">{t(`load.of.${figure}`)}</th>
            <td>{text(now?.[figure])}</td>
            <td>{text(result?.[figure])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
