/** What the page and the market worker say to each other: few kinds of messages, flat where they are many. */
import type { Fact } from "#contract/fact.ts";
import type { CandlePeriod } from "#contract/candle.ts";
import type { Adjustment } from "#contract/corporate-action.ts";
import type { Contribution } from "#contract/sector-heat.ts";
import type { Category, Instrument, VenueState } from "#contract/instrument.ts";
import type { Order } from "#contract/order.ts";
import type { MainStudy, StudySettings, SubStudy } from "#contract/preference.ts";
import type { Profit } from "#contract/profit.ts";
import type { Depth, RankView } from "#contract/quote.ts";
import type { Credentials } from "#workers/connection/http-client.ts";

/** What a cell of an instrument can show. */
export const QUOTE_CELL_FIELDS = [
  "last",
  "change",
  "percent",
  "changeAndPercent",
  "volume",
  "turnover",
  "open",
  "high",
  "low",
  "reference",
  "limitUp",
  "limitDown",
  "bid",
  "ask",
  "amplitude",
] as const;
export type QuoteCellField = (typeof QUOTE_CELL_FIELDS)[number];

/** What a cell of a position, or of all positions together (`TOTAL`), can show. */
export const PROFIT_CELL_FIELDS = ["profit", "returnRate", "marketValue", "openCost"] as const;
export type ProfitCellField = (typeof PROFIT_CELL_FIELDS)[number];

/** A cell names its field by its index here: quote fields first, then profit fields. */
export const CELL_FIELDS = [...QUOTE_CELL_FIELDS, ...PROFIT_CELL_FIELDS] as const;
export type CellField = (typeof CELL_FIELDS)[number];

/** In place of an order number: all positions together. */
export const TOTAL = "total";

/** Directions in CSS words; a tone travels as an index into this. */
export const TONES = ["flat", "up", "down"] as const;
export type Tone = (typeof TONES)[number];
/** In the third number of a cell the tone takes the low two bits, the flash (also an index into TONES) the next two. */
export const FLASH_SHIFT = 2;

/** A watched quote in full: flat numbers in wire order and ready texts in the order of QUOTE_CELL_FIELDS. */
export interface QuoteUpdate {
  code: string;
  flat: number[];
  tone: number;
  texts: string[];
}

/** A position's profit at the newest price, or null where the market has none. */
export interface ProfitUpdate {
  orderNo: string;
  price: number;
  profit: Profit | null;
}

/** All positions together; those without a price are left out and counted. */
export interface ProfitSum {
  openCents: number;
  nowCents: number;
  /** Fees and taxes of opening, paid; and of closing, estimated. */
  openCostCents: number;
  closeCostCents: number;
  interestCents: number;
  dividendCents: number;
  profitCents: number;
  returnBasisPoints: number;
  priced: number;
  unpriced: number;
}

/** The categories' heat: flat HEAT_FIELDS, and per category its change and its turnover as ready texts. */
export interface HeatUpdate {
  flat: number[];
  texts: [change: string, turnover: string][];
}

/** The newest trades of the watched tape, at most TAPE_SHOWN: flat TAPE_FIELDS, oldest first, and per trade its ready texts. */
export interface TapeUpdate {
  code: string;
  flat: number[];
  texts: [time: string, price: string, lots: string][];
}
/** How many trades the worker keeps and tells. */
export const TAPE_SHOWN = 50;

/** An index's breadth and leaders, and the leaders' and laggards' points as ready texts, in their order. */
export interface IndexUpdate {
  code: string;
  index: Contribution;
  texts: { leaders: string[]; laggards: string[] };
}

/** What a chart can compute beside its bars; `average` is the session's average price (turnover by volume). */
export type StudyKind = MainStudy | SubStudy | "average";

/** What a chart is of. Studies are computed in the order given, with the parameters of `settings`. */
export interface ChartRequest {
  code: string;
  period: CandlePeriod;
  adjustment: Adjustment;
  studies: StudyKind[];
  settings: StudySettings;
}

/**
 * A study's lines over all bars of its chart, place for place: prices in ten-thousandths (as floats), percent, or lots; NaN for none.
 * In this order: ma, ema, vol, rsi, bias one line a length; boll upper, middle, lower; sar, average one; macd DIF, its average,
 * what lies between; kd K, D; obv itself and its average.
 */
export interface StudyUpdate {
  study: StudyKind;
  lines: { name: string; values: Float64Array }[];
}

/** The newest value of every line of every study of a chart, in their order, at the forming bar. */
export interface StudyTail {
  chart: number;
  at: number;
  values: number[][];
}

/** What a sorted list can be sorted by. */
export const SORT_FIELDS = ["last", "percent", "change", "volume", "turnover", "amplitude"] as const;
export type SortField = (typeof SORT_FIELDS)[number];

