/** Handler of corporate actions: the ex-dates of one instrument within its history. */
import type { Venue } from "#server/venue/venue.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";

export function corporateActionHandlers({ venue }: { venue: Venue }): Pick<Handlers, "listActions"> {
  return {
    listActions: async (_call, { code }) => {
      if (!venue.instrument(code)) throw new Refusal("GEN_NOT_FOUND", {}, "code");
      return { actions: await venue.actions(code) };
    },
  };
}
