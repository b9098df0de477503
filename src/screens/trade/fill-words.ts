/** The words for an execution: what the member did, and with what kind of trade. */
import { useTranslation } from "react-i18next";
import type { OrderFill } from "#contract/fill.ts";
import { isCoin } from "#contract/order.ts";
import type { Trend } from "#src/ui/direction.tsx";

type Act = "buy" | "sell" | "short" | "cover";

/** What the member did: a long position is bought and sold, a short one sold short and covered. */
export function actOf({ direction, side }: Pick<OrderFill, "direction" | "side">): Act {
  if (direction === "rise") return side === "open" ? "buy" : "sell";
  return side === "open" ? "short" : "cover";
}

/** Buying and covering are in the colour of a rise. */
export function actTrend(fill: Pick<OrderFill, "direction" | "side">): Trend {
  const act = actOf(fill);
  return act === "buy" || act === "cover" ? "up" : "down";
}

/** `Cash`, `Margin`, `Day trade`, `Spot` for a coin: what a broker writes beside the side; null for a short that is fully paid, whose side says it all. */
export function useFillKind(): (fill: Pick<OrderFill, "direction" | "funding" | "dayTrade" | "unitsPerWhole">) => string | null {
  const { t } = useTranslation();
  return ({ direction, funding, dayTrade, unitsPerWhole }) => {
    if (isCoin({ unitsPerWhole })) return t("position.coin");
    if (dayTrade) return t("ticket.kind.dayTrade");
    if (funding === "leverage") return t("trade.funding.leverage");
    if (direction === "fall") return funding === "margin" ? t("position.fall.margin") : null;
    return t(`ticket.kind.${funding}`);
  };
}

/** An execution with a key of its own. */
export interface NumberedFill extends OrderFill {
  key: string;
}

/** Two executions may be alike in everything: they are numbered from the oldest. @param fills newest first */
export function numbered(fills: readonly OrderFill[]): NumberedFill[] {
  return fills.map((fill, at) => ({ ...fill, key: `${fill.orderNo} ${fills.length - at}` }));
}
