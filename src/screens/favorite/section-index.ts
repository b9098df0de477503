/** Pure functions of the section rail: the section at a point, and the target of a key. */

/** A section in the rail: its label and the group (a board) it belongs to. */
export interface Section {
  label: string;
  group: string;
}

/** Consecutive sections of one group. */
export interface SectionGroup {
  group: string;
  /** The index of its first section, and the number of sections. */
  from: number;
  count: number;
}

/** Consecutive sections of one group, merged. */
export function sectionGroups(marks: readonly Section[]): SectionGroup[] {
  const groups: SectionGroup[] = [];
  for (const [at, { group }] of marks.entries()) {
    const last = groups.at(-1);
    if (last?.group === group) last.count += 1;
    else groups.push({ group, from: at, count: 1 });
  }
  return groups;
}

/** The section at a height of the rail, both in px; clamped to the first and last section. */
export function sectionAt(y: number, height: number, count: number): number {
  if (count === 0 || height <= 0) return 0;
  return Math.min(Math.max(Math.floor((y / height) * count), 0), count - 1);
}

/** The section a key leads to: arrows to the next, page keys to the next or previous group, Home and End; null for any other key. */
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
      // Within a group, first to the group's own start.
      return (groups[at]?.from === now ? groups[at - 1]?.from : groups[at]?.from) ?? 0;
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
}
