/** Connects the chart of the shown instrument to its candles, session and previous close. */
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { distinctUntilChanged, map } from "rxjs";
import { useObservableState } from "observable-hooks";
import type { Instrument } from "#contract/instrument.ts";
import { limitsOf } from "#contract/tick.ts";
import { useVenue } from "#src/streams/instruments.ts";
import { quote$ } from "#src/streams/quotes.ts";
import { openCandleSource } from "#src/screens/chart/candle-source.ts";
import { PriceChart } from "#src/screens/chart/price-chart.tsx";
import { RANGES } from "#src/screens/chart/view.ts";
import type { Choice } from "#src/screens/chart/view.ts";
import { fullName } from "#src/screens/quote/names.ts";
import { Skeleton } from "#src/ui/state.tsx";
import { isTyping } from "./is-typing.ts";
import styles from "./detail.module.css";

interface DetailChartProps {
  instrument: Instrument;
  choice: Choice;
  onChoose: (choice: Choice) => void;
  tall?: boolean;
  /** Of several charts only the active one takes the keys. */
  keys?: boolean;
}

/** The chart; keys 1 to 7 choose its range. */
export function DetailChart({ instrument, choice, onChoose, tall = false, keys = true }: DetailChartProps) {
  const { t } = useTranslation();
  const venue = useVenue();
  const { kind } = instrument;
  const reference = useReference(instrument.code);
  const opensAt = venue?.opensAt ?? 0;
  const limits = useMemo(() => (reference === null ? null : limitsOf(instrument, reference, opensAt)), [instrument, reference, opensAt]);
  useEffect(() => {
    if (!keys) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      const range = RANGES[Number(event.key) - 1];
      if (range && !isTyping(event)) onChoose({ range, length: null });
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [onChoose, keys]);
  const session = useMemo(() => (venue ? { opensAt: venue.opensAt, closesAt: venue.closesAt } : null), [venue]);
  return (
    <section className={styles.chart} data-tall={tall || undefined} aria-label={t("market.chart")}>
      {session ? (
        <PriceChart
          key={instrument.code}
          code={instrument.code}
          name={fullName(instrument)}
          kind={kind}
          decimals={instrument.decimals}
          session={session}
          reference={reference}
          limits={limits}
          open={openCandleSource}
          choice={choice}
          onChoose={onChoose}
          tall={tall}
        />
      ) : (
        <Skeleton shape="block" />
      )}
    </section>
  );
}

/** The previous close in ten-thousandths: it changes once a day, so it does not rerender with every tick. */
function useReference(code: string): number | null {
  const reference$ = useMemo(
    () =>
      quote$(code).pipe(
        map((view) => view.quote.reference),
        distinctUntilChanged(),
      ),
    [code],
  );
  const reference = useObservableState(reference$, 0);
  return reference > 0 ? reference : null;
}
