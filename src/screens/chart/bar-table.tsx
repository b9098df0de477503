/** A table of the visible bars with their study values, for users who want figures or cannot see the chart. */
import { useTranslation } from "react-i18next";
import { Sheet } from "#src/ui/sheet.tsx";
import type { TableOfBars } from "./spoken-bar.ts";
import styles from "./bar-table.module.css";

interface BarTableProps {
  open: boolean;
  onClose: () => void;
  name: string;
  table: TableOfBars;
}

/** A sheet with a plain table; it does not update while it is open. */
export function BarTable({ open, onClose, name, table }: BarTableProps) {
  const { t } = useTranslation();
  return (
    <Sheet open={open} onClose={onClose} title={t("chart.tableTitle", { name })}>
      {table.rows.length === 0 ? <p className={styles.nothing}>{t("chart.empty")}</p> : <Bars table={table} />}
    </Sheet>
  );
}

function Bars({ table: { columns, rows } }: { table: TableOfBars }) {
  const { t } = useTranslation();
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
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at, text }) => (
            <tr key={at}>
              <th scope="row">
                {text.at}
                {text.note !== "" && <span className={styles.note}>{text.note}</span>}
              </th>
              <td>{text.open}</td>
              <td>{text.high}</td>
              <td>{text.low}</td>
              <td>{text.close}</td>
              <td data-trend={text.sign > 0 ? "up" : text.sign < 0 ? "down" : "flat"}>{text.percent}</td>
              <td>{text.volume}</td>
              {columns.map((column, place) => (
                <td key={column}>{text.values[place]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
