/** Strategies and the member's runs: two tabs; and one strategy, or what a run traded, by itself. */
import { useTranslation } from "react-i18next";
import { isOpenRun, STRATEGIES } from "#contract/strategy.ts";
import { useRuns } from "#src/streams/strategies.ts";
import { useQuery } from "#src/ui/link.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import { RunList } from "./strategy-list.tsx";
import { OneStrategy } from "./strategy-one.tsx";
import { StrategyRow } from "./strategy-row.tsx";
import { RunTradesPage } from "./strategy-trades.tsx";
import { StrategyNotes } from "./strategy-words.tsx";
import styles from "./fund.module.css";

const PARTS = ["strategies", "mine"] as const;

/** `/home/qcList`; `?strategy=` is one strategy with its back-test and the form to run it, `?run=` what a run traded. */
export function StrategyPage() {
  const [query] = useQuery<"/home/qcList">();
  const run = query.get("run");
  const strategy = STRATEGIES.find((one) => one === query.get("strategy"));
  if (run !== null) return <RunTradesPage key={run} runNo={run} />;
  return strategy ? <OneStrategy key={strategy} strategy={strategy} /> : <StrategyTabs />;
}

function StrategyTabs() {
  const { t } = useTranslation();
  const [query, setQuery] = useQuery<"/home/qcList">();
  const part = PARTS.find((one) => one === query.get("part")) ?? "strategies";
  return (
    <Screen
      header={<BackHeader title={t("app.title.strategy")} fallback="/home/allTool" />}
      top={
        <Tabs
          label={t("app.title.strategy")}
          tabs={PARTS.map((value) => ({ value, label: t(`strategy.part.${value}`) }))}
          value={part}
          onChoose={(next) => setQuery({ part: next })}
          panelId="strategy"
        />
      }
    >
      <div id="strategy" role="tabpanel" aria-label={t(`strategy.part.${part}`)} className={styles.panel}>
        {part === "strategies" ? <Strategies /> : <RunList />}
      </div>
    </Screen>
  );
}

function Strategies() {
  const { t } = useTranslation();
  const running = new Set(useRuns().value?.runs.flatMap((run) => (isOpenRun(run) ? [run.strategy] : [])));
  return (
    <>
      <ul role="list" aria-label={t("strategy.part.strategies")} className={styles.rows}>
        {STRATEGIES.map((strategy) => (
          <li key={strategy}>
            <StrategyRow strategy={strategy} runs={running.has(strategy)} />
          </li>
        ))}
      </ul>
      <div className={styles.inset}>
        <StrategyNotes />
      </div>
    </>
  );
}
