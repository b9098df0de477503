/** The workspace, the wide layout of an instrument: watchlist, charts, dock, book and tape, and ticket in resizable panes. */
import { lazy, useEffect, useEffectEvent, useRef, useState } from "react";
import type { ReactNode } from "react";
import type { Workspace as Layout } from "#contract/workspace.ts";
import type { Instrument } from "#contract/instrument.ts";
import { isTyping } from "#src/screens/market/is-typing.ts";
import { WideList } from "#src/screens/market/wide-list.tsx";
import { ownPath, rememberDetail } from "#src/screens/quote/detail-link.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { saveCurrent, useWorkspaces } from "#src/streams/workspaces.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { useNavigate } from "#src/ui/link.tsx";
import { Screen } from "#src/ui/screen.tsx";
import { Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { ChartGrid } from "./charts.tsx";
import { Dock } from "./dock.tsx";
import type { DockSection } from "./dock.tsx";
import { WorkspaceHead } from "./head.tsx";
import { activeChart, CHART_COUNTS, DEFAULT_WORKSPACE, sizesFor, withCode, withCount, withFrame } from "./layout.ts";
import type { ChartCount } from "./layout.ts";
import { workspaceActionOf } from "./keys.ts";
import type { WorkspaceAction } from "./keys.ts";
import { LayoutSheet } from "./layout-sheet.tsx";
import type { PanesHandle } from "./panes.tsx";
import styles from "./workspace.module.css";

/** The route loads it in parallel. */
const Panes = lazy(async () => ({ default: (await import("./panes.tsx")).Panes }));

export interface WorkspaceProps {
  instrument: Instrument;
  /** The dock's tabs about the instrument. */
  sections: readonly DockSection[];
  /** Order book and tape; null for an instrument without a book. */
  book: ReactNode;
  /** The last column, and its accessible name. */
  side: ReactNode;
  sideLabel: string;
}

/** Waits for the member's layout, which would otherwise jump. */
export function Workspace(props: WorkspaceProps) {
  const { value, state } = useWorkspaces();
  const skeleton = useSkeleton(value === null && state === "loading");
  if (value === null && state === "loading") return <Screen width="wide">{skeleton && <Skeleton shape="block" />}</Screen>;
  return <ReadyWorkspace {...props} workspace={value?.current ?? DEFAULT_WORKSPACE} />;
}

function ReadyWorkspace({ workspace, instrument, sections, book, side, sideLabel }: WorkspaceProps & { workspace: Layout }) {
  const go = useShow();
  const panes = useRef<PanesHandle>(null);
  const [layout, setLayout] = useState(false);
  const { active, pinned, activate, forget } = useActiveChart(workspace, instrument, go);
  const { round, sizes, docked, setDocked, restart } = usePaneStart(workspace);
  const table = useInstruments();
  const now = (): Layout => ({ ...pinned, sizes: panes.current?.sizes() ?? workspace.sizes });
  const setCount = (count: ChartCount): void => saveCurrent(withCount(now(), count, instrument.code));
  // The panes take their sizes within this frame.
  const saveSizes = (): void => void requestAnimationFrame(() => saveCurrent(now()));
  const toggleDock = (): void => {
    panes.current?.toggleDock();
    saveSizes();
  };
  const apply = (next: Layout): void => {
    saveCurrent(next);
    restart(next);
    forget();
    const first = table?.byCode.get(next.charts[0]?.code ?? "");
    if (first) go(first);
  };
  useWorkspaceKeys({
    chartBefore: () => activate((active + workspace.charts.length - 1) % workspace.charts.length),
    chartAfter: () => activate((active + 1) % workspace.charts.length),
    count: () => setCount(nextCount(workspace)),
    dock: toggleDock,
    layout: () => setLayout(true),
  });
  return (
    <Screen top={<StaleNotice />} scroll="own" width="wide">
      <Panes
        key={round}
        sizes={sizes}
        ref={panes}
        onResized={saveSizes}
        onDock={setDocked}
        list={<WideList instrument={instrument} onChoose={go} />}
        charts={
          <div className={styles.middle}>
            <WorkspaceHead instrument={instrument} onLayout={() => setLayout(true)} />
            <ChartGrid
              workspace={workspace}
              instrument={instrument}
              active={active}
              onActivate={activate}
              onFrame={(at, frame) => saveCurrent(withFrame(pinned, at, frame))}
            />
          </div>
        }
        dock={<Dock open={docked} onToggle={toggleDock} sections={sections} />}
        book={book}
        ticket={side}
        ticketLabel={sideLabel}
      />
      <LayoutSheet
        open={layout}
        onClose={() => setLayout(false)}
        workspace={now}
        panes={panes}
        count={String(workspace.charts.length)}
        onCount={setCount}
        onApply={apply}
      />
    </Screen>
  );
}

/** The chart that follows the address; the workspace remembers what it shows. */
function useActiveChart(workspace: Layout, instrument: Instrument, go: (next: Instrument) => void) {
  const table = useInstruments();
  const [chosen, setChosen] = useState<number | null>(null);
  const active = activeChart(workspace, chosen, instrument.code);
  const pinned = withCode(workspace, active, instrument.code);
  useEffect(() => {
    if (pinned !== workspace) saveCurrent(pinned);
  });
  const activate = (at: number): void => {
    if (at === active) return;
    setChosen(at);
    const next = table?.byCode.get(pinned.charts[at]?.code ?? "");
    if (next && next.code !== instrument.code) go(next);
  };
  return { active, pinned, activate, forget: () => setChosen(null) };
}

/** The sizes that the panes start with; another workspace starts new panes. */
function usePaneStart(workspace: Layout) {
  const startOf = (from: Layout) => sizesFor(from, window.innerWidth, window.innerHeight);
  const [{ round, sizes }, setStart] = useState(() => ({ round: 0, sizes: startOf(workspace) }));
  const [docked, setDocked] = useState(workspace.sizes.dock !== 0);
  const restart = (next: Layout): void => {
    setStart({ round: round + 1, sizes: startOf(next) });
    setDocked(next.sizes.dock !== 0);
  };
  return { round, sizes, docked, setDocked, restart };
}

const nextCount = ({ charts }: Layout): ChartCount =>
  CHART_COUNTS[(CHART_COUNTS.findIndex((count) => count === String(charts.length)) + 1) % CHART_COUNTS.length] ?? "1";

/** Shows an instrument in the workspace; the address keeps the code. */
function useShow(): (next: Instrument) => void {
  const navigate = useNavigate();
  return (next) => {
    rememberDetail(next);
    void navigate(ownPath(next), { replace: true });
  };
}

/** Keys of the workspace that nothing else on the page takes. */
function useWorkspaceKeys(act: Record<WorkspaceAction, () => void>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const action = workspaceActionOf(event.key);
    if (action !== null && !event.repeat && !isTyping(event)) act[action]();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => press(event);
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
