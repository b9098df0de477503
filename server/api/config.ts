/** The configuration desk: what the app asks before it mounts. */
import type { Database } from "#server/db/database.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { Handlers } from "./handler.ts";

type ConfigHandlers = Pick<Handlers, "readConfig">;

/** What holds until a setting says otherwise. `logo` is a path below the origin; `sandbox` says that no real money moves here. */
const DEFAULTS = {
  logo: "/logo.svg",
  title: "Kuroshio",
  customerService: "mailto:service@kuroshio.example",
  sandbox: "true",
};

/** The desk's handlers. */
export function configHandlers({ db: { kysely }, venue, now }: { db: Database; venue: Venue; now: () => number }): ConfigHandlers {
  return {
    async readConfig() {
      const settings = await kysely.selectFrom("setting").select(["name", "value"]).where("open", "=", true).execute();
      const items = new Map(Object.entries(DEFAULTS));
      for (const { name, value } of settings) items.set(name, value);
      // What prices are is no setting: the venue knows.
      items.set("prices", venue.state(now()).simulated ? "simulated" : "market");
      return Array.from(items, ([name, value]) => ({ name, value }));
    },
  };
}
