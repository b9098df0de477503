/** A list the member reorders by dragging a row's handle, with arrow keys on it, or with the buttons that a tap on it shows; long lists mount only visible rows. */
import { ArrowDown, ArrowUp, GripVertical } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent, ReactNode, RefObject } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./button.tsx";
import { Hidden } from "./hidden.tsx";
import { useDraggedRow } from "./reorder-drag.ts";
import type { Lifted } from "./reorder-drag.ts";
import { moved, placeByKey } from "./reorder.ts";
import { placeSections } from "./virtual-layout.ts";
import { useVirtualWindow } from "./virtual-window.ts";
import type { VirtualWindow } from "./virtual-window.ts";
import { useReorderRequest } from "./reorder-request.ts";
import styles from "./reorder-list.module.css";

export interface ReorderListProps<Item> {
  /** The list's accessible name. */
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** The item's name, for its handle and for announcing its moves. */
  nameOf: (item: Item) => string;
  /** The row beside its handle. */
  renderRow: (item: Item) => ReactNode;
  /** A new order is requested. It is shown until the promise settles; from then on the order of `items` is. */
  onOrder: (keys: string[]) => Promise<unknown>;
  /** Row height at a 16 px root. */
  rowPx?: number;
  before?: ReactNode;
  after?: ReactNode;
}

const DEFAULT_ROW_PX = 64;
/** A finger moves this far in a tap. */
const TAP_PX = 8;

/** The list fills its container and scrolls on its own; a drag near its edges scrolls it. */
export function ReorderList<Item>({
  label,
  items,
  keyOf,
  nameOf,
  renderRow,
  onOrder,
  rowPx = DEFAULT_ROW_PX,
  before,
  after,
}: ReorderListProps<Item>) {
  const rows = items.length;
  const place = useCallback((scale: number) => placeSections([{ rows, headed: false }], Math.round(rowPx * scale), 0), [rows, rowPx]);
  const shown = useVirtualWindow(place, null);
  const { scroller, plane, layout } = shown;
  const { places, drag, lift, move, moveByKey, announcement } = useReordering({ items, keyOf, nameOf, onOrder }, shown);
  const [focused, setFocused] = useState<string | null>(null);
  const [opened, setOpened] = useState<string | null>(null);
  const mounted = new Set(shown.items);
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      onFocus={(event) => setFocused(event.target.closest<HTMLElement>("[data-key]")?.dataset["key"] ?? null)}
      onBlur={() => setFocused(null)}
    >
      {before}
      <div
        ref={plane}
        className={styles.plane}
        role="list"
        aria-label={label}
        data-lifted={drag.lifted !== null || undefined}
        style={{ blockSize: layout.height }}
      >
        {/* In the saved order: a dragged row must not change its place in the tree. */}
        {items.map((item) => {
          const key = keyOf(item);
          const at = places.get(key) ?? 0;
          const lifted = drag.lifted?.key === key ? drag.lifted : null;
          if (!lifted && key !== focused && !mounted.has(at)) return null;
          return (
            <ReorderRow
              key={key}
              id={key}
              name={nameOf(item)}
              at={at}
              rows={rows}
              rowPx={layout.rowPx}
              lifted={lifted}
              liftedRow={drag.liftedRow}
              onLift={(event) => lift(event, key, at)}
              onKey={(event) => moveByKey(event, key, at)}
              opened={opened === key}
              onTap={() => setOpened(opened === key ? null : key)}
              onMove={(to) => move(key, at, to)}
            >
              {renderRow(item)}
            </ReorderRow>
          );
        })}
      </div>
      <div role="status">
        <Hidden>{announcement}</Hidden>
      </div>
      {after}
    </div>
  );
}

