/** The exchange's public quote service (MIS) as a feed: both boards polled in batches, as rarely as the service asks for. */
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import { BOARD_INDICES } from "#server/venue/reference-data/indices.ts";
import { MIS, OPEN_DATA } from "./address.ts";
import type { OpenData } from "./address.ts";
import { CallFailed, Caller } from "./caller.ts";
import type { CallerOptions } from "./caller.ts";
import { readExchanges } from "./exchange-list.ts";
import { listingOf, tradedOf } from "./listing.ts";
import type { Line } from "./listing.ts";
import { channelFor } from "./mis-channel.ts";
import { channelOf, readMis, ticksIn } from "./mis-reply.ts";
import type { LastPrices, MisReply } from "./mis-reply.ts";
import { plausible } from "./number.ts";
import { FeedFailed } from "./port.ts";
import type { Feed, FeedLog, Listing, Tick } from "./port.ts";

export interface TwseOptions {
  /** Only these instruments; empty for all. Up to `BATCH` of them are told with every call. */
  codes: readonly string[];
  log: FeedLog;
  /** Base addresses and pace, for whoever stands in for the services. */
  mis?: string;
  openData?: OpenData;
  pace?: Partial<CallerOptions>;
  /** How long the service is left alone between two calls when the market is closed and everything has been told. */
  idleMs?: number;
}

/** Channels of one call. */
const BATCH = 100;
/** Somebody's look at an instrument counts this long: a book that does not change is not looked up again. */
const FOCUS_MS = 10 * MINUTE_MS;
/** The service's clock is read to the second: a difference below this is none. */
const SKEW_STEP_MS = 1.5 * SECOND_MS;
const CLOSED_ROUNDS = 2;

interface Told {
  code: string;
  index: boolean;
}

export class TwseFeed implements Feed {
  readonly speed = 1;
  readonly #options: TwseOptions;
  readonly #caller: Caller;
  readonly #leastMs: number;
  readonly #idleMs: number;
  readonly #calendar = calendarOf("taiwan");
  readonly #channels = new Map<string, Told>();
  readonly #channelByCode = new Map<string, string>();
  readonly #focused = new Map<string, number>();
  readonly #lasts: LastPrices = new Map();
  #batches: string[][] = [];
  #nextBatch = 0;
  #focusTurn = false;
  /** Rounds over all batches that began and ended with the market closed. */
  #closedRounds = 0;
  #session: string | null = null;
  #skewMs = 0;
  #running: Promise<void> | null = null;
  #stopped = false;

  constructor(options: TwseOptions) {
    const pace = { leastMs: 5 * SECOND_MS, timeoutMs: 10 * SECOND_MS, ...options.pace };
    this.#options = options;
    this.#caller = new Caller(pace);
    this.#leastMs = pace.leastMs;
    this.#idleMs = options.idleMs ?? MINUTE_MS;
  }

  get patienceMs(): number {
    return this.#settled() ? 3 * this.#idleMs : 5 * this.#leastMs;
  }

  clock(now: number): number {
    return now + this.#skewMs;
  }

