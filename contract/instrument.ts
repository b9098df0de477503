/** Instruments: what the venue lists, under which board and category, and by which rules each is traded. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code } from "./kernel/id.ts";
import { EpochMs } from "./kernel/time.ts";

export const KINDS = ["stock", "preferred", "etf", "etn", "tdr", "reit", "index", "crypto", "forex"] as const;
export const Kind = z.enum(KINDS);
export type Kind = z.infer<typeof Kind>;

export const BOARDS = ["listed", "otc", "index", "crypto", "forex"] as const;
export const Board = z.enum(BOARDS);
export type Board = z.infer<typeof Board>;

/** The exchange's warnings: an attention stock moved conspicuously, a disposition stock did so again and again. */
export const INSTRUMENT_WATCHES = ["none", "attention", "disposition"] as const;
export const InstrumentWatch = z.enum(INSTRUMENT_WATCHES);
export type InstrumentWatch = z.infer<typeof InstrumentWatch>;

/** One instrument. `row` is its place in the venue's table and its short name on the quote wire. */
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
  /** Decimals its prices are shown with. */
  decimals: z.int(),
  /** Shares (or units) of one lot; orders are in lots. */
  lotShares: z.int(),
  /** Shares issued, in thousands; 0 where it has no meaning. */
  issuedThousands: z.int(),
  tradable: z.boolean(),
  shortable: z.boolean(),
  /** May be bought and sold again on one day, under the day-trading agreement. */
  dayTradable: z.boolean(),
  /** May be bought on a margin loan and sold short on margin. */
  marginable: z.boolean(),
  /** How closely the exchange watches it; what is under disposition is traded in cash only, neither short nor within a day. */
  watch: InstrumentWatch,
  /** Invented by the sandbox: no such security exists. */
  fictitious: z.boolean(),
  /** How long after buying it cannot be sold, in seconds; 0 for no lock. */
  sellLockSeconds: z.int(),
  /** Its first trading day, counted as `taipeiDay` counts; 0 when that lies before the history. */
  listedDay: z.int(),
  /** How far a day may go from its reference, per cent; null where the market sets no limit. */
  limitPercent: z.nullable(z.int().check(z.minimum(1), z.maximum(99))),
  /** A fund of bonds, neither leveraged nor inverse: the law exempts its sale from tax while it says so. */
  bonds: z.boolean(),
  /** The day, counted alike, before which a newcomer has no daily limits; 0 for what has them from the start, or never. */
  freeBefore: z.int(),
});
export type Instrument = z.infer<typeof Instrument>;

/** One category of a board, in the board's order. */
export const Category = z.object({ board: Board, code: z.string(), zh: z.string(), zhCn: z.string(), en: z.string(), count: z.int() });
export type Category = z.infer<typeof Category>;

/** The phases of a trading day; `fixedPrice` trades at the day's close, after hours. */
export const SESSION_PHASES = ["preOpen", "open", "closingAuction", "fixedPrice", "closed", "halted"] as const;
export const SessionPhase = z.enum(SESSION_PHASES);
export type SessionPhase = z.infer<typeof SessionPhase>;

/** The venue as a whole: which universe it lists (changes with its seed), and where the trading day stands. */
export const VenueState = z.object({
  universe: z.string(),
  phase: SessionPhase,
  /** When the current phase ends; null when it does not (a venue that is always open rolls at Taipei midnight). */
  phaseEndsAt: z.nullable(EpochMs),
  /** Start and end of the current (or, when closed, the latest) session, for the intraday chart's axis. */
  opensAt: EpochMs,
  closesAt: EpochMs,
  /** Prices come from a simulation. */
  simulated: z.boolean(),
});
export type VenueState = z.infer<typeof VenueState>;

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

/** What an instrument or a category is called in a language (BCP 47): the registered Chinese name, its Simplified form, or the English one. */
export function nameIn(language: string, { zh, zhCn, en }: { zh: string; zhCn: string; en: string }): string {
  if (language === "zh-TW") return zh;
  return language === "zh-CN" ? zhCn : en;
}
