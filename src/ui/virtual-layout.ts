/** Where the rows of a virtual list stand, and which of them a viewport shows: sums only, no DOM. */

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
  rows: number;
  /** Rows in the sections before. */
  before: number;
}

export interface Layout {
  sections: readonly PlacedSection[];
  height: number;
  rows: number;
  rowPx: number;
}

/** Stack sections of equal rows; headings have one height. */
export function placeSections(sections: readonly LayoutSection[], rowPx: number, headingPx: number): Layout {
  const placed: PlacedSection[] = [];
  let top = 0;
  let before = 0;
  for (const { rows, headed } of sections) {
    const heading = headed ? headingPx : 0;
    const height = heading + rows * rowPx;
    placed.push({ top, height, heading, rows, before });
    top += height;
    before += rows;
  }
  return { sections: placed, height: top, rows: before, rowPx };
}

/** A run of rows of one section: `from` up to but without `to`. */
export interface Run {
  section: number;
  from: number;
  to: number;
}

function firstReaching(sections: readonly PlacedSection[], y: number): number {
  let low = 0;
  let high = sections.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const section = sections[middle];
    if (section && section.top + section.height <= y) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The section at a distance from the top: the last one beyond the end, 0 without any. */
export function sectionAt({ sections }: Layout, y: number): number {
  return Math.max(0, Math.min(sections.length - 1, firstReaching(sections, y)));
}

/** How many rows are kept ready beyond each edge, and in what steps the window moves. */
const OVERSCAN = 3;
const STEP = 2;

/** The rows to have mounted while `y` to `y + viewport` is on screen; runs move in steps, so that few scrolls change them. */
export function rowsAt(layout: Layout, y: number, viewport: number): Run[] {
  const { sections, rowPx } = layout;
  const start = Math.max(0, y - OVERSCAN * rowPx);
  const end = y + viewport + OVERSCAN * rowPx;
  const runs: Run[] = [];
  for (let at = firstReaching(sections, start); at < sections.length; at += 1) {
    const section = sections[at];
    if (!section || section.top >= end) break;
    const rowsTop = section.top + section.heading;
    const from = Math.max(0, Math.floor((start - rowsTop) / rowPx / STEP) * STEP);
    const to = Math.min(section.rows, Math.max(0, Math.ceil((end - rowsTop) / rowPx / STEP) * STEP));
    runs.push({ section: at, from: Math.min(from, section.rows), to: Math.max(to, Math.min(from, section.rows)) });
  }
  return runs;
}

/** Whether two windows mount the same rows. */
export function sameRuns(one: readonly Run[], other: readonly Run[]): boolean {
  return (
    one.length === other.length &&
    one.every((run, at) => {
      const twin = other[at];
      return twin !== undefined && run.section === twin.section && run.from === twin.from && run.to === twin.to;
    })
  );
}
