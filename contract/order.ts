/** Orders, from the ticket to the closed position. A position is an order in `holding`. */
import * as z from "zod/mini";
import { _default as withDefault } from "zod/mini";
import { CancelRefusal } from "./cancel-cause.ts";
import { Code, OrderNo, RequestId } from "./kernel/id.ts";
import { Cents, Price, cents } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";
import { ORDER_EVENTS } from "./order-event.ts";
import { Funding, Market, Terms } from "./rule.ts";

/** The lifecycle, in the specification's words; the same words in SQL, machine, locale (`status.order.*`) and CSS. */
export const ORDER_STATUSES = ["pending", "holding", "readyToClose", "closed", "cancelled"] as const;
export const OrderStatus = z.enum(ORDER_STATUSES);
export type OrderStatus = z.infer<typeof OrderStatus>;

/** `rise` is a long position; `fall` is a short position, opened against collateral. */
export const DIRECTIONS = ["rise", "fall"] as const;
export const Direction = z.enum(DIRECTIONS);
export type Direction = z.infer<typeof Direction>;

export const PRICINGS = ["market", "limit"] as const;
export const Pricing = z.enum(PRICINGS);
export type Pricing = z.infer<typeof Pricing>;

/** Time in force: rest of day, immediate or cancel, fill or kill. IOC and FOK trade in the continuous session only. */
export const VALIDITIES = ["rod", "ioc", "fok"] as const;
export const Validity = z.enum(VALIDITIES);
export type Validity = z.infer<typeof Validity>;

/** Technical maximum of units per order, a million coins of digital currency; the trading rules set the actual, lower limits. */
export const MAX_UNITS = 100_000_000_000_000;

/** Whole lots, whole shares in the odd-lot market, or units of digital currency (`unitsPerWhole`). */
export const Lots = z.int("VAL_LOTS_INTEGER").check(z.minimum(1, "VAL_LOTS_INTEGER"), z.maximum(MAX_UNITS, "TRD_LOTS_MAX"));
/** Whether units are fractions of a coin: it is no share, and is traded on the spot. */
export const isCoin = ({ unitsPerWhole = 1 }: { unitsPerWhole?: number | undefined }): boolean => unitsPerWhole > 1;
/** Null for a market order; positive for a limit order. `pricedRight` checks it against `pricing`. */
export const LimitPrice = z.nullable(z.int("VAL_LIMIT_PRICE_POSITIVE").check(z.minimum(1, "VAL_LIMIT_PRICE_POSITIVE")));

/** Requires a price for a limit order and none for a market order. */
export const pricedRight = z.refine<{ pricing: Pricing; price: number | null }>(
  (body) => (body.pricing === "limit") === (body.price !== null),
  { error: "VAL_LIMIT_PRICE_POSITIVE", path: ["price"] },
);

/** Kinds of trigger that send an order to the market or close a position. */
export const TRIGGERS = ["stop", "takeProfit", "trailing"] as const;
export const TriggerKind = z.enum(TRIGGERS);
export type TriggerKind = z.infer<typeof TriggerKind>;

/**
 * A price trigger, in ten-thousandths. `stop`: the market moved against the position (or, for an opening order, broke out) to
 * `price`; `takeProfit`: it moved in its favour to `price`; `trailing`: it retraced by `price` from the best price since.
 */
export const Trigger = z.object({
  kind: TriggerKind,
  price: z.int("VAL_TRIGGER_POSITIVE").check(z.minimum(1, "VAL_TRIGGER_POSITIVE")),
});
export type Trigger = z.infer<typeof Trigger>;

/** The trigger of a conditional order: a fixed price, never trailing. */
export const EntryTrigger = z.object({ ...Trigger.shape, kind: z.enum(["stop", "takeProfit"]) });
export type EntryTrigger = z.infer<typeof EntryTrigger>;

/**
 * While the market is closed: keep the order for the next session, where it enters the opening call; a limit order for the day on the board.
 * While orders are accepted it changes nothing.
 */
const Reserve = z.optional(z.boolean());

/** What the ticket sends. `trigger` makes it a conditional order; `exits` are the one-cancels-the-other exit orders of the position it opens. */
export const PlaceOrderBody = z
  .object({
    requestId: RequestId,
    code: Code,
    direction: Direction,
    pricing: Pricing,
    price: LimitPrice,
    lots: Lots,
    market: withDefault(Market, "board"),
    validity: withDefault(Validity, "rod"),
    funding: withDefault(Funding, "cash"),
    /** 1 unless `funding` is leverage. */
    leverage: withDefault(z.int().check(z.minimum(1), z.maximum(100)), 1),
    /** To be closed the same day, under the day-trading agreement. */
    dayTrade: withDefault(z.boolean(), false),
    trigger: withDefault(z.nullable(EntryTrigger), null),
    exits: withDefault(z.array(Trigger).check(z.maxLength(TRIGGERS.length)), []),
    reserve: Reserve,
  })
  .check(
    pricedRight,
    z.refine((body) => (body.funding === "leverage") === body.leverage > 1, { error: "TRD_LEVERAGE_NOT_ALLOWED", path: ["leverage"] }),
  );

