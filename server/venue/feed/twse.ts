/** The exchange's public quote service (MIS) as a feed: polls both boards in batches, as rarely as the service asks for. */
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import { BOARD_INDICES } from "#server/venue/reference-data/indices.ts";
import { MIS, OPEN_DATA } from "./address.ts";
import type { OpenData } from "./address.ts";
import { CallFailed, Caller } from "./caller.ts";
import type { CallerOptions } from "./caller.ts";
import { readExchanges } from "./exchange-list.ts";
import { feedMarketOf, turnoverOf } from "./feed-market.ts";
import type { Line } from "./feed-market.ts";
import { channelFor } from "./mis-channel.ts";
import { channelOf, readMis, ticksIn } from "./mis-reply.ts";
import type { LastPrices, MisReply } from "./mis-reply.ts";
import { isPlausibleTime } from "./number.ts";
import { FeedFailed } from "./port.ts";
import type { Feed, FeedLog, FeedMarket, Tick } from "./port.ts";

export interface TwseOptions {
  /** Only these instruments; empty for all. Up to `BATCH` of them are requested with every call. */
  codes: readonly string[];
  log: FeedLog;
  /** Base addresses and rate limit, for test doubles of the services. */
  mis?: string;
  openData?: OpenData;
  rateLimit?: Partial<CallerOptions>;
  /** The interval between calls when the market is closed and everything has been read. */
  idleMs?: number;
}

/** Channels per call. */
const BATCH = 100;
/** How long a look at an instrument counts: an unchanged book is not requested again by its viewers. */
const FOCUS_MS = 10 * MINUTE_MS;
/** The service's clock has a resolution of one second: smaller differences are ignored. */
const SKEW_STEP_MS = 1.5 * SECOND_MS;
const CLOSED_PASSES = 2;

interface Channel {
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
  readonly #channels = new Map<string, Channel>();
  readonly #channelByCode = new Map<string, string>();
  readonly #focused = new Map<string, number>();
  readonly #lasts: LastPrices = new Map();
  #batches: string[][] = [];
  #nextBatch = 0;
  #focusNext = false;
  /** Complete passes over all batches while the market was closed. */
  #closedPasses = 0;
  #session: string | null = null;
  #skewMs = 0;
  #running: Promise<void> | null = null;
  #stopped = false;

  constructor(options: TwseOptions) {
    const rateLimit = { leastMs: 5 * SECOND_MS, timeoutMs: 10 * SECOND_MS, ...options.rateLimit };
    this.#options = options;
    this.#caller = new Caller(rateLimit);
    this.#leastMs = rateLimit.leastMs;
    this.#idleMs = options.idleMs ?? MINUTE_MS;
  }

  get patienceMs(): number {
    return this.#isIdle() ? 3 * this.#idleMs : 5 * this.#leastMs;
  }

  clock(now: number): number {
    return now + this.#skewMs;
  }

