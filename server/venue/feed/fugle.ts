/** The Fugle market data service as a feed: trades and books of as many instruments as the plan allows, over one websocket. */
import { SECOND_MS, formatDate, taipeiMidnight } from "#contract/kernel/time.ts";
import type { Timed } from "#server/venue/history/bar-aggregation.ts";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import { FUGLE_REST, FUGLE_STREAM, OPEN_DATA } from "./address.ts";
import type { OpenData } from "./address.ts";
import { CallFailed, Caller } from "./caller.ts";
import type { CallerOptions } from "./caller.ts";
import { OPEN_DATA_PACE, readExchanges } from "./exchange-list.ts";
import { FugleLine } from "./fugle-line.ts";
import { momentIn, readDays, readMessage, readQuote, ticksIn } from "./fugle-message.ts";
import type { Trials } from "./fugle-message.ts";
import { listingOf, tradedOf } from "./listing.ts";
import type { Line } from "./listing.ts";
import { plausible } from "./number.ts";
import { FeedFailed } from "./port.ts";
import type { Feed, FeedLog, Listing, Tick } from "./port.ts";

export interface FugleOptions {
  apiKey: string;
  /** How many subscriptions the plan allows; an instrument takes two. */
  subscriptions: number;
  /** The instruments wanted; empty for those that traded most. */
  codes: readonly string[];
  log: FeedLog;
  /** Addresses and pace, for whoever stands in for the services. */
  stream?: string;
  rest?: string;
  openData?: OpenData;
  openDataPace?: Partial<CallerOptions>;
  restPace?: Partial<CallerOptions>;
  line?: { leastMs: number; mostMs: number; pingMs: number };
}

/** The free plan answers 60 calls a minute. */
const REST_PACE = { leastMs: SECOND_MS, timeoutMs: 10 * SECOND_MS };
const LINE = { leastMs: SECOND_MS, mostMs: 60 * SECOND_MS, pingMs: 5 * SECOND_MS };
const CHANNELS = ["trades", "books"] as const;
/** Symbols of one subscribe message. */
const TOGETHER = 50;
/** The service says its time; a difference below this is the line's. */
const SKEW_STEP_MS = 1.5 * SECOND_MS;

