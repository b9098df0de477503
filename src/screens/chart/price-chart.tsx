/** The price chart of one instrument: the row of time frames and tools, the drawing below it, and the sheets the tools open. */
import { Maximize2, Minimize2, SlidersHorizontal } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import type { KeyboardEvent, RefObject } from "react";
import { useTranslation } from "react-i18next";
import type { Adjustment } from "#contract/corporate-action.ts";
import { FRAMES } from "#contract/preference.ts";
import type { Frame, Preferences, ShapeKind, SubStudy } from "#contract/preference.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { savePreferences, usePreferences } from "#src/streams/preferences.ts";
import { useActions } from "#src/streams/profiles.ts";
import { IconButton } from "#src/ui/button.tsx";
import { ChartCanvas } from "./chart-canvas.tsx";
import type { ChartCanvasProps, ChartHandle } from "./chart-canvas.tsx";
import { ChartSheets, useSheets } from "./chart-sheets.tsx";
import { FullScreen, useTurned } from "./full-screen.tsx";
import { FrameBar } from "./frame-bar.tsx";
import { customary, planOf, studiesOf } from "./study.ts";
import type { ChartSubject } from "./chart-spec.ts";
import { useLineEditor } from "./use-lines.ts";
import { adjustable, viewOf } from "./view.ts";
import type { View } from "./view.ts";
import styles from "./chart.module.css";

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
  const { t } = useTranslation();
  const chart = useRef<ChartHandle>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const sheets = useSheets();
  const [full, setFull] = useState<FullBy>(null);
  useTurned((landscape) => setFull((by) => (landscape ? (by ?? "turn") : by === "turn" ? null : by)));
  const { other, compared, compare } = useComparison(subject.code);
  const [attempt, setAttempt] = useState(0);
  const drawing = useTool();

  const preferences = usePreferences();
  const last = (): number => chart.current?.last() ?? 0;
  const editor = useLineEditor(subject, last);
  // The clock decides where a view begins, never its shape or its bar length.
  const shape = viewOf(frame, subject.session.opensAt, subject.session.opensAt);
  const adjustment = adjustable(shape) ? preferences.adjustment : "none";
  // Lines are at today's prices, which this adjustment shifts.
  const linesHidden = adjustment === "backward";
  return (
    <>
      <FullScreen
        full={full !== null}
        device={full === "button"}
        onLeave={() => setFull(null)}
        label={t("chart.fullOf", { name: subject.name })}
        toggle={toggle}
      >
        <div className={styles.chart} data-fill={fill || full || undefined} onKeyDown={full ? frameKeys(onFrame) : undefined}>
          <Controls
            frame={frame}
            onFrame={onFrame}
            full={full !== null}
            toggle={toggle}
            onTools={() => sheets.open("tools")}
            onFull={setFull}
          />
          <ChosenChart
            key={`${frame} ${subject.session.opensAt} ${adjustment} ${attempt}`}
            ref={chart}
            subject={subject}
            frame={frame}
            preferences={preferences}
            adjustment={adjustment}
            compared={compared}
            editor={linesHidden ? null : editor}
            onLines={() => sheets.open("lines")}
            {...drawing}
            own={subject.kind !== "index"}
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
        other={other}
        onCompare={compare}
        editor={editor}
        last={last}
        linesHidden={linesHidden}
        onTool={drawing.onTool}
        tableNow={() => chart.current?.table() ?? null}
      />
    </>
  );
}

/** The drawing tool in use, and a function that chooses one. */
function useTool() {
  const [tool, onTool] = useState<ShapeKind | null>(null);
  return { tool, onTool };
}

/** What the chart is compared with, until it is left; and a function that changes it. */
function useComparison(code: string) {
  const { i18n } = useTranslation();
  const [comparing, compare] = useState<string | null>(null);
  const other = useInstruments()?.byCode.get(comparing ?? "");
  const compared = useMemo(
    () => (other ? { code: other.code, own: code, other: shortName(other, i18n.language) } : null),
    [code, other, i18n.language],
  );
  return { other, compared, compare };
}

/** In full screen the keys of the page do not reach it: 1 to 9 choose the time frame here. */
const frameKeys =
  (onFrame: (frame: Frame) => void) =>
  (event: KeyboardEvent): void => {
    const chosen = FRAMES[Number(event.key) - 1];
    if (chosen) onFrame(chosen);
  };

interface ControlsProps extends Pick<PriceChartProps, "frame" | "onFrame"> {
  full: boolean;
  toggle: RefObject<HTMLButtonElement | null>;
  onTools: () => void;
  onFull: (by: FullBy) => void;
}

/** The row of time frames, with the buttons of the settings and of full screen. */
function Controls({ frame, onFrame, full, toggle, onTools, onFull }: ControlsProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.controls}>
      <FrameBar key={String(full)} frame={frame} onFrame={onFrame} />
      <IconButton label={t("chart.tools")} icon={<SlidersHorizontal size={20} aria-hidden />} onClick={onTools} />
      <IconButton
        ref={toggle}
        label={full ? t("chart.leaveFull") : t("chart.full")}
        icon={full ? <Minimize2 size={20} aria-hidden /> : <Maximize2 size={20} aria-hidden />}
        onClick={() => onFull(full ? null : "button")}
      />
    </div>
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
  const actions = useActions(code).value?.actions;
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
