/** Tells whether an instrument can be ordered now, and if not, why, before the form is shown. */
import { useTranslation } from "react-i18next";
import type { Instrument, VenueState } from "#contract/instrument.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { useConnection } from "#src/streams/connection.ts";
import { useVenue } from "#src/streams/instruments.ts";

/** Why an order is blocked. */
export type OrderBlock = "notTradable" | "closed" | "halted" | "notLive";

/** The first reason that blocks an order, or null. */
export function orderBlockOf(
  instrument: Pick<Instrument, "tradable">,
  phase: VenueState["phase"] | null,
  live: boolean,
): OrderBlock | null {
  if (!instrument.tradable) return "notTradable";
  if (phase === "halted") return "halted";
  // Before the open and at the close, orders are collected for a call auction; after hours they trade at the closing price.
  if (phase === "closed") return "closed";
  return live && phase !== null ? null : "notLive";
}

/** The reason orders are blocked as text, or null. */
export function useOrderBlock(instrument: Instrument): string | null {
  const { t } = useTranslation();
  const venue = useVenue();
  const { tradable } = useConnection();
  const block = orderBlockOf(instrument, venue?.phase ?? null, tradable);
  if (block === null) return null;
  const opens = venue?.phaseEndsAt;
  if (block === "closed" && opens) return t("market.hindrance.closedUntil", { time: formatDateTime(opens).slice(0, -3) });
  return t(`market.hindrance.${block}`);
}
