/** Monitors the connection: forwards signals at a limited rate and reopens a silent connection. */
import type { ConnectionEvent } from "#workers/protocol.ts";

/** Signals are forwarded at most this often, because each one costs the main thread a machine transition; the server sends at least every 500 ms, so about every second signal is forwarded. */
const EMIT_EVERY_MS = 700;
/** An open connection that is silent this long is reopened. */
const REOPEN_AFTER_MS = 6_000;
const WATCH_EVERY_MS = 500;

export class Heartbeat {
  readonly #emit: (event: ConnectionEvent) => void;
  readonly #reopen: () => void;
  readonly #now: () => number;
  #open = false;
  #lastSignalMs = 0;
  #lastEmittedMs = 0;
  #serverAt = 0;
  #watchdog: ReturnType<typeof setInterval> | null = null;

  /** `emit` sends an event to the page; `reopen` is called when an open connection has been silent for too long. */
  constructor(emit: (event: ConnectionEvent) => void, reopen: () => void, now: () => number) {
    this.#emit = emit;
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
    this.#lastSignalMs = this.#now();
    this.#emit("CONNECTED");
  }

  closed(): void {
    this.#open = false;
    this.#emit("DISCONNECTED");
  }

  /** A message arrived. `serverAt` is the server's clock: an unchanged value is not a sign of life. */
  onSignal(serverAt: number): void {
    if (serverAt === this.#serverAt) return;
    this.#serverAt = serverAt;
    this.#lastSignalMs = this.#now();
    if (this.#lastSignalMs - this.#lastEmittedMs < EMIT_EVERY_MS) return;
    this.#lastEmittedMs = this.#lastSignalMs;
    this.#emit("RECEIVED");
  }

  #watch(): void {
    if (!this.#open || this.#now() - this.#lastSignalMs < REOPEN_AFTER_MS) return;
    this.#lastSignalMs = this.#now();
    this.#reopen();
  }
}
