/** Signs of life of the line: passed on sparingly, and missed when they stay out. */
import type { LineEvent } from "#workers/protocol.ts";

/** Signs of life are passed on at most this often, with heartbeats once a second: each costs the main thread a step of a machine. */
const HEARD_EVERY_MS = 700;
/** A line that is open but silent this long is opened anew. */
const REOPEN_AFTER_MS = 6_000;
const WATCH_EVERY_MS = 500;

export class Heartbeat {
  readonly #say: (event: LineEvent) => void;
  readonly #reopen: () => void;
  readonly #now: () => number;
  #open = false;
  #heardMs = 0;
  #saidMs = 0;
  #spokenAt = 0;
  #watchdog: ReturnType<typeof setInterval> | null = null;

  /** `say` tells the page; `reopen` is called when an open line has been silent for too long. */
  constructor(say: (event: LineEvent) => void, reopen: () => void, now: () => number) {
    this.#say = say;
    this.#reopen = reopen;
    this.#now = now;
  }

  start(): void {
    this.stop();
    this.#watchdog = setInterval(() => this.#watch(), WATCH_EVERY_MS);
  }

  stop(): void {
    if (this.#watchdog !== null) clearInterval(this.#watchdog);
    this.#watchdog = null;
    this.#open = false;
  }

  opened(): void {
    this.#open = true;
    this.#heardMs = this.#now();
    this.#say("CONNECTED");
  }

  closed(): void {
    this.#open = false;
    this.#say("DISCONNECTED");
  }

  /** The server spoke. `spokenAt` is its clock: standing still it is no sign of life. */
  heard(spokenAt: number): void {
    if (spokenAt === this.#spokenAt) return;
    this.#spokenAt = spokenAt;
    this.#heardMs = this.#now();
    if (this.#heardMs - this.#saidMs < HEARD_EVERY_MS) return;
    this.#saidMs = this.#heardMs;
    this.#say("HEARD");
  }

  #watch(): void {
    if (!this.#open || this.#now() - this.#heardMs < REOPEN_AFTER_MS) return;
    this.#heardMs = this.#now();
    this.#reopen();
  }
}
