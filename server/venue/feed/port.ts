/** What a feed is: the numbers of a real market behind one small door, whatever service or file stands behind it. */
import * as z from "zod/mini";
import type { Category, Instrument } from "#contract/instrument.ts";
import { Price as MoneyPrice } from "#contract/kernel/money.ts";
import type { Timed } from "#server/venue/history/bar-aggregation.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";

/** Whose moment a tick is: an instrument's code, and the market's own time in epoch milliseconds. */
const of = { code: z.string(), at: z.int() };
const Price = z.int().check(z.minimum(0));
const LimitPrice = MoneyPrice.check(z.minimum(1));
const Count = z.int().check(z.minimum(0));
const Levels = z.array(z.tuple([Price, Count])).check(z.maxLength(5));

/**
 * Where an instrument's day stands, as far as the feed knows (null: it does not); prices in price units, volume in lots, turnover in
 * whole currency units. No trade is ever made of it: what had happened before we listened is only known as a sum.
 */
const DayTick = z.object({
  kind: z.literal("day"),
  ...of,
  reference: z.nullable(Price),
  open: z.nullable(Price),
  high: z.nullable(Price),
  low: z.nullable(Price),
  last: z.nullable(Price),
  /** The day's limits as the feed says them; "none" where it says that there are none. Recordings of old do not have them. */
  limits: z.optional(z.nullable(z.union([z.literal("none"), z.object({ up: LimitPrice, down: LimitPrice })]))),
  volume: z.nullable(Count),
  turnover: z.nullable(Count),
});

/**
 * A real trade, never a trial match. `volume` is the day's lots with it, so that what came twice or too late is known for it, and
 * what was missed is told as one trade of the difference. `side` is null when the feed does not say who began it.
 */
const TradeTick = z.object({
  kind: z.literal("trade"),
  ...of,
  price: Price,
  volume: Count,
  side: z.nullable(z.union([z.literal(1), z.literal(0), z.literal(-1)])),
});

/** The five best levels a side, best first. On a trial book (an auction is being tried out) nothing can be traded. */
const BookTick = z.object({ kind: z.literal("book"), ...of, bids: Levels, asks: Levels, trial: z.boolean() });

/** All that was told still holds. */
const AliveTick = z.object({ kind: z.literal("alive"), at: z.int() });
/** The line is broken: nobody knows the books any more. */
const LostTick = z.object({ kind: z.literal("lost"), at: z.int() });

export const Tick = z.discriminatedUnion("kind", [DayTick, TradeTick, BookTick, AliveTick, LostTick]);
export type Tick = z.infer<typeof Tick>;
export type DayTick = z.infer<typeof DayTick>;
export type TradeTick = z.infer<typeof TradeTick>;
export type BookTick = z.infer<typeof BookTick>;

/** The latest whole day of an instrument, and the close before it; prices in price units. */
export interface Latest extends Timed {
  before: number;
}

/** What a feed lists. */
export interface Listing {
  /** Names the table: other instruments, another name. */
  universe: string;
  hours: Hours;
  /** The prices are a simulation's, recorded. */
  simulated: boolean;
  /** In row order. */
  instruments: readonly Instrument[];
  categories: readonly Category[];
  /** By row. */
  latest: readonly (Latest | null)[];
}

/** Where a feed says what an operator may want to read. */
export interface FeedLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Thrown with a sentence an operator can act on, when a feed cannot be opened at all. */
export class FeedFailed extends Error {}

export interface Feed {
  /** How long its last word may be traded on, in milliseconds. */
  readonly patienceMs: number;
  /** How many times faster than ours its clock runs. */
  readonly speed: number;
  /** Read what is listed, and sign in where one must. Throws FeedFailed. */
  open(): Promise<Listing>;
  /** The market's time at a moment of ours: a service's clock is not ours, and a recording has its own. */
  clock(now: number): number;
  /** Begin to tell. */
  start(tell: (tick: Tick) => void): void;
  stop(): Promise<void>;
  /** Somebody looks closely at an instrument: a feed that cannot tell all at once may ask for it sooner. */
  focus?(code: string): void;
  /** Day bars from one calendar day (as `taipeiDay` counts) to another, oldest first. Absent where the feed keeps no past. */
  days?(code: string, from: number, to: number): Promise<Timed[]>;
}
