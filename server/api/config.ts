/** Handler of the configuration that the app reads before it mounts. */
import type { Database } from "#server/db/database.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { Handlers } from "./handler.ts";

type ConfigHandlers = Pick<Handlers, "readConfig">;

/** Defaults, overridden by rows of `setting`. `logo` is a path below the origin; `sandbox` says that no real money is involved. */
const DEFAULTS = {
  logo: "/logo.svg",
  title: "Kuroshio",
  customerService: "mailto:service@kuroshio.example",
  sandbox: "true",
};

export function configHandlers({ db: { kysely }, venue, now }: { db: Database; venue: Venue; now: () => number }): ConfigHandlers {
  return {
    async readConfig() {
      const settings = await kysely.selectFrom("setting").select(["name", "value"]).where("open", "=", true).execute();
      const items = new Map(Object.entries(DEFAULTS));
      for (const { name, value } of settings) items.set(name, value);
      // The source of prices is not a setting: it comes from the venue.
      items.set("prices", venue.state(now()).simulated ? "simulated" : "market");
      return Array.from(items, ([name, value]) => ({ name, value }));
    },
  };
}
