/** Formats order sizes: lots, shares where one unit is a single share, or coins. */
import { useTranslation } from "react-i18next";
import { formatUnits, grouped } from "#contract/kernel/money.ts";

/** What one unit of a size is: so many shares, or a fraction of a coin. */
export interface Unit {
  lotShares: number;
  unitsPerWhole?: number | undefined;
}

/** What a field with a size is called. */
export const sizeLabel = ({ lotShares, unitsPerWhole = 1 }: Unit) =>
  unitsPerWhole > 1 ? ("ticket.coins" as const) : lotShares === 1 ? ("ticket.oddShares" as const) : ("ticket.lots" as const);

/** `3 lots`, `120 shares` for odd lots and instruments without lots, `0.0015 coins` of digital currency. */
export function useUnits(): (units: number, unit: Unit) => string {
  const { t } = useTranslation();
  return (units, { lotShares, unitsPerWhole: per = 1 }) =>
    per > 1
      ? t("order.coins", { n: formatUnits(units, per) })
      : t(lotShares === 1 ? "order.shares" : "order.lots", { count: units, n: grouped(String(units)) });
}
