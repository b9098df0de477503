/** The bottom tab bar of phones, the side rail of tablets, the header links of wide screens: the same entries. */
import type { ComponentType } from "react";
import { Link } from "react-router";
import styles from "./tab-bar.module.css";

export interface TabEntry {
  /** The route of the tab's root. */
  to: string;
  label: string;
  icon: ComponentType<{ size?: number; "aria-hidden"?: boolean }>;
  current: boolean;
}

/** The entries; switching replaces the history entry, so that Back leaves the tabs instead of walking through them. */
export function TabBar({ label, tabs }: { label: string; tabs: readonly TabEntry[] }) {
  return (
    <nav className={styles.bar} aria-label={label}>
      {tabs.map(({ to, label: name, icon: Icon, current }) => (
        <Link key={to} to={to} replace className={styles.tab} aria-current={current ? "page" : undefined}>
          <Icon size={22} aria-hidden />
          <span>{name}</span>
        </Link>
      ))}
    </nav>
  );
}
