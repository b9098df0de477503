/** Searches: what a member looked up before, and what members really look up often. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code } from "./kernel/id.ts";

/** How many of a member's last searches are kept, and how many hot ones are named. */
export const SEARCHES_KEPT = 12;
export const HOT_SEARCHES = 10;
/** Hot counts members, not searches, over this many days; fewer members than this make nothing hot. */
export const HOT_DAYS = 7;
export const HOT_MEMBERS = 3;

const Searches = z.object({
  /** What the member chose from results, newest first. */
  mine: z.array(Code),
  /** What most members chose lately, with how many; empty while too few did. */
  hot: z.array(z.object({ code: Code, members: z.int() })),
});

export const searchEndpoints = {
  readSearches: endpoint({
    path: "/searches/read",
    access: "member",
    does: "Read the member's last searches and the hot ones.",
    body: z.object({}),
    data: Searches,
    refusals: [],
  }),
  noteSearch: endpoint({
    path: "/searches/note",
    access: "member",
    does: "Note that the member chose an instrument from the results of a search.",
    body: z.object({ code: Code }),
    data: Searches,
    refusals: ["VAL_STOCK_CODE_REQUIRED", "GEN_NOT_FOUND"],
  }),
  clearSearches: endpoint({
    path: "/searches/clear",
    access: "member",
    does: "Forget the member's searches.",
    body: z.object({}),
    data: Searches,
    refusals: [],
  }),
};
