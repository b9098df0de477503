/** The dock's positions, with live profit and the keys to close them. */
import { useTranslation } from "react-i18next";
import { formatPrice } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { DirectionWord, openLots, useDecimals, useOrderName } from "#src/screens/trade/order-lines.tsx";
import { positions } from "#src/streams/orders.ts";
import { ProfitCell } from "#src/streams/profit-cell.tsx";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { useResource } from "#src/streams/resource.ts";
import { DockTable, RowAction } from "./dock-table.tsx";

const NAMES = ["side", "size", "average", "last", "profit", "rate", "actions"] as const;
type Column = (typeof NAMES)[number];
const REM: Record<Column, number> = { side: 4, size: 5, average: 5.5, last: 5.5, profit: 7, rate: 5, actions: 9 };

export function PositionTable() {
  const { t } = useTranslation();
  const read = useResource(positions);
  return (
    <DockTable
      label={t("desk.tab.positions")}
      read={read}
      items={read.value ?? []}
      keyOf={({ orderNo }) => orderNo}
      columns={NAMES.map((name) => ({ name, title: t(`desk.column.${name}`), rem: REM[name] }))}
      Cell={PositionCell}
      none={t("trade.noneHeld")}
    />
  );
}

function PositionCell({ item, column }: { item: Order; column: Column }) {
  const { t } = useTranslation();
  const units = useUnits();
  const decimals = useDecimals();
  const nameOf = useOrderName();
  const { orderNo, code, status } = item;
  switch (column) {
    case "side":
      return <DirectionWord order={item} />;
    case "size":
      return units(openLots(item), item.lotShares);
    case "average":
      return formatPrice(item.openAverage, decimals(code));
    case "last":
      return <QuoteCell code={code} field="last" />;
    case "profit":
      return <ProfitCell orderNo={orderNo} field="profit" />;
    case "rate":
      return <ProfitCell orderNo={orderNo} field="returnRate" />;
    default: {
      const action = status === "readyToClose" ? "cancel" : "close";
      return (
        <>
          <RowAction label={t(`trade.${action}`)} about={t(`desk.${action}Of`, { name: nameOf(item) })} order={item} action={action} />
          <RowAction label={t("trade.moreActions")} about={t("trade.menu", { name: nameOf(item) })} order={item} action="menu" />
        </>
      );
    }
  }
}
