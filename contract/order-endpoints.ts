/** Order endpoints: every call about orders, from the ticket to the closed position, with its possible refusals. */
import * as z from "zod/mini";
import { _default as withDefault } from "zod/mini";
import { Conversion } from "./conversion.ts";
import { eligibilityRefusals } from "./eligibility.ts";
import { conditionEndpoints } from "./condition.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import { endpoint } from "#contract/kernel/endpoint.ts";
import { Code, OrderNo, RequestId } from "#contract/kernel/id.ts";
import { Transfer } from "./wallet.ts";
import { MarginAccount } from "./margin.ts";
import { Cursor, pageOf } from "#contract/kernel/page.ts";
import {
  AmendOrderBody,
  BulkOutcome,
  CloseOrderBody,
  ClosePositionBody,
  Order,
  OrderDetail,
  OrderStatus,
  PlaceOrderBody,
  PositionBody,
  PositionReversal,
  Reversal,
} from "./order.ts";

/** Possible refusals of every order sent to the market, in the order checked. */
const MARKET_REFUSALS = [
  "TRD_NON_TRADING_HOURS",
  "TRD_STOCK_PRICE_UNAVAILABLE",
  "TRD_CRYPTO_PRICE_UNAVAILABLE",
  "TRD_PRICE_STALE",
  "TRD_INSTRUMENT_HALTED",
  "TRD_AUCTION_LIMIT_ONLY",
  "TRD_ODD_LIMIT_ONLY",
  "TRD_PRICE_LIMIT_EXCEEDED",
  "VAL_LIMIT_PRICE_MIN",
  "TRD_PRICE_OFF_TICK",
] as const;
const COMMAND_REFUSALS = ["GEN_REQUEST_REUSED", "GEN_TOO_FREQUENT"] as const;
const GONE_REFUSALS = ["TRD_ORDER_NOT_FOUND", "TRD_ALREADY_CLOSED", "TRD_ALREADY_CANCELLED"] as const;
const RISK_REFUSALS = ["RSK_TRADING_LOCKED", "RSK_DAILY_LOSS", "RSK_ORDER_MAX"] as const;
/** What only digital currency needs. */
const CRYPTO_REFUSALS = eligibilityRefusals("tradeCrypto").filter((code) => !eligibilityRefusals("trade").includes(code));
const PLACE_REFUSALS = [
  ...eligibilityRefusals("trade"),
  ...RISK_REFUSALS,
  "TRD_NOT_TRADABLE",
  "TRD_NOT_LISTED",
  "TRD_NOT_SHORTABLE",
  "TRD_SHORT_STOPPED",
  "TRD_BLOCK_NO_SHORT",
  "TRD_LEND_SHORT",
  "TRD_SHORT_AT_LIMIT_DOWN",
  "TRD_LEVERAGE_NOT_ALLOWED",
  "ACC_MINOR",
  "TRD_MARGIN_DISABLED",
  "TRD_NOT_MARGINABLE",
  "TRD_DAY_TRADING_DISABLED",
  "TRD_NOT_DAY_TRADABLE",
  "TRD_LOTS_MAX",
  ...MARKET_REFUSALS,
  "TRD_TRIGGER_TWICE",
  "TRD_TRIGGER_PASSED",
  "TRD_CONTRACT_MIN",
  "FUND_AVAILABLE_INSUFFICIENT",
  "FUND_LOAN_NOT_COLLATERAL",
] as const;
const CLOSE_REFUSALS = [
  ...eligibilityRefusals("close"),
  "TRD_ORDER_NOT_HOLDING",
  "TRD_SELL_EXCEEDS",
  "TRD_SHARES_LENT",
  "TRD_ODD_LOTS_APART",
  "TRD_CLOSED_PERIOD",
  "TRD_NOT_LISTED",
  "TRD_SELL_LOCK_MINUTES",
  "TRD_SELL_LOCK_DAYS",
  "TRD_SELL_LOCK_TPLUS",
  "TRD_BLOCK_LOCKED",
  "TRD_POSITION_LOCKED",
  ...MARKET_REFUSALS,
  "FUND_AVAILABLE_INSUFFICIENT",
] as const;

/**
 * The outcome of a command: whether it was ever executed, the current state of its order, and, for a command whose reply is not a
 * single order, the original reply.
 */
export const CommandOutcome = z.object({
  known: z.boolean(),
  order: z.nullable(Order),
  answer: z.nullable(
    z.union([
      BulkOutcome,
      Reversal,
      PositionReversal,
      conditionEndpoints.setConditions.data,
      conditionEndpoints.setPositionConditions.data,
      MarginAccount,
      Conversion,
      Transfer,
    ]),
  ),
});
export type CommandOutcome = z.infer<typeof CommandOutcome>;

/** The most orders whose places are read at once. */
export const QUEUE_ORDERS = 100;

