/** The maintenance ratio and the margin call and liquidation prices of a position on margin, for the ticket and the review. */
import { useTranslation } from "react-i18next";
import { formatPercent, formatPrice } from "#contract/kernel/money.ts";
import type { Field } from "#src/ui/row.tsx";
import type { TicketModel } from "./use-ticket.ts";

/** The fields of a ticket, empty for positions not on margin; `about` prefixes prices that are estimates. */
export function useMaintenanceFields({ maintenance, ladder }: Pick<TicketModel, "maintenance" | "ladder">): (about: string) => Field[] {
  const { t } = useTranslation();
  return (about) => {
    if (!maintenance) return [];
    const { ratioBasisPoints: ratio, callAt, liquidationAt } = maintenance;
    return [
      { label: t("ticket.maintenance.ratio"), value: ratio === null ? "--" : formatPercent(ratio, "never") },
      { label: t("ticket.maintenance.call"), value: `${about}${formatPrice(callAt, ladder.decimals)}` },
      { label: t("ticket.maintenance.liquidation"), value: <strong>{`${about}${formatPrice(liquidationAt, ladder.decimals)}`}</strong> },
    ];
  };
}

/** Explains what happens below those prices, in one sentence. */
export function MaintenanceWhy({ model: { maintenance, marginRule } }: { model: Pick<TicketModel, "maintenance" | "marginRule"> }) {
  const { t } = useTranslation();
  if (!maintenance || !marginRule) return null;
  return <>{t("ticket.maintenance.why", { call: marginRule.callPercent, liquidation: marginRule.liquidationPercent })}</>;
}
