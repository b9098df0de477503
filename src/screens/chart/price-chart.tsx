/** The price chart of one instrument: the row of time frames and tools, the drawing below it, and the sheets the tools open. */
import { Maximize2, Minimize2, SlidersHorizontal } from "lucide-react";
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Adjustment } from "#contract/corporate-action.ts";
import { FRAMES } from "#contract/preference.ts";
import type { Frame, Preferences, SubStudy } from "#contract/preference.ts";
import type { Instrument } from "#contract/instrument.ts";
import { loadTranslations } from "#src/gateway/language.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { savePreferences, usePreferences } from "#src/streams/preferences.ts";
import { useActions, useProfile } from "#src/streams/profiles.ts";
import { IconButton } from "#src/ui/button.tsx";
import { ErrorBoundary } from "#src/ui/error-boundary.tsx";
import type { TableOfBars } from "./spoken-bar.ts";
import { ChartCanvas } from "./chart-canvas.tsx";
import type { ChartCanvasProps, ChartHandle } from "./chart-canvas.tsx";
import { FullScreen, useTurned } from "./full-screen.tsx";
import { FrameBar } from "./frame-bar.tsx";
import { customary, planOf, studiesOf } from "./study.ts";
import type { ChartSubject } from "./chart-spec.ts";
import { useLineEditor } from "./use-lines.ts";
import type { LineEditor } from "./use-lines.ts";
import { adjustable, viewOf } from "./view.ts";
import type { View } from "./view.ts";
import styles from "./chart.module.css";

/** Sheets are loaded when first opened: most users never open one. */
const ToolsSheet = lazy(async () => {
  const [{ ToolsSheet }] = await Promise.all([import("./tools-sheet.tsx"), loadTranslations("sheets")]);
  return { default: ToolsSheet };
});
const LinesSheet = lazy(async () => ({ default: (await import("./lines-sheet.tsx")).LinesSheet }));
const BarTable = lazy(async () => {
  const [{ BarTable }] = await Promise.all([import("./bar-table.tsx"), loadTranslations("sheets")]);
  return { default: BarTable };
});

export interface PriceChartProps extends ChartSubject {
  frame: Frame;
  onFrame: (frame: Frame) => void;
  /** Takes the rest of its container, a flex column, instead of a fixed height. */
  fill?: boolean;
}

const NO_ACTIONS: never[] = [];
/** Maximum panes below the prices: where the chart fills its container, and on the phone's page. */
const MAX_PANES = 3;
const MAX_PHONE_PANES = 2;

/** What made the chart full screen: its button, or turning the phone. */
type FullBy = "button" | "turn" | null;

/** A chart; remount it (by key) for another instrument. Another time frame or session starts a new drawing. */
export function PriceChart({ frame, onFrame, fill = false, ...subject }: PriceChartProps) {
  const { t, i18n } = useTranslation();
  const { code, session } = subject;
  const chart = useRef<ChartHandle>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const sheets = useSheets();
  const [full, setFull] = useState<FullBy>(null);
  useTurned((landscape) => setFull((by) => (landscape ? (by ?? "turn") : by === "turn" ? null : by)));
  const [comparing, setComparing] = useState(false);
  const [attempt, setAttempt] = useState(0);

  const preferences = usePreferences();
  const index = useIndex(code);
  const last = (): number => chart.current?.last() ?? 0;
  const editor = useLineEditor(subject, last);
  // The clock decides where a view begins, never its shape or its bar length.
  const shape = viewOf(frame, session.opensAt, session.opensAt);
  const adjustment = adjustable(shape) ? preferences.adjustment : "none";
  const other = index && shortName(index, i18n.language);
  // Lines are at today's prices, which this adjustment shifts.
  const linesHidden = adjustment === "backward";

  const onKeyDown = (event: KeyboardEvent): void => {
    const chosen = FRAMES[Number(event.key) - 1];
    if (chosen) onFrame(chosen);
  };
  return (
    <>
      <FullScreen
        full={full !== null}
        device={full === "button"}
        onLeave={() => setFull(null)}
        label={t("chart.fullOf", { name: subject.name })}
        toggle={toggle}
      >
        <div className={styles.chart} data-fill={fill || full || undefined} onKeyDown={full ? onKeyDown : undefined}>
          <div className={styles.controls}>
            <FrameBar key={String(full)} frame={frame} onFrame={onFrame} />
            <IconButton label={t("chart.tools")} icon={<SlidersHorizontal size={20} aria-hidden />} onClick={() => sheets.open("tools")} />
            <IconButton
              ref={toggle}
              label={full ? t("chart.leaveFull") : t("chart.full")}
              icon={full ? <Minimize2 size={20} aria-hidden /> : <Maximize2 size={20} aria-hidden />}
              onClick={() => setFull(full ? null : "button")}
            />
          </div>
          <ChosenChart
            key={`${frame} ${session.opensAt} ${adjustment} ${attempt}`}
            ref={chart}
            subject={subject}
            frame={frame}
            preferences={preferences}
            adjustment={adjustment}
            compared={comparing && index && other !== undefined ? { code: index.code, own: code, other } : null}
            editor={linesHidden ? null : editor}
            onLines={() => sheets.open("lines")}
            maxPanes={fill || full ? MAX_PANES : MAX_PHONE_PANES}
            onRetry={() => setAttempt(attempt + 1)}
          />
        </div>
      </FullScreen>
      <ChartSheets
        sheets={sheets}
        subject={subject}
        preferences={preferences}
        line={shape.shape === "line"}
        compare={other === undefined ? null : { name: other, on: comparing, onSwitch: setComparing }}
        editor={editor}
        last={last}
        linesHidden={linesHidden}
        tableNow={() => chart.current?.table() ?? null}
      />
    </>
  );
}

