/** The keys of the wide detail that work on its ticket. None of them acts on money: each changes the draft or opens its review. */

export type HotkeyAction = "buy" | "sell" | "lots1" | "lots5" | "lots10" | "tickUp" | "tickDown" | "review" | "back";

export interface Hotkey {
  /** As `KeyboardEvent.key`, lower case; digits as `KeyboardEvent.code`, because Shift changes their key. */
  key: string;
  shift?: boolean;
  /** As printed on the keyboard, for the list of keys. */
  caps: readonly string[];
  does: HotkeyAction;
}

export const HOTKEYS: readonly Hotkey[] = [
  { key: "b", caps: ["B"], does: "buy" },
  { key: "s", caps: ["S"], does: "sell" },
  // The digits alone choose the range of the chart.
  { key: "Digit1", shift: true, caps: ["Shift", "1"], does: "lots1" },
  { key: "Digit5", shift: true, caps: ["Shift", "5"], does: "lots5" },
  { key: "Digit0", shift: true, caps: ["Shift", "0"], does: "lots10" },
  { key: "+", caps: ["+"], does: "tickUp" },
  { key: "-", caps: ["-"], does: "tickDown" },
  { key: "enter", caps: ["Enter"], does: "review" },
  { key: "escape", caps: ["Esc"], does: "back" },
];

/** The action of a key; null for none. */
export function hotkeyOf({ key, code, shiftKey }: Pick<KeyboardEvent, "key" | "code" | "shiftKey">): HotkeyAction | null {
  const found = HOTKEYS.find((one) => (one.shift ? shiftKey && one.key === code : one.key === key.toLowerCase()));
  return found?.does ?? null;
}

/** What a key changes in the ticket. */
export interface HotkeyPick {
  side?: "buy" | "sell";
  lots?: number;
  ticks?: 1 | -1;
  step?: "review" | "back";
}

export const HOTKEY_PICKS: Record<HotkeyAction, HotkeyPick> = {
  buy: { side: "buy" },
  sell: { side: "sell" },
  lots1: { lots: 1 },
  lots5: { lots: 5 },
  lots10: { lots: 10 },
  tickUp: { ticks: 1 },
  tickDown: { ticks: -1 },
  review: { step: "review" },
  back: { step: "back" },
};
