/** Quotes: the current state of an instrument, and its encoding as flat integers. */
import * as z from "zod/mini";
import { Board } from "./instrument.ts";
import type { EpochMs } from "./kernel/time.ts";
import { EpochMs as EpochMsSchema } from "./kernel/time.ts";

/**
 * The fields of a quote in wire order. A batch is `[field, field, …]` repeated once per instrument, all integers:
 * prices in ten-thousandths (0 = none), volume in lots, turnover in whole currency units, `at` in epoch milliseconds.
 * `seq` increases with every change of the instrument, so that the newer of two quotes is known whichever channel delivered it.
 */
export const QUOTE_FIELDS = ["row", "seq", "at", "last", "open", "high", "low", "reference", "volume", "turnover", "bid", "ask"] as const;
export type QuoteField = (typeof QUOTE_FIELDS)[number];
export const QUOTE_STRIDE = QUOTE_FIELDS.length;

export type Quote = Record<QuoteField, number>;

/** Reads the quote that starts at `from` in a flat batch. */
export function quoteAt(flat: ArrayLike<number>, from: number): Quote {
  const at = (field: number): number => flat[from + field] ?? 0;
  return {
    row: at(0),
    seq: at(1),
    at: at(2),
    last: at(3),
    open: at(4),
    high: at(5),
    low: at(6),
    reference: at(7),
    volume: at(8),
    turnover: at(9),
    bid: at(10),
    ask: at(11),
  };
}

/** Appends a quote to a flat batch. */
export function pushQuote(flat: number[], quote: Quote): void {
  flat.push(
    quote.row,
    quote.seq,
    quote.at,
    quote.last,
    quote.open,
    quote.high,
    quote.low,
    quote.reference,
    quote.volume,
    quote.turnover,
    quote.bid,
    quote.ask,
  );
}

/**
 * What a ranking sorts by: percent up, percent down, lots, turnover, the day's range relative to the reference. `limitUp` and
 * `limitDown` list only instruments at their limit, by activity.
 */
export const RANKINGS = ["gainers", "losers", "volume", "turnover", "amplitude", "limitUp", "limitDown"] as const;
export const Ranking = z.enum(RANKINGS);
export type Ranking = z.infer<typeof Ranking>;

/**
 * Depth of book: five levels per side, best first, as `[price, lots]`; fewer where the book is thin. `atBid` and `atAsk` are the
 * day's lots traded at the bid (內盤) and at the ask (外盤). During a call auction, `trial` is the indicative match (試撮), not a trade;
 * `pausedUntil` is when the instrument's volatility halt (瞬間價格穩定措施) ends with a call auction, and of one
 * whose open is put off (暫緩開盤), `isDelayedOpen`, when it opens, or of one whose close is (暫緩收盤), `isDelayedClose`, when it closes; `ordersFrom`: when
 * orders for that are taken again, null once they are. A stock under disposition is traded by calls alone (分盤集合競價), every
 * `callsEveryMs`; then `pausedUntil` is its next one.
 */
export interface Depth {
  row: number;
  seq: number;
  at: EpochMs;
  bids: [price: number, lots: number][];
  asks: [price: number, lots: number][];
  atBid: number;
  atAsk: number;
  trial: { price: number; lots: number } | null;
  pausedUntil: EpochMs | null;
  isDelayedOpen: boolean;
  isDelayedClose: boolean;
  ordersFrom: EpochMs | null;
  callsEveryMs: number | null;
}
const Level = z.tuple([z.int(), z.int()]);
export const DepthSchema = z.object({
  row: z.int(),
  seq: z.int(),
  at: EpochMsSchema,
  bids: z.array(Level),
  asks: z.array(Level),
  atBid: z.int(),
  atAsk: z.int(),
  trial: z.nullable(z.object({ price: z.int(), lots: z.int() })),
  pausedUntil: z.nullable(EpochMsSchema),
  isDelayedOpen: z.boolean(),
  isDelayedClose: z.boolean(),
  ordersFrom: z.nullable(EpochMsSchema),
  callsEveryMs: z.nullable(z.int()),
});

/** Maximum number of instruments per view. */
export const MAX_WATCHED = 200;

/** A ranking's top `size` instruments, of one board (null: all) and one category of that board (null: all). */
export const RankView = z.object({
  by: Ranking,
  board: z.nullable(Board),
  category: z.nullable(z.string().check(z.maxLength(16))),
  size: z.int().check(z.minimum(1), z.maximum(MAX_WATCHED)),
});
export type RankView = z.infer<typeof RankView>;