export const orderEndpoints = {
  placeOrder: endpoint({
    path: "/orders/place",
    access: "member",
    does: "Place an order, by default good for the trading day; the same requestId never acts twice.",
    body: PlaceOrderBody,
    data: Order,
    refusals: [
      "VAL_STOCK_CODE_REQUIRED",
      "VAL_LOTS_INTEGER",
      "VAL_LIMIT_PRICE_POSITIVE",
      "VAL_TRIGGER_POSITIVE",
      ...COMMAND_REFUSALS,
      ...PLACE_REFUSALS,
      ...CRYPTO_REFUSALS.filter((code) => !(PLACE_REFUSALS as readonly RefusalCode[]).includes(code)),
    ],
  }),
  amendOrder: endpoint({
    path: "/orders/amend",
    access: "member",
    does: "Change the lots or the price of an order's unfilled part, or the price that a conditional order waits for.",
    body: AmendOrderBody,
    data: Order,
    refusals: [
      "VAL_LOTS_INTEGER",
      "TRD_LOTS_MAX",
      "VAL_LIMIT_PRICE_POSITIVE",
      "VAL_TRIGGER_POSITIVE",
      ...COMMAND_REFUSALS,
      ...GONE_REFUSALS,
      "TRD_ORDER_NOT_PENDING",
      "TRD_AMEND_NOTHING",
      "TRD_AMEND_MORE",
      "TRD_ODD_LOTS_APART",
      ...MARKET_REFUSALS,
      "TRD_TRIGGER_PASSED",
      ...RISK_REFUSALS,
      "TRD_SHORT_AT_LIMIT_DOWN",
      "TRD_CONTRACT_MIN",
      "FUND_AVAILABLE_INSUFFICIENT",
      "FUND_LOAN_NOT_COLLATERAL",
    ],
  }),
  cancelOrder: endpoint({
    path: "/orders/cancel",
    access: "member",
    does: "Cancel the unfilled part of a pending order or of a resting close order.",
    body: z.object({ requestId: RequestId, orderNo: OrderNo }),
    data: Order,
    refusals: [...COMMAND_REFUSALS, ...GONE_REFUSALS, "TRD_ORDER_NOT_PENDING", "TRD_NON_TRADING_HOURS"],
  }),
  cancelOrders: endpoint({
    path: "/orders/cancel-all",
    access: "member",
    does: "Cancel every resting order, of one instrument or (null) of all.",
    body: z.object({ requestId: RequestId, code: z.nullable(Code) }),
    data: BulkOutcome,
    refusals: ["VAL_STOCK_CODE_REQUIRED", ...COMMAND_REFUSALS],
  }),
  closeOrder: endpoint({
    path: "/orders/close",
    access: "member",
    does: "Close lots of an order in holding, at market or at a limit; by default the close order is good for the trading day.",
    body: CloseOrderBody,
    data: Order,
    refusals: ["VAL_LOTS_INTEGER", "TRD_LOTS_MAX", "VAL_LIMIT_PRICE_POSITIVE", ...COMMAND_REFUSALS, ...GONE_REFUSALS, ...CLOSE_REFUSALS],
  }),
  closeOrders: endpoint({
    path: "/orders/close-all",
    access: "member",
    does: "Close every position at market, of one instrument or (null) of all; those that cannot be closed now are returned with the reason.",
    body: z.object({ requestId: RequestId, code: z.nullable(Code) }),
    data: BulkOutcome,
    refusals: ["VAL_STOCK_CODE_REQUIRED", ...COMMAND_REFUSALS],
  }),
  closePosition: endpoint({
    path: "/positions/close",
    access: "member",
    does: "Close shares of a position, from its oldest order first or from chosen orders: the close orders of all of them are accepted or none.",
    body: ClosePositionBody,
    data: BulkOutcome,
    refusals: [
      "VAL_STOCK_CODE_REQUIRED",
      "VAL_LOTS_INTEGER",
      "TRD_LOTS_MAX",
      "VAL_LIMIT_PRICE_POSITIVE",
      ...COMMAND_REFUSALS,
      ...GONE_REFUSALS,
      ...CLOSE_REFUSALS,
    ],
  }),
  reverseOrder: endpoint({
    path: "/orders/reverse",
    access: "member",
    does: "Close all lots of an order at market and open as many in the opposite direction, in one step: both orders are accepted or neither.",
    body: z.object({ requestId: RequestId, orderNo: OrderNo }),
    data: Reversal,
    refusals: [...new Set([...COMMAND_REFUSALS, ...GONE_REFUSALS, ...CLOSE_REFUSALS, ...PLACE_REFUSALS])],
  }),
  reversePosition: endpoint({
    path: "/positions/reverse",
    access: "member",
    does: "Close all orders of a position at market and open as many lots in the opposite direction with one order: all of it is accepted or nothing.",
    body: PositionBody,
    data: PositionReversal,
    refusals: [
      ...new Set(["VAL_STOCK_CODE_REQUIRED" as const, ...COMMAND_REFUSALS, ...GONE_REFUSALS, ...CLOSE_REFUSALS, ...PLACE_REFUSALS]),
    ],
  }),
  listOrders: endpoint({
    path: "/orders/list",
    access: "member",
    does: "List the member's orders with the given statuses, newest first.",
    body: z.object({ statuses: z.array(OrderStatus).check(z.minLength(1)), cursor: Cursor }),
    data: pageOf(Order),
    refusals: [],
  }),
  listPositions: endpoint({
    path: "/positions/list",
    access: "member",
    does: "List the member's positions: every order in holding or ready to close, newest first.",
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
  readQueue: endpoint({
    path: "/orders/queue",
    access: "member",
    does: "Read how many lots stand before resting orders in the exchange's queue at their price; orders without a known place are left out.",
    body: z.object({ orderNos: z.array(OrderNo).check(z.maxLength(QUEUE_ORDERS)) }),
    data: z.object({ places: z.array(z.object({ orderNo: OrderNo, lots: z.int() })) }),
    refusals: ["TRD_ORDER_NOT_FOUND"],
  }),
  askOutcome: endpoint({
    path: "/orders/outcome",
    access: "member",
    does: "Query the outcome of a command by its requestId. `known: false` means it never arrived and may be sent again; with `giveUp` it is refused if it arrives late.",
    body: z.object({ requestId: RequestId, giveUp: withDefault(z.boolean(), false) }),
    data: CommandOutcome,
    // With `giveUp` it counts as a command too.
    refusals: ["GEN_TOO_FREQUENT"],
    isRead: true,
  }),
};
