/** Orders: from the ticket to the closed position. A position is an order in `holding`. */
import * as z from "zod/mini";
import { _default as otherwise } from "zod/mini";
import { Code, OrderNo, RequestId } from "./kernel/id.ts";
import { Cents, Price, cents } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";
import { ORDER_EVENTS } from "./order-event.ts";
import { Funding, Market, Terms } from "./rule.ts";

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

/** How long an order waits: for the rest of its day, not at all, or all or nothing at once. The last two trade in the continuous session only. */
export const VALIDITIES = ["rod", "ioc", "fok"] as const;
export const Validity = z.enum(VALIDITIES);
export type Validity = z.infer<typeof Validity>;

/** The most units any order may name: what the rules allow is less, and theirs to say. */
export const MAX_UNITS = 1_000_000;

/** Whole lots; in the odd-lot market whole shares. */
export const Lots = z.int("VAL_LOTS_INTEGER").check(z.minimum(1, "VAL_LOTS_INTEGER"), z.maximum(MAX_UNITS, "TRD_LOTS_MAX"));
/** Null for a market order; above 0 for a limit order. Which of the two is checked beside `pricing`. */
export const LimitPrice = z.nullable(z.int("VAL_LIMIT_PRICE_POSITIVE").check(z.minimum(1, "VAL_LIMIT_PRICE_POSITIVE")));

/** A limit goes with a price, the market with none. */
export const pricedRight = z.refine<{ pricing: Pricing; price: number | null }>(
  (body) => (body.pricing === "limit") === (body.price !== null),
  { error: "VAL_LIMIT_PRICE_POSITIVE", path: ["price"] },
);

/** What an order waits for before it goes to the market, or a position before it is closed. */
export const TRIGGERS = ["stop", "takeProfit", "trailing"] as const;
export const TriggerKind = z.enum(TRIGGERS);
export type TriggerKind = z.infer<typeof TriggerKind>;

/**
 * A price that sets an order off. `stop`: the market turned against it (or, for an order to open, broke out) at `price`;
 * `takeProfit`: it went its way as far as `price`; `trailing`: it fell back by `price` from the best since, both in ten-thousandths.
 */
export const Trigger = z.object({
  kind: TriggerKind,
  price: z.int("VAL_TRIGGER_POSITIVE").check(z.minimum(1, "VAL_TRIGGER_POSITIVE")),
});
export type Trigger = z.infer<typeof Trigger>;

/** What a waiting order waits for: a price that stays where it is. */
export const EntryTrigger = z.object({ ...Trigger.shape, kind: z.enum(["stop", "takeProfit"]) });
export type EntryTrigger = z.infer<typeof EntryTrigger>;

/** What the ticket sends. A waiting order (`trigger`) is set off by a stop or a take-profit price; `exits` guard what it opens, the first of them cancels the others. */
export const PlaceOrderBody = z
  .object({
    requestId: RequestId,
    code: Code,
    direction: Direction,
    pricing: Pricing,
    price: LimitPrice,
    lots: Lots,
    market: otherwise(Market, "board"),
    validity: otherwise(Validity, "rod"),
    funding: otherwise(Funding, "cash"),
    /** 1 unless `funding` is leverage. */
    leverage: otherwise(z.int().check(z.minimum(1), z.maximum(100)), 1),
    /** Sold again today, under the day-trading agreement. */
    dayTrade: otherwise(z.boolean(), false),
    trigger: otherwise(z.nullable(EntryTrigger), null),
    exits: otherwise(z.array(Trigger).check(z.maxLength(TRIGGERS.length)), []),
  })
  .check(
    pricedRight,
    z.refine((body) => (body.funding === "leverage") === body.leverage > 1, { error: "TRD_LEVERAGE_NOT_ALLOWED", path: ["leverage"] }),
  );

/** Closing takes whole units of what is held, at market or at a limit. */
export const CloseOrderBody = z
  .object({
    requestId: RequestId,
    orderNo: OrderNo,
    pricing: Pricing,
    price: LimitPrice,
    lots: Lots,
    validity: otherwise(Validity, "rod"),
    /** At the day's close, after hours. */
    fixed: otherwise(z.boolean(), false),
  })
  .check(pricedRight);

