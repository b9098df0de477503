/** The dock's executions of today. */
import { useTranslation } from "react-i18next";
import { formatMoney, formatPrice } from "#contract/kernel/money.ts";
import { formatTime } from "#contract/kernel/time.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { actOf, actTrend, numbered, useFillKind } from "#src/screens/trade/fill-words.ts";
import type { NumberedFill } from "#src/screens/trade/fill-words.ts";
import { useDecimals } from "#src/screens/trade/order-lines.tsx";
import { useFills } from "#src/streams/fills.ts";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { DockTable } from "./dock-table.tsx";

const NAMES = ["side", "kind", "time", "size", "price", "fee", "realised"] as const;
type Column = (typeof NAMES)[number];
const REM: Record<Column, number> = { side: 4, kind: 4.5, time: 5, size: 4.5, price: 5, fee: 5.5, realised: 6 };

export function FillTable() {
  const { t } = useTranslation();
  const read = useFills();
  const items = numbered(read.value ?? []);
  const units = useUnits();
  const kindOf = useFillKind();
  const lines: Partial<Record<Column, string[]>> = {
    side: items.map((item) => t(`ticket.act.${actOf(item)}`)),
    kind: items.map((item) => kindOf(item) ?? ""),
    size: items.map((fill) => units(fill.lots, fill)),
  };
  return (
    <DockTable
      label={t("workspace.tab.fills")}
      read={read}
      items={items}
      keyOf={({ key }) => key}
      columns={NAMES.map((name) => ({ name, title: t(`workspace.column.${name}`), rem: REM[name], lines: lines[name] }))}
      Cell={FillCell}
      none={t("trade.none.fills")}
    />
  );
}

function FillCell({ item, column }: { item: NumberedFill; column: Column }) {
  const { t } = useTranslation();
  const units = useUnits();
  const decimals = useDecimals();
  const kindOf = useFillKind();
  switch (column) {
    case "side":
      return <Direction trend={actTrend(item)} text={t(`ticket.act.${actOf(item)}`)} arrow={false} />;
    case "kind":
      return kindOf(item) ?? "–";
    case "time":
      return formatTime(item.at);
    case "size":
      return units(item.lots, item);
    case "price":
      return formatPrice(item.price, decimals(item.code));
    case "fee":
      return formatMoney(item.feeCents + item.taxCents);
    default:
      if (item.side === "open") return "–";
      return <Direction trend={trendOf(item.profitCents)} text={formatMoney(item.profitCents, "always")} arrow={false} />;
  }
}
