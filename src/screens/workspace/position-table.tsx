/** The dock's positions by instrument, side and funding, with live profit and the keys to close them. */
import { useTranslation } from "react-i18next";
import { formatPrice } from "#contract/kernel/money.ts";
import type { Position } from "#contract/position.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { DirectionWord, useDecimals, useOrderName } from "#src/screens/trade/order-lines.tsx";
import { usePositions } from "#src/streams/positions.ts";
import { ProfitCell } from "#src/streams/profit-cell.tsx";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { DockTable, RowAction } from "./dock-table.tsx";

const NAMES = ["side", "size", "average", "last", "profit", "rate", "actions"] as const;
type Column = (typeof NAMES)[number];
const REM: Record<Column, number> = { side: 3.5, size: 4, average: 5, last: 5, profit: 6, rate: 4.75, actions: 8 };

export function PositionTable() {
  const { t } = useTranslation();
  const read = usePositions();
  return (
    <DockTable
      label={t("workspace.tab.positions")}
      read={read}
      items={read.value ?? []}
      keyOf={({ id }) => id}
      columns={NAMES.map((name) => ({ name, title: t(`workspace.column.${name}`), rem: REM[name] }))}
      Cell={PositionCell}
      none={t("trade.noneHeld")}
    />
  );
}

/** Lots, or single shares where some are less than a lot. */
function useShares(): (position: Position) => string {
  const units = useUnits();
  return ({ shares, orders }) => {
    const lot = Math.max(...orders.map(({ lotShares }) => lotShares));
    return shares % lot === 0 ? units(shares / lot, lot) : units(shares, 1);
  };
}

function PositionCell({ item, column }: { item: Position; column: Column }) {
  const { t } = useTranslation();
  const shares = useShares();
  const decimals = useDecimals();
  const name = useOrderName()(item);
  const [order] = item.orders;
  switch (column) {
    case "side":
      return <DirectionWord order={item} />;
    case "size":
      return shares(item);
    case "average":
      return formatPrice(item.averagePrice, decimals(item.code));
    case "last":
      return <QuoteCell code={item.code} field="last" />;
    case "profit":
      return <ProfitCell positionId={item.id} field="profit" />;
    case "rate":
      return <ProfitCell positionId={item.id} field="returnRate" />;
    default:
      if (!order) return null;
      return (
        <>
          {item.closableShares > 0 && (
            <RowAction label={t("trade.close")} about={t("workspace.closeOf", { name })} order={order} action="close" />
          )}
          <RowAction label={t("trade.moreActions")} about={t("trade.menu", { name })} order={order} action="menu" />
        </>
      );
  }
}
