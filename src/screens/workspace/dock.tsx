/** The dock below the charts: positions, working orders, today's executions and profit, and what is known about the instrument. */
import { ChevronDown, ChevronUp } from "lucide-react";
import { useId, useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type en from "#locales/en.json";
import { usePositions } from "#src/streams/positions.ts";
import { IconButton } from "#src/ui/button.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import { RowActions } from "./row-actions.tsx";
import { DayProfit } from "./day-profit.tsx";
import { FillTable } from "./fill-table.tsx";
import { PositionTable } from "./position-table.tsx";
import { useWorking, WorkingTable } from "./working-table.tsx";
import styles from "./dock.module.css";

/** A tab about the instrument, after those about the member. */
export interface DockSection {
  name: "data" | "news";
  content: ReactNode;
}

type DockTab = keyof typeof en.workspace.tab;

interface DockProps {
  open: boolean;
  onToggle: () => void;
  sections: readonly DockSection[];
}

/** Only the chosen tab is mounted; a tab chosen while the dock is collapsed opens it. */
export function Dock({ open, onToggle, sections }: DockProps) {
  const { t } = useTranslation();
  const id = useId();
  const [tab, setTab] = useState<DockTab>("positions");
  const held = usePositions().value?.length ?? 0;
  const working = useWorking().length;
  const names: DockTab[] = ["positions", "working", "fills", "profit", ...sections.map(({ name }) => name)];
  const counts: Partial<Record<DockTab, number>> = { positions: held, working };
  const shown = names.includes(tab) ? tab : "positions";
  const choose = (next: DockTab): void => {
    setTab(next);
    if (!open) onToggle();
  };
  return (
    <section className={styles.dock} aria-label={t("workspace.dock")}>
      <div className={styles.strip}>
        <Tabs
          label={t("workspace.dock")}
          tabs={names.map((value) => ({ value, label: t(`workspace.tab.${value}`), ...(counts[value] ? { count: counts[value] } : {}) }))}
          value={shown}
          onChoose={choose}
          {...(open ? { panelId: id } : {})}
        />
        <IconButton
          label={t(open ? "workspace.closeDock" : "workspace.openDock")}
          icon={open ? <ChevronDown size={18} aria-hidden /> : <ChevronUp size={18} aria-hidden />}
          aria-expanded={open}
          onClick={onToggle}
        />
      </div>
      {open && (
        <RowActions>
          <div id={id} role="tabpanel" aria-label={t(`workspace.tab.${shown}`)} className={styles.panel}>
            {shown === "positions" && <PositionTable />}
            {shown === "working" && <WorkingTable />}
            {shown === "fills" && <FillTable />}
            {shown === "profit" && <DayProfit />}
            {sections.map(
              ({ name, content }) =>
                name === shown && (
                  <div key={name} className={styles.scroller} tabIndex={0}>
                    {content}
                  </div>
                ),
            )}
          </div>
        </RowActions>
      )}
    </section>
  );
}
