/** Handler of institutional trading and margin balances. */
import type { Venue } from "#server/venue/venue.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";

export function investorHandlers({ venue }: { venue: Venue }): Pick<Handlers, "readInvestors"> {
  return {
    readInvestors: async (_call, { code }) => {
      if (!venue.instrument(code)) throw new Refusal("GEN_NOT_FOUND", {}, "code");
      return { days: await venue.investors(code) };
    },
  };
}
