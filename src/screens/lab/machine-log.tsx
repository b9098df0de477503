/** The step log, newest first: time, actor, event, resulting state and payload. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#src/ui/button.tsx";
import { Switch } from "#src/ui/choice.tsx";
import { Section } from "#src/ui/row.tsx";
import { statesIn } from "./machine-live.ts";
import type { Entry } from "./machine-live.ts";
import styles from "./machines.module.css";

const SHOWN = 60;

const timeOf = (at: number): string => new Date(at).toISOString().slice(11, 23);
const leafOf = (state: unknown): string => statesIn(state).at(-1) ?? "";

function Line({ entry }: { entry: Entry }) {
  const { at, machine, name, event, state, payload, times } = entry;
  const { t } = useTranslation();
  const head = (
    <>
      <time className={styles.time}>{timeOf(at)}</time>
      <span className={styles.who}>{name === "" ? machine : `${machine} ${name}`}</span>
      <span className={styles.step}>
        {event} → <strong>{leafOf(state)}</strong>
        {times > 1 && <span className={styles.times}> {t("machines.times", { n: times })}</span>}
      </span>
    </>
  );
  if (payload === null || payload === undefined) return <li className={styles.entry}>{head}</li>;
  return (
    <li>
      <details>
        <summary className={styles.entry}>{head}</summary>
        <pre className={styles.payload}>{JSON.stringify(payload, null, 1)}</pre>
      </details>
    </li>
  );
}

/** The log of one machine, or of all. */
export function MachineLog({ machine, entries, onClear }: { machine: string; entries: readonly Entry[]; onClear: () => void }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const shown = entries.filter((entry) => all || entry.machine === machine).slice(0, SHOWN);
  return (
    <Section
      title={t("machines.log")}
      action={
        <Button tone="quiet" onClick={onClear}>
          {t("machines.clear")}
        </Button>
      }
    >
      <Switch label={t("machines.logAll")} on={all} onSwitch={setAll} />
      {shown.length === 0 ? (
        <p className={styles.note}>{t("machines.logEmpty")}</p>
      ) : (
        <ol className={styles.log} role="list">
          {shown.map((entry) => (
            <Line key={entry.n} entry={entry} />
          ))}
        </ol>
      )}
    </Section>
  );
}
