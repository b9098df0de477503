/** The first strategies on home, each with the member's run of it. */
import { useTranslation } from "react-i18next";
import { isOpenRun, STRATEGIES } from "#contract/strategy.ts";
import { useRuns } from "#src/streams/strategies.ts";
import { Link } from "#src/ui/link.tsx";
import { Section } from "#src/ui/row.tsx";
import { StrategyRow } from "./strategy-row.tsx";
import styles from "./digest.module.css";

const SHOWN = 3;

export function StrategyDigest() {
  const { t } = useTranslation();
  const running = new Set(useRuns().value?.runs.flatMap((run) => (isOpenRun(run) ? [run.strategy] : [])));
  // Those that run come first, then the order of the list.
  const shown = STRATEGIES.toSorted((a, b) => Number(running.has(b)) - Number(running.has(a))).slice(0, SHOWN);
  return (
    <Section
      title={t("strategy.home")}
      action={
        <Link to="/home/qcList" className={styles.all ?? ""}>
          {t("strategy.all")}
        </Link>
      }
    >
      <ul role="list" className={styles.list}>
        {shown.map((strategy) => (
          <li key={strategy}>
            <StrategyRow strategy={strategy} runs={running.has(strategy)} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
