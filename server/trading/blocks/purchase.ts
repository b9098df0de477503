/** A block purchase in a batch: its checks, the money held for it, and every step until it is a position or its money is back. */
import { isWithinCosts, roundTripOf } from "#contract/block-price.ts";
import type { BlockOrderFactType, BlockOrderReason } from "#contract/block-order.ts";
import { missingFor } from "#contract/eligibility.ts";
import type { Body } from "#contract/endpoints.ts";
import { feeOf } from "#contract/fee.ts";
import type { Instrument } from "#contract/instrument.ts";
import { grouped, price, worth } from "#contract/kernel/money.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { termsOf } from "#contract/rule.ts";
import { advance } from "#machines/advance.ts";
import { blockOrderMachine } from "#machines/block-order.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { toBlockOrder } from "#server/records/block-order.ts";
import type { BlockOrderRecord } from "#server/records/block-order.ts";
import { toMessage } from "#server/records/message.ts";
import { allot } from "#server/trading/clearing/allot.ts";
import { checkRisk } from "#server/trading/order-entry/risk-check.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { marketPrice } from "#server/venue/market-data/block-market.ts";
import type { BlockListing, Venue } from "#server/venue/venue.ts";
import { blocks } from "#server/trading/clearing/blocks-in-batch.ts";

/** What the member cancelled counts: otherwise one member could keep an offer from everybody without buying any. */
const USED = `SELECT coalesce(sum(shares), 0)::bigint AS shares FROM block_order
WHERE member_id = $1 AND unlocks_at = $2 AND (reason IS NULL OR reason = 'member')`;
const SHORT = `SELECT order_no FROM "order"
WHERE member_id = $1 AND code = $2 AND direction = 'fall' AND status IN ('pending', 'holding', 'readyToClose') LIMIT 1`;
const UPDATE =
  "UPDATE block_order SET status = $2, reason = $3, held_cents = $4, reviewed_at = $5, ended_at = $6, order_no = $7 WHERE block_no = $1";
const TAKE = `INSERT INTO block_offer (offer_id, code, price, shares, taken, closes_at) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (offer_id) DO UPDATE SET taken = block_offer.taken + excluded.taken`;

/** What a purchase reads under the member's lock. */
export interface PurchaseReads {
  nextId: number;
  isShort: boolean;
}

const dayKey = (memberId: number, unlocksAt: number): string => `${memberId} ${unlocksAt}`;

const findOffer = (venue: Venue, offerId: string, at: number): BlockListing | undefined =>
  venue.blocks.offers(at).find((offer) => offer.offerId === offerId);

/** Shares a member has bought on the day that ends then. */
export async function readUsed(on: Reader, memberId: number, unlocksAt: number): Promise<number> {
  const [row] = await query<{ shares: number }>(on, USED, [memberId, unlocksAt]);
  return row?.shares ?? 0;
}

/** Reads what `buy` decides on. */
export async function preparePurchase(tx: Tx, batch: Batch, memberId: number, offerId: string): Promise<PurchaseReads> {
  const part = batch.part(blocks);
  const offer = findOffer(batch.venue, offerId, batch.at);
  if (offer) {
    await part.readTaken(tx, offerId);
    const key = dayKey(memberId, offer.unlocksAt);
    if (!part.bought.has(key)) part.bought.set(key, await readUsed(tx, memberId, offer.unlocksAt));
  }
  const code = offer ? batch.venue.instruments[offer.row]?.code : undefined;
  const short = code === undefined ? [] : await query(tx, SHORT, [memberId, code]);
  const [number] = await query<{ id: number }>(tx, "SELECT nextval('block_no') AS id", []);
  if (!number) throw new Error("no number for a block purchase");
  return { nextId: number.id, isShort: short.length > 0 };
}

/** Whether the member sells the code short by an order of this batch. */
const isShortIn = (batch: Batch, memberId: number, code: string): boolean =>
  batch
    .ordersOfMember(memberId)
    .some((order) => order.code === code && order.direction === "fall" && order.status !== "closed" && order.status !== "cancelled");

const sharesText = (shares: number): string => grouped(String(Math.max(0, shares)));

/** Checks the offer and the amounts in the order of the endpoint's list. */
function checkOffer(
  batch: Batch,
  memberId: number,
  { offerId, shares }: Body<"buyBlock">,
): { offer: BlockListing; instrument: Instrument } {
  const { venue, at } = batch;
  const part = batch.part(blocks);
  if (!venue.blocks.hours(at).open) throw new Refusal("TRD_BLOCK_CLOSED");
  const offer = findOffer(venue, offerId, at);
  const instrument = offer && venue.instruments[offer.row];
  if (!offer || !instrument) throw new Refusal("TRD_BLOCK_ENDED", {}, "offerId");
  const { minimumShares, dailyShares } = batch.rules.of(memberId).block;
  if (shares < minimumShares) throw new Refusal("TRD_BLOCK_MIN", { n: sharesText(minimumShares) }, "shares");
  const used = part.bought.get(dayKey(memberId, offer.unlocksAt)) ?? 0;
  if (used + shares > dailyShares) throw new Refusal("TRD_BLOCK_DAILY_LIMIT", { n: sharesText(dailyShares) }, "shares");
  const left = offer.shares - (part.taken.get(offerId) ?? 0);
  if (shares > left) throw new Refusal("TRD_BLOCK_QUOTA", { n: sharesText(left) }, "shares");
  return { offer, instrument };
}

