/** When the next frame may go: not before the screen took the last one, not more often than the beat. */

/** A screen that takes longer than this for a frame is late. */
const LATE_MS = 200;
/** This many late frames make a screen slow, as many good ones make it quick again. */
const LATE_FRAMES = 5;
/** A batch that comes after this part of the beat need not wait for the rest: the server's beat is not ours to the millisecond. */
const SLACK = 0.8;

export class Beat {
  readonly #emit: () => boolean;
  readonly #now: () => number;
  #everyMs = 100;
  #sentAt = -Infinity;
  #waiting = false;
  #wanted = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #late = 0;
  #slow = false;

  /** `emit` sends a frame with everything that changed and returns whether there was anything to send. */
  constructor(emit: () => boolean, now: () => number) {
    this.#emit = emit;
    this.#now = now;
  }

  set everyMs(ms: number) {
    this.#everyMs = ms;
  }

  /** Whether the screen has been falling behind lately. */
  get slow(): boolean {
    return this.#slow;
  }

  /** Something changed. `soon` does not wait for the beat: somebody just came on screen and shows nothing yet. */
  want(soon = false): void {
    this.#wanted = true;
    if (this.#waiting) return;
    const sinceMs = this.#now() - this.#sentAt;
    if (!soon && sinceMs >= this.#everyMs * SLACK) {
      this.#send();
      return;
    }
    if (this.#timer !== null) {
      if (!soon) return;
      clearTimeout(this.#timer);
    }
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        if (!this.#waiting && this.#wanted) this.#send();
      },
      soon ? 0 : this.#everyMs - sinceMs,
    );
  }

  /** The screen took the frame. Returns whether the screen's speed is judged otherwise than before. */
  acked(): boolean {
    this.#waiting = false;
    this.#late = Math.min(LATE_FRAMES, Math.max(0, this.#late + (this.#now() - this.#sentAt > LATE_MS ? 1 : -1)));
    const slow = this.#slow ? this.#late > 0 : this.#late === LATE_FRAMES;
    const changed = slow !== this.#slow;
    this.#slow = slow;
    if (this.#wanted) this.want();
    return changed;
  }

  /** The screen is another one: nothing is owed by it. */
  reset(): void {
    this.#waiting = false;
    this.#wanted = false;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #send(): void {
    this.#wanted = false;
    if (!this.#emit()) return;
    this.#sentAt = this.#now();
    this.#waiting = true;
  }
}