/** Closes whole lots of a position, at market or at a limit. */
export const CloseOrderBody = z
  .object({
    requestId: RequestId,
    orderNo: OrderNo,
    pricing: Pricing,
    price: LimitPrice,
    lots: Lots,
    validity: withDefault(Validity, "rod"),
    /** Trade after hours at the day's closing price. */
    fixed: withDefault(z.boolean(), false),
    reserve: Reserve,
  })
  .check(pricedRight);

/**
 * Closes shares of a position (`contract/position.ts`). `shares` are whole lots of the board, or less than one lot. With `orderNos` they are taken from those
 * orders, in that order; without, from the oldest order first.
 */
export const ClosePositionBody = z
  .object({
    requestId: RequestId,
    code: Code,
    direction: Direction,
    funding: Funding,
    dayTrade: z.boolean(),
    shares: z.int("VAL_LOTS_INTEGER").check(z.minimum(1, "VAL_LOTS_INTEGER"), z.maximum(MAX_UNITS, "TRD_LOTS_MAX")),
    pricing: Pricing,
    price: LimitPrice,
    validity: withDefault(Validity, "rod"),
    /** Trade after hours at the day's closing price. */
    fixed: withDefault(z.boolean(), false),
    orderNos: withDefault(z.array(OrderNo).check(z.maxLength(500)), []),
    reserve: Reserve,
  })
  .check(pricedRight);

/** Names a whole position, for an act on all of its orders at once. */
export const PositionBody = z.object({ requestId: RequestId, code: Code, direction: Direction, funding: Funding, dayTrade: z.boolean() });

/**
 * Amends the lots (reducing keeps time priority), the price (loses it), or both; null leaves a value unchanged. For a pending order
 * `lots` is the total including filled lots; equal to the filled lots, it cancels the rest. For a resting close order `lots` is the
 * open quantity. A price turns a market order into a limit order. `trigger` moves the trigger of an order that still waits for it.
 */
export const AmendOrderBody = z.object({
  requestId: RequestId,
  orderNo: OrderNo,
  lots: z.nullable(Lots),
  price: LimitPrice,
  trigger: z.optional(z.nullable(Trigger.shape.price)),
});

/** Which side of a position a fill belongs to. */
export const FILL_SIDES = ["open", "close"] as const;

/**
 * Why a fill got its price. `bookLevel`: the book level it took; `limitOrBetter`: its limit or a better price; `member`: the price of
 * another member's resting order; `auction`, `oddAuction`: the single price of a call auction (board or odd lots); `missedCall`: that of a
 * call that took place while the server was down; `fixedPrice`: the day's close, after hours; `resting`: its own price, when the market reached it in the book;
 * `block`: the price agreed with the seller of a block; `shared`: the average price of all copies of one act of a mentor; `redemption`: the
 * value of a unit of a fund whose term has ended.
 */
export const FILL_REASONS = [
  "bookLevel",
  "limitOrBetter",
  "member",
  "auction",
  "oddAuction",
  "missedCall",
  "fixedPrice",
  "resting",
  "block",
  "offering",
  "shared",
  "redemption",
] as const;

/** One execution of an order. */
export const Fill = z.object({
  side: z.enum(FILL_SIDES),
  at: EpochMs,
  price: Price,
  lots: z.int(),
  feeCents: Cents,
  taxCents: Cents,
  reason: z.enum(FILL_REASONS),
  /** Which of the five book levels it took, 1 for the best; 0 if none. */
  level: z.int(),
  /** The best price on the opposite side at that moment. */
  best: Price,
});
export type Fill = z.infer<typeof Fill>;

/**
 * Why a position was closed: by the member, an exit order, the day-trade square-off, a margin call, its liquidation price, the member's debt,
 * a short because the register closes, because the mentor sold or the copies were stopped, by the rule of a strategy, or because the term of
 * the fund has ended, which pays each unit.
 */
export const CLOSE_CAUSES = [
  "member",
  "condition",
  "squareOff",
  "marginCall",
  "liquidation",
  "debt",
  "shortCover",
  "copy",
  "strategy",
  "redemption",
] as const;
export const CloseCause = z.enum(CLOSE_CAUSES);
export type CloseCause = z.infer<typeof CloseCause>;

/**
 * How an order came about that the member did not place: without an order in the market (`block`, `subscription`, `bid`, `raise`), by the clock of a savings
 * plan, as a copy of a mentor's, or by the rule of a strategy.
 */
export const ORDER_ORIGINS = ["block", "subscription", "bid", "raise", "savings", "copy", "strategy"] as const;
export const OrderOrigin = z.enum(ORDER_ORIGINS);
export type OrderOrigin = z.infer<typeof OrderOrigin>;