/** Whether a block may be had at a price now: the market pays at most what a round trip costs above it. */
function isPriceFair(batch: Batch, memberId: number, instrument: Instrument, at: number): boolean {
  const market = marketPrice(batch.venue, instrument.row);
  const costs = roundTripOf(batch.rules.for(memberId, instrument, batch.at), batch.rules.of(memberId).reward);
  return market !== null && isWithinCosts({ price: price(at), market }, costs);
}

/** The member's own risk limits, named after the field of this form. */
function checkOwnRisk(batch: Batch, memberId: number, valueCents: number): void {
  try {
    checkRisk(batch, memberId, valueCents);
  } catch (error) {
    if (error instanceof Refusal && error.field === "lots") throw new Refusal(error.code, error.params, "shares");
    throw error;
  }
}

/** Decides a purchase. @throws Refusal one of `buyBlock`'s */
export function buy(batch: Batch, memberId: number, body: Body<"buyBlock">, reads: PurchaseReads): BlockOrderRecord {
  const member = batch.member(memberId);
  checkEligible("trade", { ...member, debtCents: batch.ledger.debt(memberId).owed });
  const { offer, instrument } = checkOffer(batch, memberId, body);
  if (!batch.venue.fresh(batch.at, instrument.row)) throw new Refusal("TRD_PRICE_STALE");
  if (!isPriceFair(batch, memberId, instrument, offer.price)) throw new Refusal("TRD_BLOCK_MOVED", {}, "offerId");
  if (reads.isShort || isShortIn(batch, memberId, instrument.code)) throw new Refusal("TRD_BLOCK_SHORT", {}, "offerId");
  const value = worth(price(offer.price), body.shares);
  checkOwnRisk(batch, memberId, value);
  const rules = batch.rules.of(memberId);
  const choice = { market: "board", funding: "cash", leverage: 1, dayTrade: false } as const;
  const terms = termsOf(batch.rules.for(memberId, instrument, batch.at), instrument, choice);
  const fee = feeOf(terms, value);
  const need = value + fee;
  if (batch.ledger.balance(memberId, "available") < need) throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "shares");
  const row: BlockOrderRecord = {
    block_no: `G${reads.nextId}`,
    id: reads.nextId,
    member_id: memberId,
    request_id: body.requestId,
    offer_id: offer.offerId,
    code: instrument.code,
    status: "pending",
    shares: body.shares,
    price: offer.price,
    value_cents: value,
    fee_cents: fee,
    held_cents: need,
    terms,
    is_reviewed: value >= rules.block.reviewCents,
    reason: null,
    placed_at: batch.at,
    reviewed_at: null,
    ended_at: null,
    unlocks_at: offer.unlocksAt,
    order_no: null,
  };
  batch.ledger.post({ memberId, kind: "blockHold", orderNo: null, moves: [{ from: "available", to: "held", amount: need }] });
  batch.emit(memberId, { type: "blockOrder.placed", block: toBlockOrder(row) });
  take(batch, row, offer);
  return row;
}

/** Writes a new purchase, with what it takes of its offer and of its member's day. */
function take(batch: Batch, row: BlockOrderRecord, offer: BlockListing): void {
  const part = batch.part(blocks);
  const { member_id: memberId, shares, unlocks_at: unlocksAt } = row;
  const day = dayKey(memberId, unlocksAt);
  part.taken.set(offer.offerId, (part.taken.get(offer.offerId) ?? 0) + shares);
  part.bought.set(day, (part.bought.get(day) ?? 0) + shares);
  part.lock(memberId, row.code);
  const member = batch.member(memberId);
  member.block_until = Math.max(member.block_until ?? 0, unlocksAt);
  const written = JSON.stringify(row);
  batch.deferWrite(async (tx) => {
    await query(tx, TAKE, [offer.offerId, row.code, offer.price, offer.shares, shares, offer.closesAt]);
    await query(tx, "INSERT INTO block_order SELECT * FROM json_populate_record(NULL::block_order, $1::json)", [written]);
    await query(tx, "UPDATE trader SET block_until = greatest(block_until, $2::bigint) WHERE member_id = $1", [memberId, unlocksAt]);
  });
}

/** What happens to a purchase next, and why. */
interface Step {
  type: BlockOrderFactType;
  reason: BlockOrderReason | null;
}