  async open(): Promise<Listing> {
    const { codes, log, openData = OPEN_DATA } = this.#options;
    const wanted = new Set(codes);
    const lines = (await readExchanges(this.#caller, openData, log)).filter(({ code }) => wanted.size === 0 || wanted.has(code));
    if (lines.length === 0) throw new FeedFailed("The exchanges list none of the instruments that FEED_CODES names.");
    // The two boards' own indices are told even where only some codes are wanted.
    const wantsIndex = (code: string): boolean => wanted.size === 0 || wanted.has(code) || BOARD_INDICES.some((index) => index === code);
    const listing = listingOf("twse", lines, wantsIndex);
    this.#divide(listing, lines);
    return listing;
  }

  /** Divide the channels into batches: indices first, then what trades most. */
  #divide({ instruments }: Listing, lines: readonly Line[]): void {
    const traded = new Map(lines.map((line) => [line.code, tradedOf(line)]));
    const weight = (code: string): number => traded.get(code) ?? Number.MAX_VALUE;
    for (const instrument of instruments.toSorted((a, b) => weight(b.code) - weight(a.code))) {
      const channel = channelFor(instrument);
      this.#channels.set(channel, { code: instrument.code, index: instrument.kind === "index" });
      this.#channelByCode.set(instrument.code, channel);
    }
    const all = [...this.#channels.keys()];
    for (let from = 0; from < all.length; from += BATCH) this.#batches.push(all.slice(from, from + BATCH));
  }

  start(tell: (tick: Tick) => void): void {
    this.#running ??= this.#run(tell);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#caller.stop();
    await this.#running;
  }

  focus(code: string): void {
    if (this.#batches.length > 1) this.#focused.set(code, Date.now());
  }

  #closed(): boolean {
    return this.#calendar.at(this.clock(Date.now())).phase === "closed";
  }

  #settled(): boolean {
    return this.#closedRounds >= CLOSED_ROUNDS && this.#closed();
  }

  async #run(tell: (tick: Tick) => void): Promise<void> {
    const { log } = this.#options;
    let failed = false;
    while (!this.#stopped) {
      try {
        if (this.#session === null) await this.#enter();
        await this.#ask(tell);
        if (failed) log.info({}, "the quote service answers again");
        failed = false;
      } catch (error) {
        if (this.#stopped) return;
        failed = true;
        // A service that does not know us any more wants to be greeted again.
        if (!(error instanceof CallFailed) || error.failing !== "silent") this.#session = null;
        log.warn({ err: error, failures: this.#caller.failures }, "the quote service gave no quotes");
      }
    }
  }

  /** Open a session: the service's cookie is asked for with every call. */
  async #enter(): Promise<void> {
    const { mis = MIS } = this.#options;
    this.#session = await this.#caller.greet(`${mis}/index.jsp`, {}, ({ status, headers }) => {
      const cookies = headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
      return status < 400 ? cookies.join("; ") : null;
    });
  }

  /** Whose turn it is: every second time those somebody looks at, else the next batch of all. */
  #turn(): readonly string[] {
    const since = Date.now() - FOCUS_MS;
    for (const [code, at] of this.#focused) if (at < since) this.#focused.delete(code);
    this.#focusTurn = !this.#focusTurn && this.#focused.size > 0;
    if (this.#focusTurn) {
      const latest = [...this.#focused].toSorted((a, b) => b[1] - a[1]).slice(0, BATCH);
      return latest.flatMap(([code]) => this.#channelByCode.get(code) ?? []);
    }
    const batch = this.#batches[this.#nextBatch] ?? [];
    this.#nextBatch = (this.#nextBatch + 1) % this.#batches.length;
    if (!this.#closed()) this.#closedRounds = 0;
    else if (this.#nextBatch === 0) this.#closedRounds += 1;
    return batch;
  }

  async #ask(tell: (tick: Tick) => void): Promise<void> {
    const { mis = MIS } = this.#options;
    const query = new URLSearchParams({ ex_ch: this.#turn().join("|"), json: "1", delay: "0", _: String(Date.now()) });
    const headers = { cookie: this.#session ?? "", referer: `${mis}/index.jsp`, accept: "application/json" };
    const reply = await this.#caller.get(`${mis}/api/getStockInfo.jsp?${query.toString()}`, headers, ({ status, body, at }) => {
      const read = status === 200 ? readMis(body) : null;
      return read && { ...read, at };
    });
    this.#caller.spare(this.#settled() ? this.#idleMs : reply.delayMs);
    this.#setClock(reply, reply.at);
    for (const row of reply.rows) {
      const told = this.#channels.get(channelOf(row));
      if (told) for (const tick of ticksIn(row, told.code, told.index, this.#lasts)) tell(tick);
    }
  }

  /** Follow the service's clock: ours may be wrong, and trading hours are its. */
  #setClock({ clock }: MisReply, at: number): void {
    if (clock === null || !plausible(clock)) return;
    const skewMs = Math.round(clock + SECOND_MS / 2 - at);
    if (Math.abs(skewMs - this.#skewMs) >= SKEW_STEP_MS) this.#skewMs = skewMs;
  }
}
