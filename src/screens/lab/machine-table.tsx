/** A state machine as a table: from, event, guard, to, actions; the same content as the drawing. */
import { useTranslation } from "react-i18next";
import type { Diagram } from "#machines/diagram.ts";
import { EventName } from "./machine-words.tsx";
import styles from "./machines.module.css";

export function MachineTable({ diagram }: { diagram: Diagram }) {
  const { t } = useTranslation();
  return (
    <div className={styles.scroller} role="region" tabIndex={0} aria-label={t("machines.tableOf", { name: diagram.id })}>
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
          {diagram.transitions.map((transition, at) => (
            <tr key={`${transition.from} ${transition.type} ${at}`}>
              <th scope="row">{transition.from === "" ? t("machines.everywhere") : transition.from}</th>
              <td>
                <EventName transition={transition} />
              </td>
              <td>{transition.guard ?? "–"}</td>
              <td>{transition.to ?? t("machines.stays")}</td>
              <td>{transition.actions.length === 0 ? "–" : transition.actions.join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
