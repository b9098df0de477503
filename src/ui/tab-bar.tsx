/** The main navigation: a bottom bar on phones, a side rail on tablets, header links on wide screens. */
import type { Path } from "#src/paths.ts";
import type { ComponentType, ReactNode } from "react";
import { Link } from "./link.tsx";
import styles from "./tab-bar.module.css";

export interface TabEntry {
  /** The route of the tab's root. */
  to: Path;
  label: string;
  icon: ComponentType<{ size?: number; "aria-hidden"?: boolean }>;
  current: boolean;
  /** What is new there, with its words for screen readers. */
  badge?: ReactNode;
}

export interface TabBarProps {
  label: string;
  tabs: readonly TabEntry[];
  /** Further content of the wide header, before and after the entries. */
  before?: ReactNode;
  after?: ReactNode;
}

/** The entries; switching replaces the history entry, so that Back leaves the tabs instead of stepping through them. */
export function TabBar({ label, tabs, before, after }: TabBarProps) {
  return (
    <nav className={styles.bar} aria-label={label}>
      {before}
      {tabs.map(({ to, label: name, icon: Icon, current, badge }) => (
        <Link key={to} to={to} replace className={styles.tab} aria-current={current ? "page" : undefined}>
          <Icon size={22} aria-hidden />
          <span>{name}</span>
          {badge}
        </Link>
      ))}
      {after}
    </nav>
  );
}
