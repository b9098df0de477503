/** The Fugle market data service as a feed: trades and books of as many instruments as the plan allows, over one websocket. */
import { SECOND_MS, formatDate, taipeiMidnight } from "#contract/kernel/time.ts";
import type { TimedBar } from "#server/venue/history/bar-aggregation.ts";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import { FUGLE_REST, FUGLE_STREAM, OPEN_DATA } from "./address.ts";
import type { OpenData } from "./address.ts";
import { CallFailed, Caller } from "./caller.ts";
import type { CallerOptions } from "./caller.ts";
import { OPEN_DATA_RATE, readExchanges } from "./exchange-list.ts";
import { FugleConnection } from "./fugle-connection.ts";
import { momentIn, readCalls, readDays, readMessage, readQuote, ticksIn } from "./fugle-message.ts";
import type { Trials } from "./fugle-message.ts";
import { feedMarketOf, turnoverOf } from "./feed-market.ts";
import type { Line } from "./feed-market.ts";
import { isPlausibleTime } from "./number.ts";
import { FeedFailed } from "./port.ts";
import type { Feed, FeedLog, FeedMarket, Tick } from "./port.ts";

export interface FugleOptions {
  apiKey: string;
  /** How many subscriptions the plan allows; an instrument takes two. */
  subscriptions: number;
  /** The instruments wanted; empty for those with the highest turnover. */
  codes: readonly string[];
  log: FeedLog;
  /** Addresses and rate limits, for test doubles of the services. */
  stream?: string;
  rest?: string;
  openData?: OpenData;
  openDataRate?: Partial<CallerOptions>;
  restRate?: Partial<CallerOptions>;
  connection?: { leastMs: number; mostMs: number; pingMs: number };
}

/** A day of which nothing is known. */
const UNKNOWN_DAY = {
  kind: "day",
  reference: null,
  open: null,
  high: null,
  low: null,
  last: null,
  volume: null,
  turnover: null,
} as const;

/** The free plan allows 60 calls a minute. */
const REST_RATE = { leastMs: SECOND_MS, timeoutMs: 10 * SECOND_MS };
const CONNECTION = { leastMs: SECOND_MS, mostMs: 60 * SECOND_MS, pingMs: 5 * SECOND_MS };
const CHANNELS = ["trades", "books"] as const;
/** Symbols per subscribe message. */
const SYMBOLS_PER_MESSAGE = 50;
/** The service sends its time; a smaller difference is network delay. */
const SKEW_STEP_MS = 1.5 * SECOND_MS;

