/** What begins or ends for single rows with the current minute or, after a jump in time, just before it. */
import type { Path } from "./intraday-path.ts";

export class MinuteEvents {
  /** Rows whose halt began or ended, or that opened or closed late. */
  readonly halted: number[] = [];
  readonly resumed: number[] = [];
  readonly openedLate: number[] = [];
  readonly closedLate: number[] = [];
  /** Rows that had a call of a day of calls; true: a call in between; false: the opening or closing call. */
  readonly called = new Map<number, boolean>();

  /** Whether many minutes have passed at once, so that every row is another one. */
  slept = false;

  clear(): void {
    this.slept = false;
    for (const rows of [this.halted, this.resumed, this.openedLate, this.closedLate]) rows.length = 0;
    this.called.clear();
  }

  /** Adds what a minute begins with for a row. */
  note(row: number, path: Path, minute: number): void {
    if (path.calls?.isAt(minute)) this.called.set(row, path.calls.isBetween(minute));
    if (!path.hasHalts) return;
    if (path.haltAt(minute)?.from === minute) this.halted.push(row);
    if (path.resumesAt(minute)) (minute === path.opensIn ? this.openedLate : this.resumed).push(row);
  }

  /** Adds what the minutes from one up to, not including, another begin with. */
  noteAll(row: number, path: Path, from: number, until: number): void {
    if (!path.calls && !path.hasHalts) return;
    for (let minute = from; minute < until; minute += 1) this.note(row, path, minute);
  }

  /** Forgets calls of days of calls that were due before a minute, once they are held: what those rows show is their next call. */
  forgetCallsBefore(minute: number, pathOf: (row: number) => Path | null): void {
    for (const row of this.called.keys()) if (!pathOf(row)?.calls?.isAt(minute)) this.called.delete(row);
  }

  /** Rows whose call in between takes place. */
  get between(): number[] {
    return [...this.called].flatMap(([row, isBetween]) => (isBetween ? [row] : []));
  }
}
