/** The desk of the wide layout: the sizes of its panes, its charts, and the workspaces that a member saved by name. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code } from "./kernel/id.ts";
import { Frame } from "./preference.ts";

/** The panes whose size a member chooses, in CSS pixels; the charts take the rest. Zero is a collapsed pane. */
export const PANES = ["list", "book", "ticket", "dock"] as const;
export type Pane = (typeof PANES)[number];

export const MAX_CHARTS = 4;
export const MAX_WORKSPACES = 12;
export const MAX_NAME_LENGTH = 30;

/** Null: the pane has its default size, which depends on the window. */
const Size = z.nullable(z.int().check(z.minimum(0), z.maximum(4000)));

/** One chart: its instrument (null follows the page's address) and its time frame. */
export const DeskChart = z.object({ code: z.nullable(Code), frame: Frame });
export type DeskChart = z.infer<typeof DeskChart>;

export const Desk = z.object({
  sizes: z.object({ list: Size, book: Size, ticket: Size, dock: Size }),
  /** One, two or four. */
  charts: z.array(DeskChart).check(
    z.minLength(1),
    z.maxLength(MAX_CHARTS),
    z.refine((charts) => charts.length !== 3),
  ),
});
export type Desk = z.infer<typeof Desk>;

/** A workspace's name, trimmed, without control characters. */
export const WorkspaceName = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_NAME_LENGTH), z.regex(/^[^\p{Cc}\p{Cs}]*$/u));

export const Workspace = z.object({ name: WorkspaceName, desk: Desk });
export type Workspace = z.infer<typeof Workspace>;

export const Desks = z.object({
  /** The desk as it was left; null before the first change. */
  current: z.nullable(Desk),
  workspaces: z.array(Workspace).check(z.maxLength(MAX_WORKSPACES)),
});
export type Desks = z.infer<typeof Desks>;

export const deskEndpoints = {
  readDesks: endpoint({
    path: "/desks/read",
    access: "member",
    does: "Read the member's desk as it was left, and the saved workspaces.",
    body: z.object({}),
    data: Desks,
    refusals: [],
  }),
  saveDesks: endpoint({
    path: "/desks/save",
    access: "member",
    does: "Replace the member's desk and workspaces; of two workspaces with one name the later is kept.",
    body: Desks,
    data: Desks,
    refusals: [],
  }),
};