/** The order while the member changes it, by drag or key; each finished move is requested and announced. */
function useReordering<Item>(
  { items, keyOf, nameOf, onOrder }: Pick<ReorderListProps<Item>, "items" | "keyOf" | "nameOf" | "onOrder">,
  { scroller, plane, layout: { rowPx } }: VirtualWindow,
) {
  const { t } = useTranslation();
  const rows = items.length;
  const { shown, pending, request, revert } = useReorderRequest(items, keyOf, onOrder);
  /** The order at the start of a drag. */
  const dragStart = useRef<{ keys: readonly string[]; pending: boolean }>({ keys: [], pending: false });
  const [announcement, setAnnouncement] = useState("");
  const announce = (key: string, order: readonly string[]): void => {
    const item = items.find((one) => keyOf(one) === key);
    if (item !== undefined) setAnnouncement(t("ui.moved", { what: nameOf(item), n: order.indexOf(key) + 1, of: order.length }));
  };
  const drag = useDraggedRow({
    scroller,
    rowPx,
    rows,
    onMove: (from, to) => request(moved(dragStart.current.keys, from, to), "later"),
    onDrop: (key, from, to) => {
      const order = moved(dragStart.current.keys, from, to);
      request(order, "now");
      announce(key, order);
    },
    onCancel: () => (dragStart.current.pending ? request(dragStart.current.keys, "now") : revert()),
  });
  const lift = (event: PointerEvent<HTMLElement>, key: string, at: number): void => {
    dragStart.current = { keys: shown.map(keyOf), pending };
    drag.lift(event, key, at);
  };
  const moveByKey = (event: KeyboardEvent, key: string, at: number): void => {
    const to = placeByKey(event.key, at, rows);
    if (to === null || drag.lifted !== null) return;
    event.preventDefault();
    move(key, at, to);
  };
  const move = (key: string, at: number, to: number): void => {
    if (to === at || to < 0 || to >= rows || drag.lifted !== null) return;
    const order = moved(shown.map(keyOf), at, to);
    request(order, "soon");
    announce(key, order);
    reveal(scroller.current, (plane.current?.offsetTop ?? 0) + to * rowPx, rowPx);
  };
  return { places: new Map(shown.map((item, at) => [keyOf(item), at])), drag, lift, move, moveByKey, announcement };
}

interface ReorderRowProps {
  id: string;
  name: string;
  /** Its position; while it is lifted, the one below the pointer. */
  at: number;
  rows: number;
  rowPx: number;
  /** Set while this row is dragged. */
  lifted: Lifted | null;
  liftedRow: RefObject<HTMLDivElement | null>;
  onLift: (event: PointerEvent<HTMLElement>) => void;
  onKey: (event: KeyboardEvent) => void;
  /** Shows the buttons that move it up and down. */
  opened: boolean;
  /** The handle was pressed without dragging it. */
  onTap: () => void;
  onMove: (to: number) => void;
  children: ReactNode;
}

/** A row and the handle that moves it. A lifted row stays where it was lifted; the drag shifts it from there. */
function ReorderRow({ id, name, at, rows, rowPx, lifted, liftedRow, onLift, onKey, opened, onTap, onMove, children }: ReorderRowProps) {
  const { t } = useTranslation();
  const pressedAt = useRef(0);
  return (
    <div
      ref={lifted ? liftedRow : undefined}
      role="listitem"
      aria-setsize={rows}
      aria-posinset={at + 1}
      className={styles.row}
      data-key={id}
      data-lifted={lifted !== null || undefined}
      style={{ transform: `translateY(${(lifted?.from ?? at) * rowPx}px)`, blockSize: rowPx }}
    >
      <div className={styles.content}>{children}</div>
      {opened && (
        <div className={styles.steps}>
          <IconButton
            label={t("ui.moveUp", { what: name })}
            icon={<ArrowUp size={20} aria-hidden />}
            aria-disabled={at === 0 || undefined}
            onClick={() => onMove(at - 1)}
          />
          <IconButton
            label={t("ui.moveDown", { what: name })}
            icon={<ArrowDown size={20} aria-hidden />}
            aria-disabled={at === rows - 1 || undefined}
            onClick={() => onMove(at + 1)}
          />
        </div>
      )}
      <button
        type="button"
        className={styles.handle}
        aria-label={t("ui.move", { what: name })}
        aria-expanded={opened}
        title={t("ui.moveHint")}
        onKeyDown={onKey}
        onPointerDown={(event) => {
          pressedAt.current = event.clientY;
          onLift(event);
        }}
        onClick={(event) => {
          // The end of a drag is a click too.
          if (event.detail === 0 || Math.abs(event.clientY - pressedAt.current) <= TAP_PX) onTap();
        }}
      >
        <GripVertical size={20} aria-hidden />
      </button>
    </div>
  );
}

/** Scroll just far enough to make a row visible. */
function reveal(scroller: HTMLElement | null, top: number, height: number): void {
  if (!scroller) return;
  const lowest = top + height - scroller.clientHeight;
  scroller.scrollTop = Math.min(Math.max(scroller.scrollTop, lowest), top);
}