export class FugleFeed implements Feed {
  readonly speed = 1;
  readonly patienceMs: number;
  readonly #options: FugleOptions;
  readonly #connection: FugleConnection;
  readonly #rest: Caller;
  readonly #exchangeLists: Caller;
  readonly #calendar = calendarOf("taiwan");
  readonly #trials: Trials = new Map();
  readonly #lots = new Map<string, number>();
  #emit: ((tick: Tick) => void) | null = null;
  #skewMs = 0;
  #aliveAt = 0;
  #session = -1;
  /** Number of the current series of quote requests; a newer series ends the one before. */
  #quoteSeries = 0;
  #quoting: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: FugleOptions) {
    const connection = options.connection ?? CONNECTION;
    this.#options = options;
    this.patienceMs = 2.5 * connection.pingMs;
    this.#rest = new Caller({ ...REST_RATE, ...options.restRate });
    this.#exchangeLists = new Caller({ ...OPEN_DATA_RATE, ...options.openDataRate });
    this.#connection = new FugleConnection(
      { apiKey: options.apiKey, url: options.stream ?? FUGLE_STREAM, log: options.log, ...connection },
      { onOpened: () => this.#subscribe(), onMessage: (text) => this.#onMessage(text), onLost: () => this.#onLost() },
    );
  }

  clock(now: number): number {
    return now + this.#skewMs;
  }

  async open(): Promise<FeedMarket> {
    const { openData = OPEN_DATA, log } = this.#options;
    // Connect first: an invalid key should show before the lists are read.
    await this.#connection.open();
    try {
      const feedMarket = feedMarketOf("fugle", this.#select(await readExchanges(this.#exchangeLists, openData, log)), () => false);
      for (const { code, lotShares } of feedMarket.instruments) this.#lots.set(code, lotShares);
      return feedMarket;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** The instruments to subscribe to: the wanted ones, or those with the highest turnover. */
  #select(lines: readonly Line[]): Line[] {
    const { codes, subscriptions } = this.#options;
    const most = Math.floor(subscriptions / CHANNELS.length);
    if (codes.length > most) {
      throw new FeedFailed(
        `FEED_CODES names ${codes.length} instruments, FUGLE_SUBSCRIPTIONS=${subscriptions} is enough for ${most}: each takes two.`,
      );
    }
    const wanted = lines.filter(({ code }) => codes.includes(code));
    if (codes.length > 0 && wanted.length === 0) throw new FeedFailed("The exchanges list none of the instruments that FEED_CODES names.");
    return wanted.length > 0 ? wanted : lines.toSorted((a, b) => turnoverOf(b) - turnoverOf(a)).slice(0, most);
  }

  start(emit: (tick: Tick) => void): void {
    this.#emit = emit;
    this.#subscribe();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#connection.close();
    this.#rest.stop();
    this.#exchangeLists.stop();
    await this.#quoting;
  }

  /** Requests a year of day bars. */
  days(code: string, from: number, to: number): Promise<TimedBar[]> {
    const date = (day: number): string => formatDate(taipeiMidnight(day)).replaceAll(".", "-");
    const query = new URLSearchParams({
      from: date(from),
      to: date(to),
      timeframe: "D",
      fields: "open,high,low,close,volume",
      sort: "asc",
    });
    // The service answers 404 for an instrument without bars in that time.
    return this.#get(`/historical/candles/${code}?${query.toString()}`, (status, body) =>
      status === 404 ? [] : status === 200 ? readDays(body, this.#lots.get(code) ?? 1) : null,
    );
  }

  #get<Value>(path: string, read: (status: number, body: string) => Value | null): Promise<Value> {
    const { rest = FUGLE_REST, apiKey } = this.#options;
    return this.#rest.get(rest + path, { "X-API-KEY": apiKey, accept: "application/json" }, ({ status, body }) => read(status, body));
  }

  /** Once connected and started: subscribes to everything, and requests the state of the day. */
  #subscribe(): void {
    if (!this.#emit) return;
    const symbols = [...this.#lots.keys()];
    for (const channel of CHANNELS) {
      for (let from = 0; from < symbols.length; from += SYMBOLS_PER_MESSAGE)
        this.#connection.subscribe(channel, symbols.slice(from, from + SYMBOLS_PER_MESSAGE));
    }
    this.#requestQuotes();
  }

  #requestQuotes(): void {
    this.#quoteSeries += 1;
    this.#session = this.#calendar.at(this.clock(Date.now())).session;
    const series = this.#quoteSeries;
    this.#quoting = this.#quoting.then(() => this.#quotes(series));
  }

  /** First what prices and limits depend on, then how calls follow one another. */
  async #quotes(series: number): Promise<void> {
    const at = new Map<string, number>();
    await this.#ofEach(series, this.#lots.keys(), async (code) => {
      const ticks = await this.#get(`/intraday/quote/${code}`, (status, body) => (status === 200 ? readQuote(body) : null));
      for (const tick of ticks) this.#emit?.(tick);
      if (ticks[0]) at.set(code, ticks[0].at);
    });
    await this.#ofEach(series, at.keys(), async (code) => {
      const calls = await this.#get(`/intraday/ticker/${code}`, (status, body) =>
        status === 200 ? readCalls(body) : { callsEveryMs: null },
      );
      this.#emit?.({ ...UNKNOWN_DAY, code, at: at.get(code) ?? 0, ...calls });
    });
  }

  /** Reads something of each instrument, one after the other, until a newer series begins. */
  async #ofEach(series: number, codes: Iterable<string>, read: (code: string) => Promise<void>): Promise<void> {
    for (const code of codes) {
      if (this.#stopped || series !== this.#quoteSeries) return;
      try {
        await read(code);
      } catch (error) {
        if (!(error instanceof CallFailed)) return;
        this.#options.log.warn({ err: error, code }, "could not read the quote of an instrument");
      }
    }
  }

  #onLost(): void {
    this.#quoteSeries += 1;
    this.#emit?.({ kind: "lost", at: this.clock(Date.now()) });
  }

  #onMessage(text: string): void {
    const message = readMessage(text);
    if (!message) return;
    const now = Date.now();
    const { event, data } = message;
    if (event === "error") this.#options.log.warn({ data }, "the stream reported an error");
    if (event === "heartbeat" || event === "pong") this.#setClock(momentIn(data["time"]), now);
    if (event === "data" || event === "snapshot") {
      this.#connection.resetFailures();
      for (const tick of ticksIn(message, this.#trials)) this.#emit?.(tick);
    }
    if (now - this.#aliveAt < SECOND_MS) return;
    this.#aliveAt = now;
    this.#emit?.({ kind: "alive", at: this.clock(now) });
    // A new day has new reference prices.
    if (this.#emit && this.#calendar.at(this.clock(now)).session !== this.#session) this.#requestQuotes();
  }

  #setClock(serverTime: number | null, now: number): void {
    if (serverTime === null || !isPlausibleTime(serverTime)) return;
    if (Math.abs(serverTime - now - this.#skewMs) >= SKEW_STEP_MS) this.#skewMs = serverTime - now;
  }
}
