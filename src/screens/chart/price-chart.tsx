/** The price chart of one instrument: the drawing, the ranges below it, and its bars as a table on demand. */
import { Table2 } from "lucide-react";
import { useRef, useState } from "react";
import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "#src/ui/button.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import { BarTable } from "./bar-table.tsx";
import type { TableOfBars } from "./bar-table.tsx";
import { ChartCanvas } from "./chart-canvas.tsx";
import type { ChartHandle } from "./chart-canvas.tsx";
import { RangeBar } from "./range-bar.tsx";
import type { ChartSubject } from "./use-chart.ts";
import { viewOf } from "./view.ts";
import type { Choice, View } from "./view.ts";
import styles from "./chart.module.css";

export interface PriceChartProps extends ChartSubject {
  choice: Choice;
  onChoose: (choice: Choice) => void;
  /** Takes the height of its place instead of the phone's fixed one. */
  tall?: boolean;
}

/** A chart. Another choice, instrument or session starts a new drawing. */
export function PriceChart({ choice, onChoose, tall = false, ...subject }: PriceChartProps) {
  const { t } = useTranslation();
  const chart = useRef<ChartHandle>(null);
  const [table, setTable] = useState<TableOfBars | null>(null);
  const key = `${subject.code} ${choice.range ?? choice.length} ${subject.session.opensAt}`;
  return (
    <div className={styles.chart} data-tall={tall || undefined}>
      <ChosenChart key={key} choice={choice} subject={subject} handle={chart} />
      <div className={styles.controls}>
        <RangeBar choice={choice} onChoose={onChoose} />
        <IconButton
          label={t("chart.showTable")}
          icon={<Table2 size={20} aria-hidden />}
          onClick={() => setTable(chart.current?.table() ?? null)}
        />
      </div>
      <Sheet open={table !== null} onClose={() => setTable(null)} title={t("chart.tableTitle", { name: subject.name })}>
        {table && <BarTable table={table} decimals={subject.decimals} />}
      </Sheet>
    </div>
  );
}

/** One choice drawn: its view is fixed when it is chosen, so that the clock moving on does not redraw it. */
function ChosenChart({ choice, subject, handle }: { choice: Choice; subject: ChartSubject; handle: Ref<ChartHandle> }) {
  const { t } = useTranslation();
  const [view] = useState<View>(() => viewOf(choice, subject.session.opensAt, Date.now()));
  const [attempt, setAttempt] = useState(0);
  const what = choice.range === null ? t(`chart.length.${choice.length}`) : t(`chart.range.${choice.range}`);
  return <ChartCanvas key={attempt} subject={subject} view={view} what={what} onRetry={() => setAttempt(attempt + 1)} ref={handle} />;
}
