/** What one run bought, sold and left out, newest first, each with its order. */
import { useTranslation } from "react-i18next";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { RunTrade } from "#contract/strategy.ts";
import { pathTo } from "#src/paths.ts";
import { useInstrumentName } from "#src/screens/quote/sale-words.ts";
import { useRuns, useRunTrades } from "#src/streams/strategies.ts";
import { Button } from "#src/ui/button.tsx";
import { Link } from "#src/ui/link.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import styles from "./fund.module.css";

/** `/home/qcList?run=…` */
export function RunTradesPage({ runNo }: { runNo: string }) {
  const { t } = useTranslation();
  const run = useRuns().value?.runs.find((one) => one.runNo === runNo);
  const { value, state, failure, retry, more, moreState } = useRunTrades(runNo);
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Screen header={<BackHeader title={run ? t(`strategy.name.${run.strategy}`) : t("strategy.done")} fallback="/home/qcList" />}>
      <div className={styles.panel}>
        {value === null && skeleton && <Skeleton rows={5} />}
        {value === null && state === "failed" && <ErrorState what={t("strategy.mineFailed")} code={failure ?? ""} onRetry={retry} />}
        {value && value.items.length === 0 && <EmptyState title={t("strategy.doneNone")} why={t("strategy.doneNoneWhy")} />}
        {value && value.items.length > 0 && (
          <ul role="list" aria-label={t("strategy.done")} className={styles.rows}>
            {value.items.map((trade) => (
              <li key={trade.id}>
                <TradeRow trade={trade} />
              </li>
            ))}
          </ul>
        )}
        {value && value.next !== null && (
          <div className={styles.inset}>
            <Button busy={moreState === "loading"} onClick={more}>
              {t("fund.more")}
            </Button>
          </div>
        )}
      </div>
    </Screen>
  );
}

function TradeRow({ trade }: { trade: RunTrade }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  const { side, code, at, lots, wantedLots, leftOut, orderNo } = trade;
  const body = (
    <>
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
    </>
  );
  return orderNo === null ? (
    <div className={styles.row}>{body}</div>
  ) : (
    <Link to={pathTo("/trade/positionDetail", { orderNo })} className={styles.row ?? ""}>
      {body}
    </Link>
  );
}
