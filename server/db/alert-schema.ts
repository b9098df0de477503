/** Kysely type of the table of price alerts; `migrations/` is authoritative. */
import type { AlertKind, AlertStatus } from "#contract/alert.ts";

export interface AlertTable {
  member_id: number;
  id: string;
  code: string;
  kind: AlertKind;
  level: number;
  status: AlertStatus;
  set_at: number;
  fired_at: number | null;
  fired_price: number | null;
  /** The trading day in whose prices the level is, as `taipeiDay` counts. */
  price_day: number;
}
