/** Handler of instrument profiles: description, fictitious fundamentals and related instruments. */
import type { Venue } from "#server/venue/venue.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";

export function profileHandlers({ venue }: { venue: Venue }): Pick<Handlers, "readProfile"> {
  return {
    readProfile: async (_call, { code }) => {
      const profile = await venue.profile(code);
      if (!profile) throw new Refusal("GEN_NOT_FOUND", {}, "code");
      return profile;
    },
  };
}
