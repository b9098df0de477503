/** Orders: from the ticket to the closed position. A position is an order in `holding`. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code, OrderNo, RequestId } from "./kernel/id.ts";
import { Cents, Price } from "./kernel/money.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import { EpochMs } from "./kernel/time.ts";

/** The lifecycle, in the specification's words; the same in SQL, machine, locale (`status.order.*`) and CSS. */
export const ORDER_STATUSES = ["pending", "holding", "readyToClose", "closed", "cancelled"] as const;
export const OrderStatus = z.enum(ORDER_STATUSES);
export type OrderStatus = z.infer<typeof OrderStatus>;

/** Buy-rise earns when the price rises (long), buy-fall when it falls (short, against collateral). */
export const DIRECTIONS = ["rise", "fall"] as const;
export const Direction = z.enum(DIRECTIONS);
export type Direction = z.infer<typeof Direction>;

export const PRICINGS = ["market", "limit"] as const;
export const Pricing = z.enum(PRICINGS);
export type Pricing = z.infer<typeof Pricing>;

/** The most lots of one order. */
export const MAX_LOTS = 499;

const Lots = z.int("VAL_LOTS_INTEGER").check(z.minimum(1, "VAL_LOTS_INTEGER"), z.maximum(MAX_LOTS, "TRD_LOTS_MAX"));
/** Null for a market order; above 0 for a limit order. Which of the two is checked beside `pricing`. */
const LimitPrice = z.nullable(z.int("VAL_LIMIT_PRICE_POSITIVE").check(z.minimum(1, "VAL_LIMIT_PRICE_POSITIVE")));

const pricedRight = z.refine<{ pricing: Pricing; price: number | null }>((body) => (body.pricing === "limit") === (body.price !== null), {
  error: "VAL_LIMIT_PRICE_POSITIVE",
  path: ["price"],
});

/** What the ticket sends. */
export const PlaceOrderBody = z
  .object({ requestId: RequestId, code: Code, direction: Direction, pricing: Pricing, price: LimitPrice, lots: Lots })
  .check(pricedRight);

/** Closing takes whole lots of what is held, at market or at a limit. */
export const CloseOrderBody = z
  .object({ requestId: RequestId, orderNo: OrderNo, pricing: Pricing, price: LimitPrice, lots: Lots })
  .check(pricedRight);

/** Which side of a position a fill belongs to. */
export const FILL_SIDES = ["open", "close"] as const;

/** Why a fill got its price: the level of the book it took, or the better price it met. */
export const FILL_REASONS = ["bookLevel", "limitOrBetter"] as const;

/** One execution. */
export const Fill = z.object({
  side: z.enum(FILL_SIDES),
  at: EpochMs,
  price: Price,
  lots: z.int(),
  feeCents: Cents,
  taxCents: Cents,
  reason: z.enum(FILL_REASONS),
  /** Which of the five levels it took, 1 for the best. */
  level: z.int(),
  /** The best price on the side it traded against, at that moment. */
  best: Price,
});
export type Fill = z.infer<typeof Fill>;

/** A position order. Money in cents; average prices rounded to a ten-thousandth, the exact sums are the `…Cents`. */
export const Order = z.object({
  orderNo: OrderNo,
  requestId: RequestId,
  code: Code,
  status: OrderStatus,
  direction: Direction,
  pricing: Pricing,
  /** The limit of the opening order; null at market. */
  price: z.nullable(Price),
  lots: z.int(),
  lotShares: z.int(),
  leverage: z.int(),
  filledLots: z.int(),
  /** Lots already closed. */
  closedLots: z.int(),
  /** Lots the resting close order still wants; 0 unless `readyToClose`. */
  closingLots: z.int(),
  closePricing: z.nullable(Pricing),
  closePrice: z.nullable(Price),
  placedAt: EpochMs,
  /** When the last opening fill came; null before. */
  boughtAt: z.nullable(EpochMs),
  /** When the last closing fill came; null before. */
  soldAt: z.nullable(EpochMs),
  /** Before this moment it cannot be closed. */
  lockedUntil: z.nullable(EpochMs),
  openAverage: z.nullable(Price),
  closeAverage: z.nullable(Price),
  /** Value of all opening fills, and their fee and tax. */
  openCents: Cents,
  openFeeCents: Cents,
  openTaxCents: Cents,
  /** Value of all closing fills, and their fee and tax. */
  closeCents: Cents,
  closeFeeCents: Cents,
  closeTaxCents: Cents,
  /** Held from the balance: for the unfilled part, and as collateral of a short position. */
  heldCents: Cents,
  collateralCents: Cents,
  /** Realised by the closed lots. */
  profitCents: Cents,
  /** Grows with every change, so that of two versions the newer is known. */
  version: z.int(),
});
export type Order = z.infer<typeof Order>;

