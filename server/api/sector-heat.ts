/** Handlers of sector heat and index contribution. */
import type { Venue } from "#server/venue/venue.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";

type HeatHandlers = Pick<Handlers, "readHeat" | "readContribution">;

export function sectorHeatHandlers({ venue, now }: { venue: Venue; now: () => number }): HeatHandlers {
  const refuseStale = (): void => {
    if (!venue.fresh(now())) throw new Refusal("TRD_PRICE_STALE");
  };
  return {
    readHeat: async () => {
      refuseStale();
      return { heat: venue.heat() };
    },
    readContribution: async (_call, { code }) => {
      const row = venue.instrument(code)?.row;
      // A listed instrument that is not an index has no contribution.
      const contribution = row === undefined ? null : venue.contribution(row);
      if (!contribution) throw new Refusal("GEN_NOT_FOUND", {}, "code");
      refuseStale();
      return contribution;
    },
  };
}
