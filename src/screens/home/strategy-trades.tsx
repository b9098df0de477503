/** What one run bought, sold and left out, newest first, each with its order. */
import { useTranslation } from "react-i18next";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { RunTrade } from "#contract/strategy.ts";
import { useInstrumentName } from "#src/screens/quote/sale-words.ts";
import { useRuns, useRunTrades } from "#src/streams/strategies.ts";
import { TradedPage, TradedRow } from "./traded-page.tsx";
import styles from "./fund.module.css";

/** `/home/qcList?run=…` */
export function RunTradesPage({ runNo }: { runNo: string }) {
  const { t } = useTranslation();
  const run = useRuns().value?.runs.find((one) => one.runNo === runNo);
  return (
    <TradedPage
      title={run ? t(`strategy.name.${run.strategy}`) : t("strategy.done")}
      fallback="/home/qcList"
      words={{
        label: t("strategy.done"),
        failed: t("strategy.mineFailed"),
        none: t("strategy.doneNone"),
        noneWhy: t("strategy.doneNoneWhy"),
      }}
      trades={useRunTrades(runNo)}
      renderRow={(trade) => <TradeRow trade={trade} />}
    />
  );
}

function TradeRow({ trade }: { trade: RunTrade }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  const { side, code, at, lots, wantedLots, leftOut, orderNo } = trade;
  return (
    <TradedRow orderNo={orderNo}>
      <span className={styles.texts}>
        <span className={styles.name}>{nameOf(code)}</span>
        {leftOut !== null && <span className={styles.small}>{t(`strategy.omission.${leftOut}`)}</span>}
        {leftOut === null && lots < wantedLots && (
          <span className={styles.small}>{t(side === "buy" ? "strategy.partly" : "strategy.resting", { count: wantedLots })}</span>
        )}
        <span className={styles.small}>{formatDateTime(at)}</span>
      </span>
      <span className={styles.numbers}>
        <span className={styles.price}>{t(`strategy.traded.${side}`, { count: leftOut === null ? lots : wantedLots })}</span>
      </span>
    </TradedRow>
  );
}
