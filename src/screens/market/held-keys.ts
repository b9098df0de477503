/** The words on the buy and sell keys of an instrument that is held: more of a long, cover a short, or short more. */
import { useTranslation } from "react-i18next";
import type { Position } from "#contract/position.ts";
import { SIDES } from "#src/screens/ticket/intent.ts";
import type { Side, TradeKind } from "#src/screens/ticket/intent.ts";
import { usePositionsOf } from "#src/streams/positions.ts";

/** What a key does, where it is not simply to buy or to sell. */
export type HeldAct = "buyMore" | "cover" | "shortMore";

/** With long and short positions side by side the keys keep their plain words. */
export function heldActs(held: readonly Pick<Position, "direction">[]): Partial<Record<Side, HeldAct>> {
  const long = held.some(({ direction }) => direction === "rise");
  const short = held.some(({ direction }) => direction === "fall");
  if (long === short) return {};
  return long ? { buy: "buyMore" } : { buy: "cover", sell: "shortMore" };
}

/** The kind that a key's ticket starts with: to short more is to choose the kind of the short; otherwise what is held decides. */
export function heldKind(held: readonly Pick<Position, "direction" | "dayTrade">[], side: Side): TradeKind | undefined {
  if (heldActs(held)[side] !== "shortMore") return undefined;
  return held.every(({ dayTrade }) => dayTrade) ? "dayTrade" : "short";
}

/** The labels that replace the usual words of the keys, and the kind each key starts with. */
export function useHeldKeys(code: string): { labels: Partial<Record<Side, string>>; kindOf: (side: Side) => TradeKind | undefined } {
  const { t } = useTranslation();
  const held = usePositionsOf(code);
  const acts = heldActs(held);
  const labels = Object.fromEntries(
    SIDES.flatMap((side) => {
      const act = acts[side];
      return act ? [[side, act === "cover" ? t("ticket.act.cover") : t(`market.held.${act}`)]] : [];
    }),
  );
  return { labels, kindOf: (side) => heldKind(held, side) };
}
