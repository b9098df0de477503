/** How a position on margin stands at its start, and the prices at which it would be called and closed: the ticket's and the review's lines. */
import { useTranslation } from "react-i18next";
import { formatPercent, formatPrice } from "#contract/kernel/money.ts";
import type { Field } from "#src/ui/row.tsx";
import type { TicketModel } from "./use-ticket.ts";

/** The lines of a ticket, none where nothing of the kind is opened; `about` stands before prices that are not certain yet. */
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

/** What becomes of it below those lines, in a sentence. */
export function MaintenanceWhy({ model: { maintenance, marginRule } }: { model: Pick<TicketModel, "maintenance" | "marginRule"> }) {
  const { t } = useTranslation();
  if (!maintenance || !marginRule) return null;
  return <>{t("ticket.maintenance.why", { call: marginRule.callPercent, liquidation: marginRule.liquidationPercent })}</>;
}
