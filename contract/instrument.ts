/** Instruments: what the venue lists, with board, category and trading attributes. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code } from "./kernel/id.ts";
import { EpochMs } from "./kernel/time.ts";

export const KINDS = ["stock", "preferred", "etf", "etn", "tdr", "reit", "bond", "index", "crypto", "forex"] as const;
export const Kind = z.enum(KINDS);
export type Kind = z.infer<typeof Kind>;

export const BOARDS = ["listed", "otc", "index", "crypto", "forex"] as const;
export const Board = z.enum(BOARDS);
export type Board = z.infer<typeof Board>;

/** The exchange's warnings: an attention stock (注意) moved abnormally, a disposition stock (處置) did so repeatedly. */
export const INSTRUMENT_WATCHES = ["none", "attention", "disposition"] as const;
export const InstrumentWatch = z.enum(INSTRUMENT_WATCHES);
export type InstrumentWatch = z.infer<typeof InstrumentWatch>;

/** One instrument. `row` is its index in the venue's table and identifies it in quote batches. */
export const Instrument = z.object({
  row: z.int(),
  code: Code,
  /** Registered Chinese name. */
  zh: z.string(),
  /** The same name in Simplified characters. */
  zhCn: z.string(),
  en: z.string(),
  kind: Kind,
  board: Board,
  /** Category code below its board: an industry number (`24`), or a kind (`etf`, `index`, `crypto`, `forex`). */
  category: z.string(),
  /** Number of decimals prices are displayed with. */
  decimals: z.int(),
  /** Shares (or units) of one lot; orders are in lots. */
  lotShares: z.int(),
  /** Shares issued, in thousands; 0 where not applicable. */
  issuedThousands: z.int(),
  tradable: z.boolean(),
  shortable: z.boolean(),
  /** May be bought and sold again on one day, under the day-trading agreement. */
  dayTradable: z.boolean(),
  /** May be bought on a margin loan and sold short on margin. */
  marginable: z.boolean(),
  /** The exchange's warning level of the session, or of the next one once orders may be reserved for it; a disposition stock is traded by calls, cash only: no short selling, no day trading. */
  watch: InstrumentWatch,
  /** The open of the last session of its disposition, in epoch milliseconds; absent for what is under none, or where it is not known. */
  watchUntil: z.optional(z.int()),
  /** Invented by the sandbox: no such security exists. */
  fictitious: z.boolean(),
  /** Lock-up after buying, in seconds, during which it cannot be sold; 0 for none. */
  sellLockSeconds: z.int(),
  /** First trading day as a `taipeiDay` number; 0 when it precedes the price history. */
  listedDay: z.int(),
  /** Daily price limit, in percent of the reference price; null where there is no limit. */
  limitPercent: z.nullable(z.int().check(z.minimum(1), z.maximum(99))),
  /** A bond, or a bond fund that is neither leveraged nor inverse; its sale is exempt from transaction tax while the law says so. */
  bonds: z.boolean(),
  /** The moment from which a new issue can be traded, in epoch milliseconds; 0 when it always could. */
  tradesFrom: z.int(),
  /** The moment until which a new listing has no daily limits, in epoch milliseconds; 0 when limits apply from the start or never. */
  freeUntil: z.int(),
  /** The moment from which a fund whose term ends is traded no more, in epoch milliseconds; absent for what has no end. */
  tradesUntil: z.optional(z.int()),
});
export type Instrument = z.infer<typeof Instrument>;

/** One category of a board, in the board's order. */
export const Category = z.object({ board: Board, code: z.string(), zh: z.string(), zhCn: z.string(), en: z.string(), count: z.int() });
export type Category = z.infer<typeof Category>;

/**
 * The phases of a trading day; `fixedPrice` is after-hours trading at the closing price, `oddLot` that of odd lots alone, which goes on beside it.
 */
export const SESSION_PHASES = ["preOpen", "open", "closingAuction", "oddLot", "fixedPrice", "closed", "halted"] as const;
export const SessionPhase = z.enum(SESSION_PHASES);
export type SessionPhase = z.infer<typeof SessionPhase>;

/**
 * The venue's state: the id of its instrument table and the phase of the trading day. The id (`universe`) changes with the seed. At its end are
 * plus signs and numbers: one grows with each new issue, which becomes the table's last row, one changes with what the exchange watches.
 */
export const VenueState = z.object({
  universe: z.string(),
  phase: SessionPhase,
  /** When the current phase ends; null when it does not (an always-open venue rolls over at Taipei midnight). */
  phaseEndsAt: z.nullable(EpochMs),
  /** Start and end of the current (or, when closed, the latest) session, for the intraday chart's axis. */
  opensAt: EpochMs,
  closesAt: EpochMs,
  /** Prices come from a simulation. */
  simulated: z.boolean(),
});
export type VenueState = z.infer<typeof VenueState>;

/** The break before after-hours trading is a smaller part of the session than this; the next session is further away. */
const BREAK_PART = 20;

/**
 * When orders that are reserved now go to the market: at the first moment that the next session accepts them. Null while the market is open
 * or has only a break, and where it is not known.
 */
export function reservesFor({ phase, phaseEndsAt, opensAt, closesAt }: VenueState): EpochMs | null {
  if (phase !== "closed" || phaseEndsAt === null) return null;
  return phaseEndsAt - closesAt > (closesAt - opensAt) / BREAK_PART ? phaseEndsAt : null;
}

export const instrumentEndpoints = {
  listInstruments: endpoint({
    path: "/instruments/list",
    access: "member",
    does: "List every instrument of the venue with its categories, in row order.",
    body: z.object({}),
    data: z.object({ venue: VenueState, categories: z.array(Category), instruments: z.array(Instrument) }),
    refusals: [],
  }),
};

/** The id of a table without the numbers at its end: tables that share it begin with the same rows. */
export const tableOf = (universe: string): string => universe.replace(/(\+\d+)+$/, "");

/** Tells whether an instrument is listed at a moment; a new issue is announced before. A stored one of an older version lacks the moment. */
export const isListed = ({ tradesFrom }: Pick<Instrument, "tradesFrom">, now: number): boolean => !(now < tradesFrom);

/** Tells whether the term of a fund has ended at a moment, so that it is traded no more. */
export const hasEnded = ({ tradesUntil }: Pick<Instrument, "tradesUntil">, now: number): boolean =>
  tradesUntil !== undefined && now >= tradesUntil;

/** The decimals of a quantity of digital currency: its unit, as orders count it, is a hundred-millionth of a coin. */
const COIN_UNITS = 100_000_000;

/** How many units of an order's quantity are one whole of what its price is for: one share is a unit, a coin has many. */
export const unitsPerWhole = ({ kind }: Pick<Instrument, "kind">): number => (kind === "crypto" ? COIN_UNITS : 1);

/** What volumes are counted in: lots, or coins, or thousands of the foreign currency. An index sums the lots of its stocks. */
export function volumeUnit({ kind }: Pick<Instrument, "kind">): "lots" | "coins" | "thousands" {
  if (kind === "crypto") return "coins";
  return kind === "forex" ? "thousands" : "lots";
}

/** The name of an instrument or category in a language (BCP 47 tag): registered Chinese, Simplified Chinese, or English for all others. */
export function nameIn(language: string, { zh, zhCn, en }: { zh: string; zhCn: string; en: string }): string {
  if (language === "zh-TW") return zh;
  return language === "zh-CN" ? zhCn : en;
}
