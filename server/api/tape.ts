/** Handler of the trade tape: an instrument's newest trades. */
import type { Venue } from "#server/venue/venue.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";

type TapeHandlers = Pick<Handlers, "readTape">;

export function tapeHandlers({ venue }: { venue: Venue }): TapeHandlers {
  return {
    readTape: async (_call, { code, limit }) => {
      const instrument = venue.instrument(code);
      if (!instrument) throw new Refusal("GEN_NOT_FOUND", {}, "code");
      return { trades: venue.tape(instrument.row, 0, limit) };
    },
  };
}
