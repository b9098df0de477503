/** The texts of a price alert, before and after it fires; shared by inbox, screens and device notifications. */
import type { TFunction } from "i18next";
import type { Alert } from "#contract/alert.ts";
import { nameIn, volumeUnit } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import { formatPercent, formatPrice, grouped } from "#contract/kernel/money.ts";

/** The alert's level formatted by its kind: a price, a percentage or a number of lots. */
export function alertLevel({ kind, level }: Pick<Alert, "kind" | "level">, decimals: number): string {
  if (kind === "volume") return grouped(String(level));
  return kind === "rise" || kind === "fall" ? formatPercent(level, "never") : formatPrice(level, decimals);
}

/** The alert's condition as text: "At or above 1,100.00"; of a stock while the instrument is unknown. */
export function alertCondition(
  alert: Pick<Alert, "kind" | "level">,
  instrument: Pick<Instrument, "decimals" | "kind"> | undefined,
  t: TFunction,
): string {
  const { decimals, kind } = instrument ?? { decimals: 2, kind: "stock" };
  return t(`alert.says.${alert.kind}`, { level: alertLevel(alert, decimals), unit: t(`market.unit.${volumeUnit({ kind })}`) });
}

/** Title and text of a fired alert: the instrument, the price it fired at and its condition. */
export function alertFiredWords(
  alert: Alert,
  instrument: Instrument | undefined,
  language: string,
  t: TFunction,
): { title: string; text: string } {
  const decimals = instrument?.decimals ?? 2;
  const name = instrument ? nameIn(language, instrument) : alert.code;
  return {
    title: t("alert.fired", { name, price: formatPrice(alert.firedPrice, decimals) }),
    text: alertCondition(alert, instrument, t),
  };
}
