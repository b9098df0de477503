/** The course of an instrument's day as a small line, where a row has room for it; empty while there is none. */
import { memo, useCallback } from "react";
import { showSparkline } from "#src/streams/sparklines.ts";
import styles from "./quote-row.module.css";

/** Decoration: the change beside it says the same in words. */
export const Sparkline = memo(function Sparkline({ code }: { code: string }) {
  const show = useCallback((node: SVGPathElement | null) => (node ? showSparkline(code, node) : undefined), [code]);
  return (
    <svg className={styles.spark} viewBox="0 0 56 24" preserveAspectRatio="none" aria-hidden>
      <path ref={show} d="" vectorEffect="non-scaling-stroke" />
    </svg>
  );
});
