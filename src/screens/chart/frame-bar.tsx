/** The row of time frames above the chart: the customary five first, then ranges and the other candle lengths. */
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { FRAMES } from "#contract/preference.ts";
import type { Frame } from "#contract/preference.ts";
import styles from "./chart.module.css";

/** Scrolls sideways where it does not fit. */
export function FrameBar({ frame, onFrame }: { frame: Frame; onFrame: (frame: Frame) => void }) {
  const { t } = useTranslation();
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const button = bar.current?.querySelector<HTMLElement>(`[data-frame="${frame}"]`);
    // Horizontal only: the page stays where it is.
    if (button && bar.current) bar.current.scrollTo({ left: button.offsetLeft - bar.current.clientWidth / 2 });
  }, [frame]);
  return (
    <div className={styles.frames} ref={bar} role="group" aria-label={t("chart.frames")}>
      {FRAMES.map((one) => (
        <button key={one} type="button" className={styles.frame} data-frame={one} aria-pressed={one === frame} onClick={() => onFrame(one)}>
          {t(`chart.frame.${one}`)}
        </button>
      ))}
    </div>
  );
}
