/** The instrument desk: what the venue lists. */
import { epochMs } from "#contract/kernel/time.ts";
import type { Venue } from "#server/venue/port.ts";
import type { Handlers } from "./desk.ts";

type InstrumentHandlers = Pick<Handlers, "listInstruments">;

export function instrumentDesk(venue: Venue): InstrumentHandlers {
  return {
    listInstruments: async () => ({
      venue: venue.state(epochMs(Date.now())),
      categories: [...venue.categories],
      instruments: [...venue.instruments],
    }),
  };
}
