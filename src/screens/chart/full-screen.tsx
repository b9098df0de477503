/** Moves the chart between the page and a full-screen dialog; its elements are moved as they are, so nothing is redrawn. */
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import type { ReactNode, RefObject } from "react";
import { createPortal } from "react-dom";
import { useModal } from "#src/ui/modal.ts";
import styles from "./full-screen.module.css";

interface FullScreenProps {
  full: boolean;
  onLeave: () => void;
  /** Takes the whole device too, in landscape; false when the member has turned the phone, and will turn it back. */
  device: boolean;
  /** The accessible name of the full-screen dialog. */
  label: string;
  /** The button that toggles full screen; it takes the focus after entering and leaving. */
  toggle: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/** Esc and Back leave. */
export function FullScreen({ full, onLeave, device, label, toggle, children }: FullScreenProps) {
  const [root] = useState(makeRoot);
  const inPage = useRef<HTMLDivElement>(null);
  const dialog = useModal(full, false, onLeave);
  useLayoutEffect(() => {
    (full ? dialog.current : inPage.current)?.append(root);
  }, [root, full, dialog]);
  useDevice(full && device, onLeave);
  useEffect(() => {
    if (!full) return;
    const button = toggle.current;
    button?.focus({ preventScroll: true });
    return () => button?.focus({ preventScroll: true });
  }, [full, toggle]);
  return (
    <>
      <div className={styles.root} ref={inPage} />
      <dialog className={styles.full} ref={dialog} aria-label={label} />
      {createPortal(children, root)}
    </>
  );
}

const TURNED = "(orientation: landscape) and (max-height: 480px) and (pointer: coarse)";

/** Calls when a phone is turned to landscape, and when it is turned back; not while an overlay covers the page. */
export function useTurned(onTurn: (landscape: boolean) => void): void {
  const turn = useEffectEvent(onTurn);
  useEffect(() => {
    const list = window.matchMedia(TURNED);
    const onChange = (): void => {
      if (!list.matches || document.querySelector("dialog[open]") === null) turn(list.matches);
    };
    list.addEventListener("change", onChange);
    return () => list.removeEventListener("change", onChange);
  }, []);
}

function makeRoot(): HTMLElement {
  const root = document.createElement("div");
  root.className = styles.root ?? "";
  return root;
}

/** Requests device full screen in landscape while the chart is full screen; leaving one leaves the other. */
function useDevice(full: boolean, onLeave: () => void): void {
  const leave = useRef(onLeave);
  useEffect(() => {
    leave.current = onLeave;
  });
  useEffect(() => {
    if (!full || typeof document.documentElement.requestFullscreen !== "function") return;
    let entered = false;
    const onFullscreenChange = (): void => {
      if (document.fullscreenElement) entered = true;
      else if (entered) leave.current();
    };
    document.addEventListener("fullscreenchange", onFullscreenChange);
    // The browser may refuse either; then the chart fills the window in its current orientation.
    document.documentElement.requestFullscreen().then(lockLandscape, () => {});
    return () => {
      document.removeEventListener("fullscreenchange", onFullscreenChange);
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
    };
  }, [full]);
}

async function lockLandscape(): Promise<void> {
  const orientation: { lock?: (to: "landscape") => Promise<void> } = screen.orientation;
  try {
    await orientation.lock?.("landscape");
  } catch {
    // Desktop browsers cannot lock the orientation.
  }
}
