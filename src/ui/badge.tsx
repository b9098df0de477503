/** A small number on a tab that says how much is new there, with words for screen readers. */
import { Hidden } from "./hidden.tsx";
import styles from "./badge.module.css";

const MOST = 99;

export function Badge({ count, label }: { count: number; label: string }) {
  return (
    <>
      <span className={styles.badge} aria-hidden>
        {count > MOST ? `${MOST}+` : count}
      </span>
      <Hidden>{`(${label})`}</Hidden>
    </>
  );
}
