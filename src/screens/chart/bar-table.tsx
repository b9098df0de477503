/** The bars in view as a table, for readers who want figures or cannot see the drawing. */
import { useTranslation } from "react-i18next";
import type { Candle, CandlePeriod } from "#contract/candle.ts";
import { grouped } from "#contract/kernel/money.ts";
import { barText } from "./bar.ts";
import styles from "./chart.module.css";

/** Bars with the close each is compared with, newest first. */
export interface TableOfBars {
  period: CandlePeriod;
  rows: { bar: Candle; before: number | null }[];
}

/** A plain table; it does not move while it is read. */
export function BarTable({ table, decimals }: { table: TableOfBars; decimals: number }) {
  const { t } = useTranslation();
  if (table.rows.length === 0) return <p className={styles.nothing}>{t("chart.empty")}</p>;
  return (
    <div className={styles.scroller} tabIndex={0} role="group" aria-label={t("chart.showTable")}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t("chart.time")}</th>
            {(["open", "high", "low", "close", "change", "volume"] as const).map((part) => (
              <th key={part} scope="col">
                {t(`chart.${part}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map(({ bar, before }) => {
            const text = barText(bar, before, table.period, decimals);
            return (
              <tr key={bar.at}>
                <th scope="row">{text.at}</th>
                <td>{text.open}</td>
                <td>{text.high}</td>
                <td>{text.low}</td>
                <td>{text.close}</td>
                <td data-d={text.sign > 0 ? "up" : text.sign < 0 ? "down" : "flat"}>{text.percent}</td>
                <td>{grouped(String(bar.volume))}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
