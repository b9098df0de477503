/** Preferences: chart, list, ticket and streaming settings, stored by the server so that they apply on every device. */
import * as z from "zod/mini";
import { _default as withDefault } from "zod/mini";
import { Adjustment } from "./corporate-action.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Code, RequestId } from "./kernel/id.ts";

export const MAIN_STUDIES = ["ma", "ema", "boll", "sar"] as const;
export const SUB_STUDIES = ["vol", "macd", "kd", "rsi", "bias", "obv"] as const;
export const MainStudy = z.enum(MAIN_STUDIES);
export const SubStudy = z.enum(SUB_STUDIES);
export type MainStudy = z.infer<typeof MainStudy>;
export type SubStudy = z.infer<typeof SubStudy>;

/** A study length, in bars. */
const Length = z.int().check(z.minimum(1), z.maximum(500));

/** The price MACD averages: the close, or the demand index (high + low + 2 × close) / 4. Null in the settings: the language's custom. */
export const MACD_PRICES = ["close", "demand"] as const;
const MacdPrice = z.enum(MACD_PRICES);
export type MacdPrice = z.infer<typeof MacdPrice>;

/** The parameters of every study. Deviations and steps are in hundredths: 2.00 is 200, 0.02 is 2. */
export const StudySettings = z.object({
  ma: z.array(Length).check(z.minLength(1), z.maxLength(5)),
  ema: z.array(Length).check(z.minLength(1), z.maxLength(5)),
  boll: z.object({ length: Length, deviations: z.int().check(z.minimum(10), z.maximum(1000)) }),
  sar: z.object({ step: z.int().check(z.minimum(1), z.maximum(100)), most: z.int().check(z.minimum(1), z.maximum(100)) }),
  vol: z.array(Length).check(z.maxLength(3)),
  macd: z.object({ fast: Length, slow: Length, signal: Length, price: withDefault(z.nullable(MacdPrice), null) }),
  kd: z.object({ length: Length, k: Length, d: Length }),
  rsi: z.array(Length).check(z.minLength(1), z.maxLength(3)),
  bias: z.array(Length).check(z.minLength(1), z.maxLength(3)),
  obv: z.object({ average: Length }),
});
export type StudySettings = z.infer<typeof StudySettings>;

/** Time frames of a chart, in the order they are offered: the session as a line, candles of a length, or candles over a range. */
export const FRAMES = ["intraday", "minute5", "day", "week", "month", "1D", "1W", "1M", "3M", "6M", "1Y", "minute15", "minute30"] as const;
export const Frame = z.enum(FRAMES);
export type Frame = z.infer<typeof Frame>;

/** How many rows a list of quotes shows: as many as a fingertip can tell apart, or fewer with more air. */
export const DENSITIES = ["compact", "comfortable"] as const;
export const Density = z.enum(DENSITIES);
export type Density = z.infer<typeof Density>;

/** The kinds of order the ticket may start with; a short must be chosen each time. */
export const REMEMBERED_KINDS = ["cash", "margin", "dayTrade"] as const;
export type RememberedKind = (typeof REMEMBERED_KINDS)[number];

/** The largest amount that can be set: NT$ 1 trillion, in cents. */
const Amount = z.int().check(z.minimum(100), z.maximum(100_000_000_000_000));

/** Flash orders: sent by one tap on a price of the order book. */
export const FlashSettings = z.object({
  lots: z.int().check(z.minimum(1), z.maximum(499)),
  /** No flash order may be worth more. */
  limitCents: Amount,
});
export type FlashSettings = z.infer<typeof FlashSettings>;

