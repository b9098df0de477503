/** One demonstrated component under its name in the code. */
import type { ReactNode } from "react";
import styles from "./lab.module.css";

export function Part({ name, children, full = false }: { name: string; children: ReactNode; full?: boolean }) {
  return (
    <section className={styles.part} aria-label={name}>
      <h2 className={styles.name}>{name}</h2>
      <div className={full ? styles.full : styles.inside}>{children}</div>
    </section>
  );
}
