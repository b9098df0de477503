/** The member's orders: holdings with live profit, pending orders, today's executions, closed and cancelled orders. */
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { orders } from "#src/streams/orders.ts";
import { usePositions } from "#src/streams/positions.ts";
import type { OrderTab } from "#src/streams/orders.ts";
import { useResource } from "#src/streams/resource.ts";
import { Screen, TitleHeader } from "#src/ui/screen.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import { NO_FILTER } from "./filter.ts";
import type { OrderFilter } from "./filter.ts";
import { FillList } from "./fill-list.tsx";
import { Holdings } from "./holdings.tsx";
import { OrderList } from "./order-list.tsx";

/** `/trade/index`. */
export function Trade() {
  const { t } = useTranslation();
  const [tab, setTab] = useState<OrderTab | "fills">("holding");
  const [filter, setFilter] = useState<OrderFilter>(NO_FILTER);
  const panelId = useId();
  const held = usePositions().value?.length;
  const pending = useResource(orders.pending).value;
  const tabs = [
    { value: "holding" as const, label: t("trade.holding"), ...(held ? { count: held } : {}) },
    {
      value: "pending" as const,
      label: t("trade.pending"),
      ...(pending && pending.items.length > 0 && pending.next === null ? { count: pending.items.length } : {}),
    },
    { value: "fills" as const, label: t("trade.fills") },
    { value: "closed" as const, label: t("trade.closed") },
    { value: "cancelled" as const, label: t("trade.cancelled") },
  ];
  return (
    <Screen
      header={<TitleHeader title={t("trade.title")} />}
      top={
        <>
          <StaleNotice />
          <Tabs label={t("trade.title")} tabs={tabs} value={tab} onChoose={setTab} panelId={panelId} />
        </>
      }
    >
      <div id={panelId} role="tabpanel" aria-label={t(`trade.${tab}`)}>
        {tab === "holding" ? (
          <Holdings filter={filter} onFilter={setFilter} />
        ) : tab === "fills" ? (
          <FillList filter={filter} onFilter={setFilter} />
        ) : (
          <OrderList key={tab} tab={tab} filter={filter} onFilter={setFilter} />
        )}
      </div>
    </Screen>
  );
}