export const Preferences = z.object({
  main: z.nullable(MainStudy),
  sub: z.array(SubStudy).check(z.maxLength(3)),
  studies: StudySettings,
  /** Panes below the prices that are collapsed. */
  collapsed: z.array(SubStudy).check(z.maxLength(SUB_STUDIES.length)),
  /** The time frame of every chart; null until one is chosen. */
  frame: z.nullable(Frame),
  /** Trades of at least this many lots are marked on the tape. */
  bigLots: z.int().check(z.minimum(1), z.maximum(1_000_000)),
  adjustment: Adjustment,
  density: Density,
  /** Stream fewer instruments at a lower rate, to save data and battery. */
  saveData: z.boolean(),
  /** Show what happens to orders, alerts and the account as device notifications, where permitted. */
  notify: z.boolean(),
  /** Play a tone for the same events, and vibrate, where the device can. */
  sound: z.boolean(),
  vibrate: z.boolean(),
  /** The kind of order the ticket starts with: the one chosen last. */
  ticketKind: z.enum(REMEMBERED_KINDS),
  /** Plain limit orders up to this value are sent without a review; null: every order is reviewed. */
  skipReviewCents: z.nullable(Amount),
  flash: FlashSettings,
});
export type Preferences = z.infer<typeof Preferences>;

/** Maximum number of lines per chart. */
export const MAX_LINES = 10;

/** A horizontal line on an instrument's chart, at an unadjusted price. */
export const ChartLine = z.object({
  id: RequestId,
  price: z.int().check(z.minimum(1)),
  /** The alert set on this line; null for none. */
  alert: z.nullable(RequestId),
});
export type ChartLine = z.infer<typeof ChartLine>;
const Lines = z.array(ChartLine).check(z.maxLength(MAX_LINES));

/** Maximum number of shapes per chart. */
export const MAX_SHAPES = 20;
export const SHAPE_KINDS = ["trend", "ray", "rectangle", "fibonacci"] as const;

/** A point of a chart: a time in epoch milliseconds, and an unadjusted price. */
const ChartPoint = z.object({ at: z.int().check(z.minimum(0)), price: z.int().check(z.minimum(1)) });
export type ChartPoint = z.infer<typeof ChartPoint>;

/** A shape drawn through two points: a segment, a ray from the first through the second, opposite corners, or the ends of a move. */
export const ChartShape = z.object({ id: RequestId, kind: z.enum(SHAPE_KINDS), from: ChartPoint, to: ChartPoint });
export type ChartShape = z.infer<typeof ChartShape>;
export type ShapeKind = ChartShape["kind"];
const Shapes = z.array(ChartShape).check(z.maxLength(MAX_SHAPES));

export const preferenceEndpoints = {
  readPreferences: endpoint({
    path: "/preferences/read",
    access: "member",
    does: "Read the member's chart and streaming preferences.",
    body: z.object({}),
    data: Preferences,
    refusals: [],
  }),
  savePreferences: endpoint({
    path: "/preferences/save",
    access: "member",
    does: "Change some of the member's chart and streaming preferences; those that are not sent stay as they are.",
    body: z.partial(Preferences),
    data: Preferences,
    refusals: [],
  }),
  readLines: endpoint({
    path: "/preferences/read-lines",
    access: "member",
    does: "Read the lines the member drew on the chart of an instrument.",
    body: z.object({ code: Code }),
    data: z.object({ lines: z.array(ChartLine) }),
    refusals: ["VAL_STOCK_CODE_REQUIRED"],
  }),
  saveLines: endpoint({
    path: "/preferences/save-lines",
    access: "member",
    does: "Replace the lines on the chart of an instrument.",
    body: z.object({ code: Code, lines: Lines }),
    data: z.object({ lines: z.array(ChartLine) }),
    refusals: ["VAL_STOCK_CODE_REQUIRED", "GEN_NOT_FOUND"],
  }),
  readShapes: endpoint({
    path: "/preferences/read-shapes",
    access: "member",
    does: "Read the shapes the member drew on the chart of an instrument.",
    body: z.object({ code: Code }),
    data: z.object({ shapes: z.array(ChartShape) }),
    refusals: ["VAL_STOCK_CODE_REQUIRED"],
  }),
  saveShapes: endpoint({
    path: "/preferences/save-shapes",
    access: "member",
    does: "Replace the shapes on the chart of an instrument.",
    body: z.object({ code: Code, shapes: Shapes }),
    data: z.object({ shapes: z.array(ChartShape) }),
    refusals: ["VAL_STOCK_CODE_REQUIRED", "GEN_NOT_FOUND"],
  }),
};
