/** The profile desk: what an instrument is, its invented fundamentals, and what is related to it. */
import type { Venue } from "#server/venue/port.ts";
import { Refusal } from "./desk.ts";
import type { Handlers } from "./desk.ts";

/** The desk's handlers. */
export function profileDesk({ venue }: { venue: Venue }): Pick<Handlers, "readProfile"> {
  return {
    readProfile: async (_call, { code }) => {
      const profile = await venue.profile(code);
      if (!profile) throw new Refusal("GEN_NOT_FOUND", {}, "code");
      return profile;
    },
  };
}
