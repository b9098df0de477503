/** Bids in competitive auctions: their lifecycle and the member's commands. */
import * as z from "zod/mini";
import { Auction, AuctionDisclosure } from "./auction.ts";
import { eligibilityRefusals } from "./eligibility.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Code, OrderNo, RequestId } from "./kernel/id.ts";
import { Cents, Price } from "./kernel/money.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import { EpochMs } from "./kernel/time.ts";
import { FundPassword } from "./secret.ts";

/** The lifecycle of a bid; the same words in SQL, machine, locale (`auction.bid.*`) and CSS. A paid bid becomes a position at the allotment. */
export const BID_STATUSES = ["placed", "won", "lost", "paid", "forfeited", "voided"] as const;
export const BidStatus = z.enum(BID_STATUSES);
export type BidStatus = z.infer<typeof BidStatus>;

/** What happens to a bid. `bid.refunded`: the deposit of the lots that did not win is free again. `bid.reminded`: the payment is due. */
export const BID_FACTS = [
  "bid.placed",
  "bid.won",
  "bid.lost",
  "bid.refunded",
  "bid.reminded",
  "bid.paid",
  "bid.forfeited",
  "bid.allotted",
  "bid.voided",
] as const;
export const BidFactType = z.enum(BID_FACTS);
export type BidFactType = z.infer<typeof BidFactType>;

/** `A` and twelve hexadecimal digits of SHA-256 over the auction's code and the bid's request id: it also takes part in the draw. */
export const BidNo = z.string().check(z.regex(/^A[0-9a-f]{12}$/, "GEN_NOT_FOUND"));
export type BidNo = z.infer<typeof BidNo>;

/** A member's bid. */
export const Bid = z.object({
  bidNo: BidNo,
  code: Code,
  status: BidStatus,
  price: Price,
  lots: z.int(),
  valueCents: Cents,
  /** Held at the bid; and the process fee, which is never returned. */
  depositCents: Cents,
  feeCents: Cents,
  /** 0 until the opening. */
  wonLots: z.int(),
  wonCents: Cents,
  awardFeeCents: Cents,
  /** What a winner has to pay besides the deposit of the lots won; 0 once it is paid or forfeited. */
  dueCents: Cents,
  /** The deposit of the lots that did not win; and when it was given back. */
  refundCents: Cents,
  placedAt: EpochMs,
  openedAt: z.nullable(EpochMs),
  /** Until when it is to be paid; null unless it won. */
  payableUntil: z.nullable(EpochMs),
  refundedAt: z.nullable(EpochMs),
  paidAt: z.nullable(EpochMs),
  /** When it lost, was paid, forfeited or voided. */
  endedAt: z.nullable(EpochMs),
  /** The position it became. */
  orderNo: z.nullable(OrderNo),
});
export type Bid = z.infer<typeof Bid>;

/** What an inbox message says about auctions: bidding began in one that was booked, or what became of a bid. */
export const AuctionNotice = z.discriminatedUnion("event", [
  z.object({ event: z.literal("auction.started"), code: Code, closesAt: EpochMs, minimumPrice: Price }),
  z.object({ event: BidFactType, bid: Bid }),
]);
export type AuctionNotice = z.infer<typeof AuctionNotice>;

const BidLots = z.int("VAL_LOTS_INTEGER").check(z.minimum(1, "VAL_LOTS_INTEGER"), z.maximum(1_000_000, "AUC_LOTS_MAX"));
const BidPrice = z
  .int("VAL_LIMIT_PRICE_POSITIVE")
  .check(z.minimum(1, "VAL_LIMIT_PRICE_POSITIVE"), z.maximum(1_000_000_000, "TRD_PRICE_LIMIT_EXCEEDED"));
const COMMAND = ["GEN_REQUEST_REUSED", "GEN_TOO_FREQUENT"] as const;
const PASSWORD = ["PWD_FUND_WRONG", "PWD_FUND_LOCKED"] as const;

export const bidEndpoints = {
  listAuctions: endpoint({
    path: "/auction/list",
    access: "member",
    does: "List the auctions: those under way first, then the newest that are over; and which of them the member is reminded of.",
    body: z.object({}),
    data: z.object({ auctions: z.array(Auction), booked: z.array(Code) }),
    refusals: [],
  }),
  readAuction: endpoint({
    path: "/auction/read",
    access: "member",
    does: "Read one auction with the member's own bids in it, the newest first, and, once the bids are opened, what was sealed.",
    body: z.object({ code: Code }),
    data: z.object({ auction: Auction, booked: z.boolean(), bids: z.array(Bid), disclosure: z.nullable(AuctionDisclosure) }),
    refusals: ["VAL_STOCK_CODE_REQUIRED", "GEN_NOT_FOUND"],
  }),
  bookAuction: endpoint({
    path: "/auction/book",
    access: "member",
    does: "Be reminded when bidding begins in an auction that has not started.",
    body: z.object({ requestId: RequestId, code: Code }),
    data: z.object({ code: Code }),
    refusals: ["VAL_STOCK_CODE_REQUIRED", ...COMMAND, "GEN_NOT_FOUND", "TRD_ALREADY_BOOKED", "AUC_ENDED"],
  }),
  placeBid: endpoint({
    path: "/auction/bid",
    access: "member",
    does: "Place a sealed bid: its deposit is held and its process fee charged. It can be neither changed nor withdrawn.",
    body: z.object({ requestId: RequestId, code: Code, price: BidPrice, lots: BidLots, fundPassword: FundPassword }),
    data: Bid,
    refusals: [
      "VAL_STOCK_CODE_REQUIRED",
      "VAL_LIMIT_PRICE_POSITIVE",
      "TRD_PRICE_LIMIT_EXCEEDED",
      "VAL_LOTS_INTEGER",
      "VAL_FUND_DIGITS",
      ...PASSWORD,
      ...COMMAND,
      ...eligibilityRefusals("bid"),
      "GEN_NOT_FOUND",
      "TRD_NEW_SHARE_CLOSED",
      "AUC_NOT_STARTED",
      "AUC_ENDED",
      "VAL_BID_MIN",
      "TRD_PRICE_OFF_TICK",
      "AUC_LOTS_MIN",
      "AUC_LOTS_MAX",
      "AUC_BIDS_MAX",
      "RSK_TRADING_LOCKED",
      "RSK_DAILY_LOSS",
      "RSK_ORDER_MAX",
      "FUND_AVAILABLE_INSUFFICIENT",
    ],
  }),
  payBid: endpoint({
    path: "/auction/pay",
    access: "member",
    does: "Pay what a winning bid still costs, before it is debited at the deadline.",
    body: z.object({ requestId: RequestId, bidNo: BidNo, fundPassword: FundPassword }),
    data: Bid,
    refusals: [
      "VAL_FUND_DIGITS",
      ...PASSWORD,
      ...COMMAND,
      ...eligibilityRefusals("payBid"),
      "GEN_NOT_FOUND",
      "TRD_ORDER_NOT_PAYMENT",
      "FUND_AVAILABLE_INSUFFICIENT",
    ],
  }),
  listBids: endpoint({
    path: "/auction/bids",
    access: "member",
    does: "List the member's bids in all auctions, newest first.",
    body: z.object({ cursor: Cursor }),
    data: pageOf(Bid),
    refusals: [],
  }),
};
