/** Price alerts: kept and judged by the server, fired once. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code, RequestId } from "./kernel/id.ts";
import { Price } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";

/** The lifecycle: waits for its moment, fires once; or is withdrawn. */
export const ALERT_STATUSES = ["waiting", "fired", "withdrawn"] as const;
export const AlertStatus = z.enum(ALERT_STATUSES);
export type AlertStatus = z.infer<typeof AlertStatus>;

/** Things that happen to an alert; the events its machine takes. */
export const ALERT_FACTS = ["alert.fired", "alert.withdrawn"] as const;

/**
 * What an alert waits for: the price at or above a level, at or below one; the day's change at or beyond a percentage, up or
 * down; the day's volume at or above a number of lots.
 */
export const ALERT_KINDS = ["above", "below", "rise", "fall", "volume"] as const;
export const AlertKind = z.enum(ALERT_KINDS);
export type AlertKind = z.infer<typeof AlertKind>;

/** The most alerts a member may have waiting. */
export const MAX_ALERTS = 50;

const Level = z.int("VAL_ALERT_LEVEL").check(z.minimum(1, "VAL_ALERT_LEVEL"), z.maximum(Number.MAX_SAFE_INTEGER, "VAL_ALERT_LEVEL"));

/** What the form sends. `id` is the client's own UUID: the same one never makes two alerts. */
export const SetAlertBody = z.object({ id: RequestId, code: Code, kind: AlertKind, level: Level });

export const Alert = z.object({
  id: RequestId,
  code: Code,
  kind: AlertKind,
  /** A price in ten-thousandths; hundredths of a percent (always positive); or lots. */
  level: z.int(),
  status: AlertStatus,
  setAt: EpochMs,
  /** When it fired, and the price then; null before. */
  firedAt: z.nullable(EpochMs),
  firedPrice: z.nullable(Price),
});
export type Alert = z.infer<typeof Alert>;

const Alerts = z.object({ alerts: z.array(Alert) });

/** What an alert looks at. Prices 0 for none. */
export interface PriceRange {
  last: number;
  reference: number;
  volume: number;
}

/** Whether an alert's moment has come; the same sum for the judge and for the form that warns of a level already reached. */
export function alertDue({ kind, level }: Pick<Alert, "kind" | "level">, { last, reference, volume }: PriceRange): boolean {
  if (kind === "volume") return volume >= level;
  if (last <= 0) return false;
  if (kind === "above") return last >= level;
  if (kind === "below") return last <= level;
  if (reference <= 0) return false;
  const moved = (last - reference) * 10_000;
  return kind === "rise" ? moved >= level * reference : -moved >= level * reference;
}

export const alertEndpoints = {
  listAlerts: endpoint({
    path: "/alerts/list",
    access: "member",
    does: "List the member's alerts: those waiting, then the last that fired, newest first.",
    body: z.object({}),
    data: Alerts,
    refusals: [],
  }),
  setAlert: endpoint({
    path: "/alerts/set",
    access: "member",
    does: "Set an alert; with an id that was set before nothing changes. A level already reached is refused.",
    body: SetAlertBody,
    data: Alerts,
    refusals: ["VAL_STOCK_CODE_REQUIRED", "VAL_ALERT_LEVEL", "GEN_TOO_FREQUENT", "GEN_NOT_FOUND", "GEN_LIST_FULL", "VAL_ALERT_REACHED"],
  }),
  withdrawAlert: endpoint({
    path: "/alerts/withdraw",
    access: "member",
    does: "Withdraw a waiting alert; one that is not waiting stays as it is.",
    body: z.object({ id: RequestId }),
    data: Alerts,
    refusals: ["GEN_TOO_FREQUENT", "GEN_NOT_FOUND"],
  }),
};
