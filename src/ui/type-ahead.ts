/** Type-ahead: keys pressed while a text field is still opening are kept for it, so that a fast typist loses none. */

export interface TypeAhead {
  text: string;
  /** Enter was pressed after it. */
  entered: boolean;
}

const NOTHING: TypeAhead = { text: "", entered: false };

let kept = NOTHING;
let stop: (() => void) | null = null;

/** What is kept after one more key; null when the key is not for a text field. */
export function afterKey({ text }: TypeAhead, key: string): TypeAhead | null {
  if (key === "Enter") return { text, entered: true };
  if (key === "Backspace") return { text: text.slice(0, -1), entered: false };
  // As in the field itself: another key calls off an Enter that has not acted yet.
  if (key.length === 1) return { text: text + key, entered: false };
  return null;
}

/** Begin to keep what is typed, until the field takes it. Esc, Tab and a pointer end it: the member wants something else. */
export function startTypeAhead(): void {
  takeTypeAhead();
  const pressed = (event: KeyboardEvent): void => {
    // A key held down a little long is one key.
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.key === "Escape" || event.key === "Tab") {
      takeTypeAhead();
      return;
    }
    const next = afterKey(kept, event.key);
    if (next === null) return;
    kept = next;
    event.preventDefault();
    event.stopPropagation();
  };
  const left = (): void => void takeTypeAhead();
  window.addEventListener("keydown", pressed, true);
  window.addEventListener("pointerdown", left, true);
  stop = () => {
    window.removeEventListener("keydown", pressed, true);
    window.removeEventListener("pointerdown", left, true);
  };
}

/** The field is there: what was typed for it, if anything was, is its own; no more is kept. */
export function claimTypeAhead(take: (ahead: TypeAhead) => void): void {
  const ahead = takeTypeAhead();
  if (ahead.text !== "") take(ahead);
}

/** Keep no more. @returns what was kept */
export function takeTypeAhead(): TypeAhead {
  stop?.();
  stop = null;
  const taken = kept;
  kept = NOTHING;
  return taken;
}
