/** The candle desk: bars of one instrument, paged backwards. */
import type { Venue } from "#server/venue/port.ts";
import { Refusal } from "./desk.ts";
import type { Handlers } from "./desk.ts";

type CandleHandlers = Pick<Handlers, "readCandles">;

/** The desk's handlers. */
export function candleDesk({ venue }: { venue: Venue }): CandleHandlers {
  return {
    readCandles: async (_call, { code, period, before, limit }) => {
      if (!venue.instrument(code)) throw new Refusal("GEN_NOT_FOUND", {}, "code");
      return venue.candles(code, period, before, limit);
    },
  };
}
