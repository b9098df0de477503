/** The instrument desk: what the venue lists. */
import { epochMs } from "#contract/kernel/time.ts";
import type { Venue } from "#server/venue/port.ts";
import type { Handlers } from "./desk.ts";

type InstrumentHandlers = Pick<Handlers, "listInstruments">;

/** The desk's handlers. */
export function instrumentDesk({ venue }: { venue: Venue }): InstrumentHandlers {
  return {
    listInstruments: async () => ({
      venue: venue.state(epochMs(Date.now())),
      categories: [...venue.categories],
      instruments: [...venue.instruments],
    }),
  };
}
