/** A row of a strategy: what it is and what it trades in a few words; never a result. */
import { useTranslation } from "react-i18next";
import { MANY_CODES } from "#contract/strategy.ts";
import type { Strategy } from "#contract/strategy.ts";
import { pathTo } from "#src/paths.ts";
import { Link } from "#src/ui/link.tsx";
import styles from "./fund.module.css";

export function StrategyRow({ strategy, runs }: { strategy: Strategy; runs: boolean }) {
  const { t } = useTranslation();
  return (
    <Link to={pathTo("/home/qcList", { strategy })} className={styles.row ?? ""}>
      <span className={styles.texts}>
        <span className={styles.name}>{t(`strategy.name.${strategy}`)}</span>
        <span className={styles.small}>{t(`strategy.short.${strategy}`)}</span>
        <span className={styles.small}>{t(MANY_CODES.includes(strategy) ? "strategy.many" : "strategy.when")}</span>
      </span>
      <span className={styles.numbers}>{runs && <span className={styles.strong}>{t("strategy.runs")}</span>}</span>
    </Link>
  );
}
