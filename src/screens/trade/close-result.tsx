/** The result of closing a position: how much was closed at what price, what it realised, and what still waits; updated by order facts. */
import { CircleCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatMoney, formatPrice } from "#contract/kernel/money.ts";
import type { BulkOutcome, Order } from "#contract/order.ts";
import type { Position } from "#contract/position.ts";
import { orderFacts$ } from "#src/streams/facts.ts";
import { Button } from "#src/ui/button.tsx";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { FieldList } from "#src/ui/row.tsx";
import { progressOf } from "#src/screens/ticket/closing.ts";
import type { ClosingPart } from "#src/screens/ticket/closing.ts";
import { useSharesWord } from "#src/screens/quote/position-words.ts";
import styles from "./positions.module.css";

/** The newest state of each order of an instrument that changed since the sheet was opened. */
export function useOrderUpdates(code: string): ReadonlyMap<string, Order> {
  const [latest, setLatest] = useState<ReadonlyMap<string, Order>>(new Map());
  useEffect(() => {
    const watching = orderFacts$.subscribe(({ order }) => {
      if (order.code === code) setLatest((before) => new Map(before).set(order.orderNo, order));
    });
    return () => watching.unsubscribe();
  }, [code]);
  return latest;
}

interface CloseResultProps {
  outcome: BulkOutcome;
  parts: readonly ClosingPart[];
  latest: ReadonlyMap<string, Order>;
  position: Position;
  decimals: number;
  onDone: () => void;
}

export function CloseResult({ outcome, parts, latest, position, decimals, onDone }: CloseResultProps) {
  const { t } = useTranslation();
  const sharesOf = useSharesWord();
  const now = outcome.orders.map((order) => {
    const newer = latest.get(order.orderNo);
    return newer && newer.version > order.version ? newer : order;
  });
  const sent = parts.reduce((sum, { order, lots }) => sum + lots * order.lotShares, 0);
  const { filledShares, averagePrice } = progressOf(parts, now);
  // What the command added to each order since it was sent.
  const added = (amountOf: (order: Order) => number): number =>
    parts.reduce((sum, { order }) => {
      const after = now.find(({ orderNo }) => orderNo === order.orderNo);
      return sum + (after ? amountOf(after) - amountOf(order) : 0);
    }, 0);
  const profitCents = added((order) => order.profitCents);
  const outcomeWord = filledShares === 0 ? "queued" : filledShares < sent ? "partlyFilled" : "filled";
  return (
    <div className={styles.result} role="status">
      <CircleCheck size={40} aria-hidden />
      <h3>{t(`ticket.${outcomeWord}`)}</h3>
      <p>
        {averagePrice === null
          ? t("ticket.queuedWhy")
          : t("trade.closedAt", {
              side: t(`trade.closeSide.${position.direction}`),
              size: sharesOf(position, filledShares),
              price: formatPrice(averagePrice, decimals),
            })}
      </p>
      {filledShares > 0 && (
        <FieldList
          fields={[
            { label: t("ticket.fee"), value: formatMoney(added((order) => order.closeFeeCents)) },
            { label: t("ticket.tax"), value: formatMoney(added((order) => order.closeTaxCents)) },
            {
              label: t("order.realised"),
              value: <Direction trend={trendOf(profitCents)} text={formatMoney(profitCents, "always")} arrow={false} />,
            },
            ...(filledShares < sent ? [{ label: t("order.closing"), value: sharesOf(position, sent - filledShares) }] : []),
          ]}
        />
      )}
      <Button size="large" block tone="primary" onClick={onDone}>
        {t("ticket.done")}
      </Button>
    </div>
  );
}
