/** A lifecycle as a table: from, event, guard, to, what is done; the drawing in words. */
import { useTranslation } from "react-i18next";
import type { Chart } from "#machines/chart.ts";
import { EventName } from "./machine-words.tsx";
import styles from "./machines.module.css";

export function MachineTable({ chart }: { chart: Chart }) {
  const { t } = useTranslation();
  return (
    <div className={styles.scroller} role="region" tabIndex={0} aria-label={t("machines.tableOf", { name: chart.id })}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t("machines.from")}</th>
            <th scope="col">{t("machines.event")}</th>
            <th scope="col">{t("machines.guard")}</th>
            <th scope="col">{t("machines.to")}</th>
            <th scope="col">{t("machines.does")}</th>
          </tr>
        </thead>
        <tbody>
          {chart.transitions.map((way, at) => (
            <tr key={`${way.from} ${way.type} ${at}`}>
              <th scope="row">{way.from === "" ? t("machines.everywhere") : way.from}</th>
              <td>
                <EventName way={way} />
              </td>
              <td>{way.guard ?? "–"}</td>
              <td>{way.to ?? t("machines.stays")}</td>
              <td>{way.actions.length === 0 ? "–" : way.actions.join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
