/** Market breadth as a bar and as text: advancing, unchanged and declining, and how many are limit up or limit down. */
import { useTranslation } from "react-i18next";
import { grouped } from "#contract/kernel/money.ts";
import { partsOf } from "./breadth.ts";
import type { Breadth } from "./breadth.ts";
import styles from "./breadth.module.css";

const SIDES = ["up", "flat", "down"] as const;
const LIMITS = ["limitUp", "limitDown"] as const;
const TREND = { up: "up", flat: "flat", down: "down", limitUp: "up", limitDown: "down" } as const;

/** The bar alone, decorative next to text. */
export function BreadthStrip({ breadth }: { breadth: Pick<Breadth, "up" | "flat" | "down"> }) {
  const parts = partsOf(breadth);
  return (
    <span className={styles.strip} aria-hidden>
      {SIDES.map((side) => (
        <span key={side} data-side={side} style={{ flexGrow: parts[side] }} />
      ))}
    </span>
  );
}

/** The bar with its counts. Updates about once a second. */
export function BreadthBar({ breadth }: { breadth: Omit<Breadth, "turnover"> }) {
  const { t } = useTranslation();
  const count = (name: keyof typeof TREND) => (
    <span key={name} className={styles.count} data-d={TREND[name]}>
      {t(`market.breadth.${name}`)} <b>{grouped(String(breadth[name]))}</b>
    </span>
  );
  return (
    <div className={styles.breadth} role="group" aria-label={t("market.breadth.title")}>
      <BreadthStrip breadth={breadth} />
      <p className={styles.counts}>{SIDES.map(count)}</p>
      <p className={styles.counts}>{LIMITS.map(count)}</p>
    </div>
  );
}
