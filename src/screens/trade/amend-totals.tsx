/** The money of an amendment: what the order holds or brings now, what it will after the change, and the difference. */
import { useTranslation } from "react-i18next";
import { formatMoney } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { limitOf, lotsOf } from "#src/screens/ticket/draft.ts";
import { FieldList } from "#src/ui/row.tsx";
import { amendFigures } from "./amend-figures.ts";
import { restingOf } from "./resting-order.ts";
import type { AmendModel } from "./use-amend.ts";

export function AmendTotals({
  order,
  model: { draft, ladder, view },
}: {
  order: Order;
  model: Pick<AmendModel, "draft" | "ladder" | "view">;
}) {
  const { t } = useTranslation();
  const typed = limitOf(draft);
  // An order at market may stay without a limit; another empty price is not known yet.
  const known = typed !== null || (draft.priceText === "" && restingOf(order).price === null);
  const amended = { lots: lotsOf(draft, order.unitsPerWhole) ?? 0, price: typed };
  const market = { kind: ladder.kind, limits: view?.limits ?? null, last: view?.quote.last ?? 0, ask: view?.quote.ask ?? 0 };
  const figures = amendFigures(order, amended, market);
  const after = known && amended.lots > 0 ? figures.after : null;
  const { before } = figures;
  return (
    <FieldList
      fields={[
        { label: t(order.status === "readyToClose" ? "trade.proceeds" : "order.heldMoney"), value: money(before) },
        { label: t("trade.afterAmend"), value: <strong>{money(after)}</strong> },
        { label: t("trade.difference"), value: before === null || after === null ? "--" : formatMoney(after - before, "always") },
      ]}
    />
  );
}

const money = (amount: number | null): string => (amount === null ? "--" : formatMoney(amount));
