/** What every overlay shares: a native dialog that Esc, the backdrop and Back close, unless it is locked. */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { RefObject } from "react";

/** The history entries of overlays that are open now, by their id. */
const open = new Set<string>();
let count = 0;
let listening = false;

function overlayOf(state: unknown): string | null {
  if (typeof state !== "object" || state === null || !("overlay" in state)) return null;
  return typeof state.overlay === "string" ? state.overlay : null;
}

/** An entry whose overlay is gone is skipped: Back leads to pages, not to ghosts. */
function skipGhosts(): void {
  if (listening) return;
  listening = true;
  window.addEventListener("popstate", (event) => {
    const overlay = overlayOf(event.state);
    if (overlay !== null && !open.has(overlay)) window.history.back();
  });
}

/**
 * Give an open overlay a history entry of its own, so that Back closes it instead of leaving the page.
 * `onBack` answers whether the overlay stays (it is locked): then it gets a new entry.
 */
function useBackCloses(shown: boolean, onBack: () => boolean): void {
  const leaving = useRef<{ id: string; timer: number } | null>(null);
  const back = useEffectEvent(onBack);
  useEffect(() => {
    if (!shown) return;
    skipGhosts();
    // An effect that is torn down and set up at once (strict mode, keep-alive) keeps its entry.
    const kept = leaving.current;
    leaving.current = null;
    if (kept) window.clearTimeout(kept.timer);
    const id = kept?.id ?? `${Date.now()}-${(count += 1)}`;
    const enter = (): void => window.history.pushState({ ...(window.history.state as object | null), overlay: id }, "");
    open.add(id);
    if (!kept) enter();
    const popped = (event: PopStateEvent): void => {
      if (overlayOf(event.state) !== id && back()) enter();
    };
    window.addEventListener("popstate", popped);
    return () => {
      window.removeEventListener("popstate", popped);
      const timer = window.setTimeout(() => {
        open.delete(id);
        leaving.current = null;
        // After a navigation our entry is no longer the newest; it stays behind, to be skipped.
        if (overlayOf(window.history.state) === id) window.history.back();
      });
      leaving.current = { id, timer };
    };
  }, [shown]);
}

/** How long the way out takes; the content stays that long. */
const LEAVE_MS = 240;

/** Whether the content should be rendered: while shown, and until the way out is over. */
export function usePresence(shown: boolean): boolean {
  const [present, setPresent] = useState(shown);
  if (shown && !present) setPresent(true);
  useEffect(() => {
    if (shown) return;
    const timer = window.setTimeout(() => setPresent(false), LEAVE_MS);
    return () => window.clearTimeout(timer);
  }, [shown]);
  return present;
}

/**
 * Drive a native modal dialog by a flag. The element marked `data-first-focus` inside takes the focus.
 * `locked` keeps it open whatever the member does, until the caller closes it.
 */
export function useModal(shown: boolean, locked: boolean, onClose: () => void): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  const ask = useEffectEvent((): boolean => {
    if (!locked) onClose();
    return locked;
  });
  useBackCloses(shown, () => ask());
  useEffect(() => {
    const element = dialog.current;
    if (!element || !shown) return;
    const enter = (): void => {
      element.showModal();
      element.querySelector<HTMLElement>("[data-first-focus]")?.focus();
    };
    const cancelled = (event: Event): void => {
      event.preventDefault();
      ask();
    };
    // A browser closes a dialog at the second Esc whatever its page says.
    const closed = (): void => {
      if (ask()) enter();
    };
    let pressedOn: EventTarget | null = null;
    const pressed = (event: PointerEvent): void => {
      pressedOn = event.target;
    };
    const clicked = (event: MouseEvent): void => {
      if (event.target === element && pressedOn === element) ask();
    };
    enter();
    element.addEventListener("cancel", cancelled);
    element.addEventListener("close", closed);
    element.addEventListener("pointerdown", pressed);
    element.addEventListener("click", clicked);
    return () => {
      element.removeEventListener("cancel", cancelled);
      element.removeEventListener("close", closed);
      element.removeEventListener("pointerdown", pressed);
      element.removeEventListener("click", clicked);
      element.close();
    };
  }, [shown]);
  return dialog;
}
