/** The resizable panes of the workspace: lists, charts above the dock, book and tape, ticket. */
import { useEffect, useImperativeHandle, useState } from "react";
import type { ReactNode, Ref, RefObject } from "react";
import { useTranslation } from "react-i18next";
import { Group, Panel, Separator, usePanelRef } from "react-resizable-panels";
import type { PanelImperativeHandle, PanelProps } from "react-resizable-panels";
import type { Workspace, Pane } from "#contract/workspace.ts";
import { CHARTS_MIN_PX, DOCK_STRIP_PX, LIMITS, ROOMY_PX } from "./layout.ts";
import styles from "./workspace.module.css";

/** What the layout sheet and the dock's key do with panes. */
export interface PanesHandle {
  /** The present sizes in pixels; 0 for a collapsed pane, null for one that is not shown. */
  sizes: () => Workspace["sizes"];
  resize: (pane: Pane, px: number) => void;
  /** Collapses the dock to its tabs, or opens it. */
  toggleDock: () => void;
}

interface PanesProps {
  /** The sizes at the start; remount by key for others. */
  sizes: Record<Pane, number>;
  /** The member has changed a size. */
  onResized: () => void;
  onDock: (open: boolean) => void;
  ref: Ref<PanesHandle>;
  list: ReactNode;
  charts: ReactNode;
  dock: ReactNode;
  /** Null: this instrument has none. */
  book: ReactNode;
  ticket: ReactNode;
  /** The accessible name of the last column. */
  ticketLabel: string;
}

/** A pane whose figures change all the time. */
const LIVE = `${styles.pane} ${styles.live}`;

/** Whether the window has room for book and ticket side by side. */
function useRoomy(): boolean {
  const [roomy, setRoomy] = useState(() => window.innerWidth >= ROOMY_PX);
  useEffect(() => {
    const query = window.matchMedia(`(min-width: ${ROOMY_PX}px)`);
    const follow = (): void => setRoomy(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return roomy;
}

/** The panes' handles by name. */
function useHandles(): Record<Pane, RefObject<PanelImperativeHandle | null>> {
  const list = usePanelRef();
  const book = usePanelRef();
  const ticket = usePanelRef();
  const dock = usePanelRef();
  return { list, book, ticket, dock };
}

const px = (handle: PanelImperativeHandle | null): number | null =>
  handle && (handle.isCollapsed() ? 0 : Math.round(handle.getSize().inPixels));

/** Every column scrolls alone. */
export function Panes({ sizes, onResized, onDock, ref, list, charts, dock, book, ticket, ticketLabel }: PanesProps) {
  const { t } = useTranslation();
  const roomy = useRoomy() && book !== null;
  const handles = useHandles();
  useImperativeHandle(ref, () => ({
    sizes: () => ({
      list: px(handles.list.current),
      book: px(handles.book.current),
      ticket: px(handles.ticket.current),
      dock: px(handles.dock.current),
    }),
    resize: (pane, to) => handles[pane].current?.resize(to),
    toggleDock: () => {
      const panel = handles.dock.current;
      if (panel?.isCollapsed()) panel.resize(Math.max(LIMITS.dock.min, sizes.dock));
      else panel?.collapse();
    },
  }));
  const changed: Changed = (_layout, { isUserInteraction }) => {
    if (isUserInteraction) onResized();
  };
  const fixed = (pane: Pane) =>
    ({
      id: `workspace-${pane}`,
      panelRef: handles[pane],
      defaultSize: sizes[pane],
      minSize: LIMITS[pane].min,
      maxSize: LIMITS[pane].max,
      groupResizeBehavior: "preserve-pixel-size",
    }) as const;
  return (
    <Group key={String(roomy)} className={styles.columns} orientation="horizontal" onLayoutChanged={changed}>
      <Panel {...fixed("list")} collapsible collapsedSize={0} className={LIVE}>
        {list}
      </Panel>
      <Separator className={styles.separator} aria-label={t("workspace.resize.list")} />
      <Panel id="workspace-middle" minSize={CHARTS_MIN_PX.width} className={styles.pane}>
        <Middle dock={fixed("dock")} onResized={changed} onDock={onDock} charts={charts}>
          {dock}
        </Middle>
      </Panel>
      {roomy && (
        <>
          <Separator className={styles.separator} aria-label={t("workspace.resize.book")} />
          <Panel {...fixed("book")} collapsible collapsedSize={0} className={LIVE}>
            <div className={styles.scroller} tabIndex={-1}>
              {book}
            </div>
          </Panel>
        </>
      )}
      <Separator className={styles.separator} aria-label={t("workspace.resize.ticket")} />
      <Panel {...fixed("ticket")} className={LIVE}>
        <aside className={styles.scroller} aria-label={ticketLabel}>
          {ticket}
          {!roomy && book}
        </aside>
      </Panel>
    </Group>
  );
}

type Changed = (layout: unknown, meta: { isUserInteraction: boolean }) => void;

interface MiddleProps {
  dock: Pick<PanelProps, "id" | "panelRef" | "maxSize" | "minSize" | "groupResizeBehavior"> & { defaultSize: number };
  onResized: Changed;
  onDock: (open: boolean) => void;
  charts: ReactNode;
  children: ReactNode;
}

/** Charts above the dock, which collapses to its tabs. */
function Middle({ dock, onResized, onDock, charts, children }: MiddleProps) {
  const { t } = useTranslation();
  return (
    <Group className={styles.rows} orientation="vertical" onLayoutChanged={onResized}>
      <Panel id="workspace-charts" minSize={CHARTS_MIN_PX.height} className={styles.pane}>
        {charts}
      </Panel>
      <Separator className={styles.separator} aria-label={t("workspace.resize.dock")} />
      <Panel
        {...dock}
        defaultSize={dock.defaultSize || DOCK_STRIP_PX}
        collapsible
        collapsedSize={DOCK_STRIP_PX}
        className={LIVE}
        onResize={({ inPixels }) => onDock(inPixels > DOCK_STRIP_PX + 1)}
      >
        {children}
      </Panel>
    </Group>
  );
}
