/** The view over HTTP, for a client whose socket cannot connect. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { MarketSnapshot, View } from "./kernel/push.ts";

export const viewEndpoints = {
  readView: endpoint({
    path: "/view/read",
    access: "member",
    does: "Read the current state of everything a view names: the polling equivalent of the stream.",
    // Built from the shapes: `z.pick` and `z.extend` would add to every first load.
    body: z.object({ rows: View.shape.rows, ranks: View.shape.ranks, channels: View.shape.channels }),
    data: z.object({
      ...MarketSnapshot.shape,
      /** The instrument table that the rows belong to. */
      universe: z.string(),
    }),
    refusals: ["TRD_PRICE_STALE"],
  }),
};
