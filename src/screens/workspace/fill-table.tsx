/** The dock's executions of today. */
import { useTranslation } from "react-i18next";
import type { OrderFill } from "#contract/fill.ts";
import { formatMoney, formatPrice } from "#contract/kernel/money.ts";
import { formatTime } from "#contract/kernel/time.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { useDecimals } from "#src/screens/trade/order-lines.tsx";
import { useFills } from "#src/streams/fills.ts";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { DockTable } from "./dock-table.tsx";

const NAMES = ["side", "time", "size", "price", "fee", "realised"] as const;
type Column = (typeof NAMES)[number];
const REM: Record<Column, number> = { side: 4, time: 5, size: 4.5, price: 5, fee: 5.5, realised: 6 };

interface NumberedFill extends OrderFill {
  /** Two executions may be alike in everything. */
  key: string;
}

export function FillTable() {
  const { t } = useTranslation();
  const read = useFills();
  const items = (read.value ?? []).map((fill, at, all): NumberedFill => ({ ...fill, key: `${fill.orderNo} ${all.length - at}` }));
  return (
    <DockTable
      label={t("workspace.tab.fills")}
      read={read}
      items={items}
      keyOf={({ key }) => key}
      columns={NAMES.map((name) => ({ name, title: t(`workspace.column.${name}`), rem: REM[name] }))}
      Cell={FillCell}
      none={t("workspace.noFills")}
    />
  );
}

/** What the member did: a long position is bought and sold, a short one sold short and covered. */
export function actOf({ direction, side }: Pick<NumberedFill, "direction" | "side">): "buy" | "sell" | "short" | "cover" {
  if (direction === "rise") return side === "open" ? "buy" : "sell";
  return side === "open" ? "short" : "cover";
}

function FillCell({ item, column }: { item: NumberedFill; column: Column }) {
  const { t } = useTranslation();
  const units = useUnits();
  const decimals = useDecimals();
  switch (column) {
    case "side": {
      const act = actOf(item);
      return <Direction trend={act === "buy" || act === "cover" ? "up" : "down"} text={t(`ticket.act.${act}`)} arrow={false} />;
    }
    case "time":
      return formatTime(item.at);
    case "size":
      return units(item.lots, item.lotShares);
    case "price":
      return formatPrice(item.price, decimals(item.code));
    case "fee":
      return formatMoney(item.feeCents + item.taxCents);
    default:
      if (item.side === "open") return "–";
      return <Direction trend={trendOf(item.profitCents)} text={formatMoney(item.profitCents, "always")} arrow={false} />;
  }
}
