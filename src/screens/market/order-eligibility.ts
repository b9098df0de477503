/** Tells whether an instrument can be ordered now, and if not, why, before the form is shown: because of the member, or of the market. */
import { useTranslation } from "react-i18next";
import { missingFor } from "#contract/eligibility.ts";
import { isListed } from "#contract/instrument.ts";
import type { Instrument, VenueState } from "#contract/instrument.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { useConnection } from "#src/streams/connection.ts";
import { useMember } from "#src/streams/member.ts";
import { usePositionsOf } from "#src/streams/positions.ts";
import { useVenue } from "#src/streams/instruments.ts";

/** Why an order is blocked. */
export type OrderBlock = "notTradable" | "notListed" | "closed" | "halted" | "notLive";

/** The first reason that blocks an order, or null. */
export function orderBlockOf(
  instrument: Pick<Instrument, "tradable" | "tradesFrom">,
  phase: VenueState["phase"] | null,
  live: boolean,
  now = Date.now(),
): OrderBlock | null {
  if (!instrument.tradable) return "notTradable";
  if (!isListed(instrument, now)) return "notListed";
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
  const facts = useMember().value?.facts;
  const held = usePositionsOf(instrument.code).length > 0;
  const block = orderBlockOf(instrument, venue?.phase ?? null, tradable);
  // What is held can be closed by members who may not open anything new.
  const [missing] = facts ? missingFor(held ? "close" : "trade", facts) : [];
  if (block === "notListed") return t("refusal.TRD_NOT_LISTED");
  if (missing && block !== "notTradable") return t(`refusal.${missing.code}`, missing.params);
  if (block === null) return null;
  const opens = venue?.phaseEndsAt;
  if (block === "closed" && opens) return t("market.hindrance.closedUntil", { time: formatDateTime(opens).slice(0, -3) });
  return t(`market.hindrance.${block}`);
}
