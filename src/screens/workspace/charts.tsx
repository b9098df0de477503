/** The charts of the workspace: one, two or four, each with its own instrument and time frame; one of them is active. */
import { useEffect, useState } from "react";
import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import type { Workspace } from "#contract/workspace.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { Frame } from "#contract/preference.ts";
import { DetailChart } from "#src/screens/market/detail-chart.tsx";
import { fullName } from "#src/screens/quote/names.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { usePreferences } from "#src/streams/preferences.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { useFrameKeys } from "#src/screens/market/use-frame.ts";
import { CalmSources } from "./calm-source.ts";
import styles from "./workspace.module.css";

interface ChartGridProps {
  workspace: Workspace;
  /** The active chart shows this instrument. */
  instrument: Instrument;
  active: number;
  onActivate: (at: number) => void;
  onFrame: (at: number, frame: Frame) => void;
}

/** The number of panes below the prices sets the least height: the price pane must not shrink when one is opened. */
export function ChartGrid({ workspace, instrument, active, onActivate, onFrame }: ChartGridProps) {
  const { t } = useTranslation();
  const table = useInstruments();
  useFrameKeys((frame) => onFrame(active, frame));
  const panes = usePreferences().sub.length;
  const { charts } = workspace;
  const [sources] = useState(() => new CalmSources());
  useEffect(() => sources.activate(active), [sources, active]);
  const style = { "--panes": panes } as CSSProperties;
  return (
    <div className={styles.charts} data-count={charts.length} style={style}>
      {charts.map((chart, at) => {
        const code = at === active ? instrument.code : (chart.code ?? instrument.code);
        const shown = code === instrument.code ? instrument : table?.byCode.get(code);
        return (
          <div
            key={at}
            className={styles.chart}
            data-active={(charts.length > 1 && at === active) || undefined}
            onPointerDown={() => onActivate(at)}
          >
            {charts.length > 1 && shown && (
              <button
                type="button"
                className={styles.chartTitle}
                aria-pressed={at === active}
                aria-label={t("workspace.chartOf", { n: at + 1, name: fullName(shown) })}
                onClick={() => onActivate(at)}
              >
                <b>{fullName(shown)}</b>
                <span>{shown.code}</span>
                <QuoteCell code={shown.code} field="last" className={styles.chartLast} />
                <QuoteCell code={shown.code} field="percent" />
              </button>
            )}
            {shown && (
              <DetailChart
                key={String(charts.length > 1)}
                instrument={shown}
                frame={chart.frame}
                onFrame={(frame) => onFrame(at, frame)}
                height="fill"
                {...(charts.length > 1 ? { open: sources.open[at] } : {})}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}
