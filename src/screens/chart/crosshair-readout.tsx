/** The line over the chart that shows the bar at the cursor in figures; it writes to the DOM directly, because it updates with every pointer move and tick. */
import { useImperativeHandle, useRef } from "react";
import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import type { SpokenBar } from "./spoken-bar.ts";
import styles from "./chart.module.css";

const PARTS = ["open", "high", "low", "close"] as const;

/** How the chart updates the readout. */
export interface ReadoutHandle {
  /** Shows the bar at the cursor; hidden while the cursor is on none. */
  show: (text: SpokenBar, pointed: boolean) => void;
}

/** Hidden from screen readers: they read the slider's own value text. */
export function Readout({ ref }: { ref: Ref<ReadoutHandle> }) {
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => ({
    show: (text, pointed) => {
      if (host.current) host.current.hidden = !pointed;
      if (!pointed) return;
      const write = (part: string, value: string): HTMLElement | null => {
        const span = host.current?.querySelector<HTMLElement>(`[data-part=${part}]`) ?? null;
        if (span && span.textContent !== value) span.textContent = value;
        return span;
      };
      write("at", text.at);
      for (const part of PARTS) write(part, text[part]);
      write("volume", text.shortVolume);
      const percent = write("percent", text.percent);
      if (percent) percent.dataset.d = text.sign > 0 ? "up" : text.sign < 0 ? "down" : "flat";
    },
  }));
  return (
    <div className={styles.readout} ref={host} hidden data-live aria-hidden>
      <span data-part="at" />
      <span data-part="percent" data-d="flat" />
      {PARTS.map((part) => (
        <span key={part}>
          {t(`chart.short.${part}`)} <b data-part={part} />
        </span>
      ))}
      <span>
        {t("chart.short.volume")} <b data-part="volume" />
      </span>
    </div>
  );
}
