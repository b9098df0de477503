/** The result of closing a position: what was filled and at which average, updated by order facts. */
import { CircleCheck } from "lucide-react";
import { useObservableState } from "observable-hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { pathTo } from "#src/paths.ts";
import { formatPrice } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { BulkOutcome, Order } from "#contract/order.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { newestOrders$ } from "#src/streams/orders.ts";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { StepHeading } from "./step-heading.tsx";
import type { TicketModel } from "./use-ticket.ts";
import styles from "./ticket.module.css";

type Part = Pick<Order, "orderNo" | "status" | "closedLots" | "closingCents" | "lotShares">;

/** What one close has filled so far over all the orders it takes from. */
export interface CloseFill {
  filledShares: number;
  /** The average price of the filled shares, rounded to a ten-thousandth; null before the first fill. */
  average: Price | null;
  state: "filled" | "partlyFilled" | "queued" | "unfilled";
}

/** `shares`: how many were to be closed. `before`: the lots each order had closed before. */
export function closeFillOf(orders: readonly Part[], shares: number, before: ReadonlyMap<string, number>): CloseFill {
  const filledShares = orders.reduce(
    (sum, { orderNo, closedLots, lotShares }) => sum + (closedLots - (before.get(orderNo) ?? 0)) * lotShares,
    0,
  );
  const filledCents = orders.reduce((sum, { closingCents }) => sum + closingCents, 0);
  const average = filledShares > 0 ? (Math.round((filledCents * 100) / filledShares) as Price) : null;
  const rests = orders.some(({ status }) => status === "readyToClose");
  if (filledShares >= shares) return { filledShares, average, state: "filled" };
  if (filledShares > 0) return { filledShares, average, state: "partlyFilled" };
  return { filledShares, average, state: rests ? "queued" : "unfilled" };
}

export function CloseResult({ model, closed, onClose }: { model: TicketModel; closed: BulkOutcome; onClose?: (() => void) | undefined }) {
  const { t } = useTranslation();
  const units = useUnits();
  const [newest$] = useState(() => newestOrders$(closed.orders));
  const orders = useObservableState(newest$, closed.orders);
  const shares = model.closing?.shares ?? 0;
  const { filledShares, average, state } = closeFillOf(orders, shares, model.closedBefore);
  const [first] = orders;
  const each = first?.lotShares ?? 1;
  return (
    <div className={styles.outcome} role="status">
      <CircleCheck size={40} aria-hidden />
      <StepHeading>{t(`ticket.${state}`)}</StepHeading>
      <p>
        {average === null
          ? t(state === "queued" ? "ticket.queuedWhy" : "ticket.unfilledWhy")
          : t("ticket.filledAt", {
              n: filledShares / each,
              of: units(shares / each, each),
              price: formatPrice(average, model.ladder.decimals),
            })}
      </p>
      <div className={styles.answers}>
        {first && <ButtonLink to={pathTo("/trade/positionDetail", { orderNo: first.orderNo })}>{t("ticket.viewOrder")}</ButtonLink>}
        <Button
          tone="primary"
          onClick={() => {
            model.again();
            onClose?.();
          }}
        >
          {t("ticket.done")}
        </Button>
      </div>
    </div>
  );
}
