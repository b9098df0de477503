/** The head of the workspace: the active instrument with its price and flags, its alert and star, and the layout button. */
import { LayoutGrid } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { InstrumentChips } from "#src/screens/market/detail-head.tsx";
import { AlertBell } from "#src/screens/quote/alert-bell.tsx";
import { AlertSheet } from "#src/screens/quote/alert-sheet.tsx";
import { fullName, usePlace } from "#src/screens/quote/names.ts";
import { WatchStar } from "#src/screens/quote/watch-star.tsx";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { IconButton } from "#src/ui/button.tsx";
import styles from "./workspace.module.css";

/** One line: the charts need the height. */
export function WorkspaceHead({ instrument, onLayout }: { instrument: Instrument; onLayout: () => void }) {
  const { t } = useTranslation();
  const place = usePlace();
  const [alerting, setAlerting] = useState(false);
  const { code } = instrument;
  return (
    <header className={styles.head}>
      <div className={styles.names}>
        <h1>{fullName(instrument)}</h1>
        <p>{place(instrument)}</p>
      </div>
      <p className={styles.quote}>
        <QuoteCell code={code} field="last" className={styles.last} />
        <QuoteCell code={code} field="changeAndPercent" className={styles.change} />
      </p>
      <div className={styles.chips}>
        <InstrumentChips instrument={instrument} />
      </div>
      <div className={styles.actions}>
        <AlertBell instrument={instrument} onOpen={() => setAlerting(true)} />
        <WatchStar instrument={instrument} />
        <IconButton label={t("workspace.layout")} icon={<LayoutGrid size={20} aria-hidden />} aria-haspopup="dialog" onClick={onLayout} />
      </div>
      <AlertSheet instrument={instrument} open={alerting} onClose={() => setAlerting(false)} />
    </header>
  );
}
