/** Toasts: one line for two seconds, at most three, equal texts merged; announced politely to screen readers. */
import { useEffect, useRef, useState } from "react";
import styles from "./toast.module.css";

export type ToastTone = "info" | "success" | "danger";

/** One visible line. */
export interface ToastLine {
  id: number;
  text: string;
  tone: ToastTone;
}

const MAX_LINES = 3;

/** The lines after adding one: an equal text is replaced, above three the oldest is removed. */
export function addLine(lines: readonly ToastLine[], line: ToastLine): ToastLine[] {
  return [...lines.filter((other) => other.text !== line.text), line].slice(-MAX_LINES);
}

/** A source of lines: calls `show` with each. @returns a function that stops it */
export type ToastSource = (show: (text: string, tone: ToastTone) => void) => () => void;

/** The place where toasts appear, above sheets too. `source` must be the same function on every render. */
export function Toaster({ source, stayMs }: { source: ToastSource; stayMs: number }) {
  const [lines, setLines] = useState<ToastLine[]>([]);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let last = 0;
    const timers = new Set<number>();
    const stop = source((text, tone) => {
      const id = (last += 1);
      setLines((before) => addLine(before, { id, text, tone }));
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
    if (typeof element?.showPopover !== "function") return;
    // Hiding and showing it again puts it above a dialog that opened meanwhile.
    if (element.matches(":popover-open")) element.hidePopover();
    if (lines.length > 0) element.showPopover();
  }, [lines]);
  return (
    <div className={styles.place} ref={place} popover="manual">
      <div role="status" className={styles.lines}>
        {lines.map((line) => (
          <p key={line.id} className={styles.toast} data-tone={line.tone}>
            {line.text}
          </p>
        ))}
      </div>
    </div>
  );
}
