/** Moves through the list that a detail was opened from: by a swipe over its head, or by the buttons beside it. */
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useRef } from "react";
import type { PointerEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { ownPath, storeDetail } from "#src/screens/quote/detail-link.ts";
import { fullName } from "#src/screens/quote/names.ts";
import { neighboursOf } from "#src/screens/quote/origin-list.ts";
import { gestureOf } from "#src/screens/quote/row-gesture.ts";
import type { Point } from "#src/screens/quote/row-gesture.ts";
import { useNavigate } from "#src/ui/link.tsx";
import styles from "./neighbours.module.css";

/** A shorter swipe does nothing. */
const SWIPE_PX = 56;

type Way = "previous" | "next";

/**
 * Where the last step leads, until that page is shown, and the pages that may be shown before it. A button that made it has the focus
 * again on all of them.
 */
let ahead: { to: Instrument; passed: readonly string[]; button: Way | null } | null = null;

/** Whether a page is where the last step leads, or passed on the way. */
const isOnWay = (code: string): boolean => ahead !== null && (ahead.to.code === code || ahead.passed.includes(code));

/** Without a list it is only its content. The address keeps one history entry: Back leads to the list. */
export function Neighbours({ instrument, children }: { instrument: Instrument; children: ReactNode }) {
  const navigate = useNavigate();
  const neighbours = neighboursOf(instrument.code);
  useEffect(() => {
    if (ahead?.to.code === instrument.code || !isOnWay(instrument.code)) ahead = null;
  });
  const go = (way: Way, by: "button" | "swipe"): void => {
    // A page stays until the next one is ready. A step from it meanwhile goes on from that one.
    const from = ahead?.to ?? instrument;
    const to = neighboursOf(from.code)[way];
    if (!to) return;
    ahead = { to, passed: [...(ahead?.passed ?? []), instrument.code, from.code], button: by === "button" ? way : null };
    storeDetail(to);
    void navigate(ownPath(to), { replace: true });
  };
  const swipe = useSwipe((way) => go(way, "swipe"));
  const press = (way: Way): void => go(way, "button");
  if (!neighbours.previous && !neighbours.next) return children;
  return (
    <div className={styles.neighbours} {...swipe}>
      <Step way="previous" at={instrument.code} to={neighbours.previous} onPress={press} />
      <div className={styles.content}>{children}</div>
      <Step way="next" at={instrument.code} to={neighbours.next} onPress={press} />
    </div>
  );
}

interface StepProps {
  way: Way;
  /** The code of the page it is on. */
  at: string;
  to: Instrument | null;
  onPress: (way: Way) => void;
}

function Step({ way, at, to, onPress }: StepProps) {
  const { t } = useTranslation();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (ahead?.button === way && isOnWay(at)) button.current?.focus();
  }, [way, at]);
  const Icon = way === "previous" ? ChevronLeft : ChevronRight;
  const label = to ? t(`market.neighbour.${way}`, { name: fullName(to) }) : t(`market.neighbour.no.${way}`);
  return (
    <button
      ref={button}
      type="button"
      className={styles.step}
      aria-label={label}
      aria-disabled={to === null || undefined}
      onClick={() => to && onPress(way)}
    >
      <Icon size={20} aria-hidden />
    </button>
  );
}

/** To the left for the next, to the right for the previous; up and down scrolls. */
function useSwipe(go: (way: Way) => void) {
  const from = useRef<Point | null>(null);
  return {
    onPointerDown: (event: PointerEvent): void => {
      from.current = event.isPrimary && event.pointerType !== "mouse" ? { x: event.clientX, y: event.clientY } : null;
    },
    onPointerUp: (event: PointerEvent): void => {
      const start = from.current;
      from.current = null;
      const end = { x: event.clientX, y: event.clientY };
      if (!start || gestureOf(start, end) !== "swipe" || Math.abs(end.x - start.x) < SWIPE_PX) return;
      go(end.x < start.x ? "next" : "previous");
    },
    onPointerCancel: (): void => {
      from.current = null;
    },
  };
}