  async open(): Promise<FeedMarket> {
    const { codes, log, openData = OPEN_DATA } = this.#options;
    const wanted = new Set(codes);
    const lines = (await readExchanges(this.#caller, openData, log)).filter(({ code }) => wanted.size === 0 || wanted.has(code));
    if (lines.length === 0) throw new FeedFailed("The exchanges list none of the instruments that FEED_CODES names.");
    // The two boards' own indices are included even where only some codes are wanted.
    const wantsIndex = (code: string): boolean => wanted.size === 0 || wanted.has(code) || BOARD_INDICES.some((index) => index === code);
    const feedMarket = feedMarketOf("twse", lines, wantsIndex);
    this.#makeBatches(feedMarket, lines);
    return feedMarket;
  }

  /** Divides the channels into batches: indices first, then by turnover. */
  #makeBatches({ instruments }: FeedMarket, lines: readonly Line[]): void {
    const traded = new Map(lines.map((line) => [line.code, turnoverOf(line)]));
    const weight = (code: string): number => traded.get(code) ?? Number.MAX_VALUE;
    for (const instrument of instruments.toSorted((a, b) => weight(b.code) - weight(a.code))) {
      const channel = channelFor(instrument);
      this.#channels.set(channel, { code: instrument.code, index: instrument.kind === "index" });
      this.#channelByCode.set(instrument.code, channel);
    }
    const all = [...this.#channels.keys()];
    for (let from = 0; from < all.length; from += BATCH) this.#batches.push(all.slice(from, from + BATCH));
  }

  start(emit: (tick: Tick) => void): void {
    this.#running ??= this.#run(emit);
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

  #isIdle(): boolean {
    return this.#closedPasses >= CLOSED_PASSES && this.#closed();
  }

  async #run(emit: (tick: Tick) => void): Promise<void> {
    const { log } = this.#options;
    let failed = false;
    while (!this.#stopped) {
      try {
        if (this.#session === null) await this.#openSession();
        await this.#poll(emit);
        if (failed) log.info({}, "the quote service answers again");
        failed = false;
      } catch (error) {
        if (this.#stopped) return;
        failed = true;
        // A service that no longer knows our session needs a new one.
        if (!(error instanceof CallFailed) || error.failing !== "silent") this.#session = null;
        log.warn({ err: error, failures: this.#caller.failures }, "the quote service returned no quotes");
      }
    }
  }

  /** Opens a session: the service requires its cookie with every call. */
  async #openSession(): Promise<void> {
    const { mis = MIS } = this.#options;
    this.#session = await this.#caller.handshake(`${mis}/index.jsp`, {}, ({ status, headers }) => {
      const cookies = headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
      return status < 400 ? cookies.join("; ") : null;
    });
  }

  /** The next channels to request: every second time those of viewed instruments, otherwise the next batch. */
  #nextChannels(): readonly string[] {
    const since = Date.now() - FOCUS_MS;
    for (const [code, at] of this.#focused) if (at < since) this.#focused.delete(code);
    this.#focusNext = !this.#focusNext && this.#focused.size > 0;
    if (this.#focusNext) {
      const latest = [...this.#focused].toSorted((a, b) => b[1] - a[1]).slice(0, BATCH);
      return latest.flatMap(([code]) => this.#channelByCode.get(code) ?? []);
    }
    const batch = this.#batches[this.#nextBatch] ?? [];
    this.#nextBatch = (this.#nextBatch + 1) % this.#batches.length;
    if (!this.#closed()) this.#closedPasses = 0;
    else if (this.#nextBatch === 0) this.#closedPasses += 1;
    return batch;
  }

  async #poll(emit: (tick: Tick) => void): Promise<void> {
    const { mis = MIS } = this.#options;
    const query = new URLSearchParams({ ex_ch: this.#nextChannels().join("|"), json: "1", delay: "0", _: String(Date.now()) });
    const headers = { cookie: this.#session ?? "", referer: `${mis}/index.jsp`, accept: "application/json" };
    const reply = await this.#caller.get(`${mis}/api/getStockInfo.jsp?${query.toString()}`, headers, ({ status, body, at }) => {
      const read = status === 200 ? readMis(body) : null;
      return read && { ...read, at };
    });
    this.#caller.postpone(this.#isIdle() ? this.#idleMs : reply.delayMs);
    this.#setClock(reply, reply.at);
    for (const row of reply.rows) {
      const channel = this.#channels.get(channelOf(row));
      if (channel) for (const tick of ticksIn(row, channel.code, channel.index, this.#lasts)) emit(tick);
    }
  }

  /** Follows the service's clock: ours may be wrong, and trading hours are by its clock. */
  #setClock({ clock }: MisReply, at: number): void {
    if (clock === null || !isPlausibleTime(clock)) return;
    const skewMs = Math.round(clock + SECOND_MS / 2 - at);
    if (Math.abs(skewMs - this.#skewMs) >= SKEW_STEP_MS) this.#skewMs = skewMs;
  }
}
