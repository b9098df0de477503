/** The life of an order, drawn: what happened, where it stands, what is still ahead. */
import { useTranslation } from "react-i18next";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Order, OrderStatus } from "#contract/order.ts";
import styles from "./trade.module.css";

export interface Stage {
  status: OrderStatus;
  /** When it was reached; null when that is not recorded, or not yet. */
  at: number | null;
  state: "done" | "now" | "ahead";
}

const PATH: readonly OrderStatus[] = ["pending", "holding", "readyToClose", "closed"];

/** The stages of an order in the order they come; a cancelled one has only what it went through. */
export function stagesOf(order: Pick<Order, "status" | "placedAt" | "boughtAt" | "soldAt">): Stage[] {
  if (order.status === "cancelled") {
    return [
      { status: "pending", at: order.placedAt, state: "done" },
      { status: "cancelled", at: null, state: "now" },
    ];
  }
  const reached = PATH.indexOf(order.status);
  const times: Record<string, number | null> = { pending: order.placedAt, holding: order.boughtAt, closed: order.soldAt };
  return PATH.map((status, at) => ({
    status,
    at: at <= reached ? (times[status] ?? null) : null,
    state: at < reached ? "done" : at === reached ? "now" : "ahead",
  }));
}

export function Timeline({ order }: { order: Order }) {
  const { t } = useTranslation();
  const note: Partial<Record<OrderStatus, string>> = {
    pending: t("order.note.pending", { count: order.lots, n: order.lots }),
    ...(order.filledLots > 0 ? { holding: t("order.note.holding", { n: order.filledLots, of: order.lots }) } : {}),
    ...(order.closingLots > 0 ? { readyToClose: t("order.note.readyToClose", { count: order.closingLots, n: order.closingLots }) } : {}),
    ...(order.closedLots > 0 ? { closed: t("order.note.closed", { n: order.closedLots, of: order.filledLots }) } : {}),
  };
  return (
    <ol className={styles.timeline}>
      {stagesOf(order).map(({ status, at, state }) => (
        <li key={status} data-state={state} aria-current={state === "now" ? "step" : undefined}>
          <strong>{t(`status.order.${status}`)}</strong>
          {note[status] && state !== "ahead" && <span>{note[status]}</span>}
          {at !== null && <time dateTime={new Date(at).toISOString()}>{formatDateTime(at)}</time>}
        </li>
      ))}
    </ol>
  );
}
