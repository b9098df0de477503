/** Searches: a member's recent searches and the instruments searched most often by members. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code } from "./kernel/id.ts";

/** How many recent searches are stored per member, and how many hot ones are listed. */
export const SEARCHES_KEPT = 12;
export const HOT_SEARCHES = 10;
/** Hot searches count distinct members over `HOT_DAYS`; an instrument needs at least `HOT_MEMBERS` of them. */
export const HOT_DAYS = 7;
export const HOT_MEMBERS = 3;

const Searches = z.object({
  /** Instruments the member chose from search results, newest first. */
  mine: z.array(Code),
  /** Instruments chosen by the most members lately, with the member count; empty while too few did. */
  hot: z.array(z.object({ code: Code, members: z.int() })),
});

export const searchEndpoints = {
  readSearches: endpoint({
    path: "/searches/read",
    access: "member",
    does: "Read the member's recent searches and the hot ones.",
    body: z.object({}),
    data: Searches,
    refusals: [],
  }),
  noteSearch: endpoint({
    path: "/searches/note",
    access: "member",
    does: "Record that the member chose an instrument from search results.",
    body: z.object({ code: Code }),
    data: Searches,
    refusals: ["VAL_STOCK_CODE_REQUIRED", "GEN_NOT_FOUND"],
  }),
  clearSearches: endpoint({
    path: "/searches/clear",
    access: "member",
    does: "Delete the member's recent searches.",
    body: z.object({}),
    data: Searches,
    refusals: [],
  }),
};
