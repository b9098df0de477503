/** The sums of a jump index: which section a point of the rail means, and where a key leads. */

/** A section in the index: what it is called, and the group (a board) it belongs to. */
export interface Section {
  label: string;
  group: string;
}

/** A run of sections of one group. */
export interface SectionGroup {
  group: string;
  /** Its first section, and how many there are. */
  from: number;
  count: number;
}

/** Neighbouring sections of one group, together. */
export function sectionGroups(marks: readonly Section[]): SectionGroup[] {
  const groups: SectionGroup[] = [];
  for (const [at, { group }] of marks.entries()) {
    const last = groups.at(-1);
    if (last?.group === group) last.count += 1;
    else groups.push({ group, from: at, count: 1 });
  }
  return groups;
}

/** The section at a height of the rail, both in pixels; beyond its ends the first and the last. */
export function sectionAt(y: number, height: number, count: number): number {
  if (count === 0 || height <= 0) return 0;
  return Math.min(Math.max(Math.floor((y / height) * count), 0), count - 1);
}

/** Where a key leads from a section: arrows one on, page keys to the next and the previous group, Home and End; null for any other key. */
export function sectionByKey(key: string, now: number, marks: readonly Section[]): number | null {
  const groups = sectionGroups(marks);
  const at = groups.findIndex(({ from, count }) => now >= from && now < from + count);
  const last = marks.length - 1;
  switch (key) {
    case "ArrowDown":
    case "ArrowRight":
      return Math.min(now + 1, last);
    case "ArrowUp":
    case "ArrowLeft":
      return Math.max(now - 1, 0);
    case "PageDown":
      return groups[at + 1]?.from ?? last;
    case "PageUp":
      // Inside a group first to its own beginning, as page keys do in books.
      return (groups[at]?.from === now ? groups[at - 1]?.from : groups[at]?.from) ?? 0;
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
}
