/** Open day trades: each with its live profit and a key that offsets it, their total, the loss warning, and the square-off time. */
import { useObservableState } from "observable-hooks";
import { Suspense, lazy, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DayTrading } from "#contract/day-trading.ts";
import { formatMoney, formatPercent } from "#contract/kernel/money.ts";
import type { Position } from "#contract/position.ts";
import { SquareOffSentence } from "./square-off-sentence.tsx";
import { daySum$, lostBasisPoints, warns } from "#src/streams/day-trading.ts";
import { usePositions } from "#src/streams/positions.ts";
import { Button } from "#src/ui/button.tsx";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { Section } from "#src/ui/row.tsx";
import { EmptyState, RiskNotice } from "#src/ui/state.tsx";
import { HeldRow } from "./held-row.tsx";
import styles from "./trading.module.css";

const TicketSheet = lazy(() => import("#src/screens/ticket/ticket.tsx").then((module) => ({ default: module.TicketSheet })));

export function DayTrades({ known }: { known: DayTrading }) {
  const { t } = useTranslation();
  const held = (usePositions().value ?? []).filter(({ dayTrade }) => dayTrade);
  const sum = useObservableState(daySum$, null);
  const [offset, setOffset] = useState<Position | null>(null);
  return (
    <Section title={t("dayTrading.open")}>
      <p className={styles.note}>
        <SquareOffSentence />
      </p>
      {sum && warns(sum, known.warningPercent) && (
        <div className={styles.inset} role="alert">
          <RiskNotice>{t("dayTrading.warned", { percent: formatPercent(lostBasisPoints(sum), "never") })}</RiskNotice>
        </div>
      )}
      {held.length === 0 ? (
        <EmptyState
          title={t("dayTrading.none")}
          why={t("dayTrading.noneWhy")}
          action={{ label: t("trade.findStock"), to: "/favorite/index" }}
        />
      ) : (
        <>
          {sum && (
            <p className={styles.sum}>
              <span>{t("trade.profit")}</span>
              <Direction trend={trendOf(sum.profitCents)} text={formatMoney(sum.profitCents, "always")} arrow={false} />
            </p>
          )}
          <ul className={styles.list} role="list" aria-label={t("dayTrading.open")}>
            {held.map((position) => (
              <HeldRow
                key={position.id}
                position={position}
                action={<Button onClick={() => setOffset(position)}>{t(`trade.closeSide.${position.direction}`)}</Button>}
              />
            ))}
          </ul>
          {offset && (
            <Suspense>
              <TicketSheet
                key={offset.id}
                open
                onClose={() => setOffset(null)}
                code={offset.code}
                side={offset.direction === "rise" ? "sell" : "buy"}
                kind="dayTrade"
              />
            </Suspense>
          )}
        </>
      )}
    </Section>
  );
}
