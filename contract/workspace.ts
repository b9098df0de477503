/** The workspace of the wide layout: the sizes of its panes, its charts, and the workspaces that a member saved by name. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code } from "./kernel/id.ts";
import { Frame } from "./preference.ts";

/** The panes whose size a member chooses, in CSS pixels; the charts take the rest. Zero is a collapsed pane. */
export const PANES = ["list", "book", "ticket", "dock"] as const;
export type Pane = (typeof PANES)[number];

export const MAX_CHARTS = 4;
export const MAX_SAVED = 12;
export const MAX_NAME_LENGTH = 30;

/** Null: the pane has its default size, which depends on the window. */
const Size = z.nullable(z.int().check(z.minimum(0), z.maximum(4000)));

/** One chart: its instrument (null follows the page's address) and its time frame. */
export const WorkspaceChart = z.object({ code: z.nullable(Code), frame: Frame });
export type WorkspaceChart = z.infer<typeof WorkspaceChart>;

export const Workspace = z.object({
  sizes: z.object({ list: Size, book: Size, ticket: Size, dock: Size }),
  /** One, two or four. */
  charts: z.array(WorkspaceChart).check(
    z.minLength(1),
    z.maxLength(MAX_CHARTS),
    z.refine((charts) => charts.length !== 3),
  ),
});
export type Workspace = z.infer<typeof Workspace>;

/** A workspace's name, trimmed, without control characters. */
export const SavedName = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_NAME_LENGTH), z.regex(/^[^\p{Cc}\p{Cs}]*$/u));

export const SavedWorkspace = z.object({ name: SavedName, workspace: Workspace });
export type SavedWorkspace = z.infer<typeof SavedWorkspace>;

export const Workspaces = z.object({
  /** The workspace as it was left; null before the first change. */
  current: z.nullable(Workspace),
  saved: z.array(SavedWorkspace).check(z.maxLength(MAX_SAVED)),
});
export type Workspaces = z.infer<typeof Workspaces>;

export const workspaceEndpoints = {
  readWorkspaces: endpoint({
    path: "/workspaces/read",
    access: "member",
    does: "Read the member's workspace as it was left, and those saved by name.",
    body: z.object({}),
    data: Workspaces,
    refusals: [],
  }),
  saveWorkspaces: endpoint({
    path: "/workspaces/save",
    access: "member",
    does: "Replace the member's workspace and workspaces; of two with one name the later is kept.",
    body: Workspaces,
    data: Workspaces,
    refusals: [],
  }),
};
