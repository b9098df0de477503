/** The market data and the circumstances a ticket depends on. */
import { useObservableState } from "observable-hooks";
import { useMemo } from "react";
import { reservesFor } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { Depth } from "#contract/quote.ts";
import type { TradeRule } from "#contract/rule.ts";
import { isUnlimited } from "#contract/tick.ts";
import { useDayTrading } from "#src/streams/day-trading.ts";
import { depth$ } from "#src/streams/depths.ts";
import { useVenueOf } from "#src/streams/call-auctions.ts";
import { useMargin } from "#src/streams/margin.ts";
import { useMember } from "#src/streams/member.ts";
import { usePositionsOf } from "#src/streams/positions.ts";
import { usePreferences } from "#src/streams/preferences.ts";
import { atRenderRate, useQuote } from "#src/streams/quotes.ts";
import type { QuoteView } from "#src/streams/quotes.ts";
import type { Circumstances } from "./choices.ts";
import type { MarketData } from "./estimate.ts";

export interface Market {
  view: QuoteView | null;
  data: MarketData;
  depth: Depth | null;
  /** Why only limit orders are taken that wait for a call of this instrument; null while it is traded continuously. */
  paused: RefusalCode | null;
}

/** A halt, or the calls of a stock under disposition. */
function pauseOf(depth: Depth | null): RefusalCode | null {
  if (!depth || depth.pausedUntil === null) return null;
  return depth.callsEveryMs === null ? "TRD_INSTRUMENT_HALTED" : "TRD_AUCTION_LIMIT_ONLY";
}

/** A book whose lots are counted in the units of orders: the market displays whole coins of digital currency. */
function inUnits(depth: Depth, per: number): Depth {
  if (per === 1) return depth;
  const scaled = (levels: Depth["bids"]): Depth["bids"] => levels.map(([price, lots]) => [price, lots * per]);
  return { ...depth, bids: scaled(depth.bids), asks: scaled(depth.asks) };
}

/** `per`: how many units of an order are one of the book. */
export function useMarket(code: string, per: number): Market {
  const quoted = useQuote(code);
  const venue = useVenueOf(code);
  // The limits of the session that an order is reserved for are not known yet.
  const view = quoted && venue && reservesFor(venue) !== null ? { ...quoted, limits: null } : quoted;
  const book$ = useMemo(() => depth$(code).pipe(atRenderRate()), [code]);
  const depth = useObservableState(book$, null);
  const book = depth && inUnits(depth, per);
  return {
    view,
    data: { quote: view?.quote ?? null, limits: view?.limits ?? null, depth: book },
    depth: book,
    paused: pauseOf(depth),
  };
}

/** Member settings that are not loaded count as not enabled. Null while the instrument or its rule is not known. */
export function useCircumstances(
  code: string,
  instrument: Instrument | null,
  rule: TradeRule | null,
  paused: RefusalCode | null,
): Circumstances | null {
  const venue = useVenueOf(code);
  const margin = useMargin().value?.account.status === "approved";
  const dayTrading = (useDayTrading().value?.signedAt ?? null) !== null;
  const minor = useMember().value?.facts.minor ?? false;
  const held = usePositionsOf(code);
  const { ticketKind: remembered } = usePreferences();
  if (!instrument || !rule) return null;
  const free = venue !== null && isUnlimited(instrument, venue.opensAt);
  const until = venue && reservesFor(venue);
  return { instrument, rule, phase: venue?.phase ?? "open", reservesFor: until, paused, free, margin, dayTrading, minor, held, remembered };
}
