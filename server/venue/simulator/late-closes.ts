/** The rows of the current session whose close is put off, until it takes place. */
export class LateCloses {
  /** The minutes of a row that are over before its close. */
  readonly #before: number;
  #awaited = new Set<number>();
  /** When they take place. */
  heldAt = Infinity;

  /** `minutes`: of a session. */
  constructor(minutes: number) {
    this.#before = minutes - 1;
  }

  /** Begins a session, before its last minute. */
  begin(rows: readonly number[], heldAt: number): void {
    this.heldAt = heldAt;
    this.#awaited = new Set(rows);
  }

  /** The rows that are awaited. */
  get rows(): ReadonlySet<number> {
    return this.#awaited;
  }

  /** How many of so many minutes of a row are over. */
  over(row: number, minutes: number): number {
    return this.#awaited.has(row) ? Math.min(minutes, this.#before) : minutes;
  }

  /** The rows whose close takes place now. */
  take(now: number): number[] {
    if (now < this.heldAt || this.#awaited.size === 0) return [];
    const rows = [...this.#awaited];
    this.#awaited.clear();
    return rows;
  }
}
