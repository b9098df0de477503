/** The dock's positions by instrument, side and funding, with live profit and the keys to close them. */
import { useContext } from "react";
import { useTranslation } from "react-i18next";
import { formatPrice } from "#contract/kernel/money.ts";
import type { Position } from "#contract/position.ts";
import { usePositionKind, useSharesWord } from "#src/screens/quote/position-words.ts";
import { useDecimals, useOrderName } from "#src/screens/trade/order-lines.tsx";
import { usePositions } from "#src/streams/positions.ts";
import { ProfitCell } from "#src/streams/profit-cell.tsx";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { Direction } from "#src/ui/direction.tsx";
import { BORDERS, ClosePosition, DockTable, RowButton, RunAction } from "./dock-table.tsx";

const NAMES = ["kind", "size", "average", "last", "profit", "rate", "actions"] as const;
type Column = (typeof NAMES)[number];
const REM: Record<Column, number> = { kind: 3.5, size: 4, average: 5, last: 5, profit: 6, rate: 4.75, actions: 9.5 };

export function PositionTable() {
  const { t } = useTranslation();
  const read = usePositions();
  const items = read.value ?? [];
  const kindOf = usePositionKind();
  const sharesOf = useSharesWord();
  const act = (item: Position): string => t(`trade.closeSide.${item.direction}`);
  const lines: Partial<Record<Column, string[]>> = {
    kind: items.map(kindOf),
    size: items.map((item) => sharesOf(item, item.shares)),
    actions: items.map((item) => `${act(item)} ${t("trade.moreActions")} ${BORDERS}`),
  };
  return (
    <DockTable
      label={t("workspace.tab.positions")}
      read={read}
      items={items}
      keyOf={({ id }) => id}
      columns={NAMES.map((name) => ({ name, title: t(`workspace.column.${name}`), rem: REM[name], lines: lines[name] }))}
      Cell={PositionCell}
      none={t("trade.noneHeld")}
    />
  );
}

function PositionCell({ item, column }: { item: Position; column: Column }) {
  const { t } = useTranslation();
  const close = useContext(ClosePosition);
  const run = useContext(RunAction);
  const kindOf = usePositionKind();
  const sharesOf = useSharesWord();
  const decimals = useDecimals();
  const name = useOrderName()(item);
  const act = t(`trade.closeSide.${item.direction}`);
  switch (column) {
    case "kind":
      return <Direction trend={item.direction === "rise" ? "up" : "down"} text={kindOf(item)} arrow={false} />;
    case "size":
      return sharesOf(item, item.shares);
    case "average":
      return formatPrice(item.averagePrice, decimals(item.code));
    case "last":
      return <QuoteCell code={item.code} field="last" />;
    case "profit":
      return <ProfitCell positionId={item.id} field="profit" />;
    case "rate":
      return <ProfitCell positionId={item.id} field="returnRate" />;
    default:
      return (
        <>
          {item.closableShares > 0 && <RowButton label={act} about={`${act} ${name}`} onPress={() => close(item)} />}
          <RowButton
            label={t("trade.moreActions")}
            about={t("trade.menu", { name })}
            onPress={() => run({ action: "positionMenu", position: item })}
          />
        </>
      );
  }
}
