/** The protocol between page and market worker: few kinds of messages, with flat arrays where there are many values. */
import type { Fact } from "#contract/fact.ts";
import type { CandlePeriod } from "#contract/candle.ts";
import type { Adjustment } from "#contract/corporate-action.ts";
import type { Category, Instrument, Kind, VenueState } from "#contract/instrument.ts";
import type { Order } from "#contract/order.ts";
import type { MainStudy, StudySettings, SubStudy } from "#contract/preference.ts";
import type { Profit } from "#contract/profit.ts";
import type { RankView } from "#contract/quote.ts";
import type { ChannelKeys, ChannelUpdates } from "#workers/channels/channel-store.ts";

/** Fields a cell of an instrument can show. */
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

/** Fields a cell of an order, of a position, or of all positions together (`TOTAL`), can show. */
export const PROFIT_CELL_FIELDS = ["profit", "returnRate", "marketValue", "openCost"] as const;
export type ProfitCellField = (typeof PROFIT_CELL_FIELDS)[number];

/** A cell identifies its field by its index in this list: quote fields first, then profit fields. */
export const CELL_FIELDS = [...QUOTE_CELL_FIELDS, ...PROFIT_CELL_FIELDS] as const;
export type CellField = (typeof CELL_FIELDS)[number];

/** Used in place of an order number or position id for all positions together. */
export const TOTAL = "total";
/** Used in place of a position id for all open day trades together. */
export const DAY_TRADES = "dayTrades";

/** Directions as CSS values; a tone is sent as an index into this list. */
export const TONES = ["flat", "up", "down"] as const;
export type Tone = (typeof TONES)[number];
/** In a cell's third value the tone uses the low two bits and the flash (also an index into TONES) the next two. */
export const FLASH_SHIFT = 2;

/** A watched quote: flat numbers in wire order, and formatted texts in the order of QUOTE_CELL_FIELDS. */
export interface QuoteUpdate {
  code: string;
  flat: number[];
  tone: number;
  texts: string[];
}

/** The profit of an order or a position at the newest price; null if there is no price. */
export interface ProfitUpdate {
  /** Order number, or id of a position (`positionId`). */
  key: string;
  price: number;
  profit: Profit | null;
}

/** The sum over all positions; those without a price are excluded and counted in `unpriced`. */
export interface ProfitSum {
  openCents: number;
  nowCents: number;
  /** Fees and taxes: paid on opening, and estimated for closing. */
  openCostCents: number;
  closeCostCents: number;
  interestCents: number;
  dividendCents: number;
  lendingCents: number;
  profitCents: number;
  returnBasisPoints: number;
  priced: number;
  unpriced: number;
}

/** Studies a chart can compute; `average` is the session's average price (turnover divided by volume). */
export type StudyKind = MainStudy | SubStudy | "average";

/** What a chart shows. Studies are computed in the given order with the parameters of `settings`. */
export interface ChartRequest {
  code: string;
  period: CandlePeriod;
  adjustment: Adjustment;
  studies: StudyKind[];
  settings: StudySettings;
}

/**
 * A study's lines, one value per bar: prices in ten-thousandths (as floats), percent, or lots; NaN for none.
 * Lines by study: ma, ema, vol, rsi, bias one per length; boll upper, middle, lower; sar and average one; macd DIF, signal,
 * oscillator; kd K, D; obv itself and its average.
 */
export interface StudyUpdate {
  study: StudyKind;
  lines: { name: string; values: Float64Array }[];
}

/** The value of every line of every study of a chart at one bar, in study order. */
export interface StudyTail {
  chart: number;
  at: number;
  values: number[][];
}

/** The volume of a session by price, estimated from minute bars between two moments. */
export interface VolumeByPrice {
  from: number;
  to: number;
  total: number;
  /** Highest price first. */
  prices: [price: number, lots: number][];
}

/** Fields a list can be sorted by. */
export const SORT_FIELDS = ["last", "percent", "change", "volume", "turnover", "amplitude"] as const;
export type SortField = (typeof SORT_FIELDS)[number];

/** A list of instruments (at most MAX_WATCHED, all watched) that the worker sorts about once a second. */
export interface Sorting {
  codes: string[];
  by: SortField;
  descending: boolean;
}

/** One update for the screen. The page answers a frame with `asks` by `acked`; until then the worker sends nothing and keeps only the newest state. */
export interface Frame {
  kind: "frame";
  /** `[cellId, text, tone | flash << FLASH_SHIFT, …]` */
  cells: (number | string)[];
  /** The page must acknowledge this frame once it is on screen. */
  asks?: true;
  quotes?: QuoteUpdate[];
  /** Codes of each changed ranking and sorted list, by key. */
  ranks?: [key: string, codes: string[]][];
  channels?: ChannelUpdates;
  profits?: ProfitUpdate[];
  profitSum?: ProfitSum;
  /** `[chart, at, open, high, low, close, volume, …]`: changed bars, with their chart's adjustment. */
  bars?: number[];
  studies?: StudyTail[];
}

