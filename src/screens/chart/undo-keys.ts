/** The keys that take back a change of a shape or make it again. */
import { useEffect, useEffectEvent } from "react";
import type { RefObject } from "react";
import { changedLast } from "./shape-history.ts";

/** What a key asks for; null for neither. */
function undoKeyOf({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): "undo" | "redo" | null {
  if (!(ctrlKey || metaKey) || altKey || key.toLowerCase() !== "z") return null;
  return shiftKey ? "redo" : "undo";
}

/** Ctrl+Z and Ctrl+Shift+Z with the focus in this chart, or nowhere when its shapes were changed last. */
export function useUndoKeys(host: RefObject<HTMLDivElement | null>, code: string, onStep: (by: "undo" | "redo") => void): void {
  const press = useEffectEvent((event: KeyboardEvent): void => {
    const by = undoKeyOf(event);
    const { target } = event;
    if (by === null || event.defaultPrevented || !(target instanceof Element)) return;
    const inside = host.current?.parentElement?.contains(target) === true;
    if (!inside && (target !== document.body || !changedLast(code))) return;
    // Of two charts of one instrument the first acts.
    event.preventDefault();
    onStep(by);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}