export class FugleFeed implements Feed {
  readonly speed = 1;
  readonly patienceMs: number;
  readonly #options: FugleOptions;
  readonly #line: FugleLine;
  readonly #rest: Caller;
  readonly #lists: Caller;
  readonly #calendar = calendarOf("taiwan");
  readonly #trials: Trials = new Map();
  readonly #lots = new Map<string, number>();
  #tell: ((tick: Tick) => void) | null = null;
  #skewMs = 0;
  #aliveAt = 0;
  #session = -1;
  /** Counts the rounds of asking for quotes: a newer one ends the one before. */
  #round = 0;
  #asking: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: FugleOptions) {
    const line = options.line ?? LINE;
    this.#options = options;
    this.patienceMs = 2.5 * line.pingMs;
    this.#rest = new Caller({ ...REST_PACE, ...options.restPace });
    this.#lists = new Caller({ ...OPEN_DATA_PACE, ...options.openDataPace });
    this.#line = new FugleLine(
      { apiKey: options.apiKey, url: options.stream ?? FUGLE_STREAM, log: options.log, ...line },
      { opened: () => this.#begin(), said: (text) => this.#hear(text), lost: () => this.#lose() },
    );
  }

  clock(now: number): number {
    return now + this.#skewMs;
  }

  async open(): Promise<Listing> {
    const { openData = OPEN_DATA, log } = this.#options;
    // The key first: whether it is good should not take the time the lists take.
    await this.#line.open();
    try {
      const listing = listingOf("fugle", this.#choose(await readExchanges(this.#lists, openData, log)), () => false);
      for (const { code, lotShares } of listing.instruments) this.#lots.set(code, lotShares);
      return listing;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** The instruments there are subscriptions for: those that are wanted, or those that traded most. */
  #choose(lines: readonly Line[]): Line[] {
    const { codes, subscriptions } = this.#options;
    const most = Math.floor(subscriptions / CHANNELS.length);
    if (codes.length > most) {
      throw new FeedFailed(
        `FEED_CODES names ${codes.length} instruments, FUGLE_SUBSCRIPTIONS=${subscriptions} is enough for ${most}: each takes two.`,
      );
    }
    const wanted = lines.filter(({ code }) => codes.includes(code));
    if (codes.length > 0 && wanted.length === 0) throw new FeedFailed("The exchanges list none of the instruments that FEED_CODES names.");
    return wanted.length > 0 ? wanted : lines.toSorted((a, b) => tradedOf(b) - tradedOf(a)).slice(0, most);
  }

  start(tell: (tick: Tick) => void): void {
    this.#tell = tell;
    this.#begin();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#line.close();
    this.#rest.stop();
    this.#lists.stop();
    await this.#asking;
  }

  /** Ask for a year of day bars. */
  days(code: string, from: number, to: number): Promise<Timed[]> {
    const date = (day: number): string => formatDate(taipeiMidnight(day)).replaceAll(".", "-");
    const query = new URLSearchParams({
      from: date(from),
      to: date(to),
      timeframe: "D",
      fields: "open,high,low,close,volume",
      sort: "asc",
    });
    // What has no bars in that time is not found.
    return this.#get(`/historical/candles/${code}?${query.toString()}`, (status, body) =>
      status === 404 ? [] : status === 200 ? readDays(body, this.#lots.get(code) ?? 1) : null,
    );
  }

  #get<Value>(path: string, read: (status: number, body: string) => Value | null): Promise<Value> {
    const { rest = FUGLE_REST, apiKey } = this.#options;
    return this.#rest.get(rest + path, { "X-API-KEY": apiKey, accept: "application/json" }, ({ status, body }) => read(status, body));
  }

  /** The line stands and somebody listens: subscribe to everything, and ask where the day stands. */
  #begin(): void {
    if (!this.#tell) return;
    const symbols = [...this.#lots.keys()];
    for (const channel of CHANNELS) {
      for (let from = 0; from < symbols.length; from += TOGETHER) this.#line.subscribe(channel, symbols.slice(from, from + TOGETHER));
    }
    this.#askQuotes();
  }

  #askQuotes(): void {
    this.#round += 1;
    this.#session = this.#calendar.at(this.clock(Date.now())).session;
    const round = this.#round;
    this.#asking = this.#asking.then(() => this.#quotes(round));
  }

  async #quotes(round: number): Promise<void> {
    for (const code of this.#lots.keys()) {
      if (this.#stopped || round !== this.#round) return;
      try {
        const ticks = await this.#get(`/intraday/quote/${code}`, (status, body) => (status === 200 ? readQuote(body) : null));
        for (const tick of ticks) this.#tell?.(tick);
      } catch (error) {
        if (!(error instanceof CallFailed)) return;
        this.#options.log.warn({ err: error, code }, "where the day of an instrument stands is not known");
      }
    }
  }

  #lose(): void {
    this.#round += 1;
    this.#tell?.({ kind: "lost", at: this.clock(Date.now()) });
  }

  #hear(text: string): void {
    const message = readMessage(text);
    if (!message) return;
    const now = Date.now();
    const { event, data } = message;
    if (event === "error") this.#options.log.warn({ data }, "the stream says that something is wrong");
    if (event === "heartbeat" || event === "pong") this.#setClock(momentIn(data["time"]), now);
    if (event === "data" || event === "snapshot") {
      this.#line.proven();
      for (const tick of ticksIn(message, this.#trials)) this.#tell?.(tick);
    }
    if (now - this.#aliveAt < SECOND_MS) return;
    this.#aliveAt = now;
    this.#tell?.({ kind: "alive", at: this.clock(now) });
    // Another day has other references.
    if (this.#tell && this.#calendar.at(this.clock(now)).session !== this.#session) this.#askQuotes();
  }

  #setClock(said: number | null, now: number): void {
    if (said === null || !plausible(said)) return;
    if (Math.abs(said - now - this.#skewMs) >= SKEW_STEP_MS) this.#skewMs = said - now;
  }
}