/** A list of instruments (at most MAX_WATCHED, all watched) that the worker keeps in order, about once a second. */
export interface Sorting {
  codes: string[];
  by: SortField;
  descending: boolean;
}

/** One beat for the screen. The page answers each that asks with `acked`, and until then the worker keeps only the newest. */
export interface Frame {
  kind: "frame";
  /** `[cellId, text, tone | flash << FLASH_SHIFT, …]` */
  cells: (number | string)[];
  /** Answer when this is on screen. */
  asks?: true;
  quotes?: QuoteUpdate[];
  /** Codes of each watched ranking and each sorted list, by its key. */
  ranks?: [key: string, codes: string[]][];
  depth?: { code: string; depth: Depth };
  heat?: HeatUpdate;
  tape?: TapeUpdate;
  index?: IndexUpdate;
  profits?: ProfitUpdate[];
  profitSum?: ProfitSum;
  /** `[chart, at, open, high, low, close, volume, …]`: the forming bars that changed, adjusted as their chart is. */
  bars?: number[];
  studies?: StudyTail[];
}

/** What happened on the line: the events of the connection machine that only the worker can see. */
export type LineEvent = "CONNECTED" | "HEARD" | "DISCONNECTED" | "POLLED" | "POLL_FAILED";

export interface InstrumentTable {
  venue: VenueState;
  categories: Category[];
  instruments: Instrument[];
}

/** Bars of an open chart: all of them (first load, and again after a gap), older ones to put before, or the word that reading failed. */
export type ChartMessage =
  | { kind: "chart"; chart: number; change: "loaded" | "older"; bars: number[]; more: boolean; studies: StudyUpdate[] }
  | { kind: "chart"; chart: number; change: "studied"; studies: StudyUpdate[] }
  | { kind: "chart"; chart: number; change: "failed" };

export type FromWorker =
  | Frame
  | ChartMessage
  | { kind: "instruments"; table: InstrumentTable }
  | { kind: "venue"; venue: VenueState }
  | { kind: "line"; event: LineEvent; at: number }
  | { kind: "facts"; facts: Fact[] }
  | { kind: "expired" };

/** Everything beside cells that the screen watches now; it replaces what was said before. */
export interface Watching {
  quotes: string[];
  ranks: { key: string; rank: RankView }[];
  sorts: { key: string; sorting: Sorting }[];
  depth: string | null;
  tape: string | null;
  index: string | null;
  heat: boolean;
  /** Order numbers whose profit is wanted in full. */
  profits: string[];
  profitSum: boolean;
}

export type ToWorker =
  | { kind: "acked" }
  /** `mount` is `[cellId, code or order number, field index, …]`. */
  | { kind: "cells"; mount: (number | string)[]; unmount: number[] }
  | { kind: "watching"; watching: Watching }
  /** Whether the polling twin should run. */
  | { kind: "polling"; on: boolean };

/** A market made up on the device, to measure the device with. */
export interface LoadSettings {
  rows: number;
  categories: number;
  updatesPerSecond: number;
}

/** The credentials' origin is the page's own. */
export interface ConnectOptions extends Credentials {
  /** BCP 47; decides the units of short numbers. */
  language: string;
  /** A cheap device: longer beats. */
  slow: boolean;
  /** Watch every row of the table, every beat: benches only. */
  all?: boolean;
  /** For the load worker: the market it makes up. */
  load?: LoadSettings;
}

/** Bytes as text (socket packets and answers), and how many messages and quotes they were. */
export interface Traffic {
  bytes: number;
  messages: number;
  quotes: number;
  sinceMs: number;
}

/** What the door of the worker (comlink) offers. Frames travel beside it, over the port of `open`. */
export interface MarketApi {
  /** The one port that frames leave and cell registrations enter by. */
  open(): MessagePort;
  connect(options: ConnectOptions): void;
  /** A renewed session: the next call and the next handshake use it. */
  setCredentials(token: string, account: string): void;
  /** End of the session: closes everything and forgets the member's data. */
  disconnect(): void;
  setVisible(visible: boolean): void;
  /** Watch less and slower: the member's wish, or the device's. */
  setSaving(saving: boolean): void;
  /** What came over the line since the connection was made, for the lab. */
  traffic(): Traffic;
  setPositions(orders: Order[]): void;
  /** Codes that match, best first. */
  search(text: string, limit: number): string[];
  openChart(request: ChartRequest): number;
  /** Other studies or other parameters for an open chart; they come as a chart message. */
  studyChart(chart: number, studies: StudyKind[], settings: StudySettings): void;
  /** Read one more page of older bars; they come as a chart message. */
  loadOlder(chart: number): void;
  closeChart(chart: number): void;
}
