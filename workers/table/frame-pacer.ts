/** Paces frames: at most one per interval, never far ahead of a slow screen, and never most of its main thread. */

/** A frame acknowledged later than this counts as late. */
const LATE_MS = 200;
/** This many late frames make a screen slow; as many punctual ones make it fast again. */
const LATE_FRAMES = 5;
/** A batch arriving after this fraction of the interval is sent at once: the server's interval does not match ours exactly. */
const SLACK = 0.8;
/** A punctual screen acknowledges one frame in this many, since each acknowledgement costs a message; a late screen, or one with costly frames, acknowledges all. */
const ASK_EVERY = 5;
/** Frames take at most this share of the screen's main thread: the rest is for touches, scrolling and what a frame sets off later. */
const SHARE = 0.2;
/** However costly its frames are, a screen gets one at least this often. */
const LONGEST_MS = 500;
/** Weight of the newest frame in the average cost: one costly frame, such as a new page's first, slows little. */
const NEWEST = 0.3;

export class FramePacer {
  readonly #emit: (asks: boolean) => boolean;
  readonly #now: () => number;
  #everyMs = 100;
  #lastFrameAt = -Infinity;
  /** A frame awaits its acknowledgement; until then nothing is sent and only the newest state is kept. */
  #awaitingAck = false;
  #askedAt = 0;
  #framesSinceAsk = 0;
  #pending = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #late = 0;
  /** Average main-thread time of a frame, in milliseconds. */
  #costMs = 0;
  #slow = false;

  /** `emit` sends a frame with everything that changed, requesting an acknowledgement if `asks`, and returns whether there was anything to send. */
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

  /** Time between two frames: what was set, or longer where frames are costly. */
  get #intervalMs(): number {
    return Math.max(this.#everyMs, Math.min(LONGEST_MS, this.#costMs / SHARE));
  }

  /** Requests a frame because something changed. `immediate` skips the interval: a new element on screen is still empty. */
  request(immediate = false): void {
    this.#pending = true;
    if (this.#awaitingAck) return;
    const sinceMs = this.#now() - this.#lastFrameAt;
    if (!immediate && sinceMs >= this.#intervalMs * SLACK) {
      this.#send();
      return;
    }
    if (this.#timer !== null) {
      if (!immediate) return;
      clearTimeout(this.#timer);
    }
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        if (!this.#awaitingAck && this.#pending) this.#send();
      },
      immediate ? 0 : this.#intervalMs - sinceMs,
    );
  }

  /** The screen acknowledged a frame that took `costMs` of its main thread. Returns whether `slow` changed. */
  acked(costMs: number): boolean {
    this.#awaitingAck = false;
    this.#costMs += (costMs - this.#costMs) * NEWEST;
    this.#late = Math.min(LATE_FRAMES, Math.max(0, this.#late + (this.#now() - this.#askedAt > LATE_MS ? 1 : -1)));
    const slow = this.#slow ? this.#late > 0 : this.#late === LATE_FRAMES;
    const changed = slow !== this.#slow;
    this.#slow = slow;
    if (this.#pending) this.request();
    return changed;
  }

  #send(): void {
    this.#pending = false;
    // One left from before would send the next frame too early.
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const asks = this.#late > 0 || this.#intervalMs > this.#everyMs || this.#framesSinceAsk + 1 >= ASK_EVERY;
    // An empty frame also starts a new interval, so that the next changes are collected together.
    this.#lastFrameAt = this.#now();
    if (!this.#emit(asks)) return;
    this.#framesSinceAsk = asks ? 0 : this.#framesSinceAsk + 1;
    if (!asks) return;
    this.#askedAt = this.#lastFrameAt;
    this.#awaitingAck = true;
  }
}
