/** A list one puts in order: by dragging a row at its handle, or with the arrow keys on it; long lists mount only what is seen. */
import { GripVertical } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Hidden } from "./hidden.tsx";
import { useDraggedRow } from "./reorder-drag.ts";
import { moved, placeByKey } from "./reorder.ts";
import { placeSections } from "./virtual-layout.ts";
import { useVirtualWindow } from "./virtual-window.ts";
import { useWishedOrder } from "./wished-order.ts";
import styles from "./reorder-list.module.css";

export interface ReorderListProps<Item> {
  /** Names the list. */
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** What an item is called, for its handle and for what is said of its moves. */
  nameOf: (item: Item) => string;
  /** The row beside its handle. */
  renderRow: (item: Item) => ReactNode;
  /** A new order is wanted. Until the promise settles it is shown; from then on `items` are, in theirs. */
  onOrder: (keys: string[]) => Promise<unknown>;
  /** Row height at a 16 px root. */
  rowPx?: number;
  before?: ReactNode;
  after?: ReactNode;
}

const DEFAULT_ROW_PX = 64;

/** The list fills its place and scrolls alone; a drag near its edges scrolls it. */
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
  const { shown, wishing, wish, unwish } = useWishedOrder(items, keyOf, onOrder);
  /** The order a drag began with. */
  const begun = useRef<{ keys: readonly string[]; wished: boolean }>({ keys: [], wished: false });
  const [focused, setFocused] = useState<string | null>(null);
  const [said, setSaid] = useState("");
  const say = (key: string, order: readonly string[]): void => {
    const item = items.find((one) => keyOf(one) === key);
    if (item !== undefined) setSaid(t("ui.moved", { what: nameOf(item), n: order.indexOf(key) + 1, of: order.length }));
  };
  const drag = useDraggedRow({
    scroller,
    rowPx: layout.rowPx,
    rows,
    onMove: (from, to) => wish(moved(begun.current.keys, from, to), "later"),
    onDrop: (key, from, to) => {
      const order = moved(begun.current.keys, from, to);
      wish(order, "now");
      say(key, order);
    },
    onCancel: () => (begun.current.wished ? wish(begun.current.keys, "now") : unwish()),
  });
  const lift = (event: PointerEvent<HTMLElement>, key: string, at: number): void => {
    begun.current = { keys: shown.map(keyOf), wished: wishing };
    drag.lift(event, key, at);
  };
  const pressed = (event: KeyboardEvent, key: string, at: number): void => {
    const to = placeByKey(event.key, at, rows);
    if (to === null || drag.lifted !== null) return;
    event.preventDefault();
    if (to === at) return;
    const order = moved(shown.map(keyOf), at, to);
    wish(order, "soon");
    say(key, order);
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
        {/* In the order the desk knows: a row that is dragged must not change its place in the tree. */}
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
                onKeyDown={(event) => pressed(event, key, at)}
                onPointerDown={(event) => lift(event, key, at)}
              >
                <GripVertical size={20} aria-hidden />
              </button>
            </div>
          );
        })}
      </div>
      <div role="status">
        <Hidden>{said}</Hidden>
      </div>
      {after}
    </div>
  );
}

/** Scroll as little as brings a row into sight. */
function reveal(scroller: HTMLElement | null, top: number, height: number): void {
  if (!scroller) return;
  const lowest = top + height - scroller.clientHeight;
  scroller.scrollTop = Math.min(Math.max(scroller.scrollTop, lowest), top);
}
