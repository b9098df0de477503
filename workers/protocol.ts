/** What the page and the market worker say to each other: few kinds of messages, flat where they are many. */
import type { Fact } from "#contract/fact.ts";
import type { CandlePeriod } from "#contract/candle.ts";
import type { Category, Instrument, VenueState } from "#contract/instrument.ts";
import type { RankView } from "#contract/kernel/push.ts";
import type { Order } from "#contract/order.ts";
import type { Profit } from "#contract/profit.ts";
import type { Depth } from "#contract/quote.ts";
import type { Credentials } from "./call.ts";

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
export interface QuoteTold {
  code: string;
  flat: number[];
  tone: number;
  texts: string[];
}

/** A position's profit at the newest price, or null where the market has none. */
export interface ProfitTold {
  orderNo: string;
  price: number;
  profit: Profit | null;
}

/** All positions together; those without a price are left out and counted. */
export interface ProfitSum {
  openCents: number;
  nowCents: number;
  profitCents: number;
  returnBasisPoints: number;
  priced: number;
  unpriced: number;
}

/** One beat for the screen. The page answers each with `acked`, and until then the worker keeps only the newest. */
export interface Frame {
  kind: "frame";
  /** `[cellId, text, tone | flash << FLASH_SHIFT, …]` */
  cells: (number | string)[];
  quotes?: QuoteTold[];
  /** Codes of each watched ranking, by its key. */
  ranks?: [key: string, codes: string[]][];
  depth?: { code: string; depth: Depth };
  profits?: ProfitTold[];
  profitSum?: ProfitSum;
  /** `[chart, at, open, high, low, close, volume, …]`: the forming bars that changed. */
  bars?: number[];
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
  | { kind: "chart"; chart: number; change: "loaded" | "older"; bars: number[]; more: boolean }
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
  depth: string | null;
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

/** The credentials' origin is the page's own. */
export interface ConnectOptions extends Credentials {
  /** BCP 47; decides the units of short numbers. */
  language: string;
  /** A cheap device: longer beats. */
  slow: boolean;
  /** Watch every row of the table, every beat: benches only. */
  all?: boolean;
}

/** What the door of the worker (comlink) offers. Frames travel beside it, over the port of `open`. */
export interface MarketDoor {
  /** The one port that frames leave and cell registrations enter by. */
  open(): MessagePort;
  connect(options: ConnectOptions): void;
  /** A renewed session: the next call and the next handshake use it. */
  setCredentials(token: string, account: string): void;
  /** End of the session: closes everything and forgets the member's data. */
  disconnect(): void;
  setVisible(visible: boolean): void;
  setPositions(orders: Order[]): void;
  /** Codes that match, best first. */
  search(text: string, limit: number): string[];
  openChart(code: string, period: CandlePeriod): number;
  /** Read one more page of older bars; they come as a chart message. */
  loadOlder(chart: number): void;
  closeChart(chart: number): void;
}
