/** The strip under the chart: seven ranges, and a select for the candle length. */
import { ChevronDown } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { CANDLE_LENGTHS, RANGES } from "./view.ts";
import type { CandleLength, Choice } from "./view.ts";
import styles from "./chart.module.css";

/** Chooses a range, or a candle length. */
export function RangeBar({ choice, onChoose }: { choice: Choice; onChoose: (choice: Choice) => void }) {
  const { t } = useTranslation();
  const bar = useRef<HTMLDivElement>(null);
  const chosen = choice.range ?? choice.length;
  useEffect(() => {
    const button = bar.current?.querySelector<HTMLElement>(`[data-choice="${chosen}"]`);
    // Horizontal only: the page stays where it is.
    bar.current?.scrollTo({ left: button ? button.offsetLeft - bar.current.clientWidth / 2 : bar.current.scrollWidth });
  }, [chosen]);
  const isLength = (value: string): value is CandleLength => (CANDLE_LENGTHS as readonly string[]).includes(value);
  return (
    <div className={styles.ranges} ref={bar} role="group" aria-label={t("chart.ranges")}>
      {RANGES.map((range) => (
        <button
          key={range}
          type="button"
          className={styles.range}
          data-choice={range}
          aria-pressed={choice.range === range}
          onClick={() => onChoose({ range, length: null })}
        >
          {t(`chart.range.${range}`)}
        </button>
      ))}
      <label className={styles.length} data-chosen={choice.length !== null || undefined}>
        <select
          aria-label={t("chart.candles")}
          value={choice.length ?? ""}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (isLength(value)) onChoose({ range: null, length: value });
          }}
        >
          <option value="" disabled hidden>
            {t("chart.candles")}
          </option>
          {CANDLE_LENGTHS.map((length) => (
            <option key={length} value={length}>
              {t(`chart.length.${length}`)}
            </option>
          ))}
        </select>
        <ChevronDown size={16} aria-hidden />
      </label>
    </div>
  );
}
