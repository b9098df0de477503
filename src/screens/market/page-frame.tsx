/** The frame of a detail on a phone: header and chart, then one section at a time, with the main action at the bottom. */
import { useState } from "react";
import type { ReactNode } from "react";
import type { Instrument } from "#contract/instrument.ts";
import { AlertBell } from "#src/screens/quote/alert-bell.tsx";
import { AlertSheet } from "#src/screens/quote/alert-sheet.tsx";
import { fullName, usePlace } from "#src/screens/quote/names.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { WatchStar } from "#src/screens/quote/watch-star.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { DetailChart } from "./detail-chart.tsx";
import { DetailHead } from "./detail-head.tsx";
import { HoldingStrip } from "./holding-strip.tsx";
import { Neighbours } from "./neighbours.tsx";
import type { DetailSection } from "./sections.tsx";
import { Sections } from "./sections.tsx";
import { useFrame, useFrameKeys } from "./use-frame.ts";
import styles from "./detail.module.css";

interface PageFrameProps {
  instrument: Instrument;
  /** Below the chart: both together fill the first screen. */
  book?: ReactNode;
  sections: readonly DetailSection[];
  footer?: ReactNode;
  /** Overlays. */
  children?: ReactNode;
}

/** Remount it for another instrument. */
export function PageFrame({ instrument, book, sections, footer, children }: PageFrameProps) {
  const place = usePlace();
  const [frame, chooseFrame] = useFrame("intraday");
  const [alerting, setAlerting] = useState(false);
  useFrameKeys(chooseFrame);
  return (
    <Screen
      header={
        <BackHeader
          title={fullName(instrument)}
          subtitle={place(instrument)}
          action={
            <>
              <AlertBell instrument={instrument} onOpen={() => setAlerting(true)} />
              <WatchStar instrument={instrument} />
            </>
          }
        />
      }
      top={<StaleNotice />}
      footer={footer}
      width={book ? "wide" : "column"}
    >
      <div className={styles.first} data-full={book ? true : undefined}>
        <Neighbours instrument={instrument}>
          <DetailHead instrument={instrument} />
        </Neighbours>
        <HoldingStrip instrument={instrument} />
        <DetailChart instrument={instrument} frame={frame} onFrame={chooseFrame} height={book ? "fill" : "fixed"} />
        {book}
      </div>
      <Sections sections={sections} />
      <AlertSheet instrument={instrument} open={alerting} onClose={() => setAlerting(false)} />
      {children}
    </Screen>
  );
}
