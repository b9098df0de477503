/** The course of an instrument's day as a small line, where a row has room for it; empty while there is none. */
import { memo, useCallback } from "react";
import styles from "./quote-row.module.css";

/** Narrower screens have no room: nothing is loaded or requested there. */
const hasRoom = (): boolean => window.matchMedia("(min-width: 390px)").matches;

/** The stream loads after the first rows are shown. @returns a function that stops it */
function showLater(code: string, node: SVGPathElement): () => void {
  let stop: (() => void) | null = null;
  let gone = false;
  void import("#src/streams/sparklines.ts").then(({ showSparkline }) => {
    if (!gone) stop = showSparkline(code, node);
  });
  return () => {
    gone = true;
    stop?.();
  };
}

/** Decoration: the change beside it says the same in words. */
export const Sparkline = memo(function Sparkline({ code }: { code: string }) {
  const show = useCallback((node: SVGPathElement | null) => (node && hasRoom() ? showLater(code, node) : undefined), [code]);
  return (
    <svg className={styles.spark} viewBox="0 0 56 24" preserveAspectRatio="none" aria-hidden>
      <path ref={show} d="" vectorEffect="non-scaling-stroke" />
    </svg>
  );
});
