/** Index futures: the contracts with their quotes, the margin account, and the lifecycle and commands of a member's positions. */
import * as z from "zod/mini";
import { eligibilityRefusals } from "./eligibility.ts";
import { FUTURES_PRODUCTS } from "./futures-price.ts";
import { FuturesRule } from "./futures-rule.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { RequestId } from "./kernel/id.ts";
import { Cents, Price } from "./kernel/money.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import { EpochMs } from "./kernel/time.ts";

/** The lifecycle of a position; the same words in SQL, machine and locale (`futures.status.*`). A called one is still open. */
export const FUTURES_STATUSES = ["open", "called", "closed", "liquidated", "settled"] as const;
export const FuturesStatus = z.enum(FUTURES_STATUSES);
export type FuturesStatus = z.infer<typeof FuturesStatus>;

/**
 * What happens to a position: opened; lots added or closed; marked to market; called for margin, and restored; closed by the member or by
 * the broker; settled at expiry.
 */
export const FUTURES_FACTS = [
  "futures.opened",
  "futures.changed",
  "futures.marked",
  "futures.called",
  "futures.restored",
  "futures.closed",
  "futures.liquidated",
  "futures.settled",
] as const;
export const FuturesFactType = z.enum(FUTURES_FACTS);
export type FuturesFactType = z.infer<typeof FuturesFactType>;

export const FuturesProductName = z.enum(FUTURES_PRODUCTS);
/** Product and delivery month: `TX-2026-12`; where a trading day lasts minutes, months are numbered: `TX-M41`. */
export const FuturesCode = z.string().check(z.regex(/^(TX|MTX|TMF)-(\d{4}-\d{2}|M\d{1,7})$/, "GEN_NOT_FOUND"));
export const FUTURES_SIDES = ["buy", "sell"] as const;
export const FuturesSide = z.enum(FUTURES_SIDES);
export type FuturesSide = z.infer<typeof FuturesSide>;
/** Why a trade took place. */
export const FUTURES_CAUSES = ["member", "liquidation", "settlement"] as const;
export const FuturesCause = z.enum(FUTURES_CAUSES);
export type FuturesCause = z.infer<typeof FuturesCause>;

export const FuturesContract = z.object({
  code: z.string(),
  product: FuturesProductName,
  month: z.string(),
  /** In points; null while there is no quote. */
  bid: z.nullable(z.int()),
  ask: z.nullable(z.int()),
  /** The settlement price of the day before, and the limits around it. */
  reference: z.int(),
  upper: z.int(),
  lower: z.int(),
  /** Trading ends when the average of the final settlement price begins. */
  lastTradeAt: EpochMs,
});
export type FuturesContract = z.infer<typeof FuturesContract>;

export const FuturesPosition = z.object({
  positionNo: z.string().check(z.regex(/^X\d{1,12}$/, "GEN_NOT_FOUND")),
  code: z.string(),
  product: FuturesProductName,
  status: FuturesStatus,
  /** Negative for a short position; 0 once it has ended. */
  lots: z.int(),
  /** What the open lots cost, and what of their value is settled, in points times lots. */
  costPoints: z.int(),
  markedPoints: z.int(),
  /** Everything that marking and closing have paid so far, before fees and taxes. */
  paidCents: Cents,
  feeCents: Cents,
  taxCents: Cents,
  openedAt: EpochMs,
  endedAt: z.nullable(EpochMs),
  version: z.int(),
});
export type FuturesPosition = z.infer<typeof FuturesPosition>;

export const isOpenFutures = ({ status }: Pick<FuturesPosition, "status">): boolean => status === "open" || status === "called";

export const FuturesTrade = z.object({
  tradeNo: z.string(),
  positionNo: z.string(),
  code: z.string(),
  side: FuturesSide,
  lots: z.int(),
  price: z.int(),
  cause: FuturesCause,
  /** What the closed lots paid since they were last settled; 0 for an opening trade. */
  gainCents: Cents,
  feeCents: Cents,
  taxCents: Cents,
  at: EpochMs,
});
export type FuturesTrade = z.infer<typeof FuturesTrade>;

