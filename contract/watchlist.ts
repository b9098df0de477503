/** The watchlist: the instruments a member follows, in the member's order. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code } from "./kernel/id.ts";

const Codes = z.object({ codes: z.array(Code) });
const one = z.object({ code: Code });

export const watchlistEndpoints = {
  readWatchlist: endpoint({
    path: "/watchlist/read",
    access: "member",
    does: "Read the codes a member follows.",
    body: z.object({}),
    data: Codes,
    refusals: [],
  }),
  addWatch: endpoint({
    path: "/watchlist/add",
    access: "member",
    does: "Follow an instrument; following it twice changes nothing.",
    body: one,
    data: Codes,
    refusals: ["VAL_STOCK_CODE_REQUIRED", "GEN_NOT_FOUND"],
  }),
  removeWatch: endpoint({
    path: "/watchlist/remove",
    access: "member",
    does: "Stop following an instrument; removing what is not there changes nothing.",
    body: one,
    data: Codes,
    refusals: ["VAL_STOCK_CODE_REQUIRED"],
  }),
};
