/** Generates a synthetic market on the device for load tests: any number of rows and updates per second, over the same connection interface. */
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { CANDLE_STRIDE } from "#contract/candle.ts";
import type { Category, Instrument, VenueState } from "#contract/instrument.ts";
import { pushQuote } from "#contract/quote.ts";
import type { Quote } from "#contract/quote.ts";
import type { Called, InstrumentTable, LoadSettings } from "#workers/protocol.ts";
import type { OpenConnection } from "./transport.ts";

/** Interval of generated batches. */
const BATCH_MS = 50;
const PRICE_STEP = 5_000;
const LOWEST = 5_000;
/** Number of bars in a generated chart. */
const BARS = 240;

/** The generated quotes; deterministic, so that devices can be compared. */
export class GeneratedMarket {
  readonly quotes: Quote[];
  readonly #settings: LoadSettings;
  #seed = 7;
  #pendingUpdates = 0;

  constructor(settings: LoadSettings) {
    this.#settings = settings;
    this.quotes = Array.from({ length: settings.rows }, (_, row) => quoteOf(row));
  }

  #random(below: number): number {
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    return (this.#seed >>> 8) % below;
  }

  /** Advances time. @returns the rows that changed, each once; after a stall at most one second is caught up */
  advance(elapsedMs: number, now: number): Set<number> {
    const { rows, updatesPerSecond } = this.#settings;
    this.#pendingUpdates = Math.min(this.#pendingUpdates + (updatesPerSecond * elapsedMs) / 1000, updatesPerSecond);
    const changed = new Set<number>();
    for (; this.#pendingUpdates >= 1; this.#pendingUpdates -= 1) {
      const row = this.#random(rows);
      const quote = this.quotes[row];
      if (!quote) continue;
      quote.seq += 1;
      quote.at = now;
      quote.last = Math.max(LOWEST, quote.last + (this.#random(5) - 2) * PRICE_STEP);
      quote.high = Math.max(quote.high, quote.last);
      quote.low = Math.min(quote.low, quote.last);
      quote.volume += this.#random(20);
      changed.add(row);
    }
    return changed;
  }

  /** The generated instrument table. */
  table(): InstrumentTable {
    const { rows, categories } = this.#settings;
    const each = Math.ceil(rows / categories);
    return {
      venue: { universe: `load ${rows}`, phase: "open", phaseEndsAt: null, opensAt: 0, closesAt: 0, simulated: true } as VenueState,
      categories: Array.from({ length: categories }, (_, at): Category => {
        const count = Math.max(0, Math.min(each, rows - at * each));
        return { board: "listed", code: `c${at}`, zh: `類別${at}`, zhCn: `类别${at}`, en: `Category ${at}`, count };
      }),
      instruments: Array.from({ length: rows }, (_, row) => instrumentOf(row, `c${Math.floor(row / each)}`)),
    };
  }
}

const quoteOf = (row: number): Quote => {
  const last = 1_000_000 + (row % 4_000) * 500;
  return {
    row,
    seq: 1,
    at: Date.now(),
    last,
    open: last,
    high: last,
    low: last,
    reference: last,
    volume: 1_000,
    turnover: 100_000_000,
    bid: last - PRICE_STEP,
    ask: last,
  };
};

function instrumentOf(row: number, category: string): Instrument {
  return {
    row,
    code: String(10_000 + row),
    zh: `第${row}號公司`,
    zhCn: `第${row}号公司`,
    en: `Company number ${row}`,
    kind: "stock",
    board: "listed",
    category,
    decimals: 2,
    lotShares: 1000,
    issuedThousands: 1000,
    tradable: true,
    shortable: true,
    dayTradable: true,
    marginable: true,
    watch: "none",
    fictitious: true,
    sellLockSeconds: 0,
    listedDay: 0,
    limitPercent: 10,
    bonds: false,
    tradesFrom: 0,
    freeUntil: 0,
  } as Instrument;
}

/** Minute bars along a sine wave, up to now. */
function minutes(now: number): number[] {
  const bars: number[] = [];
  const newest = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  for (let back = BARS; back > 0; back -= 1) {
    const middle = 1_000_000 + Math.round(40_000 * Math.sin(back / 17));
    bars.push(newest - back * MINUTE_MS, middle, middle + 10_000, middle - 10_000, middle + 5_000, 100 + (back % 50));
  }
  return bars.slice(-BARS * CANDLE_STRIDE);
}

/** A fetch that answers the worker's calls from the generated market; unknown calls get an empty reply. */
export function loadFetch(market: GeneratedMarket, paths: Record<Called, string>): typeof fetch {
  const data = (path: string): unknown => {
    if (path === paths.listInstruments) return market.table();
    if (path === paths.factsSince) return { facts: [], newest: 0 };
    if (path === paths.readSparklines) return { lines: [] };
    if (path === paths.readCandles) return { bars: minutes(Date.now()), more: false };
    return { actions: [] };
  };
  return (input) => {
    const path = String(input instanceof Request ? input.url : input).split(BASE_PATH)[1] ?? "";
    return Promise.resolve(Response.json({ status: 1, msg: "", data: data(path) }));
  };
}

/** A connection to the generated market that sends every change of every row, serialised and parsed as over a socket. */
export function openLoadConnection(market: GeneratedMarket): OpenConnection {
  return (_credentials, listener) => {
    let n = 0;
    let last = Date.now();
    let sentAll = false;
    const sendBatch = (): void => {
      const now = Date.now();
      const batch = [n + 1, now];
      for (const row of market.advance(now - last, now)) {
        const quote = market.quotes[row];
        if (quote) pushQuote(batch, quote);
      }
      last = now;
      n += 1;
      const text = JSON.stringify(["quotes", batch]);
      listener.received(text.length + 1);
      const [, read] = JSON.parse(text) as [string, number[]];
      listener.quotes(read);
    };
    const openTimer = setTimeout(() => listener.opened());
    const batchTimer = setInterval(sendBatch, BATCH_MS);
    return {
      view() {
        // Every change of every row is sent, so a later view needs no snapshot.
        const quotes: number[] = [];
        if (!sentAll) for (const quote of market.quotes) pushQuote(quotes, quote);
        sentAll = true;
        return Promise.resolve({ n, at: Date.now(), phase: "open", quotes, ranks: [], channels: {} });
      },
      reopen: () => undefined,
      close() {
        clearTimeout(openTimer);
        clearInterval(batchTimer);
      },
    };
  };
}
