/** The site's configuration, which the app reads before it mounts. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";

/** One named setting. Keys the client reads: `logo` (path below the origin), `title` (page title), `prices` (`simulated` or `market`). */
export const ConfigItem = z.object({ name: z.string(), value: z.string() });
export type ConfigItem = z.infer<typeof ConfigItem>;

export const configEndpoints = {
  readConfig: endpoint({
    path: "/common/config",
    access: "open",
    does: "Read the site's configuration; called once before the app mounts.",
    body: z.object({ type: z.literal("all", "GEN_CONFIG_NOT_FOUND") }),
    data: z.array(ConfigItem),
    refusals: ["GEN_CONFIG_NOT_FOUND"],
  }),
};
