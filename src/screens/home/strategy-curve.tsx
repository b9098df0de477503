/** The value of a back-test and that of having held, as two lines in one box, with the same data as a table. */
import { useTranslation } from "react-i18next";
import { formatMoney } from "#contract/kernel/money.ts";
import { formatDate } from "#contract/kernel/time.ts";
import type { Backtest } from "#contract/strategy.ts";
import { FoldedTable } from "#src/ui/folded-table.tsx";
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
      <FoldedTable
        title={t("strategy.table")}
        columns={[t("strategy.day"), t("strategy.line.own"), t("strategy.line.held")]}
        rows={thinPoints(result.curve, TABLE_ROWS).map(({ at, own: ownCents, held: heldCents }) => ({
          key: at,
          cells: [formatDate(at), formatMoney(ownCents), formatMoney(heldCents)],
        }))}
      />
    </>
  );
}
