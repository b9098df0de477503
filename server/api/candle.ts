/** Handler of candles: bars of one instrument, paged backwards in time. */
import type { Venue } from "#server/venue/venue.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";

type CandleHandlers = Pick<Handlers, "readCandles">;

export function candleHandlers({ venue }: { venue: Venue }): CandleHandlers {
  return {
    readCandles: async (_call, { code, period, before, limit }) => {
      if (!venue.instrument(code)) throw new Refusal("GEN_NOT_FOUND", {}, "code");
      return venue.candles(code, period, before, limit);
    },
  };
}
