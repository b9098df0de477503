/** The machines lab: every state machine of the product drawn from its definition, with this page's live actors. */
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { diagramOf, configOf, sourceOf } from "#machines/diagram.ts";
import { machines } from "#machines/index.ts";
import { useSession } from "#src/actors/session.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { copyText, saveFile } from "#src/gateway/shell.ts";
import { Button } from "#src/ui/button.tsx";
import { Chip, ChipRow, Segmented } from "#src/ui/choice.tsx";
import { Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { MachineDrawing } from "./machine-drawing.tsx";
import { statesIn, useLive } from "./machine-live.ts";
import type { Live } from "./machine-live.ts";
import { MachineLog } from "./machine-log.tsx";
import { MachineTable } from "./machine-table.tsx";
import styles from "./machines.module.css";

type MachineName = keyof typeof machines;
const NAMES = Object.keys(machines) as MachineName[];

/** The actors of one machine, each with its current state. */
function Actors({ running }: { running: Live["running"] }) {
  const { t } = useTranslation();
  if (running.length === 0) return <p className={styles.note}>{t("machines.actorsNone")}</p>;
  return (
    <ul className={styles.actors} role="list">
      {running.map(({ actor, name, state }) => (
        <li key={actor} className={styles.actor}>
          <span>
            {name} <span className={styles.id}>{actor}</span>
          </span>
          <strong>{statesIn(state).at(-1)}</strong>
        </li>
      ))}
    </ul>
  );
}

/** Opens the Stately inspector; only in development builds. */
function InspectorButton() {
  const { t } = useTranslation();
  if (!import.meta.env.DEV) return null;
  const open = async (): Promise<void> => {
    const { openInspector } = await import("#src/actors/inspector.ts");
    openInspector();
  };
  return <Button onClick={() => void open()}>{t("machines.inspect")}</Button>;
}

/** How many of the actors are in each state, by the state's path. */
function countsByState(running: Live["running"]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { state } of running) for (const path of statesIn(state)) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}

/** Saves the definition of a machine as JSON, or copies its source. */
function ExportButtons({ name }: { name: MachineName }) {
  const { t } = useTranslation();
  const machine = machines[name];
  const copy = async (): Promise<void> => {
    const copied = await copyText(sourceOf(machine));
    showToast(copied ? t("machines.copied") : t("machines.notCopied"), copied ? "success" : "danger");
  };
  return (
    <div className={styles.actions}>
      <Button size="large" onClick={() => saveFile(`${name}.machine.json`, "application/json", JSON.stringify(configOf(machine), null, 2))}>
        {t("machines.export")}
      </Button>
      <Button size="large" tone="primary" onClick={() => void copy()}>
        {t("machines.copy")}
      </Button>
    </div>
  );
}

/** `/lab/machines` */
export function Machines() {
  const { t } = useTranslation();
  const [name, setName] = useState<MachineName>("order");
  const [view, setView] = useState<"drawing" | "table">("drawing");
  const signedIn = useSession((session) => session.matches("signedIn"));
  const { entries, running, clear } = useLive(signedIn);
  const machine = machines[name];
  const diagram = useMemo(() => diagramOf(machine), [machine]);
  const own = running.filter((one) => one.machine === machine.id);
  return (
    <Screen
      width="wide"
      header={<BackHeader title={t("machines.title")} subtitle={t("machines.subtitle")} fallback="/login/start" />}
      top={
        <div className={styles.top}>
          <ChipRow label={t("machines.choose")}>
            {NAMES.map((each) => (
              <Chip key={each} pressed={each === name} onPress={() => setName(each)}>
                {each}
              </Chip>
            ))}
          </ChipRow>
        </div>
      }
      footer={<ExportButtons name={name} />}
    >
      <div className={styles.page}>
        <div className={styles.definition}>
          <div className={styles.view}>
            <Segmented
              label={t("machines.view")}
              options={[
                { value: "drawing", label: t("machines.drawing") },
                { value: "table", label: t("machines.table") },
              ]}
              value={view}
              onChoose={setView}
            />
          </div>
          {view === "drawing" ? <MachineDrawing diagram={diagram} counts={countsByState(own)} /> : <MachineTable diagram={diagram} />}
        </div>
        <div className={styles.life}>
          <Section title={t("machines.actors")}>
            <Actors running={own} />
          </Section>
          <MachineLog machine={machine.id} entries={entries} onClear={clear} />
          <div className={styles.note}>
            <p>{t("machines.note")}</p>
            <InspectorButton />
          </div>
        </div>
      </div>
    </Screen>
  );
}