export const FuturesAccount = z.object({
  walletCents: Cents,
  equityCents: Cents,
  initialCents: Cents,
  maintenanceCents: Cents,
  freeCents: Cents,
  /** The risk indicator in per cent, the value of options in the same wallet counted. Null without anything that needs margin or has value. */
  riskPercent: z.nullable(z.int()),
  /** Whether margin has been called for; what restores it; whether the day for it is over. */
  called: z.boolean(),
  neededCents: Cents,
});
export type FuturesAccount = z.infer<typeof FuturesAccount>;

const Lots = z.int("VAL_CONTRACT_LOTS").check(z.minimum(1, "VAL_CONTRACT_LOTS"), z.maximum(1_000_000, "VAL_CONTRACT_LOTS"));

export const futuresEndpoints = {
  readFutures: endpoint({
    path: "/futures/read",
    access: "member",
    does: "Read the contracts with their quotes, the index, and the member's margin account.",
    body: z.object({}),
    data: z.object({
      /** Whether contracts trade now. */
      open: z.boolean(),
      index: z.nullable(Price),
      contracts: z.array(FuturesContract),
      /** The rules of today. */
      terms: z.object({ TX: FuturesRule, MTX: FuturesRule, TMF: FuturesRule }),
      account: FuturesAccount,
      /** Open positions with their value at the moment, in cents since they were last settled, and the price of it. */
      held: z.array(z.object({ position: FuturesPosition, mark: z.nullable(z.int()), gainCents: Cents })),
      at: EpochMs,
    }),
    refusals: [],
  }),
  quoteFutures: endpoint({
    path: "/futures/quote",
    access: "member",
    does: "Read what an order would cost now: price, fee, tax, margin, and what the wallet lacks for it.",
    body: z.object({ contract: FuturesCode, side: FuturesSide, lots: Lots }),
    data: z.object({
      price: z.int(),
      feeCents: Cents,
      taxCents: Cents,
      /** The initial margin that it adds, below zero where it frees some; and that of the whole account afterwards, sold options with it. */
      marginCents: Cents,
      marginAfterCents: Cents,
      /** What has to be moved into the wallet first; 0 if nothing. */
      lackingCents: Cents,
      at: EpochMs,
    }),
    refusals: ["VAL_CONTRACT_LOTS", "GEN_NOT_FOUND", "TRD_NON_TRADING_HOURS", "TRD_PRICE_STALE", "TRD_CONTRACT_NO_QUOTE"],
  }),
  tradeFutures: endpoint({
    path: "/futures/trade",
    access: "member",
    does: "Buy or sell lots at the quote, whole and at once or not at all: lots held the other way are closed first. Null takes the quote whatever it is.",
    body: z.object({
      requestId: RequestId,
      contract: FuturesCode,
      side: FuturesSide,
      lots: Lots,
      price: z.nullable(
        z
          .int("VAL_LIMIT_PRICE_POSITIVE")
          .check(z.minimum(1, "VAL_LIMIT_PRICE_POSITIVE"), z.maximum(10_000_000, "TRD_PRICE_LIMIT_EXCEEDED")),
      ),
    }),
    data: z.object({ trades: z.array(FuturesTrade), position: FuturesPosition }),
    refusals: [
      "VAL_CONTRACT_LOTS",
      "VAL_LIMIT_PRICE_POSITIVE",
      "TRD_PRICE_LIMIT_EXCEEDED",
      "GEN_REQUEST_REUSED",
      "GEN_TOO_FREQUENT",
      ...eligibilityRefusals("tradeFutures"),
      "GEN_NOT_FOUND",
      "TRD_NON_TRADING_HOURS",
      "TRD_PRICE_STALE",
      "TRD_CONTRACT_NO_QUOTE",
      "TRD_CONTRACT_PRICE",
      "TRD_CONTRACT_LOTS",
      "RSK_TRADING_LOCKED",
      "RSK_DAILY_LOSS",
      "RSK_ORDER_MAX",
      "TRD_CONTRACT_MARGIN",
    ],
  }),
  listFuturesPositions: endpoint({
    path: "/futures/positions",
    access: "member",
    does: "List the member's futures positions, newest first.",
    body: z.object({ cursor: Cursor }),
    data: pageOf(FuturesPosition),
    refusals: [],
  }),
  listFuturesTrades: endpoint({
    path: "/futures/trades",
    access: "member",
    does: "List the member's futures trades, newest first.",
    body: z.object({ cursor: Cursor }),
    data: pageOf(FuturesTrade),
    refusals: [],
  }),
};
