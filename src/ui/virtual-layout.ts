/** The layout of a virtual list: sections of rows under headings, numbered as one sequence of items. Arithmetic only, no DOM. */

export interface LayoutSection {
  /** How many rows. */
  rows: number;
  /** Whether it has a heading. */
  headed: boolean;
}

export interface PlacedSection {
  /** Distance from the top of the list, px. */
  top: number;
  height: number;
  /** Height of the heading, 0 without one. */
  heading: number;
  /** The index of its first row among all items: headings and rows, counted from the top. */
  firstRow: number;
}

export interface Layout {
  sections: readonly PlacedSection[];
  height: number;
  rows: number;
  /** Headings and rows. */
  items: number;
  rowPx: number;
}

/** Stack sections of equal rows; all headings have the same height. */
export function placeSections(sections: readonly LayoutSection[], rowPx: number, headingPx: number): Layout {
  const placed: PlacedSection[] = [];
  let top = 0;
  let items = 0;
  let allRows = 0;
  for (const { rows, headed } of sections) {
    const heading = headed ? headingPx : 0;
    const height = heading + rows * rowPx;
    const firstRow = items + (headed ? 1 : 0);
    placed.push({ top, height, heading, firstRow });
    top += height;
    items = firstRow + rows;
    allRows += rows;
  }
  return { sections: placed, height: top, rows: allRows, items, rowPx };
}

/** Binary search: the first section a test holds for, given that it then holds for every later one; the section count when none. */
function firstOf(sections: readonly PlacedSection[], holds: (section: PlacedSection) => boolean): number {
  let low = 0;
  let high = sections.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const section = sections[middle];
    if (section && !holds(section)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The section at a distance from the top; beyond the end the last one, 0 when there are none. */
export function sectionAt({ sections }: Layout, y: number): number {
  return Math.max(
    0,
    Math.min(
      sections.length - 1,
      firstOf(sections, ({ top, height }) => top + height > y),
    ),
  );
}

/** The height of each item by index, px; 0 beyond the end. */
export function itemHeights({ sections, items, rowPx }: Layout): (item: number) => number {
  const headings = new Map(sections.flatMap(({ heading, firstRow }) => (heading > 0 ? [[firstRow - 1, heading] as const] : [])));
  return (item) => (item < items ? (headings.get(item) ?? rowPx) : 0);
}

/** A mounted row. */
export interface PlacedRow {
  /** Its index in its section. */
  index: number;
  /** Its index among all items. */
  item: number;
  /** Distance from the top of its section, px. */
  top: number;
}

/** The mounted part of a section; its heading is mounted whenever the section is. */
export interface MountedSection {
  section: number;
  rows: PlacedRow[];
}

/** Groups mounted items, in order, by section. */
export function bySection({ sections, rowPx }: Layout, items: readonly number[]): MountedSection[] {
  const mounted: MountedSection[] = [];
  for (const item of items) {
    // The last section that starts at or before the item: an empty one starts where the next does.
    const section = firstOf(sections, ({ firstRow, heading }) => firstRow - (heading > 0 ? 1 : 0) > item) - 1;
    const placed = sections[section];
    if (!placed) continue;
    let at = mounted.at(-1);
    if (at?.section !== section) mounted.push((at = { section, rows: [] }));
    const index = item - placed.firstRow;
    if (index >= 0) at.rows.push({ index, item, top: placed.heading + index * rowPx });
  }
  return mounted;
}