export const OrderDetail = z.object({ order: Order, fills: z.array(Fill) });
export type OrderDetail = z.infer<typeof OrderDetail>;

export const orderEndpoints = {
  placeOrder: endpoint({
    path: "/orders/place",
    access: "member",
    does: "Place an order, good for the trading day; the same requestId never acts twice.",
    body: PlaceOrderBody,
    data: Order,
    refusals: [
      "VAL_STOCK_CODE_REQUIRED",
      "VAL_LOTS_INTEGER",
      "TRD_LOTS_MAX",
      "VAL_LIMIT_PRICE_POSITIVE",
      "GEN_REQUEST_REUSED",
      "GEN_TOO_FREQUENT",
      "ACC_REALNAME_REQUIRED",
      "ACC_TRADE_BARRED",
      "TRD_NOT_TRADABLE",
      "TRD_NOT_LISTED",
      "TRD_NOT_SHORTABLE",
      "TRD_NON_TRADING_HOURS",
      "TRD_STOCK_PRICE_UNAVAILABLE",
      "TRD_PRICE_STALE",
      "TRD_PRICE_LIMIT_EXCEEDED",
      "TRD_PRICE_OFF_TICK",
      "FUND_AVAILABLE_INSUFFICIENT",
    ],
  }),
  cancelOrder: endpoint({
    path: "/orders/cancel",
    access: "member",
    does: "Cancel what is still unfilled of a pending order, or of a resting close order.",
    body: z.object({ requestId: RequestId, orderNo: OrderNo }),
    data: Order,
    refusals: [
      "GEN_REQUEST_REUSED",
      "GEN_TOO_FREQUENT",
      "TRD_ORDER_NOT_FOUND",
      "TRD_ALREADY_CLOSED",
      "TRD_ALREADY_CANCELLED",
      "TRD_ORDER_NOT_PENDING",
    ],
  }),
  closeOrder: endpoint({
    path: "/orders/close",
    access: "member",
    does: "Close lots of an order in holding, at market or at a limit; what rests of it is good for the trading day.",
    body: CloseOrderBody,
    data: Order,
    refusals: [
      "VAL_LOTS_INTEGER",
      "TRD_LOTS_MAX",
      "VAL_LIMIT_PRICE_POSITIVE",
      "GEN_REQUEST_REUSED",
      "GEN_TOO_FREQUENT",
      "TRD_ORDER_NOT_FOUND",
      "TRD_ALREADY_CLOSED",
      "TRD_ALREADY_CANCELLED",
      "TRD_ORDER_NOT_HOLDING",
      "TRD_SELL_EXCEEDS",
      "TRD_SELL_LOCK_MINUTES",
      "TRD_SELL_LOCK_TPLUS",
      "TRD_POSITION_LOCKED",
      "TRD_NON_TRADING_HOURS",
      "TRD_STOCK_PRICE_UNAVAILABLE",
      "TRD_PRICE_STALE",
      "TRD_PRICE_LIMIT_EXCEEDED",
      "TRD_PRICE_OFF_TICK",
      "FUND_AVAILABLE_INSUFFICIENT",
    ],
  }),
  listOrders: endpoint({
    path: "/orders/list",
    access: "member",
    does: "List the member's orders in some statuses, newest first.",
    body: z.object({ statuses: z.array(OrderStatus).check(z.minLength(1)), cursor: Cursor }),
    data: pageOf(Order),
    refusals: [],
  }),
  listPositions: endpoint({
    path: "/positions/list",
    access: "member",
    does: "List what the member holds: every order in holding or ready to close, newest first.",
    body: z.object({}),
    data: z.object({ positions: z.array(Order) }),
    refusals: [],
  }),
  readOrder: endpoint({
    path: "/orders/read",
    access: "member",
    does: "Read one order with its fills.",
    body: z.object({ orderNo: OrderNo }),
    data: OrderDetail,
    refusals: ["TRD_ORDER_NOT_FOUND"],
  }),
  askOutcome: endpoint({
    path: "/orders/outcome",
    access: "member",
    does: "Ask what became of a command by its requestId; `known: false` means it never arrived and may be sent again.",
    body: z.object({ requestId: RequestId }),
    data: z.object({ known: z.boolean(), order: z.nullable(Order) }),
    refusals: [],
  }),
};
