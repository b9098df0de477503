/** The keyboard shortcuts of the wide layout: those of the workspace, and the list of all of them that `?` shows. */
import type en from "#locales/en.json";
import { HOTKEYS } from "#src/screens/market/hotkeys.ts";
import type { HotkeyAction } from "#src/screens/market/hotkeys.ts";

export type KeyGroup = keyof typeof en.workspace.keyGroup;
type KeyText = keyof typeof en.workspace.key;

export interface KeyRow {
  group: KeyGroup;
  /** Alternatives, each a combination pressed together. */
  keys: readonly (readonly string[])[];
  does: KeyText;
}

/** What the workspace itself does on a key, as `KeyboardEvent.key`. */
export const WORKSPACE_KEYS = { "[": "chartBefore", "]": "chartAfter", g: "count", d: "dock", l: "layout" } as const;
export type WorkspaceAction = (typeof WORKSPACE_KEYS)[keyof typeof WORKSPACE_KEYS];

/** The action of a key; null for none. */
export const workspaceActionOf = (key: string): WorkspaceAction | null =>
  Object.entries(WORKSPACE_KEYS).find(([one]) => one === key)?.[1] ?? null;

const WORKSPACE_TEXTS: Record<WorkspaceAction, KeyText> = {
  chartBefore: "chart",
  chartAfter: "chart",
  count: "count",
  dock: "dock",
  layout: "layout",
};

const TICKET_TEXTS: Record<HotkeyAction, KeyText> = {
  buy: "buy",
  sell: "sell",
  lots1: "lots",
  lots5: "lots",
  lots10: "lots",
  tickUp: "tick",
  tickDown: "tick",
  review: "review",
  back: "back",
};

const single = (...keys: string[]): string[][] => keys.map((key) => [key]);

/** Rows of one group; keys with the same text share one. */
function rowsOf(group: KeyGroup, keys: readonly { caps: readonly string[]; does: KeyText }[]): KeyRow[] {
  return [...new Set(keys.map(({ does }) => does))].map((does) => ({
    group,
    keys: keys.filter((one) => one.does === does).map(({ caps }) => caps),
    does,
  }));
}

/** Keys that act on the workspace and the ticket come from the tables that act on them; the others belong to what has the focus. */
export const KEYS: readonly KeyRow[] = [
  { group: "anywhere", keys: [["/"], ["Ctrl", "K"]], does: "search" },
  { group: "anywhere", keys: single("?"), does: "help" },
  { group: "anywhere", keys: single("Esc"), does: "close" },
  { group: "workspace", keys: single("↑", "↓"), does: "select" },
  { group: "workspace", keys: [["1", "–", "9"]], does: "frame" },
  ...rowsOf(
    "workspace",
    Object.entries(WORKSPACE_KEYS).map(([key, action]) => ({ caps: [key.toUpperCase()], does: WORKSPACE_TEXTS[action] })),
  ),
  ...rowsOf(
    "ticket",
    HOTKEYS.map(({ caps, does }) => ({ caps, does: TICKET_TEXTS[does] })),
  ),
  { group: "focused", keys: single("←", "→", "↑", "↓"), does: "resize" },
  { group: "focused", keys: single("Enter"), does: "collapse" },
  { group: "focused", keys: single("←", "→"), does: "cursor" },
  { group: "focused", keys: single("←", "→", "↑", "↓"), does: "point" },
  {
    group: "focused",
    keys: [
      ["Ctrl", "Z"],
      ["Ctrl", "Shift", "Z"],
    ],
    does: "undo",
  },
];
