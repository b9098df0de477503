/** The desk, the wide layout of an instrument: watchlist, charts, dock, book and tape, and ticket in resizable panes. */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { ReactNode } from "react";
import type { Desk as DeskLayout } from "#contract/desk.ts";
import type { Instrument } from "#contract/instrument.ts";
import { isTyping } from "#src/screens/market/is-typing.ts";
import { WideList } from "#src/screens/market/wide-list.tsx";
import { ownPath, rememberDetail } from "#src/screens/quote/detail-link.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { saveDesk, useDesks } from "#src/streams/desks.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { useNavigate } from "#src/ui/link.tsx";
import { Screen } from "#src/ui/screen.tsx";
import { Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { DeskCharts } from "./charts.tsx";
import { Dock } from "./dock.tsx";
import type { DockSection } from "./dock.tsx";
import { DeskHead } from "./head.tsx";
import { activeChart, CHART_COUNTS, DEFAULT_DESK, sizesFor, withCode, withCount, withFrame } from "./layout.ts";
import type { ChartCount } from "./layout.ts";
import { LayoutSheet } from "./layout-sheet.tsx";
import { Panes } from "./panes.tsx";
import type { PanesHandle } from "./panes.tsx";
import styles from "./desk.module.css";

export interface DeskProps {
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
export function Desk(props: DeskProps) {
  const { value, state } = useDesks();
  const skeleton = useSkeleton(value === null && state === "loading");
  if (value === null && state === "loading") return <Screen width="wide">{skeleton && <Skeleton shape="block" />}</Screen>;
  return <ReadyDesk {...props} desk={value?.current ?? DEFAULT_DESK} />;
}

function ReadyDesk({ desk, instrument, sections, book, side, sideLabel }: DeskProps & { desk: DeskLayout }) {
  const go = useShow();
  const panes = useRef<PanesHandle>(null);
  const [layout, setLayout] = useState(false);
  const { active, pinned, activate, forget } = useActiveChart(desk, instrument, go);
  const { round, sizes, docked, setDocked, restart } = usePaneStart(desk);
  const table = useInstruments();
  const now = (): DeskLayout => ({ ...pinned, sizes: panes.current?.sizes() ?? desk.sizes });
  const setCount = (count: ChartCount): void => saveDesk(withCount(now(), count, instrument.code));
  const toggleDock = (): void => {
    panes.current?.toggleDock();
    // The panes follow within this frame.
    requestAnimationFrame(() => saveDesk(now()));
  };
  const apply = (next: DeskLayout): void => {
    saveDesk(next);
    restart(next);
    forget();
    const first = table?.byCode.get(next.charts[0]?.code ?? "");
    if (first) go(first);
  };
  useDeskKeys({
    "[": () => activate((active + desk.charts.length - 1) % desk.charts.length),
    "]": () => activate((active + 1) % desk.charts.length),
    g: () => setCount(nextCount(desk)),
    d: toggleDock,
    l: () => setLayout(true),
  });
  return (
    <Screen top={<StaleNotice />} scroll="own" width="wide">
      <Panes
        key={round}
        sizes={sizes}
        ref={panes}
        onResized={() => saveDesk(now())}
        onDock={setDocked}
        list={<WideList instrument={instrument} onChoose={go} />}
        charts={
          <div className={styles.middle}>
            <DeskHead instrument={instrument} onLayout={() => setLayout(true)} />
            <DeskCharts
              desk={desk}
              instrument={instrument}
              active={active}
              onActivate={activate}
              onFrame={(at, choice) => saveDesk(withFrame(pinned, at, choice))}
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
        desk={now}
        panes={panes}
        count={String(desk.charts.length)}
        onCount={setCount}
        onApply={apply}
      />
    </Screen>
  );
}

/** The chart that follows the address; the desk remembers what it shows. */
function useActiveChart(desk: DeskLayout, instrument: Instrument, go: (next: Instrument) => void) {
  const table = useInstruments();
  const [chosen, setChosen] = useState<number | null>(null);
  const active = activeChart(desk, chosen, instrument.code);
  const pinned = withCode(desk, active, instrument.code);
  useEffect(() => {
    if (pinned !== desk) saveDesk(pinned);
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
function usePaneStart(desk: DeskLayout) {
  const startOf = (from: DeskLayout) => sizesFor(from, window.innerWidth, window.innerHeight);
  const [{ round, sizes }, setStart] = useState(() => ({ round: 0, sizes: startOf(desk) }));
  const [docked, setDocked] = useState(desk.sizes.dock !== 0);
  const restart = (next: DeskLayout): void => {
    setStart({ round: round + 1, sizes: startOf(next) });
    setDocked(next.sizes.dock !== 0);
  };
  return { round, sizes, docked, setDocked, restart };
}

const nextCount = ({ charts }: DeskLayout): ChartCount =>
  CHART_COUNTS[(CHART_COUNTS.findIndex((count) => count === String(charts.length)) + 1) % CHART_COUNTS.length] ?? "1";

/** Shows an instrument on the desk; the address keeps the code. */
function useShow(): (next: Instrument) => void {
  const navigate = useNavigate();
  return (next) => {
    rememberDetail(next);
    void navigate(ownPath(next), { replace: true });
  };
}

/** Keys of the desk that nothing else on the page takes. */
function useDeskKeys(keys: Record<string, () => void>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.repeat || isTyping(event)) return;
    keys[event.key]?.();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => press(event);
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
