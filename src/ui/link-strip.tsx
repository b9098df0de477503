/** A strip of links with icons. */
import type { ComponentType } from "react";
import type { Path } from "#src/paths.ts";
import { Link } from "./link.tsx";
import styles from "./link-strip.module.css";

interface StripLink {
  to: Path;
  label: string;
  icon: ComponentType<{ size: number; "aria-hidden": true }>;
  /** The screen's primary action. */
  main?: boolean;
}

/** `label` names the strip for screen readers. */
export function LinkStrip({ label, links }: { label: string; links: readonly StripLink[] }) {
  return (
    <nav className={styles.strip} aria-label={label}>
      {links.map(({ to, label: text, icon: Icon, main }) => (
        <Link key={text} to={to} className={styles.link ?? ""} data-main={main}>
          <Icon size={20} aria-hidden />
          <span>{text}</span>
        </Link>
      ))}
    </nav>
  );
}
