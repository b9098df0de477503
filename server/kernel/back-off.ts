/** Rows of a clock whose step failed: each is tried again after one tick, then after two, four and so on, and the others go on. */

/** The most ticks between two tries. */
const MOST_TICKS = 64;

export class BackOff {
  readonly #failed = new Map<string, { tries: number; again: number }>();
  #tick = 0;

  /** Counts a tick of the clock. */
  tick(): void {
    this.#tick += 1;
  }

  /** Takes a row's step, unless the row has to wait. @returns whether it was taken; a failure is reported */
  async take(key: string, step: () => Promise<unknown>, report?: (error: unknown) => void): Promise<boolean> {
    const failed = this.#failed.get(key);
    if (failed && this.#tick < failed.again) return false;
    try {
      await step();
    } catch (error) {
      const tries = (failed?.tries ?? 0) + 1;
      this.#failed.set(key, { tries, again: this.#tick + Math.min(MOST_TICKS, 2 ** (tries - 1)) });
      report?.(error);
      return false;
    }
    this.#failed.delete(key);
    return true;
  }
}
