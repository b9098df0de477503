/** A strip of tabs that scrolls sideways; arrow keys move along it. */
import { useEffect, useRef } from "react";
import type { KeyboardEvent } from "react";
import styles from "./tabs.module.css";

export interface Tab<Value extends string> {
  value: Value;
  label: string;
  /** A small number beside the label. */
  count?: number;
}

export interface TabsProps<Value extends string> {
  label: string;
  tabs: readonly Tab<Value>[];
  value: Value;
  onChoose: (value: Value) => void;
  /** The id of the panel the tabs control, for screen readers. */
  panelId?: string;
}

/** The strip. The caller renders the panel: give it `role="tabpanel"` and this id. */
export function Tabs<Value extends string>({ label, tabs, value, onChoose, panelId }: TabsProps<Value>) {
  const strip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chosen = strip.current?.querySelector<HTMLElement>(`[data-value="${CSS.escape(value)}"]`);
    if (!chosen || !strip.current) return;
    // Not scrollIntoView: that would scroll the page too.
    const middle = chosen.offsetLeft + chosen.offsetWidth / 2;
    strip.current.scrollTo({ left: middle - strip.current.clientWidth / 2 });
  }, [value]);
  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab.value === value);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChoose(next.value);
    strip.current?.querySelectorAll<HTMLElement>("[role=tab]")[tabs.indexOf(next)]?.focus();
  };
  return (
    <div ref={strip} className={styles.strip} role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          className={styles.tab}
          data-value={tab.value}
          aria-selected={tab.value === value}
          aria-controls={tab.value === value ? panelId : undefined}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => onChoose(tab.value)}
        >
          {tab.label}
          {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
        </button>
      ))}
    </div>
  );
}
