/** The frame of a detail in the wide layout: lists, the instrument with its chart, and a side column; each scrolls on its own. */
import { useState } from "react";
import type { ReactNode } from "react";
import { useNavigate } from "#src/ui/link.tsx";
import type { Instrument } from "#contract/instrument.ts";
import type { Choice } from "#src/screens/chart/view.ts";
import { AlertBell } from "#src/screens/quote/alert-bell.tsx";
import { AlertSheet } from "#src/screens/quote/alert-sheet.tsx";
import { ownPath, rememberDetail } from "#src/screens/quote/detail-link.ts";
import { fullName, usePlace } from "#src/screens/quote/names.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { WatchStar } from "#src/screens/quote/watch-star.tsx";
import { Screen } from "#src/ui/screen.tsx";
import { WideList } from "./wide-list.tsx";
import { DetailChart } from "./detail-chart.tsx";
import { DetailHead } from "./detail-head.tsx";
import { HoldingStrip } from "./holding-strip.tsx";
import type { DetailSection } from "./sections.tsx";
import { Sections } from "./sections.tsx";
import { Stats } from "./stats.tsx";
import styles from "./wide.module.css";

interface WideFrameProps {
  instrument: Instrument;
  /** Shown below the chart. */
  sections: readonly DetailSection[];
  /** The side column, and its accessible name. */
  side: ReactNode;
  sideLabel: string;
}

/** Choosing in the list changes the other columns; the address keeps the code. */
export function WideFrame({ instrument, sections, side, sideLabel }: WideFrameProps) {
  const place = usePlace();
  const navigate = useNavigate();
  const [choice, setChoice] = useState<Choice>({ range: "3M", length: null });
  const [alerting, setAlerting] = useState(false);
  const choose = (next: Instrument): void => {
    rememberDetail(next);
    void navigate(ownPath(next), { replace: true });
  };
  return (
    <Screen top={<StaleNotice />} scroll="own" width="wide">
      <div className={styles.wide}>
        <WideList instrument={instrument} onChoose={choose} />
        <div className={styles.middle}>
          <header className={styles.title}>
            <div className={styles.names}>
              <h1>{fullName(instrument)}</h1>
              <p>{place(instrument)}</p>
            </div>
            <div className={styles.actions}>
              <AlertBell instrument={instrument} onOpen={() => setAlerting(true)} />
              <WatchStar instrument={instrument} />
            </div>
          </header>
          <DetailHead instrument={instrument} />
          <HoldingStrip instrument={instrument} />
          <DetailChart instrument={instrument} choice={choice} onChoose={setChoice} tall />
          <Stats instrument={instrument} />
          <Sections sections={sections} />
        </div>
        <aside className={styles.side} aria-label={sideLabel}>
          {side}
        </aside>
      </div>
      <AlertSheet instrument={instrument} open={alerting} onClose={() => setAlerting(false)} />
    </Screen>
  );
}
