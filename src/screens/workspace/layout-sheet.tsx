/** The workspace's layout without dragging: number of charts, sizes of panes, and the workspaces saved by name. */
import { Minus, Plus } from "lucide-react";
import { useId, useState } from "react";
import type { ReactNode, RefObject } from "react";
import { useTranslation } from "react-i18next";
import { MAX_NAME_LENGTH, MAX_SAVED, PANES } from "#contract/workspace.ts";
import type { Workspace } from "#contract/workspace.ts";
import { deleteWorkspace, renameWorkspace, saveCurrent, saveWorkspace, useWorkspaces } from "#src/streams/workspaces.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { CHART_COUNTS, DEFAULT_WORKSPACE } from "./layout.ts";
import type { ChartCount } from "./layout.ts";
import type { PanesHandle } from "./panes.tsx";
import styles from "./workspace.module.css";

interface LayoutSheetProps {
  open: boolean;
  onClose: () => void;
  /** The workspace at this moment. */
  workspace: () => Workspace;
  panes: RefObject<PanesHandle | null>;
  count: string;
  onCount: (count: ChartCount) => void;
  /** Shows another workspace: a saved one, or the default. */
  onApply: (workspace: Workspace) => void;
}

const STEP_PX = 24;

export function LayoutSheet({ open, onClose, workspace, panes, count, onCount, onApply }: LayoutSheetProps) {
  const { t } = useTranslation();
  return (
    <Sheet open={open} onClose={onClose} title={t("workspace.layout")}>
      <div className={styles.layout}>
        <Part title={t("workspace.charts")}>
          <Segmented
            label={t("workspace.charts")}
            options={CHART_COUNTS.map((value) => ({ value, label: t("workspace.chartCount", { count: Number(value), n: value }) }))}
            value={CHART_COUNTS.find((one) => one === count) ?? null}
            onChoose={onCount}
          />
        </Part>
        <Part title={t("workspace.panes")}>
          <Sizes workspace={workspace} panes={panes} />
          <Button onClick={() => onApply(DEFAULT_WORKSPACE)}>{t("workspace.reset")}</Button>
        </Part>
        <SavedList
          workspace={workspace}
          onApply={(next) => {
            onApply(next);
            onClose();
          }}
        />
        <p className={styles.hint}>{t("workspace.keysHint")}</p>
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
function Sizes({ workspace, panes }: Pick<LayoutSheetProps, "workspace" | "panes">) {
  const { t } = useTranslation();
  const [sizes, setSizes] = useState(() => workspace().sizes);
  const change = (pane: (typeof PANES)[number], by: number): void => {
    panes.current?.resize(pane, (sizes[pane] ?? 0) + by);
    // The panes follow within this frame.
    requestAnimationFrame(() => {
      const next = workspace();
      setSizes(next.sizes);
      saveCurrent(next);
    });
  };
  return (
    <ul className={styles.sizes} role="list">
      {PANES.filter((pane) => sizes[pane] !== null).map((pane) => (
        <li key={pane}>
          <span>{t(`workspace.pane.${pane}`)}</span>
          <IconButton
            label={t("workspace.smaller", { what: t(`workspace.pane.${pane}`) })}
            icon={<Minus size={18} aria-hidden />}
            onClick={() => change(pane, -STEP_PX)}
          />
          <output>{sizes[pane]} px</output>
          <IconButton
            label={t("workspace.larger", { what: t(`workspace.pane.${pane}`) })}
            icon={<Plus size={18} aria-hidden />}
            onClick={() => change(pane, STEP_PX)}
          />
        </li>
      ))}
    </ul>
  );
}

/** Saved workspaces: choose one, save this one, rename and delete. */
function SavedList({ workspace, onApply }: Pick<LayoutSheetProps, "workspace" | "onApply">) {
  const { t } = useTranslation();
  const workspaces = useWorkspaces().value?.saved ?? [];
  const [name, setName] = useState("");
  const [renamed, setRenamed] = useState<string | null>(null);
  const trimmed = name.trim();
  const full = workspaces.length >= MAX_SAVED && !workspaces.some((one) => one.name === trimmed);
  const submit = (): void => {
    if (trimmed === "") return;
    if (renamed === null) saveWorkspace(trimmed, workspace());
    else renameWorkspace(renamed, trimmed);
    setRenamed(null);
    setName("");
  };
  return (
    <Part title={t("workspace.workspaces")}>
      {workspaces.length > 0 && (
        <ul className={styles.workspaces} role="list" aria-label={t("workspace.workspaces")}>
          {workspaces.map((one) => (
            <li key={one.name}>
              <button type="button" className={styles.workspace} onClick={() => onApply(one.workspace)}>
                {one.name}
              </button>
              <Button
                tone="quiet"
                aria-label={t("workspace.renameOf", { name: one.name })}
                onClick={() => {
                  setRenamed(one.name);
                  setName(one.name);
                }}
              >
                {t("workspace.rename")}
              </Button>
              <Button tone="quiet" aria-label={t("workspace.deleteOf", { name: one.name })} onClick={() => deleteWorkspace(one.name)}>
                {t("workspace.delete")}
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
          label={t(renamed === null ? "workspace.name" : "workspace.newName")}
          value={name}
          onText={setName}
          maxLength={MAX_NAME_LENGTH}
          error={full && renamed === null ? t("workspace.full", { n: MAX_SAVED }) : null}
        />
        <Button type="submit" disabled={trimmed === "" || (full && renamed === null)}>
          {t(renamed === null ? "workspace.save" : "workspace.rename")}
        </Button>
      </form>
    </Part>
  );
}
