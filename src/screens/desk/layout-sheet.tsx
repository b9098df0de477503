/** The desk's layout without dragging: number of charts, sizes of panes, and the workspaces saved by name. */
import { Minus, Plus } from "lucide-react";
import { useId, useState } from "react";
import type { ReactNode, RefObject } from "react";
import { useTranslation } from "react-i18next";
import { MAX_NAME_LENGTH, MAX_WORKSPACES, PANES } from "#contract/desk.ts";
import type { Desk } from "#contract/desk.ts";
import { deleteWorkspace, renameWorkspace, saveDesk, saveWorkspace, useDesks } from "#src/streams/desks.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { CHART_COUNTS, DEFAULT_DESK } from "./layout.ts";
import type { ChartCount } from "./layout.ts";
import type { PanesHandle } from "./panes.tsx";
import styles from "./desk.module.css";

interface LayoutSheetProps {
  open: boolean;
  onClose: () => void;
  /** The desk at this moment. */
  desk: () => Desk;
  panes: RefObject<PanesHandle | null>;
  count: string;
  onCount: (count: ChartCount) => void;
  /** Shows another desk: a workspace, or the default. */
  onApply: (desk: Desk) => void;
}

const STEP_PX = 24;

export function LayoutSheet({ open, onClose, desk, panes, count, onCount, onApply }: LayoutSheetProps) {
  const { t } = useTranslation();
  return (
    <Sheet open={open} onClose={onClose} title={t("desk.layout")}>
      <div className={styles.layout}>
        <Part title={t("desk.charts")}>
          <Segmented
            label={t("desk.charts")}
            options={CHART_COUNTS.map((value) => ({ value, label: t("desk.chartCount", { count: Number(value), n: value }) }))}
            value={CHART_COUNTS.find((one) => one === count) ?? null}
            onChoose={onCount}
          />
        </Part>
        <Part title={t("desk.panes")}>
          <Sizes desk={desk} panes={panes} />
          <Button onClick={() => onApply(DEFAULT_DESK)}>{t("desk.reset")}</Button>
        </Part>
        <Workspaces
          desk={desk}
          onApply={(next) => {
            onApply(next);
            onClose();
          }}
        />
        <p className={styles.hint}>{t("desk.keysHint")}</p>
      </div>
    </Sheet>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.part}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}

/** A tap for everything that dragging a separator does. */
function Sizes({ desk, panes }: Pick<LayoutSheetProps, "desk" | "panes">) {
  const { t } = useTranslation();
  const [sizes, setSizes] = useState(() => desk().sizes);
  const change = (pane: (typeof PANES)[number], by: number): void => {
    panes.current?.resize(pane, (sizes[pane] ?? 0) + by);
    // The panes follow within this frame.
    requestAnimationFrame(() => {
      const next = desk();
      setSizes(next.sizes);
      saveDesk(next);
    });
  };
  return (
    <ul className={styles.sizes} role="list">
      {PANES.filter((pane) => sizes[pane] !== null).map((pane) => (
        <li key={pane}>
          <span>{t(`desk.pane.${pane}`)}</span>
          <IconButton
            label={t("desk.smaller", { what: t(`desk.pane.${pane}`) })}
            icon={<Minus size={18} aria-hidden />}
            onClick={() => change(pane, -STEP_PX)}
          />
          <output>{sizes[pane]} px</output>
          <IconButton
            label={t("desk.larger", { what: t(`desk.pane.${pane}`) })}
            icon={<Plus size={18} aria-hidden />}
            onClick={() => change(pane, STEP_PX)}
          />
        </li>
      ))}
    </ul>
  );
}

/** Saved desks: choose one, save this one, rename and delete. */
function Workspaces({ desk, onApply }: Pick<LayoutSheetProps, "desk" | "onApply">) {
  const { t } = useTranslation();
  const workspaces = useDesks().value?.workspaces ?? [];
  const [name, setName] = useState("");
  const [renamed, setRenamed] = useState<string | null>(null);
  const trimmed = name.trim();
  const full = workspaces.length >= MAX_WORKSPACES && !workspaces.some((one) => one.name === trimmed);
  const submit = (): void => {
    if (trimmed === "") return;
    if (renamed === null) saveWorkspace(trimmed, desk());
    else renameWorkspace(renamed, trimmed);
    setRenamed(null);
    setName("");
  };
  return (
    <Part title={t("desk.workspaces")}>
      {workspaces.length > 0 && (
        <ul className={styles.workspaces} role="list" aria-label={t("desk.workspaces")}>
          {workspaces.map((one) => (
            <li key={one.name}>
              <button type="button" className={styles.workspace} onClick={() => onApply(one.desk)}>
                {one.name}
              </button>
              <Button
                tone="quiet"
                aria-label={t("desk.renameOf", { name: one.name })}
                onClick={() => {
                  setRenamed(one.name);
                  setName(one.name);
                }}
              >
                {t("desk.rename")}
              </Button>
              <Button tone="quiet" aria-label={t("desk.deleteOf", { name: one.name })} onClick={() => deleteWorkspace(one.name)}>
                {t("desk.delete")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form
        className={styles.save}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextField
          label={t(renamed === null ? "desk.name" : "desk.newName")}
          value={name}
          onText={setName}
          maxLength={MAX_NAME_LENGTH}
          error={full && renamed === null ? t("desk.full", { n: MAX_WORKSPACES }) : null}
        />
        <Button type="submit" disabled={trimmed === "" || (full && renamed === null)}>
          {t(renamed === null ? "desk.save" : "desk.rename")}
        </Button>
      </form>
    </Part>
  );
}
