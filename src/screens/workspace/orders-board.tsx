/** Beside the trade page in the wide layout: working orders, today's executions and profit, all at once. */
import { useTranslation } from "react-i18next";
import { Screen } from "#src/ui/screen.tsx";
import { DayProfit } from "./day-profit.tsx";
import { RowActions } from "./row-actions.tsx";
import { FillTable } from "./fill-table.tsx";
import { WorkingTable } from "./working-table.tsx";
import styles from "./dock.module.css";

const PARTS = [
  { name: "profit", Part: DayProfit },
  { name: "working", Part: WorkingTable },
  { name: "fills", Part: FillTable },
] as const;

export function OrdersBoard() {
  const { t } = useTranslation();
  return (
    <Screen width="wide" scroll="own">
      <RowActions>
        <div className={styles.board}>
          {PARTS.map(({ name, Part }) => (
            <section key={name} className={styles.part} aria-labelledby={`board-${name}`}>
              <h2 id={`board-${name}`}>{t(`workspace.tab.${name}`)}</h2>
              <div className={styles.panel}>
                <Part />
              </div>
            </section>
          ))}
        </div>
      </RowActions>
    </Screen>
  );
}
