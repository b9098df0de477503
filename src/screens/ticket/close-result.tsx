/** The result of a close, from whichever form: how much was filled at what price, what it realised, and what still waits. */
import { CircleCheck } from "lucide-react";
import { useObservableState } from "observable-hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { pathTo } from "#src/paths.ts";
import { formatMoney, formatPrice } from "#contract/kernel/money.ts";
import { formatMinute } from "#contract/kernel/time.ts";
import type { BulkOutcome, Direction } from "#contract/order.ts";
import { useSharesWord } from "#src/screens/quote/position-words.ts";
import { newestOrders$ } from "#src/streams/orders.ts";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { Direction as Trend, trendOf } from "#src/ui/direction.tsx";
import { FieldList } from "#src/ui/row.tsx";
import { progressOf } from "./closing.ts";
import type { CloseProgress, ClosingPart } from "./closing.ts";
import { closingAct } from "./intent.ts";
import { StepHeading } from "./step-heading.tsx";
import styles from "./ticket.module.css";

interface CloseResultProps {
  closed: BulkOutcome;
  sent: readonly ClosingPart[];
  decimals: number;
  onDone: () => void;
}

export function CloseResult({ closed, sent, decimals, onDone }: CloseResultProps) {
  const { t } = useTranslation();
  const sharesOf = useSharesWord();
  const [newest$] = useState(() => newestOrders$(closed.orders));
  const newest = useObservableState(newest$, closed.orders);
  const progress = progressOf(sent, newest);
  const { averagePrice, filledShares, state } = progress;
  const [first] = closed.orders;
  const reservedFor = newest.find((order) => order.reservedFor !== undefined)?.reservedFor;
  return (
    <div className={styles.outcome} role="status">
      <CircleCheck size={40} aria-hidden />
      <StepHeading>{t(`ticket.${reservedFor === undefined ? state : "reserved"}`)}</StepHeading>
      {state === "queued" && first && first.closePrice !== null && (
        <p>
          {t("ticket.queuedAt", {
            side: t(`ticket.act.${closingAct(first)}`),
            size: sharesOf(first, progress.restingShares),
            price: formatPrice(first.closePrice, decimals),
          })}
        </p>
      )}
      <p>
        {averagePrice === null || !first
          ? reservedFor === undefined
            ? t(state === "queued" ? "ticket.queuedWhy" : "ticket.notClosedWhy")
            : t("ticket.reservedUntil", { time: formatMinute(reservedFor) })
          : t("trade.closedAt", {
              side: t(`ticket.act.${closingAct(first)}`),
              size: sharesOf(first, filledShares),
              price: formatPrice(averagePrice, decimals),
            })}
      </p>
      {filledShares > 0 && first && (
        <Realised progress={progress} direction={first.direction} resting={sharesOf(first, progress.restingShares)} />
      )}
      <div className={styles.answers}>
        {first && <ButtonLink to={pathTo("/trade/positionDetail", { orderNo: first.orderNo })}>{t("ticket.viewOrder")}</ButtonLink>}
        <Button tone="primary" onClick={onDone}>
          {t("ticket.done")}
        </Button>
      </div>
    </div>
  );
}

function Realised({ progress, direction, resting }: { progress: CloseProgress; direction: Direction; resting: string }) {
  const { t } = useTranslation();
  const { feeCents, taxCents, profitCents, restingShares } = progress;
  return (
    <FieldList
      fields={[
        { label: t("ticket.fee"), value: formatMoney(feeCents) },
        { label: t("ticket.tax"), value: formatMoney(taxCents) },
        {
          label: t("order.realised"),
          value: <Trend trend={trendOf(profitCents)} text={formatMoney(profitCents, "always")} arrow={false} />,
        },
        ...(restingShares > 0 ? [{ label: t(`order.closing.${direction}`), value: resting }] : []),
      ]}
    />
  );
}
