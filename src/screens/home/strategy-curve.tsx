/** The value of a back-test and that of having held, as two lines in one box, with the same data as a table. */
import { useTranslation } from "react-i18next";
import { formatMoney } from "#contract/kernel/money.ts";
import { formatDate } from "#contract/kernel/time.ts";
import type { Backtest } from "#contract/strategy.ts";
import { drawLines, thinPoints } from "./strategy-lines.ts";
import styles from "./strategy.module.css";

const TABLE_ROWS = 24;
const LINE_POINTS = 250;

export function BacktestCurve({ result }: { result: Backtest }) {
  const { t } = useTranslation();
  const points = thinPoints(result.curve, LINE_POINTS);
  const last = points.at(-1);
  if (!last) return null;
  const [own, held] = drawLines(points);
  return (
    <>
      <svg
        className={styles.lines}
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={t("strategy.curveSaid", { own: formatMoney(last.own), held: formatMoney(last.held) })}
      >
        <path className={styles.held} d={held} vectorEffect="non-scaling-stroke" />
        <path className={styles.own} d={own} vectorEffect="non-scaling-stroke" />
      </svg>
      <p className={styles.key} aria-hidden>
        <span>{t("strategy.line.own")}</span>
        <span className={styles.heldKey}>{t("strategy.line.held")}</span>
      </p>
      <details className={styles.table}>
        <summary>{t("strategy.table")}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("strategy.day")}</th>
              <th scope="col">{t("strategy.line.own")}</th>
              <th scope="col">{t("strategy.line.held")}</th>
            </tr>
          </thead>
          <tbody>
            {thinPoints(result.curve, TABLE_ROWS).map((point) => (
              <tr key={point.at}>
                <th scope="row">{formatDate(point.at)}</th>
                <td>{formatMoney(point.own)}</td>
                <td>{formatMoney(point.held)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
