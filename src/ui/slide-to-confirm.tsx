/** Slide to confirm: a drag to the end, two taps or two key presses, protected against the second tap of a double tap. */
import { ChevronsRight, LoaderCircle } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { KeyboardEvent, MouseEvent, PointerEvent, RefObject } from "react";
import { useTranslation } from "react-i18next";
import styles from "./slide-to-confirm.module.css";

/** Ignores a tap meant for whatever was shown here before. */
export const GUARD_MS = 350;
const CONFIRM_SHARE = 0.9;
/** A finger moves this far in a tap. */
const TAP_PX = 8;

export interface SlideToConfirmProps {
  label: string;
  tone?: "up" | "down" | "primary" | "danger";
  busy?: boolean;
  onConfirm: () => void;
}

/** The track with its thumb. The first tap, Enter or Space asks again, the second confirms. */
export function SlideToConfirm({ label, tone = "primary", busy = false, onConfirm }: SlideToConfirmProps) {
  const { t } = useTranslation();
  const [ready, setReady] = useState(false);
  const track = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const timer = window.setTimeout(() => setReady(true), GUARD_MS);
    return () => window.clearTimeout(timer);
  }, []);
  const active = ready && !busy;
  const { hasMoved, ...thumb } = useThumb(track, active, onConfirm);
  const { armed, ...presses } = useTwoPresses(active, hasMoved, onConfirm);
  return (
    <div className={styles.slide}>
      <button
        ref={track}
        type="button"
        className={styles.track}
        data-tone={tone}
        aria-busy={busy || undefined}
        aria-disabled={!active || undefined}
        {...presses}
        {...thumb}
      >
        <span className={styles.thumb} aria-hidden>
          {busy ? <LoaderCircle className={styles.spin} size={22} /> : <ChevronsRight size={22} />}
        </span>
        <span className={styles.label}>{armed ? t("ui.pressAgain", { what: label }) : label}</span>
      </button>
      <p className={styles.hint} role="status">
        {armed ? t("ui.pressAgainHint") : t("ui.slideHint")}
      </p>
    </div>
  );
}

/** The pointer handlers of a track: its thumb follows the pointer, and confirms when it is released at the end. */
function useThumb(track: RefObject<HTMLElement | null>, active: boolean, onConfirm: () => void) {
  const from = useRef<number | null>(null);
  const moved = useRef(false);
  const moveThumb = (share: number): void => track.current?.style.setProperty("--share", String(share));
  const shareAt = (x: number): number => {
    const element = track.current;
    if (!element || from.current === null) return 0;
    const rtl = getComputedStyle(element).direction === "rtl" ? -1 : 1;
    const room = Math.max(1, element.clientWidth - element.clientHeight);
    return Math.min(1, Math.max(0, ((x - from.current) * rtl) / room));
  };
  const release = (event: PointerEvent): void => {
    const share = shareAt(event.clientX);
    from.current = null;
    moveThumb(0);
    if (event.type === "pointerup" && share >= CONFIRM_SHARE && active) onConfirm();
  };
  return {
    /** Whether the last press was a drag, whose end is also a click. */
    hasMoved: () => moved.current,
    onPointerDown: (event: PointerEvent): void => {
      moved.current = false;
      if (!active || !event.isPrimary) return;
      from.current = event.clientX;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent): void => {
      if (from.current === null) return;
      if (Math.abs(event.clientX - from.current) > TAP_PX) moved.current = true;
      moveThumb(shareAt(event.clientX));
    },
    onPointerUp: release,
    onPointerCancel: release,
  };
}

/** The key and tap handlers of a track: the first press arms it, the second confirms. */
function useTwoPresses(active: boolean, hasMoved: () => boolean, onConfirm: () => void) {
  const [armed, setArmed] = useState(false);
  const armedAt = useRef(0);
  const press = (at: number): void => {
    if (!active) return;
    if (armed) onConfirm();
    armedAt.current = at;
    setArmed(!armed);
  };
  const isPress = (event: KeyboardEvent): boolean => event.key === "Enter" || event.key === " ";
  return {
    armed,
    onKeyDown: (event: KeyboardEvent): void => {
      if (!isPress(event)) return;
      event.preventDefault();
      // A held key repeats; only a second press counts.
      if (!event.repeat) press(event.timeStamp);
    },
    // Some browsers turn a key release into a click even when the press was prevented, which would count as a second press.
    onKeyUp: (event: KeyboardEvent): void => {
      if (isPress(event)) event.preventDefault();
    },
    onBlur: (): void => setArmed(false),
    // A click without a pointer comes from assistive technology; it counts like a key press.
    onClick: (event: MouseEvent): void => {
      const byPointer = event.detail > 0;
      const doubled = armed && event.timeStamp - armedAt.current < GUARD_MS;
      if (!byPointer || (!hasMoved() && !doubled)) press(event.timeStamp);
    },
  };
}
