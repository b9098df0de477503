/** The layout of a virtual list: sections of rows under headings, counted as one line of items. Arithmetic only, no DOM. */

export interface LayoutSection {
  /** How many rows. */
  rows: number;
  /** Whether a heading stands above them. */
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

/** Stack sections of equal rows; headings have one height. */
export function placeSections(sections: readonly LayoutSection[], rowPx: number, headingPx: number): Layout {
  const placed: PlacedSection[] = [];
  let top = 0;
  let items = 0;
  let all = 0;
  for (const { rows, headed } of sections) {
    const heading = headed ? headingPx : 0;
    const height = heading + rows * rowPx;
    const firstRow = items + (headed ? 1 : 0);
    placed.push({ top, height, heading, firstRow });
    top += height;
    items = firstRow + rows;
    all += rows;
  }
  return { sections: placed, height: top, rows: all, items, rowPx };
}

/** The first section a test holds for, when it holds for every later one too; their number when it holds for none. */
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

/** The section at a distance from the top: the last one beyond the end, 0 without any. */
export function sectionAt({ sections }: Layout, y: number): number {
  return Math.max(
    0,
    Math.min(
      sections.length - 1,
      firstOf(sections, ({ top, height }) => top + height > y),
    ),
  );
}

/** The height of every item, in order. */
export function itemHeights({ sections, items, rowPx }: Layout): (item: number) => number {
  const headings = new Map(sections.flatMap(({ heading, firstRow }) => (heading > 0 ? [[firstRow - 1, heading] as const] : [])));
  return (item) => (item < items ? (headings.get(item) ?? rowPx) : 0);
}

/** A mounted row. */
export interface PlacedRow {
  /** Its place in its section. */
  index: number;
  /** Its index among all items. */
  item: number;
  /** Distance from the top of its section, px. */
  top: number;
}

/** The mounted part of a section; its heading is there whenever the section is. */
export interface MountedSection {
  section: number;
  rows: PlacedRow[];
}

/** Mounted items, in their order, as the sections they stand in. */
export function bySection({ sections, rowPx }: Layout, items: readonly number[]): MountedSection[] {
  const mounted: MountedSection[] = [];
  for (const item of items) {
    // The last section that begins at it or before: an empty one begins where the next does.
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