/** A row's sparkline: an SVG path, empty if there is none. */
export type SparklineUpdate = [code: string, path: string, tone: Tone];

/** The events of the connection machine that only the worker can observe. */
export type ConnectionEvent = "CONNECTED" | "RECEIVED" | "DISCONNECTED" | "POLLED" | "POLL_FAILED";

export interface InstrumentTable {
  venue: VenueState;
  categories: Category[];
  instruments: Instrument[];
}

/** Bars of an open chart: all (first load and reload after a gap), older ones to prepend, new study values, or a failed load. */
export type ChartMessage =
  | { kind: "chart"; chart: number; change: "loaded" | "older"; bars: number[]; more: boolean; studies: StudyUpdate[] }
  | { kind: "chart"; chart: number; change: "studied"; studies: StudyUpdate[] }
  | { kind: "chart"; chart: number; change: "failed" };

export type FromWorker =
  | Frame
  | ChartMessage
  | { kind: "sparklines"; lines: SparklineUpdate[] }
  | { kind: "instruments"; table: InstrumentTable }
  | { kind: "venue"; venue: VenueState }
  | { kind: "connection"; event: ConnectionEvent; at: number }
  | { kind: "facts"; facts: Fact[] }
  | { kind: "expired" };

/** Everything the screen watches besides cells; replaces the previous value. */
export interface Watching {
  quotes: string[];
  /** Codes that lists are about to show: their quotes are in the table when their cells mount. */
  ahead: string[];
  ranks: { key: string; rank: RankView }[];
  sorts: { key: string; sorting: Sorting }[];
  channels: ChannelKeys;
  /** Order numbers and position ids to send full profits for. */
  profits: string[];
  profitSum: boolean;
}

export type ToWorker =
  /** A frame with `asks` is on screen. `costMs` is the main thread's time for it, from writing its values to the end of painting. */
  | { kind: "acked"; costMs: number }
  /** `mount` is `[cellId, code, order number or position id, field index, …]`. */
  | { kind: "cells"; mount: (number | string)[]; unmount: number[] }
  /** Sparklines that came on screen and left it, by code. */
  | { kind: "sparklines"; shown: string[]; hidden: string[] }
  | { kind: "watching"; watching: Watching }
  /** Whether polling should run. */
  | { kind: "polling"; on: boolean };

/** The endpoints the worker calls. The page passes their paths in, because importing the contract's values here would bundle zod. */
export const CALLED = ["listInstruments", "readView", "readCandles", "readSparklines", "listActions", "factsSince"] as const;
export type Called = (typeof CALLED)[number];

/** Whose calls they are, and where they go. */
export interface Credentials {
  origin: string;
  token: string;
  account: string;
  paths: Record<Called, string>;
  /** Called with the size of each reply, in bytes. */
  received?: (bytes: number) => void;
  /** Replaces the global fetch, for tests and the load worker. */
  fetch?: typeof fetch;
}

/** Size and rate of the generated market for load tests. */
export interface LoadSettings {
  rows: number;
  categories: number;
  updatesPerSecond: number;
}

/** The credentials' origin is the page's own. */
export interface ConnectOptions extends Credentials {
  /** BCP 47; decides the units of short numbers. */
  language: string;
  /** A slow device: longer batch intervals. */
  slow: boolean;
  /** Watch every row of the table: benchmarks only. */
  all?: boolean;
  /** For the load worker: the market to generate. */
  load?: LoadSettings;
}

/** Received bytes (socket packets and HTTP replies, before compression), messages and quotes since `sinceMs`. */
export interface Traffic {
  bytes: number;
  messages: number;
  quotes: number;
  sinceMs: number;
}

/** The worker's comlink API. Frames are sent separately, over the port of `open`. */
export interface MarketApi {
  /** The port for frames (out) and cell registrations (in). */
  open(): MessagePort;
  connect(options: ConnectOptions): void;
  /** A renewed session: the next call and the next handshake use it. */
  setCredentials(token: string, account: string): void;
  /** Ends the session: closes everything and clears the member's data. */
  disconnect(): void;
  setVisible(visible: boolean): void;
  /** Reduces streaming, by the member's or the device's data-saver setting. */
  setSaving(saving: boolean): void;
  /** Traffic since the connection was made, for the lab screen. */
  traffic(): Traffic;
  /** The orders held; null while they are not known, so that no total of them is sent. */
  setPositions(orders: readonly Order[] | null): void;
  /** Matching codes, best first. */
  search(text: string, limit: number): Promise<string[]>;
  openChart(request: ChartRequest): number;
  /** Changes the studies or parameters of an open chart; the values arrive as a chart message. */
  studyChart(chart: number, studies: StudyKind[], settings: StudySettings): void;
  /** Loads one more page of older bars; they arrive as a chart message. */
  loadOlder(chart: number): void;
  closeChart(chart: number): void;
  /** Volume by price since a moment, read from the server's minute bars. Rejects when they cannot be read. */
  volumeByPrice(code: string, kind: Kind, since: number): Promise<VolumeByPrice>;
}