type SheetName = "tools" | "lines" | "table";

interface Sheets {
  shown: SheetName | null;
  /** The sheets opened so far; they stay mounted. */
  opened: ReadonlySet<SheetName>;
  open: (which: SheetName) => void;
  close: () => void;
}

/** Which sheet is open, one at a time. */
function useSheets(): Sheets {
  const [shown, setShown] = useState<SheetName | null>(null);
  const [opened, setOpened] = useState<ReadonlySet<SheetName>>(new Set());
  const open = (which: SheetName): void => {
    setOpened((before) => new Set(before).add(which));
    setShown(which);
  };
  return { shown, opened, open, close: () => setShown(null) };
}

interface ChartSheetsProps {
  sheets: Sheets;
  subject: ChartSubject;
  preferences: Preferences;
  /** The intraday line is drawn. */
  line: boolean;
  compare: { name: string; on: boolean; onSwitch: (on: boolean) => void } | null;
  editor: LineEditor;
  last: () => number;
  linesHidden: boolean;
  /** The bars in view at this moment; null before the first drawing. */
  tableNow: () => TableOfBars | null;
}

/** The sheets of the chart's tools, each loaded when it is first opened. */
function ChartSheets({ sheets, subject, preferences, line, compare, editor, last, linesHidden, tableNow }: ChartSheetsProps) {
  const { shown, opened, open, close } = sheets;
  const [table, setTable] = useState<TableOfBars | null>(null);
  const openTable = (): void => {
    setTable(tableNow());
    open("table");
  };
  return (
    <ErrorBoundary fallback={() => null}>
      <Suspense>
        {opened.has("tools") && (
          <ToolsSheet
            open={shown === "tools"}
            onClose={close}
            preferences={preferences}
            line={line}
            compare={compare}
            lines={{ count: editor.lines.length, waiting: editor.lines.filter(({ alert }) => alert?.status === "waiting").length }}
            onLines={() => open("lines")}
            onTable={openTable}
          />
        )}
        {opened.has("lines") && (
          <LinesSheet open={shown === "lines"} onClose={close} subject={subject} editor={editor} last={last} linesHidden={linesHidden} />
        )}
        {table && <BarTable open={shown === "table"} onClose={close} name={subject.name} table={table} />}
      </Suspense>
    </ErrorBoundary>
  );
}

interface ChosenChartProps extends Omit<ChartCanvasProps, "view" | "request" | "plans" | "actions" | "what" | "collapsed" | "onCollapse"> {
  frame: Frame;
  preferences: Preferences;
  adjustment: Adjustment;
}

/** Draws one time frame; its view is fixed when chosen, so that passing time does not redraw it. */
function ChosenChart({ frame, preferences, adjustment, ...rest }: ChosenChartProps) {
  const { t, i18n } = useTranslation();
  const { code, kind, session } = rest.subject;
  const [view] = useState<View>(() => viewOf(frame, session.opensAt, Date.now()));
  const { main, sub, studies } = preferences;
  // Compared as JSON: a server response equal to what was sent must not rebuild the chart.
  const preferredStudies = JSON.stringify({ main, sub, studies });
  const spec = useMemo(() => {
    const preferred = JSON.parse(preferredStudies) as Pick<Preferences, "main" | "sub" | "studies">;
    const kinds = studiesOf(view, kind, preferred);
    const settings = customary(preferred.studies, i18n.language);
    return {
      plans: kinds.map((kind) => planOf(kind, settings)),
      request: { code, period: view.period, adjustment, studies: kinds, settings },
    };
  }, [code, kind, view, adjustment, preferredStudies, i18n.language]);
  const { value: actions } = useActions(code);
  return (
    <ChartCanvas
      {...rest}
      {...spec}
      view={view}
      collapsed={preferences.collapsed}
      onCollapse={(study) => void savePreferences({ collapsed: switched(preferences.collapsed, study) })}
      actions={(adjustable(view) && actions) || NO_ACTIONS}
      what={t(`chart.frame.${frame}`)}
    />
  );
}

const switched = (collapsed: readonly SubStudy[], study: SubStudy): SubStudy[] =>
  collapsed.includes(study) ? collapsed.filter((one) => one !== study) : [...collapsed, study];

/** The index an instrument is compared with; undefined if there is none or it is not loaded yet. */
function useIndex(code: string): Instrument | undefined {
  const { value: profile } = useProfile(code);
  const table = useInstruments();
  return profile?.index == null ? undefined : table?.byCode.get(profile.index);
}
