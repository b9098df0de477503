/** Virtual window of the hand-written page: the rows visible in a viewport, in steps of two to change less often while scrolling. */
import type { Layout, PlacedSection } from "#src/ui/virtual-layout.ts";

/** Consecutive rows of one section: `from` inclusive, `to` exclusive. */
export interface Run {
  section: number;
  from: number;
  to: number;
}

const OVERSCAN = 3;
const STEP = 2;

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

/** The rows to mount while `y` to `y + viewport` is visible. */
export function rowsAt({ sections, rowPx }: Layout, y: number, viewport: number): Run[] {
  const start = Math.max(0, y - OVERSCAN * rowPx);
  const end = y + viewport + OVERSCAN * rowPx;
  const runs: Run[] = [];
  for (let at = firstReaching(sections, start); at < sections.length; at += 1) {
    const section = sections[at];
    if (!section || section.top >= end) break;
    const rowsTop = section.top + section.heading;
    const rows = (section.height - section.heading) / rowPx;
    const from = Math.min(rows, Math.max(0, Math.floor((start - rowsTop) / rowPx / STEP) * STEP));
    const to = Math.min(rows, Math.max(0, Math.ceil((end - rowsTop) / rowPx / STEP) * STEP));
    runs.push({ section: at, from, to: Math.max(to, from) });
  }
  return runs;
}

/** Tells whether two windows mount the same rows. */
export function sameRuns(one: readonly Run[], other: readonly Run[]): boolean {
  return (
    one.length === other.length &&
    one.every((run, at) => {
      const twin = other[at];
      return twin !== undefined && run.section === twin.section && run.from === twin.from && run.to === twin.to;
    })
  );
}
