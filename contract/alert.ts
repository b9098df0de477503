/** Price alerts: stored and evaluated by the server; each fires at most once. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code, RequestId } from "./kernel/id.ts";
import { formatPercent, formatPrice, grouped, Price } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";

/** The lifecycle: an alert waits, then either fires once or is withdrawn. */
export const ALERT_STATUSES = ["waiting", "fired", "withdrawn"] as const;
export const AlertStatus = z.enum(ALERT_STATUSES);
export type AlertStatus = z.infer<typeof AlertStatus>;

/** What can happen to an alert: the events its machine accepts. */
export const ALERT_FACTS = ["alert.fired", "alert.withdrawn"] as const;

/**
 * What triggers an alert. `above`/`below`: the price at or above/below a level. `rise`/`fall`: the day's change at or beyond a
 * percentage, up/down. `volume`: the day's volume at or above a number of lots.
 */
export const ALERT_KINDS = ["above", "below", "rise", "fall", "volume"] as const;
export const AlertKind = z.enum(ALERT_KINDS);
export type AlertKind = z.infer<typeof AlertKind>;

/** Maximum number of waiting alerts per member. */
export const MAX_ALERTS = 50;

const Level = z.int("VAL_ALERT_LEVEL").check(z.minimum(1, "VAL_ALERT_LEVEL"), z.maximum(Number.MAX_SAFE_INTEGER, "VAL_ALERT_LEVEL"));

/** What the form sends. `id` is a UUID made by the client: sending the same one again never creates a second alert. */
export const SetAlertBody = z.object({ id: RequestId, code: Code, kind: AlertKind, level: Level });

export const Alert = z.object({
  id: RequestId,
  code: Code,
  kind: AlertKind,
  /** By kind: a price in ten-thousandths, hundredths of a percent (always positive), or lots. */
  level: z.int(),
  status: AlertStatus,
  setAt: EpochMs,
  /** When it fired and the price at that moment; null until then. */
  firedAt: z.nullable(EpochMs),
  firedPrice: z.nullable(Price),
});
export type Alert = z.infer<typeof Alert>;

const Alerts = z.object({ alerts: z.array(Alert) });

/** The market data an alert is evaluated against. A price of 0 means none. */
export interface PriceRange {
  last: number;
  reference: number;
  volume: number;
}

/** Tells whether an alert's condition is met. Shared by the server, which fires alerts, and the form, which warns that a level is already reached. */
export function alertDue({ kind, level }: Pick<Alert, "kind" | "level">, { last, reference, volume }: PriceRange): boolean {
  if (kind === "volume") return volume >= level;
  if (last <= 0) return false;
  if (kind === "above") return last >= level;
  if (kind === "below") return last <= level;
  if (reference <= 0) return false;
  const change = (last - reference) * 10_000;
  return kind === "rise" ? change >= level * reference : -change >= level * reference;
}

/** The alert's level formatted by its kind: a price, a percentage or a number of lots. */
export function alertLevel({ kind, level }: Pick<Alert, "kind" | "level">, decimals: number): string {
  if (kind === "volume") return grouped(String(level));
  return kind === "rise" || kind === "fall" ? formatPercent(level, "never") : formatPrice(level, decimals);
}

export const alertEndpoints = {
  listAlerts: endpoint({
    path: "/alerts/list",
    access: "member",
    does: "List the member's alerts: waiting ones first, then the most recently fired, newest first.",
    body: z.object({}),
    data: Alerts,
    refusals: [],
  }),
  setAlert: endpoint({
    path: "/alerts/set",
    access: "member",
    does: "Set an alert. Repeating an id changes nothing. A level already reached is refused.",
    body: SetAlertBody,
    data: Alerts,
    refusals: ["VAL_STOCK_CODE_REQUIRED", "VAL_ALERT_LEVEL", "GEN_TOO_FREQUENT", "GEN_NOT_FOUND", "GEN_LIST_FULL", "VAL_ALERT_REACHED"],
  }),
  withdrawAlert: endpoint({
    path: "/alerts/withdraw",
    access: "member",
    does: "Withdraw a waiting alert; an alert in any other status is left unchanged.",
    body: z.object({ id: RequestId }),
    data: Alerts,
    refusals: ["GEN_TOO_FREQUENT", "GEN_NOT_FOUND"],
  }),
};
