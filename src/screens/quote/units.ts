/** How much of an instrument an order is about, in words: lots where a unit is a lot, shares where it is a single one. */
import { useTranslation } from "react-i18next";
import { grouped } from "#contract/kernel/money.ts";

/** `3 lots`, or `120 shares` where single shares are counted. */
export function useUnits(): (units: number, lotShares: number) => string {
  const { t } = useTranslation();
  return (units, lotShares) => t(lotShares === 1 ? "order.shares" : "order.lots", { count: units, n: grouped(String(units)) });
}
