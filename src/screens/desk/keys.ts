/** The keyboard shortcuts of the wide layout, as `?` lists them. */
import type en from "#locales/en.json";

export type KeyGroup = keyof typeof en.desk.keyGroup;

export interface KeyRow {
  group: KeyGroup;
  /** Alternatives, each a combination pressed together. */
  keys: readonly (readonly string[])[];
  does: keyof typeof en.desk.key;
}

const single = (...keys: string[]): string[][] => keys.map((key) => [key]);

export const KEYS: readonly KeyRow[] = [
  { group: "anywhere", keys: [["/"], ["Ctrl", "K"]], does: "search" },
  { group: "anywhere", keys: single("?"), does: "help" },
  { group: "anywhere", keys: single("Esc"), does: "close" },
  { group: "desk", keys: single("↑", "↓"), does: "select" },
  { group: "desk", keys: single("B"), does: "buy" },
  { group: "desk", keys: single("S"), does: "sell" },
  { group: "desk", keys: [["1", "–", "7"]], does: "frame" },
  { group: "desk", keys: single("[", "]"), does: "chart" },
  { group: "desk", keys: single("G"), does: "count" },
  { group: "desk", keys: single("D"), does: "dock" },
  { group: "desk", keys: single("L"), does: "layout" },
  { group: "focused", keys: single("←", "→", "↑", "↓"), does: "resize" },
  { group: "focused", keys: single("Enter"), does: "collapse" },
  { group: "focused", keys: single("←", "→"), does: "cursor" },
];
