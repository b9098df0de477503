/** The badges of the tabs: orders that changed since the trade tab was last open, and unread messages on the account tab. */
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "#src/ui/badge.tsx";
import { useMember } from "#src/streams/member.ts";
import { forgetChanged, useChangedOrders } from "#src/streams/order-changes.ts";

export function TabBadge({ tab, current }: { tab: "trade" | "account"; current: boolean }) {
  return tab === "trade" ? <TradeBadge current={current} /> : <AccountBadge />;
}

function TradeBadge({ current }: { current: boolean }) {
  const { t } = useTranslation();
  const count = useChangedOrders();
  useEffect(() => {
    if (current && count > 0) forgetChanged();
  }, [current, count]);
  if (current || count === 0) return null;
  return <Badge count={count} label={t("trade.ordersChanged", { count })} />;
}

function AccountBadge() {
  const { t } = useTranslation();
  const count = useMember().value?.unread ?? 0;
  return count === 0 ? null : <Badge count={count} label={t("ui.unread", { n: count })} />;
}
