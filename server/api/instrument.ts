/** Handler of the instrument list. */
import type { Answer } from "#contract/endpoints.ts";
import type { VenueState } from "#contract/instrument.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { Handlers } from "./handler.ts";

type InstrumentHandlers = Pick<Handlers, "listInstruments">;

const sameItems = <Item>(a: readonly Item[], b: readonly Item[]): boolean => a.length === b.length && a.every((item, at) => item === b[at]);
const sameState = (a: VenueState, b: VenueState): boolean => JSON.stringify(a) === JSON.stringify(b);

export function instrumentHandlers({ venue }: { venue: Venue }): InstrumentHandlers {
  /** The same object until its content changes: it is the largest reply, so it is serialised and compressed once. */
  let latest: Answer<"listInstruments"> | null = null;
  return {
    async listInstruments() {
      const state = venue.state(epochMs(Date.now()));
      const { instruments, categories } = venue;
      if (
        latest &&
        sameState(latest.venue, state) &&
        sameItems(latest.instruments, instruments) &&
        sameItems(latest.categories, categories)
      )
        return latest;
      latest = { venue: state, categories: [...categories], instruments: [...instruments] };
      return latest;
    },
  };
}
