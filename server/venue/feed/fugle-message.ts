/** Parses the Fugle market data service's stream messages and replies into ticks; its times are in microseconds. */
import { SECOND_MS, taipeiMidnight } from "#contract/kernel/time.ts";
import type { TimedBar } from "#server/venue/history/bar-aggregation.ts";
import { LEVELS } from "#server/venue/matching/book-sweep.ts";
import type { Level } from "#server/venue/matching/book-sweep.ts";
import { countIn, dayIn, priceIn } from "./number.ts";
import type { BookTick, DayTick, Tick } from "./port.ts";

type Fields = Readonly<Record<string, unknown>>;

/** One message of the stream. */
export interface FugleMessage {
  event: string;
  channel: string;
  data: Fields;
}

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** Parses a message; null when it is none. */
export function readMessage(text: string): FugleMessage | null {
  const message = parse(text);
  if (!isObject(message) || typeof message["event"] !== "string") return null;
  const { event, channel, data } = message;
  return { event, channel: typeof channel === "string" ? channel : "", data: fieldsOf(data) };
}

/** Microseconds since 1970 as milliseconds; null for none. */
export function momentIn(value: unknown): number | null {
  const micros = countIn(value);
  return micros === null ? null : Math.floor(micros / 1000);
}

function levelsIn(value: unknown, marketOrderPrice: number | null): Level[] {
  const levels: Level[] = [];
  for (const level of Array.isArray(value) ? value.filter(isObject) : []) {
    const written = priceIn(level["price"]);
    const price = written === 0 ? marketOrderPrice : written;
    const lots = countIn(level["size"]);
    if (price && lots) levels.push([price, lots]);
  }
  return levels.slice(0, LEVELS);
}

/**
 * A book. Market orders are at price 0 on the side of a stock that is locked at its limit: without a level beside them the message
 * does not say which price that is, so they are left out.
 */
function bookIn(code: string, at: number, data: Fields, trial: Pick<BookTick, "trial" | "delayed">): BookTick {
  return { kind: "book", code, at, bids: levelsIn(data["bids"], null), asks: levelsIn(data["asks"], null), ...trial };
}

/** What a message tells of the auction that it is of. */
function trialIn({ isTrial, isDelayedOpen, isDelayedClose }: Fields): Pick<BookTick, "trial" | "delayed"> {
  if (isTrial !== true) return { trial: false };
  return { trial: true, ...(isDelayedClose === true ? { delayed: "close" } : isDelayedOpen === true ? { delayed: "open" } : {}) };
}

/** A trial match is sent every five seconds; a book this soon after one belongs to the same auction. */
const TRIAL_MS = 10 * SECOND_MS;

/** Each instrument's last trial match, by code. */
export type Trials = Map<string, Pick<BookTick, "at" | "trial" | "delayed">>;

/** The aggressor side of a trade, from the best prices at the time of the trade; null when they do not decide it. */
function sideIn({ price, bid, ask, isOpen, isClose }: Fields): 1 | 0 | -1 | null {
  if (isOpen === true || isClose === true) return 0;
  const [paid, best, least] = [priceIn(price), priceIn(bid), priceIn(ask)];
  if (!paid) return null;
  if (least && paid >= least) return 1;
  return best && paid <= best ? -1 : null;
}

/** The ticks of a channel message; empty for a channel we do not use, or a message without its required fields. */
export function ticksIn({ channel, data }: FugleMessage, trials: Trials): Tick[] {
  const { symbol } = data;
  const at = momentIn(data["time"]);
  if (typeof symbol !== "string" || at === null) return [];
  if (channel === "books") {
    // A book may not tell of its auction what the match before it did.
    const latest = trials.get(symbol);
    const { trial, delayed } = latest && Math.abs(at - latest.at) < TRIAL_MS ? { ...latest, ...trialIn(data), trial: true } : trialIn(data);
    return [bookIn(symbol, at, data, { trial, ...(delayed && { delayed }) })];
  }
  if (channel !== "trades") return [];
  if (data["isTrial"] === true) {
    trials.set(symbol, { at, ...trialIn(data) });
    return [];
  }
  const price = priceIn(data["price"]);
  const volume = countIn(data["volume"]);
  if (!price || !volume) return [];
  // A real match: the auction is over.
  trials.delete(symbol);
  return [{ kind: "trade", code: symbol, at, price, volume, side: sideIn(data) }];
}

/** The day and the book of an instrument from a reply of `intraday/quote`; null when it is none. */
export function readQuote(body: string): Tick[] | null {
  const quote = parse(body);
  if (!isObject(quote) || typeof quote["symbol"] !== "string") return null;
  const { symbol: code } = quote;
  const at = momentIn(quote["lastUpdated"]);
  if (at === null) return null;
  const total = fieldsOf(quote["total"]);
  const day: DayTick = {
    kind: "day",
    code,
    at,
    reference: priceIn(quote["referencePrice"]) ?? priceIn(quote["previousClose"]),
    open: priceIn(quote["openPrice"]),
    high: priceIn(quote["highPrice"]),
    low: priceIn(quote["lowPrice"]),
    // `lastPrice` may be a trial match; the last trade never is.
    last: priceIn(fieldsOf(quote["lastTrade"])["price"]),
    volume: countIn(total["tradeVolume"]),
    turnover: countIn(total["tradeValue"]),
  };
  return [day, bookIn(code, at, quote, trialIn(quote))];
}

/** From a reply of `intraday/ticker`, how the calls of an instrument follow one another: null while it trades continuously. */
export function readCalls(body: string): { callsEveryMs: number | null } | null {
  const ticker = parse(body);
  if (!isObject(ticker) || typeof ticker["symbol"] !== "string") return null;
  // In seconds; 0 where orders are matched as they come.
  const seconds = countIn(ticker["matchingInterval"]);
  return { callsEveryMs: ticker["isDisposition"] === true && seconds ? seconds * SECOND_MS : null };
}

/** Day bars from a reply of `historical/candles`, oldest first; null when it is none. Volumes of whole days are in shares. */
export function readDays(body: string, lotShares: number): TimedBar[] | null {
  const answer = parse(body);
  if (!isObject(answer) || !Array.isArray(answer["data"])) return null;
  const bars = answer["data"].filter(isObject).flatMap((row): TimedBar[] => {
    const day = dayIn(row["date"]);
    const [open, high, low, close] = [row["open"], row["high"], row["low"], row["close"]].map(priceIn);
    const shares = countIn(row["volume"]) ?? 0;
    if (day === null || !open || !high || !low || !close) return [];
    return [{ at: taipeiMidnight(day), open, high, low, close, volume: Math.floor(shares / lotShares) }];
  });
  return bars.toSorted((a, b) => a.at - b.at);
}
