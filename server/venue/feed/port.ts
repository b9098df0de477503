/** Defines the feed interface: a real market's data, whatever service or file it comes from. */
import * as z from "zod/mini";
import type { Category, Instrument } from "#contract/instrument.ts";
import { Price as MoneyPrice } from "#contract/kernel/money.ts";
import type { TimedBar } from "#server/venue/history/bar-aggregation.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";

/** What most ticks carry: an instrument's code, and the market's own time in epoch milliseconds. */
const tickBase = { code: z.string(), at: z.int() };
const Price = z.int().check(z.minimum(0));
const LimitPrice = MoneyPrice.check(z.minimum(1));
const Count = z.int().check(z.minimum(0));
const Levels = z.array(z.tuple([Price, Count])).check(z.maxLength(5));

/**
 * The state of an instrument's day as far as the feed knows it (null: unknown); prices in price units, volume in lots, turnover in
 * whole currency units. It never becomes a trade: what happened before we connected is known only as a sum.
 */
const DayTick = z.object({
  kind: z.literal("day"),
  ...tickBase,
  reference: z.nullable(Price),
  open: z.nullable(Price),
  high: z.nullable(Price),
  low: z.nullable(Price),
  last: z.nullable(Price),
  /** The day's limits as reported by the feed; "none" where it reports that there are none. Old recordings do not have them. */
  limits: z.optional(z.nullable(z.union([z.literal("none"), z.object({ up: LimitPrice, down: LimitPrice })]))),
  volume: z.nullable(Count),
  turnover: z.nullable(Count),
  /** Under disposition, the time between two calls; null for what trades continuously. */
  callsEveryMs: z.optional(z.nullable(Count)),
});

/**
 * A real trade, never a trial match. `volume` is the day's lots including it, so that duplicates and late ticks can be detected,
 * and missed trades appear as one trade of the difference. `side` is null when the feed does not report the aggressor.
 */
const TradeTick = z.object({
  kind: z.literal("trade"),
  ...tickBase,
  price: Price,
  volume: Count,
  side: z.nullable(z.union([z.literal(1), z.literal(0), z.literal(-1)])),
});

/**
 * The five best levels a side, best first. On a trial book (a trial match of an auction) nothing can be traded; `delayed`: the open or close that it is
 * of has been put off.
 */
const BookTick = z.object({
  kind: z.literal("book"),
  ...tickBase,
  bids: Levels,
  asks: Levels,
  trial: z.boolean(),
  delayed: z.optional(z.enum(["open", "close"])),
});

/** All earlier ticks are still valid. */
const AliveTick = z.object({ kind: z.literal("alive"), at: z.int() });
/** The connection is lost: the books are unknown. */
const LostTick = z.object({ kind: z.literal("lost"), at: z.int() });

export const Tick = z.discriminatedUnion("kind", [DayTick, TradeTick, BookTick, AliveTick, LostTick]);
export type Tick = z.infer<typeof Tick>;
export type DayTick = z.infer<typeof DayTick>;
export type TradeTick = z.infer<typeof TradeTick>;
export type BookTick = z.infer<typeof BookTick>;

/** The latest whole day of an instrument, and the close before it; prices in price units. */
export interface Latest extends TimedBar {
  before: number;
}

/** The market of a feed: its instruments, categories and hours. */
export interface FeedMarket {
  /** Identifies the instrument table: other instruments, another name. */
  universe: string;
  hours: Hours;
  /** The prices are a recorded simulation's. */
  simulated: boolean;
  /** In row order. */
  instruments: readonly Instrument[];
  categories: readonly Category[];
  /** By row. */
  latest: readonly (Latest | null)[];
}

/** Log for the operator. */
export interface FeedLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Thrown when a feed cannot be opened at all, with a message the operator can act on. */
export class FeedFailed extends Error {}

export interface Feed {
  /** How long its last tick may be traded on, in milliseconds. */
  readonly patienceMs: number;
  /** How many times faster than ours its clock runs. */
  readonly speed: number;
  /** Reads the list of instruments, and authenticates where necessary. @throws FeedFailed */
  open(): Promise<FeedMarket>;
  /** The market's time at a moment of ours: a service's clock may differ, and a recording has its own. */
  clock(now: number): number;
  /** Starts emitting ticks. */
  start(emit: (tick: Tick) => void): void;
  stop(): Promise<void>;
  /** A client is looking at an instrument: a feed that polls in batches may request it sooner. */
  focus?(code: string): void;
  /** Day bars from one calendar day (as `taipeiDay` counts) to another, oldest first. Absent where the feed has no history. */
  days?(code: string, from: number, to: number): Promise<TimedBar[]>;
}
