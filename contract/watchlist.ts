/** The watchlist: the instruments a member follows, in ordered groups. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code, RequestId } from "./kernel/id.ts";

/** Maximum groups per member, and instruments per group. */
export const MAX_GROUPS = 10;
export const MAX_GROUP_CODES = 200;

/** Tells whether every character is printable: no control characters, no lone surrogates. */
const isReadable = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text);

/** A group's name, trimmed. The first group is unnamed until the member names it. */
export const GroupName = z
  .string("VAL_GROUP_NAME")
  .check(z.trim(), z.minLength(1, "VAL_GROUP_NAME"), z.maxLength(20, "VAL_GROUP_NAME"), z.refine(isReadable, "VAL_GROUP_NAME"));

/** One group. The id is a UUID made by the client; the server makes the first group's. */
export const WatchGroup = z.object({ id: RequestId, name: z.string(), codes: z.array(Code) });
export type WatchGroup = z.infer<typeof WatchGroup>;

/** Every change replies with all groups as they are now; there is always at least one. */
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
    does: "Follow an instrument in a group (null: the first).",
    body: z.object({ code: Code, group: z.nullable(RequestId) }),
    data: Groups,
    refusals: ["VAL_STOCK_CODE_REQUIRED", "GEN_NOT_FOUND", "GEN_STOCK_CODE_EXISTS", "GEN_LIST_FULL"],
  }),
  removeWatch: endpoint({
    path: "/watchlist/remove",
    access: "member",
    does: "Stop following some instruments in a group (null: in all); removing a missing one changes nothing.",
    body: z.object({ codes: z.array(Code).check(z.minLength(1), z.maxLength(MAX_GROUP_CODES)), group: z.nullable(RequestId) }),
    data: Groups,
    refusals: ["VAL_STOCK_CODE_REQUIRED"],
  }),
  arrangeWatch: endpoint({
    path: "/watchlist/arrange",
    access: "member",
    does: "Reorder the instruments of a group; codes not in the group are ignored, those not listed come last.",
    body: z.object({ group: RequestId, codes: z.array(Code).check(z.maxLength(MAX_GROUP_CODES)) }),
    data: Groups,
    refusals: ["VAL_STOCK_CODE_REQUIRED", "GEN_NOT_FOUND"],
  }),
  saveGroup: endpoint({
    path: "/watchlist/save-group",
    access: "member",
    does: "Create or rename a group; the client chooses the id, so that a repeated call never creates a second one.",
    body: z.object({ id: RequestId, name: GroupName }),
    data: Groups,
    refusals: ["VAL_GROUP_NAME", "VAL_GROUP_EXISTS", "GEN_LIST_FULL"],
  }),
  removeGroup: endpoint({
    path: "/watchlist/remove-group",
    access: "member",
    does: "Remove a group and its instruments; the last group stays. Removing a missing group changes nothing.",
    body: z.object({ id: RequestId }),
    data: Groups,
    refusals: [],
  }),
  arrangeGroups: endpoint({
    path: "/watchlist/arrange-groups",
    access: "member",
    does: "Reorder the groups; ids that are not the member's are ignored, groups not listed come last.",
    body: z.object({ ids: z.array(RequestId).check(z.maxLength(MAX_GROUPS)) }),
    data: Groups,
    refusals: [],
  }),
};
