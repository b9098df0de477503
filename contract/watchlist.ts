/** The watchlist: the instruments a member follows, in groups, all in the member's order. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code, RequestId } from "./kernel/id.ts";

/** The most groups of a member, and instruments of a group. */
export const MAX_GROUPS = 10;
export const MAX_GROUP_CODES = 200;

/** Whether every character is one that is meant to be read: no control, no half of a pair. */
const isReadable = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text);

/** A group's name as typed; the first group has none until the member gives it one. */
export const GroupName = z
  .string("VAL_GROUP_NAME")
  .check(z.trim(), z.minLength(1, "VAL_GROUP_NAME"), z.maxLength(20, "VAL_GROUP_NAME"), z.refine(isReadable, "VAL_GROUP_NAME"));

/** One group. Its id is the UUID of the client that made it; the first one's is made by the house. */
export const WatchGroup = z.object({ id: RequestId, name: z.string(), codes: z.array(Code) });
export type WatchGroup = z.infer<typeof WatchGroup>;

/** Every change answers with all groups as they are now: there is always at least one. */
const Groups = z.object({ groups: z.array(WatchGroup) });

export const watchlistEndpoints = {
  readWatchlist: endpoint({
    path: "/watchlist/read",
    access: "member",
    does: "Read the groups of instruments a member follows.",
    body: z.object({}),
    data: Groups,
    refusals: [],
  }),
  addWatch: endpoint({
    path: "/watchlist/add",
    access: "member",
    does: "Follow an instrument in a group (null: the first); following it twice changes nothing.",
    body: z.object({ code: Code, group: z.nullable(RequestId) }),
    data: Groups,
    refusals: ["VAL_STOCK_CODE_REQUIRED", "GEN_NOT_FOUND", "GEN_LIST_FULL"],
  }),
  removeWatch: endpoint({
    path: "/watchlist/remove",
    access: "member",
    does: "Stop following some instruments in a group (null: in all); removing what is not there changes nothing.",
    body: z.object({ codes: z.array(Code).check(z.minLength(1), z.maxLength(MAX_GROUP_CODES)), group: z.nullable(RequestId) }),
    data: Groups,
    refusals: ["VAL_STOCK_CODE_REQUIRED"],
  }),
  arrangeWatch: endpoint({
    path: "/watchlist/arrange",
    access: "member",
    does: "Put the instruments of a group in order; codes it does not follow are ignored, those not named come last.",
    body: z.object({ group: RequestId, codes: z.array(Code).check(z.maxLength(MAX_GROUP_CODES)) }),
    data: Groups,
    refusals: ["VAL_STOCK_CODE_REQUIRED", "GEN_NOT_FOUND"],
  }),
  saveGroup: endpoint({
    path: "/watchlist/save-group",
    access: "member",
    does: "Make a group, or give it another name; the id is the client's own, so that a repeated call makes none twice.",
    body: z.object({ id: RequestId, name: GroupName }),
    data: Groups,
    refusals: ["VAL_GROUP_NAME", "VAL_GROUP_EXISTS", "GEN_LIST_FULL"],
  }),
  removeGroup: endpoint({
    path: "/watchlist/remove-group",
    access: "member",
    does: "Remove a group with what it follows; the last one stays. Removing what is not there changes nothing.",
    body: z.object({ id: RequestId }),
    data: Groups,
    refusals: [],
  }),
  arrangeGroups: endpoint({
    path: "/watchlist/arrange-groups",
    access: "member",
    does: "Put the groups in order; ids that are not the member's are ignored, groups not named come last.",
    body: z.object({ ids: z.array(RequestId).check(z.maxLength(MAX_GROUPS)) }),
    data: Groups,
    refusals: [],
  }),
};
