/** Type-ahead buffer: keys pressed while a text field is still loading are kept for it, so that a fast typist loses none. */

export interface TypeAhead {
  text: string;
  /** Enter was pressed after the text. */
  entered: boolean;
}

const NOTHING: TypeAhead = { text: "", entered: false };

let buffer = NOTHING;
let stop: (() => void) | null = null;

/** The buffer after one more key; null when the key is not for a text field. */
export function afterKey({ text }: TypeAhead, key: string): TypeAhead | null {
  if (key === "Enter") return { text, entered: true };
  if (key === "Backspace") return { text: text.slice(0, -1), entered: false };
  // As in the field itself: another key cancels an Enter that has not taken effect yet.
  if (key.length === 1) return { text: text + key, entered: false };
  return null;
}

/** Start buffering keys until the field claims them. Esc, Tab and a pointer press cancel: the member wants something else. */
export function startTypeAhead(): void {
  takeTypeAhead();
  const onKeyDown = (event: KeyboardEvent): void => {
    // Ignore repeats of a key held down a little long.
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.key === "Escape" || event.key === "Tab") {
      takeTypeAhead();
      return;
    }
    const next = afterKey(buffer, event.key);
    if (next === null) return;
    buffer = next;
    event.preventDefault();
    event.stopPropagation();
  };
  const cancel = (): void => void takeTypeAhead();
  window.addEventListener("keydown", onKeyDown, true);
  window.addEventListener("pointerdown", cancel, true);
  stop = () => {
    window.removeEventListener("keydown", onKeyDown, true);
    window.removeEventListener("pointerdown", cancel, true);
  };
}

/** Called by the mounted field: hands it the buffered text, if any, and stops buffering. */
export function claimTypeAhead(take: (ahead: TypeAhead) => void): void {
  const ahead = takeTypeAhead();
  if (ahead.text !== "") take(ahead);
}

/** Stop buffering. @returns the buffered input */
export function takeTypeAhead(): TypeAhead {
  stop?.();
  stop = null;
  const taken = buffer;
  buffer = NOTHING;
  return taken;
}
