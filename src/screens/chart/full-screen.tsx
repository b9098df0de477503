/** The chart's place: in the page, or over all of it. Its elements move as they are, so that nothing is drawn anew. */
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ReactNode, RefObject } from "react";
import { createPortal } from "react-dom";
import { useModal } from "#src/ui/modal.ts";
import styles from "./full-screen.module.css";

interface FullScreenProps {
  full: boolean;
  onLeave: () => void;
  /** Names the chart for those who do not see it fill the screen. */
  label: string;
  /** What takes the focus after coming and going: the button that did it. */
  toggle: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/** Esc and Back leave; where the device can, it shows nothing else meanwhile and lies on its side. */
export function FullScreen({ full, onLeave, label, toggle, children }: FullScreenProps) {
  const [root] = useState(makeRoot);
  const inPage = useRef<HTMLDivElement>(null);
  const dialog = useModal(full, false, onLeave);
  useLayoutEffect(() => {
    (full ? dialog.current : inPage.current)?.append(root);
  }, [root, full, dialog]);
  useDevice(full, onLeave);
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

function makeRoot(): HTMLElement {
  const root = document.createElement("div");
  root.className = styles.root ?? "";
  return root;
}

/** Ask the device for its whole screen, lying on its side, as long as the chart fills it; leaving that leaves the chart's, too. */
function useDevice(full: boolean, onLeave: () => void): void {
  const leave = useRef(onLeave);
  useEffect(() => {
    leave.current = onLeave;
  });
  useEffect(() => {
    if (!full || typeof document.documentElement.requestFullscreen !== "function") return;
    let entered = false;
    const changed = (): void => {
      if (document.fullscreenElement) entered = true;
      else if (entered) leave.current();
    };
    document.addEventListener("fullscreenchange", changed);
    // Either may be refused: then the chart fills the window as it is held.
    document.documentElement.requestFullscreen().then(lieDown, () => {});
    return () => {
      document.removeEventListener("fullscreenchange", changed);
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
    };
  }, [full]);
}

async function lieDown(): Promise<void> {
  const orientation: { lock?: (to: "landscape") => Promise<void> } = screen.orientation;
  try {
    await orientation.lock?.("landscape");
  } catch {
    // A desk does not turn.
  }
}
