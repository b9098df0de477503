/** A member's commands in auctions: a sealed bid, its payment after a win, and a reminder. */
import { bidCost, bidRefusal, windowOf } from "#contract/bid-price.ts";
import type { MemberFacts } from "#contract/eligibility.ts";
import { HOME_CURRENCY } from "#contract/kernel/currency.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import { readMemberFacts } from "#server/accounts/member-facts.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { payOfferingFee, reserve } from "#server/ledger/reserve.ts";
import { toAuction, toBid } from "#server/records/bid.ts";
import type { AuctionRecord, BidRecord } from "#server/records/bid.ts";
import { checkRisk } from "#server/trading/order-entry/risk-check.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { SharedRows } from "#server/trading/sequencer/shared-rows.ts";
import { applyStep } from "./bid-step.ts";
import { liveBids } from "./live-bids.ts";
import type { LiveBid } from "./live-bids.ts";
import { bidNoOf } from "./sealed-book.ts";

/** The auction of a code, in the newest market that had one. */
const OF_CODE = "SELECT * FROM auction WHERE code = $1 ORDER BY id DESC LIMIT 1";
const INSERT = "INSERT INTO bid SELECT * FROM json_populate_record(NULL::bid, $1::json)";
const BOOK = "INSERT INTO auction_booking (auction_id, member_id, booked_at) VALUES ($1, $2, $3)";
const KNOWN = "SELECT 1 FROM bid WHERE member_id = $1 AND bid_no = $2";

export async function readAuctionOf(on: Reader, code: string): Promise<AuctionRecord | null> {
  const [row] = await query<AuctionRecord>(on, OF_CODE, [code]);
  return row ?? null;
}

/** What the decision on a bid reads. */
export interface BidReads {
  auction: AuctionRecord | null;
  facts: MemberFacts;
  live: LiveBid[];
  nextId: number;
}

/** The facts under the member's lock; without the typed fund password, as if none were set. */
async function readFacts(tx: Tx, batch: Batch, memberId: number, isProven: boolean): Promise<MemberFacts> {
  const facts = await readMemberFacts(tx, memberId, { rules: batch.rules, now: () => batch.at });
  return { ...facts, fundPassword: facts.fundPassword && isProven };
}

export async function prepareBid(
  tx: Tx,
  batch: Batch,
  memberId: number,
  { code, isProven }: { code: string; isProven: boolean },
): Promise<BidReads> {
  const [number] = await query<{ id: number }>(tx, "SELECT nextval('bid_id') AS id", []);
  if (!number) throw new Error("no number for a bid");
  return {
    auction: await readAuctionOf(tx, code),
    facts: await readFacts(tx, batch, memberId, isProven),
    live: await liveBids.read(tx, batch, memberId),
    nextId: number.id,
  };
}

/** A bid as its member types it. */
export interface Bidding {
  requestId: string;
  code: string;
  price: number;
  lots: number;
}

/** Checks the member, the auction, the form and the money, in the order of the endpoint's list. */
function checkBid(batch: Batch, memberId: number, { price, lots }: Bidding, { auction, facts, live }: BidReads): AuctionRecord {
  checkEligible("bid", { ...facts, debtCents: batch.ledger.debt(memberId).owed });
  if (!auction) throw new Refusal("GEN_NOT_FOUND", {}, "code");
  if (!batch.rules.of(memberId).offering.channels.includes("share")) throw new Refusal("TRD_NEW_SHARE_CLOSED", {}, "code");
  const placed = live.filter((bid) => bid.auction_id === auction.id).length;
  const offered = toAuction(auction);
  const refusal = bidRefusal(offered, { price, lots }, { placed, at: batch.at });
  if (refusal) throw new Refusal(refusal.code, refusal.params, refusal.field);
  const { valueCents, nowCents } = bidCost(offered, price, lots);
  checkRisk(batch, memberId, valueCents);
  if (batch.ledger.balance(memberId, "available") < nowCents) throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "lots");
  return auction;
}

