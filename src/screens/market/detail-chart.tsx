/** Connects the chart of the shown instrument to its candles, session and previous close. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import type { Frame } from "#contract/preference.ts";
import { limitsOf } from "#contract/tick.ts";
import { useVenue } from "#src/streams/instruments.ts";
import { openCandleSource } from "#src/screens/chart/candle-source.ts";
import type { ChartSubject } from "#src/screens/chart/chart-spec.ts";
import { PriceChart } from "#src/screens/chart/price-chart.tsx";
import { fullName } from "#src/screens/quote/names.ts";
import { Skeleton } from "#src/ui/state.tsx";
import { useReference } from "./use-reference.ts";
import styles from "./detail.module.css";

interface DetailChartProps {
  instrument: Instrument;
  /** Null while it is not known yet. */
  frame: Frame | null;
  onFrame: (frame: Frame) => void;
  /** `fixed` has a height of its own; `fill` takes the rest of its container. */
  height: "fixed" | "fill";
  /** Where its candles come from; must not change. */
  open?: ChartSubject["open"];
}

/** The chart; it keeps nothing outside itself, so there may be several. */
export function DetailChart({ instrument, frame, onFrame, height, open = openCandleSource }: DetailChartProps) {
  const { t } = useTranslation();
  const venue = useVenue();
  const { kind } = instrument;
  const reference = useReference(instrument.code);
  const opensAt = venue?.opensAt ?? 0;
  const limits = useMemo(() => (reference === null ? null : limitsOf(instrument, reference, opensAt)), [instrument, reference, opensAt]);
  const session = useMemo(() => (venue ? { opensAt: venue.opensAt, closesAt: venue.closesAt } : null), [venue]);
  return (
    <section className={styles.chart} data-height={height} aria-label={t("market.chart")}>
      {session && frame ? (
        <PriceChart
          key={instrument.code}
          code={instrument.code}
          name={fullName(instrument)}
          kind={kind}
          decimals={instrument.decimals}
          session={session}
          reference={reference}
          limits={limits}
          open={open}
          frame={frame}
          onFrame={onFrame}
          fill={height === "fill"}
        />
      ) : (
        <Skeleton shape="block" />
      )}
    </section>
  );
}