/** Applies a step. @throws Error when the machine forbids it, which is a fault */
export function applyStep(batch: Batch, row: BlockOrderRecord, { type, reason }: Step, messageNo: number): void {
  const status = advance(blockOrderMachine, row.status, type);
  if (!status) throw new Error(`${type} cannot happen to block purchase ${row.block_no}, which is ${row.status}`);
  const { member_id: memberId } = row;
  row.status = status;
  row.reason = reason;
  if (status === "review") row.reviewed_at = batch.at;
  else row.ended_at = batch.at;
  if (status === "holding") settle(batch, row);
  if (status === "rejected" || status === "cancelled") giveBack(batch, row);
  const block = toBlockOrder(row);
  const told = reason !== null && reason !== "member";
  const message = told ? { id: messageNo, at: batch.at, kind: "block" as const, read: false, block } : null;
  batch.emit(memberId, { type, block, ...(message ? { message: toMessage(message, null) } : {}) });
  const values = [row.block_no, status, reason, row.held_cents, row.reviewed_at, row.ended_at, row.order_no];
  batch.deferWrite(async (tx) => {
    await query(tx, UPDATE, values);
    if (!message) return;
    const stored = { ...message, block: JSON.stringify(block), member_id: memberId, alert_id: null };
    await tx.insertInto("message").values(stored).execute();
  });
}

function settle(batch: Batch, row: BlockOrderRecord): void {
  const instrument = batch.venue.instrument(row.code);
  if (!instrument) throw new Error(`block purchase ${row.block_no} is of ${row.code}, which is not listed`);
  const order = allot(batch, {
    memberId: row.member_id,
    requestId: row.request_id,
    instrument,
    shares: row.shares,
    price: row.price,
    feeCents: row.fee_cents,
    terms: row.terms,
    origin: "block",
    lockedUntil: row.unlocks_at,
    payTo: "blockSellers",
    reason: "block",
  });
  row.order_no = order.order_no;
  row.held_cents = 0;
}

/** Returns the money to the member and the shares to the offer. */
function giveBack(batch: Batch, row: BlockOrderRecord): void {
  const { member_id: memberId, held_cents: amount, offer_id: offerId, shares } = row;
  batch.ledger.post({ memberId, kind: "blockRelease", orderNo: null, moves: [{ from: "held", to: "available", amount }] });
  row.held_cents = 0;
  const { taken } = batch.part(blocks);
  taken.set(offerId, (taken.get(offerId) ?? 0) - shares);
  batch.deferWrite(async (tx) => {
    await query(tx, "UPDATE block_offer SET taken = taken - $2 WHERE offer_id = $1", [offerId, shares]);
  });
}

/** Cancels for the member. @throws Refusal GEN_NOT_FOUND, TRD_ORDER_NOT_REVIEW once it is under review or has ended */
export function cancel(batch: Batch, memberId: number, blockNo: string): BlockOrderRecord {
  const row = batch.part(blocks).order(memberId, blockNo);
  if (!row) throw new Refusal("GEN_NOT_FOUND", {}, "blockNo");
  if (row.status !== "pending") throw new Refusal("TRD_ORDER_NOT_REVIEW", {}, "blockNo");
  applyStep(batch, row, { type: "blockOrder.cancelled", reason: "member" }, 0);
  return row;
}

/** Why the broker turns a purchase down, read when it is about to move on; null for no reason. */
function objection(batch: Batch, row: BlockOrderRecord): Step | null {
  const debtCents = batch.ledger.debt(row.member_id).owed;
  if (debtCents > 0) return { type: "blockOrder.rejected", reason: "debt" };
  if (missingFor("trade", { ...batch.member(row.member_id), debtCents }).length > 0)
    return { type: "blockOrder.rejected", reason: "restricted" };
  if (batch.at >= row.unlocks_at) return { type: "blockOrder.cancelled", reason: "expired" };
  const instrument = batch.venue.instrument(row.code);
  const fair = instrument && isPriceFair(batch, row.member_id, instrument, row.price);
  return fair ? null : { type: "blockOrder.cancelled", reason: "moved" };
}

/** The next step of a purchase, if it is due. The operator's decision needs no waiting, but overrides no objection. */
export function stepDue(batch: Batch, row: BlockOrderRecord, verdict: "approved" | "rejected" | null): Step | null {
  if (row.status !== "pending" && row.status !== "review") return null;
  const { pairSeconds, reviewSeconds } = batch.rules.of(row.member_id).block;
  if (verdict === "rejected") return { type: "blockOrder.rejected", reason: "operator" };
  const since = row.reviewed_at ?? row.placed_at;
  const isDue = batch.at >= since + (row.status === "review" ? reviewSeconds : pairSeconds) * SECOND_MS;
  if (!isDue && !(row.status === "review" && verdict === "approved")) return null;
  const instrument = batch.venue.instrument(row.code);
  // Without fresh prices nothing can be said about its price: it waits, at most until its day ends.
  if (batch.at < row.unlocks_at && (!instrument || !batch.venue.fresh(batch.at, instrument.row))) return null;
  const refused = objection(batch, row);
  if (refused) return refused;
  if (row.status === "pending" && row.is_reviewed) return { type: "blockOrder.reviewed", reason: null };
  return { type: "blockOrder.settled", reason: null };
}
