/** Handler of the view over HTTP: the polling fallback of the socket. */
import { openReaders } from "#server/venue/market-data/channel-reader.ts";
import { readSnapshot, unknownRow, watchedRows } from "#server/venue/market-data/view-snapshot.ts";
import type { Venue } from "#server/venue/venue.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";

type ViewHandlers = Pick<Handlers, "readView">;

export function viewHandlers({ venue, now }: { venue: Venue; now: () => number }): ViewHandlers {
  return {
    readView: async (_call, view) => {
      const at = now();
      if (!venue.fresh(at)) throw new Refusal("TRD_PRICE_STALE");
      if (unknownRow(venue, view) !== undefined) throw new Refusal("GEN_PARAM_ERROR");
      const ranks = view.ranks.map((rank) => venue.rank(rank));
      const readers = openReaders(venue, view.channels);
      const snapshot = readSnapshot(venue, at, { rows: watchedRows(view.rows, ranks), ranks, readers });
      return { ...snapshot, universe: venue.state(at).universe };
    },
  };
}
