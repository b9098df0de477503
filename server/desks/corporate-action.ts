/** The desk of corporate actions: an instrument's ex-events within its history. */
import type { Venue } from "#server/venue/port.ts";
import { Refusal } from "./desk.ts";
import type { Handlers } from "./desk.ts";

/** The desk's handlers. */
export function corporateActionDesk({ venue }: { venue: Venue }): Pick<Handlers, "listActions"> {
  return {
    listActions: async (_call, { code }) => {
      if (!venue.instrument(code)) throw new Refusal("GEN_NOT_FOUND", {}, "code");
      return { actions: await venue.actions(code) };
    },
  };
}
