/** When the next frame may go: not more often than the beat, and never far ahead of a screen that is slow to take it. */

/** A screen that takes longer than this for a frame is late. */
const LATE_MS = 200;
/** This many late frames make a screen slow, as many good ones make it quick again. */
const LATE_FRAMES = 5;
/** A batch that comes after this part of the beat need not wait for the rest: the server's beat is not ours to the millisecond. */
const SLACK = 0.8;
/** A screen that keeps up answers for one frame in so many: each answer costs it a message. One that was late answers for each. */
const ASK_EVERY = 5;

export class FramePacer {
  readonly #emit: (asks: boolean) => boolean;
  readonly #now: () => number;
  #everyMs = 100;
  #lookedAt = -Infinity;
  /** A frame was sent that asks for an answer, and it has not come: until then only the newest is kept. */
  #waiting = false;
  #askedAt = 0;
  #unasked = 0;
  #wanted = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #late = 0;
  #slow = false;

  /** `emit` sends a frame with everything that changed, which may ask to be answered, and returns whether there was anything to send. */
  constructor(emit: (asks: boolean) => boolean, now: () => number) {
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
    const sinceMs = this.#now() - this.#lookedAt;
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

  /** The screen took the frame that asked. Returns whether the screen's speed is judged otherwise than before. */
  acked(): boolean {
    this.#waiting = false;
    this.#late = Math.min(LATE_FRAMES, Math.max(0, this.#late + (this.#now() - this.#askedAt > LATE_MS ? 1 : -1)));
    const slow = this.#slow ? this.#late > 0 : this.#late === LATE_FRAMES;
    const changed = slow !== this.#slow;
    this.#slow = slow;
    if (this.#wanted) this.want();
    return changed;
  }

  #send(): void {
    this.#wanted = false;
    const asks = this.#late > 0 || this.#unasked + 1 >= ASK_EVERY;
    // A look at the table that found nothing to say was a beat all the same: what comes next is gathered with what follows it.
    this.#lookedAt = this.#now();
    if (!this.#emit(asks)) return;
    this.#unasked = asks ? 0 : this.#unasked + 1;
    if (!asks) return;
    this.#askedAt = this.#lookedAt;
    this.#waiting = true;
  }
}
