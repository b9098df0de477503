/** A list the member reorders by dragging a row's handle or with arrow keys on it; long lists mount only visible rows. */
import { GripVertical } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Hidden } from "./hidden.tsx";
import { useDraggedRow } from "./reorder-drag.ts";
import { moved, placeByKey } from "./reorder.ts";
import { placeSections } from "./virtual-layout.ts";
import { useVirtualWindow } from "./virtual-window.ts";
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
  const { t } = useTranslation();
  const rows = items.length;
  const place = useCallback((scale: number) => placeSections([{ rows, headed: false }], Math.round(rowPx * scale), 0), [rows, rowPx]);
  const { scroller, plane, layout, items: seen } = useVirtualWindow(place, null);
  const { shown, pending, request, revert } = useReorderRequest(items, keyOf, onOrder);
  /** The order at the start of a drag. */
  const dragStart = useRef<{ keys: readonly string[]; pending: boolean }>({ keys: [], pending: false });
  const [focused, setFocused] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState("");
  const announce = (key: string, order: readonly string[]): void => {
    const item = items.find((one) => keyOf(one) === key);
    if (item !== undefined) setAnnouncement(t("ui.moved", { what: nameOf(item), n: order.indexOf(key) + 1, of: order.length }));
  };
  const drag = useDraggedRow({
    scroller,
    rowPx: layout.rowPx,
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
  const onHandleKey = (event: KeyboardEvent, key: string, at: number): void => {
    const to = placeByKey(event.key, at, rows);
    if (to === null || drag.lifted !== null) return;
    event.preventDefault();
    if (to === at) return;
    const order = moved(shown.map(keyOf), at, to);
    request(order, "soon");
    announce(key, order);
    reveal(scroller.current, (plane.current?.offsetTop ?? 0) + to * layout.rowPx, layout.rowPx);
  };
  const mounted = new Set(seen);
  const places = new Map(shown.map((item, at) => [keyOf(item), at]));
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
          const lifted = drag.lifted?.key === key;
          if (!lifted && key !== focused && !mounted.has(at)) return null;
          const top = (lifted ? (drag.lifted?.from ?? at) : at) * layout.rowPx;
          return (
            <div
              key={key}
              ref={lifted ? drag.liftedRow : undefined}
              role="listitem"
              aria-setsize={rows}
              aria-posinset={at + 1}
              className={styles.row}
              data-key={key}
              data-lifted={lifted || undefined}
              style={{ transform: `translateY(${top}px)`, blockSize: layout.rowPx }}
            >
              <div className={styles.content}>{renderRow(item)}</div>
              <button
                type="button"
                className={styles.handle}
                aria-label={t("ui.move", { what: nameOf(item) })}
                title={t("ui.moveHint")}
                onKeyDown={(event) => onHandleKey(event, key, at)}
                onPointerDown={(event) => lift(event, key, at)}
              >
                <GripVertical size={20} aria-hidden />
              </button>
            </div>
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

/** Scroll just far enough to make a row visible. */
function reveal(scroller: HTMLElement | null, top: number, height: number): void {
  if (!scroller) return;
  const lowest = top + height - scroller.clientHeight;
  scroller.scrollTop = Math.min(Math.max(scroller.scrollTop, lowest), top);
}
