/** Plays a recorded tick file as a feed: once, at any speed, on the recording's own clock; after its end no more ticks come. */
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { isPlausibleTime } from "./number.ts";
import { FeedFailed } from "./port.ts";
import type { Feed, FeedLog, FeedMarket, Tick } from "./port.ts";
import { openTickFile } from "./tick-file.ts";
import type { TickFile } from "./tick-file.ts";

export interface ReplayOptions {
  file: string;
  /** How many times faster than it was recorded. */
  speed: number;
  log: FeedLog;
}

/** Number of ticks emitted at once before yielding to the event loop. */
const TICKS_PER_TURN = 500;

export class ReplayFeed implements Feed {
  readonly speed: number;
  readonly #options: ReplayOptions;
  #file: TickFile | null = null;
  #firstTick: Tick | null = null;
  /** When the recording begins by its own clock, and how far it has been read: its clock never runs ahead of the ticks emitted. */
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

  /** The recorded feed's, converted to our clock; never so short that a late timer looks like silence. */
  get patienceMs(): number {
    return Math.max(SECOND_MS, (this.#file?.head.patienceMs ?? 0) / this.speed);
  }

  async open(): Promise<FeedMarket> {
    this.#file = await openTickFile(this.#options.file);
    const first = await this.#file.ticks.next();
    if (first.done === true || !isPlausibleTime(first.value.at)) {
      await this.#file.ticks.return();
      throw new FeedFailed(`REPLAY_FILE has no ticks of this market: ${this.#options.file}`);
    }
    this.#firstTick = first.value;
    this.#fromAt = first.value.at;
    const { universe, hours, simulated, instruments, categories } = this.#file.head;
    return { universe: `replay-${universe}`, hours, simulated, instruments, categories, latest: instruments.map(() => null) };
  }

  clock(now: number): number {
    if (this.#startedAt === null) return this.#fromAt;
    return Math.min(this.#readUpTo, this.#fromAt + (now - this.#startedAt) * this.speed);
  }

  start(emit: (tick: Tick) => void): void {
    if (this.#running) return;
    this.#startedAt = Date.now();
    this.#running = this.#play(emit).catch((error: unknown) => {
      this.#options.log.warn({ err: error }, "cannot read the rest of the recording");
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake?.();
    await this.#running;
    await this.#file?.ticks.return();
  }

  async #play(emit: (tick: Tick) => void): Promise<void> {
    const { log, file } = this.#options;
    let emitted = 0;
    for (let tick = this.#firstTick; tick && !this.#stopped; tick = await this.#next()) {
      this.#readUpTo = Math.max(this.#readUpTo, tick.at);
      await this.#until(tick.at);
      if (this.#stopped) return;
      emit(tick);
      emitted += 1;
      if (emitted % TICKS_PER_TURN === 0) await new Promise((done) => setImmediate(done));
    }
    log.info({ file, ticks: emitted }, "the recording has ended");
  }

  async #next(): Promise<Tick | null> {
    const next = await this.#file?.ticks.next();
    return next && next.done !== true ? next.value : null;
  }

  /** Waits until the recording's clock reaches a moment. */
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
