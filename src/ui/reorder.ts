/** Pure functions for reordering lists; no DOM. */

/** The list with the item at `from` moved to `to`; positions beyond the ends are clamped. */
export function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const rest = list.toSpliced(from, 1);
  const taken = list.slice(from, from + 1);
  return rest.toSpliced(Math.min(Math.max(to, 0), rest.length), 0, ...taken);
}

/** The items in the order of the given keys: unknown keys are skipped, items without a key come last. */
export function inOrder<Item>(items: readonly Item[], keyOf: (item: Item) => string, keys: readonly string[]): Item[] {
  const left = new Map(items.map((item) => [keyOf(item), item]));
  const named = keys.flatMap((key) => {
    const item = left.get(key);
    left.delete(key);
    return item === undefined ? [] : [item];
  });
  return [...named, ...left.values()];
}

/** The position of a row lifted at `from` and dragged by `px`; it changes when the row's middle passes its neighbour's. */
export function placeDragged(from: number, px: number, rowPx: number, rows: number): number {
  return Math.min(Math.max(from + Math.round(px / rowPx), 0), rows - 1);
}

/** Dragging within this distance of an edge scrolls the list. */
const EDGE_PX = 56;
/** Scroll distance per frame (1/60 s) at the edge itself. */
const FASTEST_PX = 12;

/** How far to scroll (px) in this frame while the pointer is at `y` of a scroller from `top` to `bottom`: faster near the edge. */
export function edgeScroll(y: number, top: number, bottom: number): number {
  const speedAt = (distance: number): number => Math.min(1, Math.max(0, 1 - distance / EDGE_PX)) * FASTEST_PX;
  const up = speedAt(y - top);
  const down = speedAt(bottom - y);
  return Math.round(down - up);
}

/** The position a key on a handle moves its row to; null for keys the handle does not use. */
export function placeByKey(key: string, at: number, rows: number): number | null {
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: rows - 1 }[key];
  return to === undefined ? null : Math.min(Math.max(to, 0), rows - 1);
}
