/** What happens to a bid after it is placed: the result, the payment or the forfeiture, the money that goes back, and the position. */
import type { AuctionNotice, BidFactType } from "#contract/bid.ts";
import type { CashEntryKind } from "#contract/cash-ledger.ts";
import { HOME_CURRENCY } from "#contract/kernel/currency.ts";
import { termsOf } from "#contract/rule.ts";
import { advance } from "#machines/advance.ts";
import { bidMachine } from "#machines/bid.ts";
import { query } from "#server/db/database.ts";
import { forfeit, giveBack, reserve } from "#server/ledger/reserve.ts";
import { toBid } from "#server/records/bid.ts";
import { toMessage } from "#server/records/message.ts";
import { allot } from "#server/trading/clearing/allot.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import { liveBids } from "./live-bids.ts";
import type { LiveBid } from "./live-bids.ts";

const UPDATE = `UPDATE bid SET status = $2, reserved_cents = $3, due_cents = $4, refunded_at = $5, paid_at = $6, ended_at = $7, order_no = $8,
  due_at = $9, won_lots = $10, won_cents = $11, award_fee_cents = $12, refund_cents = $13, reminded_at = $14 WHERE id = $1`;

/** What a member is told by an inbox message as well. Those of a payment and of the allotment are told where they were done. */
const TOLD: readonly BidFactType[] = ["bid.won", "bid.lost", "bid.reminded", "bid.forfeited", "bid.voided"];

/** How the money of a step moves; the allotment is a fact of the order. */
const MOVED: Partial<Record<BidFactType, CashEntryKind>> = {
  "bid.refunded": "reserveRelease",
  "bid.voided": "reserveRelease",
  "bid.paid": "reserve",
  "bid.forfeited": "forfeit",
};

/** What the deposit of a winner pays for. */
const keptOf = ({ deposit_cents, refund_cents }: LiveBid): number => deposit_cents - refund_cents;

const isRefundOpen = ({ status, refunded_at, refund_cents }: LiveBid): boolean =>
  status !== "placed" && status !== "voided" && refunded_at === null && refund_cents > 0;

/** When a winner who has not paid is reminded: halfway through the time to pay, once. */
const remindAt = ({ status, reminded_at, opened_at, payable_until }: LiveBid): number | null =>
  status !== "won" || reminded_at !== null || opened_at === null || payable_until === null
    ? null
    : Math.floor((opened_at + payable_until) / 2);

/** When the clock acts next on a bid that is not placed any more; null for never again. */
function nextDue(bid: LiveBid): number | null {
  const moments = [
    isRefundOpen(bid) ? bid.refunds_at : null,
    remindAt(bid),
    bid.status === "won" ? bid.payable_until : null,
    bid.status === "paid" && bid.order_no === null ? bid.allotted_at : null,
  ].filter((at): at is number => at !== null);
  return moments.length === 0 ? null : Math.min(...moments);
}

/** Whether money of a bid is about to come back, and its step was not taken yet. */
const isMoneyComing = ({ at }: Batch, bid: LiveBid): boolean => {
  if (bid.status === "placed") return bid.auction_status === "voided" || (bid.auction_status === "opened" && (bid.refunds_at ?? at) <= at);
  return isRefundOpen(bid) && bid.refunds_at !== null && at >= bid.refunds_at;
};

/** At the deadline: all money that is due to the member comes back before a deposit is lost. */
function eventAtDeadline(batch: Batch, bid: LiveBid, live: readonly LiveBid[]): BidFactType | null {
  if (batch.ledger.balance(bid.member_id, "available") >= bid.due_cents) return "bid.paid";
  return live.some((other) => other !== bid && isMoneyComing(batch, other)) ? null : "bid.forfeited";
}

/** The step that the clock takes now; null for none. `live`: all bids of the member. */
function eventDue(batch: Batch, bid: LiveBid, live: readonly LiveBid[]): BidFactType | null {
  const { at } = batch;
  if (bid.status === "placed") {
    if (bid.auction_status === "voided") return "bid.voided";
    if (bid.auction_status !== "opened") return null;
    return bid.won_lots > 0 ? "bid.won" : "bid.lost";
  }
  if (isRefundOpen(bid) && bid.refunds_at !== null && at >= bid.refunds_at) return "bid.refunded";
  if (bid.status === "won" && bid.payable_until !== null && at >= bid.payable_until) return eventAtDeadline(batch, bid, live);
  const reminder = remindAt(bid);
  if (reminder !== null && at >= reminder) return "bid.reminded";
  return bid.status === "paid" && bid.order_no === null && at >= bid.allotted_at ? "bid.allotted" : null;
}

