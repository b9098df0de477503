/** One strategy: its rule in words, its test on past prices, and the form to run it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Code } from "#contract/kernel/id.ts";
import { isOpenRun, MANY_CODES, STRATEGY_CODES } from "#contract/strategy.ts";
import type { Strategy } from "#contract/strategy.ts";
import { pathTo } from "#src/paths.ts";
import { useInstrumentName } from "#src/screens/quote/sale-words.ts";
import { useRuns } from "#src/streams/strategies.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { ErrorState } from "#src/ui/state.tsx";
import { BacktestForm } from "./strategy-backtest.tsx";
import { StartForm } from "./strategy-start.tsx";
import { CodeChips, LotNow, StrategyNotes, useList } from "./strategy-words.tsx";
import styles from "./fund.module.css";

const FIRST = STRATEGY_CODES[0] as Code;

/** `/home/qcList?strategy=…` */
export function OneStrategy({ strategy }: { strategy: Strategy }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  const list = useList();
  const many = MANY_CODES.includes(strategy);
  const [chosen, setChosen] = useState(FIRST);
  const code = many ? null : chosen;
  const { value, state, failure, retry } = useRuns();
  const own = value?.runs.some((run) => isOpenRun(run) && run.strategy === strategy && run.code === code);
  return (
    <Screen header={<BackHeader title={t(`strategy.name.${strategy}`)} fallback="/home/qcList" />}>
      <div className={styles.page}>
        <div className={styles.notes}>
          <p>{t(`strategy.does.${strategy}`)}</p>
          <p>{many ? t("strategy.trades", { names: list(STRATEGY_CODES.map(nameOf)) }) : t("strategy.when")}</p>
        </div>
        {!many && <CodeChips value={chosen} onChoose={setChosen} />}
        {!many && <LotNow code={chosen} />}
        <Section title={t("strategy.backtest")} inset>
          <BacktestForm key={code} strategy={strategy} code={code} />
        </Section>
        <Section title={t("strategy.run")} inset>
          {value === null && state === "failed" && <ErrorState what={t("strategy.mineFailed")} code={failure ?? ""} onRetry={retry} />}
          {own ? (
            <ButtonLink to={pathTo("/home/qcList", { part: "mine" })} tone="primary" block>
              {t("strategy.toMine")}
            </ButtonLink>
          ) : (
            value && <StartForm strategy={strategy} code={code} rule={value.rule} />
          )}
        </Section>
        <StrategyNotes />
      </div>
    </Screen>
  );
}
