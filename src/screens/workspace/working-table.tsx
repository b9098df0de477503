/** The dock's working orders, resting closes included, with the keys to amend and cancel them. */
import { useTranslation } from "react-i18next";
import { formatTime } from "#contract/kernel/time.ts";
import type { Order } from "#contract/order.ts";
import { useOrderName } from "#src/screens/trade/order-lines.tsx";
import { useRestingWords, useRestingWordsOf } from "#src/screens/trade/resting-order.ts";
import { orders, positions } from "#src/streams/orders.ts";
import { usePages } from "#src/streams/pages.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { useResource } from "#src/streams/resource.ts";
import { Button } from "#src/ui/button.tsx";
import { Direction } from "#src/ui/direction.tsx";
import { BORDERS, DockTable, RowAction } from "./dock-table.tsx";

const NAMES = ["side", "price", "size", "last", "time", "actions"] as const;
type Column = (typeof NAMES)[number];
const REM: Record<Column, number> = { side: 3.5, price: 6.5, size: 5, last: 5, time: 5, actions: 9.5 };

/** Orders that wait in the market: those that open a position, and those that close one. */
export function useWorking(): readonly Order[] {
  const opening = usePages(orders.pending).value?.items ?? [];
  const closing = (useResource(positions).value ?? []).filter(({ status }) => status === "readyToClose");
  return [...closing, ...opening];
}

export function WorkingTable() {
  const { t } = useTranslation();
  const read = usePages(orders.pending);
  const items = useWorking();
  const wordsOf = useRestingWordsOf();
  const words = items.map(wordsOf);
  const lines: Partial<Record<Column, string[]>> = {
    side: words.map(({ side }) => side),
    price: words.map(({ price }) => price),
    size: words.map(({ size }) => size),
    actions: [`${t("workspace.amend")} ${t("trade.cancel")} ${BORDERS}`],
  };
  const more = read.value !== null && read.value.next !== null && (
    <Button busy={read.moreState === "loading"} onClick={read.more}>
      {t("trade.more")}
    </Button>
  );
  return (
    <DockTable
      label={t("workspace.tab.working")}
      read={read}
      items={items}
      keyOf={({ orderNo }) => orderNo}
      columns={NAMES.map((name) => ({ name, title: t(`workspace.column.${name}`), rem: REM[name], lines: lines[name] }))}
      Cell={WorkingCell}
      none={t("trade.none.pending")}
      after={more}
    />
  );
}

function WorkingCell({ item, column }: { item: Order; column: Column }) {
  const { t } = useTranslation();
  const { side, price, size } = useRestingWords(item);
  const nameOf = useOrderName();
  switch (column) {
    case "side": {
      const buys = (item.direction === "rise") === (item.status === "pending");
      return <Direction trend={buys ? "up" : "down"} text={side} arrow={false} />;
    }
    case "price":
      return price;
    case "size":
      return size;
    case "last":
      return <QuoteCell code={item.code} field="last" />;
    case "time":
      return formatTime(item.placedAt);
    default:
      return (
        <>
          <RowAction label={t("workspace.amend")} about={t("workspace.amendOf", { name: nameOf(item) })} order={item} action="amend" />
          <RowAction label={t("trade.cancel")} about={t("workspace.cancelOf", { name: nameOf(item) })} order={item} action="cancel" />
        </>
      );
  }
}