/**
 * Amending changes the lots (fewer keeps the place in the queue), the price (takes a new place), or both; null leaves it. The lots are
 * all of a pending order's, filled ones among them (no more than those: the rest is cancelled); of a resting close order what it
 * still wants. An order at market is given a limit by a price.
 */
export const AmendOrderBody = z.object({ requestId: RequestId, orderNo: OrderNo, lots: z.nullable(Lots), price: LimitPrice });

/** Which side of a position a fill belongs to. */
export const FILL_SIDES = ["open", "close"] as const;

/**
 * Why a fill got its price: the level of the book it took, its limit or the better price it met, the price of another member's
 * order that rested, the one price of a call auction (of the board, or of single shares), the day's close after hours, or its own
 * price, at which it rested when the market came to it.
 */
export const FILL_REASONS = ["bookLevel", "limitOrBetter", "member", "auction", "oddAuction", "fixedPrice", "resting"] as const;

/** One execution. */
export const Fill = z.object({
  side: z.enum(FILL_SIDES),
  at: EpochMs,
  price: Price,
  lots: z.int(),
  feeCents: Cents,
  taxCents: Cents,
  reason: z.enum(FILL_REASONS),
  /** Which of the five levels it took, 1 for the best; 0 where there is none. */
  level: z.int(),
  /** The best price on the side it traded against, at that moment. */
  best: Price,
});
export type Fill = z.infer<typeof Fill>;

/** Why a position was closed: by the member, an exit order, the end of a day trade, a margin call, its liquidation price, or the member's debt. */
export const CLOSE_CAUSES = ["member", "condition", "squareOff", "marginCall", "liquidation", "debt"] as const;
export const CloseCause = z.enum(CLOSE_CAUSES);
export type CloseCause = z.infer<typeof CloseCause>;

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
  /** Shares of one unit of `lots`: a board lot's, or 1 where single shares are counted. */
  lotShares: z.int(),
  market: Market,
  validity: Validity,
  funding: Funding,
  leverage: z.int(),
  dayTrade: z.boolean(),
  terms: Terms,
  /** What sets it off; null once it did, and where nothing has to. */
  trigger: z.nullable(Trigger),
  filledLots: z.int(),
  /** Lots already closed. */
  closedLots: z.int(),
  /** Lots the resting close order still wants; 0 unless `readyToClose`. */
  closingLots: z.int(),
  closePricing: z.nullable(Pricing),
  closePrice: z.nullable(Price),
  closeCause: z.nullable(CloseCause),
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
  /** Of those the fills of the latest close order: their value, and their fee, the minimum of which counts once an order. */
  closingCents: otherwise(Cents, cents(0)),
  closingFeeCents: otherwise(Cents, cents(0)),
  /** Held from the balance: for the unfilled part, and as collateral of a short position. */
  heldCents: Cents,
  collateralCents: Cents,
  /** Borrowed for what is still open, and the interest it owes so far. */
  loanCents: Cents,
  interestCents: Cents,
  /** Dividends what is still open has brought; a fall pays them, then below 0. */
  dividendCents: Cents,
  /** Realised by the closed lots. */
  profitCents: Cents,
  /** Grows with every change, so that of two versions the newer is known. */
  version: z.int(),
});
export type Order = z.infer<typeof Order>;

/** What a corporate action made of a position: its units and what one of them is, before and after, and the cash it brought. */
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

/** One of the facts of `ORDER_EVENTS`, with what rested of the order then (of a closing order: of that). */
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
  fills: z.array(Fill),
  adjustments: z.array(Adjustment),
  events: z.array(OrderEvent),
});
export type OrderDetail = z.infer<typeof OrderDetail>;

/** What became of a command on several orders: those it changed as they stand now, and why it left the others. */
export const BulkOutcome = z.object({
  orders: z.array(Order),
  refused: z.array(z.object({ orderNo: OrderNo, code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })),
});
export type BulkOutcome = z.infer<typeof BulkOutcome>;

/** A position that was reversed: the order that is closed, and the one that was opened the other way. */
export const Reversal = z.object({ closed: Order, opened: Order });
export type Reversal = z.infer<typeof Reversal>;