/** The position: what was won at its own price, with the award fee, locked until the listing. */
function deliver(batch: Batch, bid: LiveBid): void {
  const { member_id: memberId, code, price } = bid;
  const instrument = batch.venue.instrument(code);
  if (!instrument) throw new Error(`bid ${bid.bid_no} won ${code}, which the venue does not know`);
  const choice = { market: "board", funding: "cash", leverage: 1, dayTrade: false } as const;
  const order = allot(batch, {
    memberId,
    requestId: bid.request_id,
    instrument,
    shares: bid.won_lots * instrument.lotShares,
    price,
    feeCents: bid.award_fee_cents,
    terms: termsOf(batch.rules.for(memberId, instrument, batch.at), instrument, choice),
    origin: "bid",
    lockedUntil: bid.trades_from,
    payFrom: "reserved",
    payTo: "issuers",
    reason: "offering",
  });
  bid.order_no = order.order_no;
  bid.reserved_cents -= bid.won_cents + bid.award_fee_cents;
}

/** Moves the money of a step, and what of the row follows from it. */
function act(batch: Batch, bid: LiveBid, type: BidFactType): void {
  const { ledger, at } = batch;
  const { member_id: memberId } = bid;
  if (type === "bid.refunded") {
    giveBack(ledger, memberId, bid.refund_cents);
    bid.reserved_cents -= bid.refund_cents;
    bid.refunded_at = at;
  } else if (type === "bid.voided") {
    giveBack(ledger, memberId, bid.reserved_cents);
    bid.reserved_cents = 0;
    bid.refunded_at = at;
    // What an opening had reckoned before it was void.
    bid.won_lots = bid.won_cents = bid.award_fee_cents = bid.due_cents = bid.refund_cents = 0;
  } else if (type === "bid.paid") {
    reserve(ledger, memberId, bid.due_cents);
    bid.reserved_cents += bid.due_cents;
    bid.due_cents = 0;
    bid.paid_at = at;
  } else if (type === "bid.forfeited") {
    forfeit(ledger, memberId, keptOf(bid));
    bid.reserved_cents -= keptOf(bid);
    bid.due_cents = 0;
  } else if (type === "bid.reminded") bid.reminded_at = at;
  else if (type === "bid.allotted") deliver(batch, bid);
  if (["bid.lost", "bid.voided", "bid.paid", "bid.forfeited"].includes(type)) bid.ended_at = at;
}

/**
 * Applies a step: its money, its row, its fact, and a message if it is told.
 * @throws Error when the machine forbids it, which is a fault
 */
export function applyStep(batch: Batch, bid: LiveBid, type: BidFactType, messageNo: number | null): void {
  const status = advance(bidMachine, bid.status, type);
  if (!status) throw new Error(`${type} cannot happen to bid ${bid.bid_no}, which is ${bid.status}`);
  const { member_id: memberId } = bid;
  bid.status = status;
  act(batch, bid, type);
  bid.due_at = nextDue(bid);
  const said = toBid(bid);
  const notice: AuctionNotice = { event: type, bid: said };
  const message = messageNo === null ? null : { id: messageNo, at: batch.at, kind: "auction" as const, read: false, auction: notice };
  batch.emit(memberId, { type, bid: said, ...(message ? { message: toMessage(message, null) } : {}) });
  const moved = MOVED[type];
  if (moved) batch.emit(memberId, { type: "wallet.changed", kind: moved, currencies: [HOME_CURRENCY] });
  const { reserved_cents, due_cents, refunded_at, paid_at, ended_at, order_no, due_at } = bid;
  const won = [bid.won_lots, bid.won_cents, bid.award_fee_cents, bid.refund_cents];
  const values = [bid.id, status, reserved_cents, due_cents, refunded_at, paid_at, ended_at, order_no, due_at, ...won, bid.reminded_at];
  batch.deferWrite(async (tx) => {
    await query(tx, UPDATE, values);
    if (!message) return;
    await tx
      .insertInto("message")
      .values({ ...message, auction: JSON.stringify(notice), member_id: memberId, alert_id: null })
      .execute();
  });
}

/** One step of a bid, if it is due. */
export function bidStep(memberId: number, bidNo: string): QueuedCommand<void> {
  let live: LiveBid[] = [];
  let messageNo = 0;
  return {
    memberIds: [memberId],
    placements: 1,
    prepare: async (tx, batch) => {
      live = await liveBids.read(tx, batch, memberId);
      const [number] = await query<{ id: number }>(tx, "SELECT nextval('message_no') AS id", []);
      messageNo = number?.id ?? 0;
    },
    decide: (batch) => {
      const bid = live.find((one) => one.bid_no === bidNo);
      const type = bid && eventDue(batch, bid, live);
      // A debit by the clock is told; a payment by hand is answered where it was made.
      if (bid && type) applyStep(batch, bid, type, TOLD.includes(type) || type === "bid.paid" ? messageNo : null);
    },
  };
}
