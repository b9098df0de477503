/** Toasts: one line for two seconds, at most three, equal texts merged; announced to screen readers once, urgent ones at once. */
import { useEffect, useRef, useState } from "react";
import styles from "./toast.module.css";

export type ToastTone = "info" | "success" | "danger";

/** A line to show; one with the same key takes the place of the earlier one, and an urgent one interrupts a screen reader. */
export interface ToastContent {
  text: string;
  tone: ToastTone;
  key?: string | undefined;
  urgent?: boolean | undefined;
}

/** One visible line. */
export interface ToastLine extends ToastContent {
  id: number;
}

const MAX_LINES = 3;

/** The lines after adding one: an equal text and an earlier line of its key are replaced, above three the oldest is removed. */
export function addLine(lines: readonly ToastLine[], line: ToastLine): ToastLine[] {
  const replaced = (other: ToastLine): boolean => other.text === line.text || (line.key !== undefined && other.key === line.key);
  return [...lines.filter((other) => !replaced(other)), line].slice(-MAX_LINES);
}

/** A source of lines: calls `show` with each. @returns a function that stops it */
export type ToastSource = (show: (content: ToastContent) => void) => () => void;

/** The place where toasts appear, above sheets too. `source` must be the same function on every render. */
export function Toaster({ source, stayMs }: { source: ToastSource; stayMs: number }) {
  const [lines, setLines] = useState<ToastLine[]>([]);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let last = 0;
    const timers = new Set<number>();
    const stop = source((content) => {
      const id = (last += 1);
      setLines((before) => addLine(before, { ...content, id }));
      const timer = window.setTimeout(() => {
        timers.delete(timer);
        setLines((before) => before.filter((line) => line.id !== id));
      }, stayMs);
      timers.add(timer);
    });
    return () => {
      stop();
      timers.forEach((timer) => window.clearTimeout(timer));
      setLines([]);
    };
  }, [source, stayMs]);
  useEffect(() => {
    const element = place.current;
    // A sheet has its keys where the toasts are otherwise.
    element?.toggleAttribute("data-top", document.querySelector("dialog[open]") !== null);
    if (typeof element?.showPopover !== "function") return;
    // Hiding and showing it again puts it above a dialog that opened meanwhile.
    if (element.matches(":popover-open")) element.hidePopover();
    if (lines.length > 0) element.showPopover();
  }, [lines]);
  return (
    <div className={styles.place} ref={place} popover="manual">
      {(["alert", "status"] as const).map((role) => (
        <div key={role} role={role} className={styles.lines}>
          {lines
            .filter(({ urgent }) => (urgent === true) === (role === "alert"))
            .map((line) => (
              <p key={line.id} className={styles.toast} data-tone={line.tone}>
                {line.text}
              </p>
            ))}
        </div>
      ))}
    </div>
  );
}
