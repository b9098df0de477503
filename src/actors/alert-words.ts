/** The condition of a price alert as text. */
import type { TFunction } from "i18next";
import { alertLevel } from "#contract/alert.ts";
import type { Alert } from "#contract/alert.ts";

/** The alert's condition as text: "At or above 1,100.00". */
export function alertCondition(alert: Pick<Alert, "kind" | "level">, decimals: number, t: TFunction): string {
  return t(`alert.says.${alert.kind}`, { level: alertLevel(alert, decimals) });
}
