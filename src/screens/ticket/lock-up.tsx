/** The lock-up period of a position: a countdown with the reason, and the orders that are past theirs. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Lock } from "lucide-react";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, formatDateTime } from "#contract/kernel/time.ts";
import type { Order } from "#contract/order.ts";
import { useTimePast } from "#src/streams/moment.ts";
import { freeOrders } from "./closing.ts";
import styles from "./ticket.module.css";

const two = (n: number): string => String(n).padStart(2, "0");

/** The remaining time as `0:45` or `1:02:03`. */
export function countdown(leftMs: number): string {
  const left = Math.max(0, Math.ceil(leftMs / SECOND_MS) * SECOND_MS);
  const hours = Math.floor(left / HOUR_MS);
  const minutes = Math.floor((left % HOUR_MS) / MINUTE_MS);
  const seconds = two((left % MINUTE_MS) / SECOND_MS);
  return hours > 0 ? `${hours}:${two(minutes)}:${seconds}` : `${minutes}:${seconds}`;
}

/** Milliseconds until the lock-up ends, updated every second; 0 after that. */
export function useLockUpLeft(lockedUntil: number | null): number {
  const [now, setNow] = useState(() => Date.now());
  const left = lockedUntil === null ? 0 : Math.max(0, lockedUntil - now);
  useEffect(() => {
    if (left === 0) return;
    const timer = window.setTimeout(() => setNow(Date.now()), left % SECOND_MS || SECOND_MS);
    return () => window.clearTimeout(timer);
  }, [left]);
  return left;
}

/** The orders that can be closed now, and when the next lock-up of the others ends; null without one. */
export function useFreeOrders(orders: readonly Order[]): { free: readonly Order[]; lockedUntil: Order["lockedUntil"] } {
  const locks = orders.flatMap(({ status, lockedUntil }) => (status === "holding" && lockedUntil !== null ? [lockedUntil] : []));
  const now = useTimePast(locks);
  const [lockedUntil = null] = locks.filter((until) => until > now).toSorted((x, y) => x - y);
  return { free: freeOrders(orders, now), lockedUntil };
}

/** The lock-up notice of a position; empty after it ends. */
export function LockUpNotice({ order }: { order: Pick<Order, "lockedUntil" | "direction"> }) {
  const { t } = useTranslation();
  const left = useLockUpLeft(order.lockedUntil);
  if (left === 0 || order.lockedUntil === null) return null;
  return (
    <p className={styles.lock} role="timer">
      <Lock size={16} aria-hidden />
      {left >= DAY_MS
        ? t(`trade.lockedUntil.${order.direction}`, { time: formatDateTime(order.lockedUntil) })
        : t(`trade.lockedFor.${order.direction}`, { left: countdown(left) })}
    </p>
  );
}
