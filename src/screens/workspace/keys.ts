/** The keyboard shortcuts of the wide layout, as `?` lists them. */
import type en from "#locales/en.json";

export type KeyGroup = keyof typeof en.workspace.keyGroup;

export interface KeyRow {
  group: KeyGroup;
  /** Alternatives, each a combination pressed together. */
  keys: readonly (readonly string[])[];
  does: keyof typeof en.workspace.key;
}

const single = (...keys: string[]): string[][] => keys.map((key) => [key]);

export const KEYS: readonly KeyRow[] = [
  { group: "anywhere", keys: [["/"], ["Ctrl", "K"]], does: "search" },
  { group: "anywhere", keys: single("?"), does: "help" },
  { group: "anywhere", keys: single("Esc"), does: "close" },
  { group: "workspace", keys: single("↑", "↓"), does: "select" },
  { group: "workspace", keys: single("B"), does: "buy" },
  { group: "workspace", keys: single("S"), does: "sell" },
  { group: "workspace", keys: [["1", "–", "9"]], does: "frame" },
  { group: "workspace", keys: single("[", "]"), does: "chart" },
  { group: "workspace", keys: single("G"), does: "count" },
  { group: "workspace", keys: single("D"), does: "dock" },
  { group: "workspace", keys: single("L"), does: "layout" },
  { group: "focused", keys: single("←", "→", "↑", "↓"), does: "resize" },
  { group: "focused", keys: single("Enter"), does: "collapse" },
  { group: "focused", keys: single("←", "→"), does: "cursor" },
];
