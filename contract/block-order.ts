/** Block purchases: their lifecycle and the member's commands. */
import * as z from "zod/mini";
import { BlockMarket, BlockRule } from "./block-market.ts";
import { eligibilityRefusals } from "./eligibility.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Code, OrderNo, RequestId } from "./kernel/id.ts";
import { Cents, Price } from "./kernel/money.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import { EpochMs } from "./kernel/time.ts";

/** The lifecycle of a purchase; the same words in SQL, machine, locale (`block.status.*`) and CSS. */
export const BLOCK_ORDER_STATUSES = ["pending", "review", "holding", "rejected", "cancelled"] as const;
export const BlockOrderStatus = z.enum(BLOCK_ORDER_STATUSES);
export type BlockOrderStatus = z.infer<typeof BlockOrderStatus>;

/** What happens to a purchase: placed by the member, who may cancel it; reviewed, paired and settled, or turned down by the broker. */
export const BLOCK_ORDER_FACTS = [
  "blockOrder.placed",
  "blockOrder.reviewed",
  "blockOrder.settled",
  "blockOrder.rejected",
  "blockOrder.cancelled",
] as const;
export const BlockOrderFactType = z.enum(BLOCK_ORDER_FACTS);
export type BlockOrderFactType = z.infer<typeof BlockOrderFactType>;

/**
 * Why a purchase came to nothing: the operator or a restriction or a debt rejected it; the member cancelled it; the market had moved too
 * far from its price; or the day ended first.
 */
export const BLOCK_ORDER_REASONS = ["operator", "restricted", "debt", "member", "moved", "expired"] as const;
export const BlockOrderReason = z.enum(BLOCK_ORDER_REASONS);
export type BlockOrderReason = z.infer<typeof BlockOrderReason>;

export const BlockNo = z.string().check(z.regex(/^G\d{1,12}$/, "GEN_NOT_FOUND"));
export const BlockOfferId = z.string().check(z.regex(/^[\w-]{1,32}$/, "TRD_BLOCK_ENDED"));

/** A member's purchase. */
export const BlockOrder = z.object({
  blockNo: BlockNo,
  code: Code,
  status: BlockOrderStatus,
  shares: z.int(),
  price: Price,
  valueCents: Cents,
  feeCents: Cents,
  /** Whether it is large enough to be reviewed. */
  isReviewed: z.boolean(),
  reason: z.nullable(BlockOrderReason),
  placedAt: EpochMs,
  reviewedAt: z.nullable(EpochMs),
  endedAt: z.nullable(EpochMs),
  unlocksAt: EpochMs,
  /** The position it became. */
  orderNo: z.nullable(OrderNo),
});
export type BlockOrder = z.infer<typeof BlockOrder>;

/** Whether a purchase is still on its way. */
export const isOpenBlockOrder = ({ status }: Pick<BlockOrder, "status">): boolean => status === "pending" || status === "review";

/** Shares of a purchase: whole lots; the bounds are the rule's. */
const BlockShares = z
  .int("VAL_LOTS_INTEGER")
  .check(z.minimum(1, "VAL_LOTS_INTEGER"), z.maximum(100_000_000, "TRD_BLOCK_QUOTA"), z.multipleOf(1000, "VAL_LOTS_INTEGER"));

export const blockOrderEndpoints = {
  readBlockMarket: endpoint({
    path: "/block/market",
    access: "member",
    does: "Read the block market: whether it is open, and every offer with what is left of it.",
    body: z.object({}),
    data: z.object({ market: BlockMarket, usedShares: z.int(), rule: BlockRule }),
    refusals: [],
  }),
  buyBlock: endpoint({
    path: "/block/buy",
    access: "member",
    does: "Buy shares of a block offer for cash; the money is held until the purchase is settled. They are locked until the next trading day.",
    body: z.object({ requestId: RequestId, offerId: BlockOfferId, shares: BlockShares }),
    data: BlockOrder,
    refusals: [
      "VAL_LOTS_INTEGER",
      "GEN_REQUEST_REUSED",
      "GEN_TOO_FREQUENT",
      ...eligibilityRefusals("trade"),
      "TRD_BLOCK_CLOSED",
      "TRD_BLOCK_ENDED",
      "TRD_BLOCK_MIN",
      "TRD_BLOCK_DAILY_LIMIT",
      "TRD_BLOCK_QUOTA",
      "TRD_PRICE_STALE",
      "TRD_BLOCK_MOVED",
      "TRD_BLOCK_SHORT",
      "RSK_TRADING_LOCKED",
      "RSK_DAILY_LOSS",
      "RSK_ORDER_MAX",
      "FUND_AVAILABLE_INSUFFICIENT",
    ],
  }),
  cancelBlock: endpoint({
    path: "/block/cancel",
    access: "member",
    does: "Cancel a purchase that is neither settled nor under review; its money is available again, and it still counts towards the day's limit.",
    body: z.object({ requestId: RequestId, blockNo: BlockNo }),
    data: BlockOrder,
    refusals: ["GEN_REQUEST_REUSED", "GEN_TOO_FREQUENT", "GEN_NOT_FOUND", "TRD_ORDER_NOT_REVIEW"],
  }),
  listBlocks: endpoint({
    path: "/block/list",
    access: "member",
    does: "List the member's block purchases, newest first.",
    body: z.object({ cursor: Cursor }),
    data: pageOf(BlockOrder),
    refusals: [],
  }),
};
