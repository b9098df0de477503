/** Breadth as a bar and in words: how many rise, stand still and fall, and how many stand at a limit. */
import { useTranslation } from "react-i18next";
import { grouped } from "#contract/kernel/money.ts";
import { partsOf } from "./breadth.ts";
import type { Breadth } from "./breadth.ts";
import styles from "./breadth.module.css";

const SIDES = ["up", "flat", "down"] as const;
const LIMITS = ["limitUp", "limitDown"] as const;
const TREND = { up: "up", flat: "flat", down: "down", limitUp: "up", limitDown: "down" } as const;

/** The bar alone: an ornament beside words. */
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

/** The bar with its counts. Changes about once a second. */
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
