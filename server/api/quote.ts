/** Handlers of quotes: snapshots, rankings and depth. */
import { epochMs } from "#contract/kernel/time.ts";
import { pushQuote } from "#contract/quote.ts";
import type { Venue } from "#server/venue/venue.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";

type QuoteHandlers = Pick<Handlers, "snapshotQuotes" | "rankQuotes" | "readDepth">;

export function quoteHandlers({ venue, now }: { venue: Venue; now: () => number }): QuoteHandlers {
  const quotesOf = (rows: Iterable<number>) => {
    const at = epochMs(now());
    if (!venue.fresh(at)) throw new Refusal("TRD_PRICE_STALE");
    const quotes: number[] = [];
    for (const row of rows) pushQuote(quotes, venue.quote(row));
    return { at, phase: venue.phase(at), quotes };
  };
  return {
    // Unlisted codes are left out, so that a client with an outdated instrument list still gets the rest.
    snapshotQuotes: async (_call, { codes }) =>
      quotesOf(new Set(codes.map((code) => venue.instrument(code)?.row).filter((row) => row !== undefined))),
    rankQuotes: async (_call, view) => quotesOf(venue.rank(view)),
    readDepth: async (_call, { code }) => {
      const instrument = venue.instrument(code);
      if (!instrument) throw new Refusal("GEN_NOT_FOUND", {}, "code");
      return venue.depth(instrument.row);
    },
  };
}
