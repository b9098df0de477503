/** Whether an instrument can be bought now, and if not, why; said before the form, not after it. */
import { useTranslation } from "react-i18next";
import type { Instrument, VenueState } from "#contract/instrument.ts";
import type { Direction } from "#contract/order.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { useConnection } from "#src/streams/connection.ts";
import { useVenue } from "#src/streams/instruments.ts";

/** What stands in the way. */
export type OrderBlock = "notTradable" | "notShortable" | "closed" | "halted" | "notLive";

/** The first thing in the way of an order, or null. */
export function orderBlockOf(
  instrument: Pick<Instrument, "tradable" | "shortable">,
  direction: Direction,
  phase: VenueState["phase"] | null,
  live: boolean,
): OrderBlock | null {
  if (!instrument.tradable) return "notTradable";
  if (direction === "fall" && !instrument.shortable) return "notShortable";
  if (phase === "halted") return "halted";
  // Before the open and at the close orders gather for a call, and after hours they trade at the day's close.
  if (phase === "closed") return "closed";
  return live && phase !== null ? null : "notLive";
}

/** The reason in words for a direction, or null when nothing is in the way. */
export function useOrderBlock(instrument: Instrument): (direction: Direction) => string | null {
  const { t } = useTranslation();
  const venue = useVenue();
  const { tradable } = useConnection();
  return (direction) => {
    const hindrance = orderBlockOf(instrument, direction, venue?.phase ?? null, tradable);
    if (hindrance === null) return null;
    const opens = venue?.phaseEndsAt;
    if (hindrance === "closed" && opens) return t("market.hindrance.closedUntil", { time: formatDateTime(opens).slice(0, -3) });
    return t(`market.hindrance.${hindrance}`);
  };
}
