/** Formats order sizes: lots, or shares where one unit is a single share. */
import { useTranslation } from "react-i18next";
import { grouped } from "#contract/kernel/money.ts";

/** `3 lots`, or `120 shares` for odd lots and instruments without lots. */
export function useUnits(): (units: number, lotShares: number) => string {
  const { t } = useTranslation();
  return (units, lotShares) => t(lotShares === 1 ? "order.shares" : "order.lots", { count: units, n: grouped(String(units)) });
}