/** Places a bid: its deposit is held, its process fee charged. @throws Refusal one of `placeBid`'s */
export function placeBid(batch: Batch, memberId: number, body: Bidding, reads: BidReads): BidRecord {
  const auction = checkBid(batch, memberId, body, reads);
  const { valueCents, depositCents, feeCents } = bidCost(toAuction(auction), body.price, body.lots);
  const row: BidRecord = {
    id: reads.nextId,
    bid_no: bidNoOf(auction.code, body.requestId),
    member_id: memberId,
    auction_id: auction.id,
    request_id: body.requestId,
    code: auction.code,
    status: "placed",
    price: body.price,
    lots: body.lots,
    value_cents: valueCents,
    deposit_cents: depositCents,
    fee_cents: feeCents,
    reserved_cents: depositCents,
    won_lots: 0,
    won_cents: 0,
    award_fee_cents: 0,
    due_cents: 0,
    refund_cents: 0,
    placed_at: batch.at,
    opened_at: null,
    payable_until: null,
    refunds_at: null,
    refunded_at: null,
    paid_at: null,
    ended_at: null,
    order_no: null,
    due_at: null,
    reminded_at: null,
  };
  payOfferingFee(batch.ledger, memberId, feeCents);
  reserve(batch.ledger, memberId, depositCents);
  batch.emit(memberId, { type: "bid.placed", bid: toBid(row) });
  batch.emit(memberId, { type: "wallet.changed", kind: "reserve", currencies: [HOME_CURRENCY] });
  const { status, allotted_at, trades_from } = auction;
  reads.live.push({ ...row, auction_status: status, allotted_at, trades_from });
  const written = JSON.stringify(row);
  batch.deferWrite(async (tx) => {
    await query(tx, INSERT, [written]);
  });
  return row;
}

/** What the decision on a payment reads. */
export interface PaymentReads {
  facts: MemberFacts;
  live: LiveBid[];
  isKnown: boolean;
}

export async function preparePayment(
  tx: Tx,
  batch: Batch,
  memberId: number,
  { bidNo, isProven }: { bidNo: string; isProven: boolean },
): Promise<PaymentReads> {
  return {
    facts: await readFacts(tx, batch, memberId, isProven),
    live: await liveBids.read(tx, batch, memberId),
    isKnown: (await query(tx, KNOWN, [memberId, bidNo])).length > 0,
  };
}

/** Pays for what a bid won. @throws Refusal one of `payBid`'s */
export function payBid(batch: Batch, memberId: number, bidNo: string, { facts, live, isKnown }: PaymentReads): BidRecord {
  checkEligible("payBid", facts);
  const bid = live.find((one) => one.bid_no === bidNo);
  if (!bid && !isKnown) throw new Refusal("GEN_NOT_FOUND", {}, "bidNo");
  if (bid?.status !== "won") throw new Refusal("TRD_ORDER_NOT_PAYMENT", {}, "bidNo");
  if (batch.ledger.balance(memberId, "available") < bid.due_cents) throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "bidNo");
  applyStep(batch, bid, "bid.paid", null);
  return bid;
}

/** The auctions that a member is reminded of, by id. */
export const bookings = new SharedRows<Set<number>>(async (tx, _batch, memberId) => {
  const rows = await query<{ auction_id: number }>(tx, "SELECT auction_id FROM auction_booking WHERE member_id = $1", [memberId]);
  return new Set(rows.map(({ auction_id }) => auction_id));
});

/** Books a reminder. @throws Refusal GEN_NOT_FOUND, TRD_ALREADY_BOOKED, AUC_ENDED once bidding has begun */
export function bookAuction(batch: Batch, memberId: number, auction: AuctionRecord | null, booked: Set<number>): void {
  if (!auction) throw new Refusal("GEN_NOT_FOUND", {}, "code");
  if (booked.has(auction.id)) throw new Refusal("TRD_ALREADY_BOOKED", {}, "code");
  if (windowOf(toAuction(auction), batch.at) !== "notStarted") throw new Refusal("AUC_ENDED", {}, "code");
  booked.add(auction.id);
  batch.deferWrite(async (tx) => {
    await query(tx, BOOK, [auction.id, memberId, batch.at]);
  });
}
