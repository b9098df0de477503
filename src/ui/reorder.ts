/** Putting things in another order: sums only, no DOM. */

/** The list with the one at `from` standing at `to`, the others closed up; places beyond the ends are the ends. */
export function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const rest = list.toSpliced(from, 1);
  const taken = list.slice(from, from + 1);
  return rest.toSpliced(Math.min(Math.max(to, 0), rest.length), 0, ...taken);
}

/** The items in the order of some keys: keys that are gone are passed over, items that are new come last. */
export function inOrder<Item>(items: readonly Item[], keyOf: (item: Item) => string, keys: readonly string[]): Item[] {
  const left = new Map(items.map((item) => [keyOf(item), item]));
  const named = keys.flatMap((key) => {
    const item = left.get(key);
    left.delete(key);
    return item === undefined ? [] : [item];
  });
  return [...named, ...left.values()];
}

/** The place of a row that was lifted at `from` and dragged by `px`; it changes when the row's middle passes its neighbour's. */
export function placeDragged(from: number, px: number, rowPx: number, rows: number): number {
  return Math.min(Math.max(from + Math.round(px / rowPx), 0), rows - 1);
}

/** Within this of an edge a drag scrolls the list. */
const EDGE_PX = 56;
/** At the edge itself, per frame of a sixtieth of a second. */
const FASTEST_PX = 12;

/** How far to scroll in this frame while the pointer is at `y` of a scroller from `top` to `bottom`: the nearer the edge, the faster. */
export function edgeScroll(y: number, top: number, bottom: number): number {
  const near = (distance: number): number => Math.min(1, Math.max(0, 1 - distance / EDGE_PX)) * FASTEST_PX;
  const up = near(y - top);
  const down = near(bottom - y);
  return Math.round(down - up);
}

/** Where a key on a handle sends its row; null when the key is none of the handle's. */
export function placeByKey(key: string, at: number, rows: number): number | null {
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: rows - 1 }[key];
  return to === undefined ? null : Math.min(Math.max(to, 0), rows - 1);
}
