/** A recorded tick file as a feed: played once at any speed, on the recording's own clock; when it ends there is silence. */
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { plausible } from "./number.ts";
import { FeedFailed } from "./port.ts";
import type { Feed, FeedLog, Listing, Tick } from "./port.ts";
import { openTickFile } from "./tick-file.ts";
import type { TickFile } from "./tick-file.ts";

export interface ReplayOptions {
  file: string;
  /** How many times faster than it was recorded. */
  speed: number;
  log: FeedLog;
}

/** After so many ticks at once, others have their turn. */
const TOGETHER = 500;

export class ReplayFeed implements Feed {
  readonly speed: number;
  readonly #options: ReplayOptions;
  #file: TickFile | null = null;
  #first: Tick | null = null;
  /** When the recording begins, by its own clock, and how far it has been read: its clock never runs ahead of what it tells. */
  #fromAt = 0;
  #readUpTo = 0;
  #startedAt: number | null = null;
  #running: Promise<void> | null = null;
  #wake: (() => void) | null = null;
  #stopped = false;

  constructor(options: ReplayOptions) {
    this.speed = options.speed;
    this.#options = options;
  }

  /** As long as the recorded feed's, by our clock; never so short that a late timer looks like silence. */
  get patienceMs(): number {
    return Math.max(SECOND_MS, (this.#file?.head.patienceMs ?? 0) / this.speed);
  }

  async open(): Promise<Listing> {
    this.#file = await openTickFile(this.#options.file);
    const first = await this.#file.ticks.next();
    if (first.done === true || !plausible(first.value.at)) {
      await this.#file.ticks.return();
      throw new FeedFailed(`REPLAY_FILE has no ticks of this market: ${this.#options.file}`);
    }
    this.#first = first.value;
    this.#fromAt = first.value.at;
    const { universe, hours, simulated, instruments, categories } = this.#file.head;
    return { universe: `replay-${universe}`, hours, simulated, instruments, categories, latest: instruments.map(() => null) };
  }

  clock(now: number): number {
    if (this.#startedAt === null) return this.#fromAt;
    return Math.min(this.#readUpTo, this.#fromAt + (now - this.#startedAt) * this.speed);
  }

  start(tell: (tick: Tick) => void): void {
    if (this.#running) return;
    this.#startedAt = Date.now();
    this.#running = this.#play(tell).catch((error: unknown) => {
      this.#options.log.warn({ err: error }, "the recording cannot be read any further");
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake?.();
    await this.#running;
    await this.#file?.ticks.return();
  }

  async #play(tell: (tick: Tick) => void): Promise<void> {
    const { log, file } = this.#options;
    let told = 0;
    for (let tick = this.#first; tick && !this.#stopped; tick = await this.#next()) {
      this.#readUpTo = Math.max(this.#readUpTo, tick.at);
      await this.#until(tick.at);
      if (this.#stopped) return;
      tell(tick);
      told += 1;
      if (told % TOGETHER === 0) await new Promise((done) => setImmediate(done));
    }
    log.info({ file, told }, "the recording has ended");
  }

  async #next(): Promise<Tick | null> {
    const next = await this.#file?.ticks.next();
    return next && next.done !== true ? next.value : null;
  }

  /** Wait until the recording's clock shows a moment. */
  async #until(at: number): Promise<void> {
    for (let wait = this.#wait(at); wait > 0 && !this.#stopped; wait = this.#wait(at)) {
      await new Promise<void>((done) => {
        const timer = setTimeout(done, Math.min(wait, MINUTE_MS));
        this.#wake = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
  }

  #wait(at: number): number {
    return (at - this.clock(Date.now())) / this.speed;
  }
}