/** An order and its position. Money in cents; average prices are rounded to a ten-thousandth, the `…Cents` sums are exact. */
export const Order = z.object({
  orderNo: OrderNo,
  requestId: RequestId,
  /** Absent for an order that was in the market. */
  origin: z.optional(OrderOrigin),
  code: Code,
  status: OrderStatus,
  direction: Direction,
  pricing: Pricing,
  /** Limit price of the opening order; null for a market order. */
  price: z.nullable(Price),
  lots: z.int(),
  /** Shares per unit of `lots`: a board lot's size, or 1 in the odd-lot market. */
  lotShares: z.int(),
  /** Units that make one whole of what prices are for, where fractions of it trade (digital currency); absent for 1. */
  unitsPerWhole: z.optional(z.int()),
  market: Market,
  validity: Validity,
  funding: Funding,
  leverage: z.int(),
  dayTrade: z.boolean(),
  terms: Terms,
  /** The pending trigger; null once triggered, and for orders without one. */
  trigger: z.nullable(Trigger),
  filledLots: z.int(),
  /** Lots already closed. */
  closedLots: z.int(),
  /** Open quantity of the resting close order; 0 unless `readyToClose`. */
  closingLots: z.int(),
  closePricing: z.nullable(Pricing),
  closePrice: z.nullable(Price),
  closeCause: z.nullable(CloseCause),
  /** When the order, or the order that closes it, goes to the market: it is reserved for that session. Absent for one that is not. */
  reservedFor: z.optional(EpochMs),
  placedAt: EpochMs,
  /** Time of the latest opening fill; null until then. */
  boughtAt: z.nullable(EpochMs),
  /** Time of the latest closing fill; null until then. */
  soldAt: z.nullable(EpochMs),
  /** End of the lock-up before which it cannot be closed; null for none. */
  lockedUntil: z.nullable(EpochMs),
  openAverage: z.nullable(Price),
  closeAverage: z.nullable(Price),
  /** Value, fee and tax of all opening fills. */
  openCents: Cents,
  openFeeCents: Cents,
  openTaxCents: Cents,
  /** Value, fee and tax of all closing fills. */
  closeCents: Cents,
  closeFeeCents: Cents,
  closeTaxCents: Cents,
  /** The part of those from the latest close order: needed because the minimum fee applies once per order. */
  closingCents: withDefault(Cents, cents(0)),
  closingFeeCents: withDefault(Cents, cents(0)),
  /** Held from the balance: for the unfilled part, and as collateral of a short. */
  heldCents: Cents,
  collateralCents: Cents,
  /** Loan for the open part and its accrued interest. */
  loanCents: Cents,
  interestCents: Cents,
  /** Dividends received on the open part; negative for a short, which pays them. */
  dividendCents: Cents,
  /** What securities lending brought (plus) or cost (minus) the open part; absent without any. */
  lendingCents: z.optional(Cents),
  /** Units that are offered to borrowers or on loan, which are not sold; absent without any. */
  onLoanLots: z.optional(z.int()),
  /** What a fee voucher paid of the opening fee, and what it may still pay; absent without one. */
  voucherCents: z.optional(Cents),
  voucherLeftCents: z.optional(Cents),
  /** Realised by the closed lots. */
  profitCents: Cents,
  /** Increases with every change, to tell which of two copies is newer. */
  version: z.int(),
});
export type Order = z.infer<typeof Order>;

/** A corporate action's effect on a position: lots and shares per lot before and after, and the cash paid. */
export const Adjustment = z.object({
  at: EpochMs,
  kind: z.enum(["dividend", "split", "rights"]),
  fromLots: z.int(),
  fromLotShares: z.int(),
  toLots: z.int(),
  toLotShares: z.int(),
  cashCents: Cents,
});
export type Adjustment = z.infer<typeof Adjustment>;

/** A timeline event from `ORDER_EVENTS`, with the order's (while closing: the close order's) lots and price at that time. */
export const OrderEvent = z.object({
  at: EpochMs,
  type: z.enum(ORDER_EVENTS),
  lots: z.int(),
  price: z.nullable(Price),
  cause: z.nullable(CloseCause),
});
export type OrderEvent = z.infer<typeof OrderEvent>;

export const OrderDetail = z.object({
  order: Order,
  /** `profitCents`: realised by a closing execution, zero for an opening one; absent where the execution was pushed. */
  fills: z.array(z.object({ ...Fill.shape, profitCents: z.optional(Cents) })),
  adjustments: z.array(Adjustment),
  events: z.array(OrderEvent),
});
export type OrderDetail = z.infer<typeof OrderDetail>;

/** The outcome of a command on several orders: the changed orders in their current state, and the refusal for each other one. */
export const BulkOutcome = z.object({
  orders: z.array(Order),
  refused: z.array(z.object({ orderNo: OrderNo, ...CancelRefusal.shape })),
});
export type BulkOutcome = z.infer<typeof BulkOutcome>;

/** A reversed order: the closed one and the one opened in the opposite direction. */
export const Reversal = z.object({ closed: Order, opened: Order });
export type Reversal = z.infer<typeof Reversal>;

/** A reversed position: its closed orders and the one opened in the opposite direction. */
export const PositionReversal = z.object({ closed: z.array(Order), opened: Order });
export type PositionReversal = z.infer<typeof PositionReversal>;
