/** Shared behaviour of overlays: a native dialog closed by Esc, the backdrop and Back, unless it is locked. */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { RefObject } from "react";
import { noteOpener, returnFocus } from "./focus-return.ts";
import { onceSteppedBack, stepBack } from "./step-back.ts";

/** Ids of the history entries of overlays that are open now. */
const open = new Set<string>();
let count = 0;
let listening = false;

function overlayOf(state: unknown): string | null {
  if (typeof state !== "object" || state === null || !("overlay" in state)) return null;
  return typeof state.overlay === "string" ? state.overlay : null;
}

/** Skip history entries whose overlay is gone, so that Back leads to pages. */
function skipStaleEntries(): void {
  if (listening) return;
  listening = true;
  window.addEventListener("popstate", (event) => {
    const overlay = overlayOf(event.state);
    if (overlay !== null && !open.has(overlay)) stepBack();
  });
}

/**
 * Give an open overlay its own history entry, so that Back closes it instead of leaving the page.
 * `onBack` returns whether the overlay stays open (locked): then it gets a new entry.
 */
function useBackCloses(shown: boolean, onBack: () => boolean): void {
  const leaving = useRef<{ id: string; timer: number; entered: boolean } | null>(null);
  const back = useEffectEvent(onBack);
  useEffect(() => {
    if (!shown) return;
    skipStaleEntries();
    // An effect that is torn down and set up again at once (strict mode, keep-alive) keeps its entry.
    const kept = leaving.current;
    leaving.current = null;
    if (kept) window.clearTimeout(kept.timer);
    const id = kept?.id ?? `${Date.now()}-${(count += 1)}`;
    let entered = kept?.entered ?? false;
    let left = false;
    const pushEntry = (): void => window.history.pushState({ ...(window.history.state as object | null), overlay: id }, "");
    open.add(id);
    const onPopState = (event: PopStateEvent): void => {
      if (overlayOf(event.state) !== id && back()) pushEntry();
    };
    const enter = (): void => {
      if (left) return;
      if (!entered) pushEntry();
      entered = true;
      window.addEventListener("popstate", onPopState);
    };
    if (entered) enter();
    else onceSteppedBack(enter);
    return () => {
      left = true;
      window.removeEventListener("popstate", onPopState);
      const timer = window.setTimeout(() => {
        open.delete(id);
        leaving.current = null;
        // After a navigation our entry is no longer the newest; it stays and is skipped later.
        if (overlayOf(window.history.state) === id) stepBack();
      });
      leaving.current = { id, timer, entered };
    };
  }, [shown]);
}

/** Duration of the closing transition; the content stays mounted that long. */
const LEAVE_MS = 240;

/** Whether the content should be rendered: while shown, and until the closing transition is over. */
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
 * `locked` ignores every attempt of the member to close it; only the caller can.
 */
export function useModal(shown: boolean, locked: boolean, onClose: () => void): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  const requestClose = useEffectEvent((): boolean => {
    if (!locked) onClose();
    return locked;
  });
  useBackCloses(shown, () => requestClose());
  useEffect(() => {
    const element = dialog.current;
    if (!element || !shown) return;
    let left = false;
    let opened = false;
    const show = (): void => {
      element.showModal();
      element.querySelector<HTMLElement>("[data-first-focus]")?.focus();
    };
    const onCancel = (event: Event): void => {
      event.preventDefault();
      requestClose();
    };
    // Browsers close a dialog at the second Esc even when the first was prevented: show it again if locked.
    const onClosed = (): void => {
      if (requestClose()) show();
    };
    let pressedOn: EventTarget | null = null;
    const onPointerDown = (event: PointerEvent): void => {
      pressedOn = event.target;
    };
    const onClick = (event: MouseEvent): void => {
      if (event.target === element && pressedOn === element) requestClose();
    };
    // Before it is shown the browser does not know what Esc is for.
    const onEscape = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      requestClose();
    };
    // When its history entry is made: shown before, it could not be closed by Back.
    onceSteppedBack(() => {
      window.removeEventListener("keydown", onEscape, true);
      if (left) return null;
      noteOpener(element);
      opened = true;
      show();
      return "opened";
    });
    if (!opened) window.addEventListener("keydown", onEscape, true);
    element.addEventListener("cancel", onCancel);
    element.addEventListener("close", onClosed);
    element.addEventListener("pointerdown", onPointerDown);
    element.addEventListener("click", onClick);
    return () => {
      window.removeEventListener("keydown", onEscape, true);
      element.removeEventListener("cancel", onCancel);
      element.removeEventListener("close", onClosed);
      element.removeEventListener("pointerdown", onPointerDown);
      element.removeEventListener("click", onClick);
      left = true;
      if (!opened) return;
      element.close();
      returnFocus(element);
    };
  }, [shown]);
  return dialog;
}
