/** The condition of a price alert as text. */
import type { TFunction } from "i18next";
import { alertLevel } from "#contract/alert.ts";
import type { Alert } from "#contract/alert.ts";
import { volumeUnit } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";

/** The alert's condition as text: "At or above 1,100.00"; of a stock while the instrument is unknown. */
export function alertCondition(
  alert: Pick<Alert, "kind" | "level">,
  instrument: Pick<Instrument, "decimals" | "kind"> | undefined,
  t: TFunction,
): string {
  const { decimals, kind } = instrument ?? { decimals: 2, kind: "stock" };
  return t(`alert.says.${alert.kind}`, { level: alertLevel(alert, decimals), unit: t(`market.unit.${volumeUnit({ kind })}`) });
}
