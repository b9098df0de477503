/** The sections of a detail below its chart, one at a time, so that only the visible one is subscribed to. */
import { useId, useRef, useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type en from "#locales/en.json";
import { Tabs } from "#src/ui/tabs.tsx";
import styles from "./sections.module.css";

export interface DetailSection {
  name: keyof typeof en.market.section;
  content: ReactNode;
}

/** A section that starts below this fraction of the window is scrolled into view when chosen. */
const SCROLL_FROM = 0.6;

/** Tabs stay visible while their section scrolls; a newly chosen section starts at its top. */
export function Sections({ sections }: { sections: readonly DetailSection[] }) {
  const { t } = useTranslation();
  const id = useId();
  const host = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<DetailSection["name"] | null>(null);
  const choose = (name: DetailSection["name"]): void => {
    setChosen(name);
    const [tabs, panel] = [...(host.current?.children ?? [])].map((part) => part.getBoundingClientRect().top);
    if (!host.current || tabs === undefined || panel === undefined) return;
    const stuck = tabs > host.current.getBoundingClientRect().top + 1;
    if (stuck || panel > window.innerHeight * SCROLL_FROM) host.current.scrollIntoView({ block: "start" });
  };
  const shown = sections.find(({ name }) => name === chosen) ?? sections[0];
  if (!shown) return null;
  return (
    <div className={styles.sections} ref={host}>
      <div className={styles.tabs}>
        <Tabs
          label={t("market.sections")}
          tabs={sections.map(({ name }) => ({ value: name, label: t(`market.section.${name}`) }))}
          value={shown.name}
          onChoose={choose}
          panelId={id}
        />
      </div>
      <div id={id} role="tabpanel" aria-label={t(`market.section.${shown.name}`)} className={styles.panel}>
        {shown.content}
      </div>
    </div>
  );
}
