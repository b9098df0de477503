/** Tells whether an instrument can be ordered now, and if not, why, before the form is shown: because of the member, or of the market. */
import { useTranslation } from "react-i18next";
import { missingFor, openingAct } from "#contract/eligibility.ts";
import { hasEnded, isListed, reservesFor } from "#contract/instrument.ts";
import type { Instrument, VenueState } from "#contract/instrument.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { pathTo } from "#src/paths.ts";
import type { Path } from "#src/paths.ts";
import { useConnection } from "#src/streams/connection.ts";
import { useMember } from "#src/streams/member.ts";
import { usePositionsOf } from "#src/streams/positions.ts";
import { useVenueOf } from "#src/streams/call-auctions.ts";

/** Why an order is blocked. */
export type OrderBlock = "notTradable" | "notListed" | "ended" | "closed" | "halted" | "notLive";

/** The first reason that blocks an order, or null; `reserves`: while the market is closed, orders are kept for its next session. */
export function orderBlockOf(
  instrument: Pick<Instrument, "tradable" | "tradesFrom" | "tradesUntil">,
  phase: VenueState["phase"] | null,
  live: boolean,
  now = Date.now(),
  reserves = false,
): OrderBlock | null {
  if (!instrument.tradable) return "notTradable";
  if (!isListed(instrument, now)) return "notListed";
  if (hasEnded(instrument, now)) return "ended";
  if (phase === "halted") return "halted";
  // Before the open and at the close, orders are collected for a call auction; after hours they trade at the closing price.
  if (phase === "closed" && !reserves) return "closed";
  return live && phase !== null ? null : "notLive";
}

/** The page where a member signs what the first order in an instrument needs; null where nothing is to be signed. */
export function useOrderRemedy({ kind, code, tradable }: Instrument): Path | null {
  const facts = useMember().value?.facts;
  const held = usePositionsOf(code).length > 0;
  if (kind !== "crypto" || !tradable || !facts || held) return null;
  const [missing] = missingFor("tradeCrypto", facts);
  return missing?.code === "ACC_AGREEMENT_UNSIGNED" ? pathTo("/information/shou", { kind: "crypto" }) : null;
}

/** The reason orders are blocked as text, or null. */
export function useOrderBlock(instrument: Instrument): string | null {
  const { t } = useTranslation();
  const venue = useVenueOf(instrument.code);
  const { tradable } = useConnection();
  const facts = useMember().value?.facts;
  const held = usePositionsOf(instrument.code).length > 0;
  const reserves = venue !== null && reservesFor(venue) !== null;
  const block = orderBlockOf(instrument, venue?.phase ?? null, tradable, undefined, reserves);
  // What is held can be closed by members who may not open anything new.
  const [missing] = facts ? missingFor(held ? "close" : openingAct(instrument.kind), facts) : [];
  if (block === "notListed") return t("refusal.TRD_NOT_LISTED");
  if (missing && block !== "notTradable" && block !== "ended") return t(`refusal.${missing.code}`, missing.params);
  if (block === null) return null;
  const opens = venue?.phaseEndsAt;
  if (block === "closed" && opens) return t("market.hindrance.closedUntil", { time: formatDateTime(opens).slice(0, -3) });
  return t(`market.hindrance.${block}`);
}
