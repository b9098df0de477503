/** The frame of a detail on a phone: header and chart, then one section at a time, with the main action at the bottom. */
import { useState } from "react";
import type { ReactNode } from "react";
import type { Instrument } from "#contract/instrument.ts";
import type { Choice } from "#src/screens/chart/view.ts";
import { AlertBell } from "#src/screens/quote/alert-bell.tsx";
import { AlertSheet } from "#src/screens/quote/alert-sheet.tsx";
import { fullName, usePlace } from "#src/screens/quote/names.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { WatchStar } from "#src/screens/quote/watch-star.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { DetailChart } from "./detail-chart.tsx";
import { DetailHead } from "./detail-head.tsx";
import { HoldingStrip } from "./holding-strip.tsx";
import type { DetailSection } from "./sections.tsx";
import { Sections } from "./sections.tsx";

interface PageFrameProps {
  instrument: Instrument;
  sections: readonly DetailSection[];
  footer?: ReactNode;
  /** Overlays. */
  children?: ReactNode;
}

/** Remount it for another instrument. */
export function PageFrame({ instrument, sections, footer, children }: PageFrameProps) {
  const place = usePlace();
  const [choice, setChoice] = useState<Choice>({ range: "intraday", length: null });
  const [alerting, setAlerting] = useState(false);
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
    >
      <DetailHead instrument={instrument} />
      <HoldingStrip instrument={instrument} />
      <DetailChart instrument={instrument} choice={choice} onChoose={setChoice} />
      <Sections sections={sections} />
      <AlertSheet instrument={instrument} open={alerting} onClose={() => setAlerting(false)} />
      {children}
    </Screen>
  );
}
