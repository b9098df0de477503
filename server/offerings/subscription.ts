/** A member's commands on offerings in a batch: a reminder, an application, its withdrawal, and paying or waiving what was won. */
import type { Body } from "#contract/endpoints.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { formatMoney, price, worth } from "#contract/kernel/money.ts";
import type { OfferingRule } from "#contract/offering-kind.ts";
import { partOf } from "#contract/rule.ts";
import { changeScore } from "#server/accounts/credit.ts";
import { readSigned } from "#server/accounts/agreements.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { forfeit, giveBack, payOfferingFee, reserve } from "#server/ledger/reserve.ts";
import { lotBounds } from "#server/records/offering.ts";
import type { OfferingRecord } from "#server/records/offering.ts";
import { depositHeld } from "#server/records/subscription.ts";
import type { SubscriptionRecord } from "#server/records/subscription.ts";
import { isOpen, releaseAll, stepSubscription, subscriptionsIn } from "#server/trading/clearing/subscriptions-in-batch.ts";
import { isOfMarket } from "#server/venue/market-name.ts";
import { checkRisk } from "#server/trading/order-entry/risk-check.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { barredDraws, closedApplications } from "./barred.ts";
import { numberFor, receiptOf } from "./commitment.ts";
import { giveAllBack } from "./outcome.ts";

/** What an application reads under the member's lock. */
interface ApplicationReads {
  nextId: number;
  agreements: "subscription"[];
  barred: number;
  /** Applications for the offering from closed accounts of the same person. */
  closed: number;
  /** Shares of a capital increase that the member has a right to. */
  entitled: number;
  /** Whether another member's request id gives the same receipt. */
  isTaken: boolean;
}

/** As the index on receipts says it: the search runs in every application's transaction. */
const TAKEN = "SELECT FROM subscription WHERE offering_no = $1 AND receipt = $2 AND member_id <> $3 AND status <> 'withdrawn'";
const ENTITLED = "SELECT shares FROM entitlement WHERE offering_no = $1 AND member_id = $2 AND settled_at IS NULL";
/** Applications of one member for a capital increase, those withdrawn included. */
const INCREASE_TIMES = 10;
const BOOK = "INSERT INTO offering_booking (member_id, offering_no, booked_at) VALUES ($1, $2, $3)";

/** Reads what `apply` decides on. */
export async function prepareApplication(
  tx: Tx,
  batch: Batch,
  memberId: number,
  { offeringNo, requestId }: Pick<Body<"applySubscription">, "offeringNo" | "requestId">,
): Promise<ApplicationReads> {
  await subscriptionsIn(batch).readOf(tx, [memberId], offeringNo);
  const [number] = await query<{ id: number }>(tx, "SELECT nextval('subscription_no') AS id", []);
  if (!number) throw new Error("no number for an application");
  const signed = (await readSigned(tx, memberId)).some(({ kind }) => kind === "subscription");
  return {
    nextId: number.id,
    agreements: signed ? ["subscription"] : [],
    barred: await barredDraws(tx, memberId, batch.rules.of(memberId).offering),
    closed: await closedApplications(tx, memberId, offeringNo),
    entitled: (await query<{ shares: number }>(tx, ENTITLED, [offeringNo, memberId]))[0]?.shares ?? 0,
    isTaken: (await query(tx, TAKEN, [offeringNo, receiptOf(offeringNo, requestId), memberId])).length > 0,
  };
}

/** The offering, if its kind can be applied for now; a capital increase by who has a right to it. */
function openOffering(
  batch: Batch,
  offeringNo: string,
  { channels, entitled }: Pick<OfferingRule, "channels"> & Pick<ApplicationReads, "entitled">,
): OfferingRecord & { price: number } {
  const offering = subscriptionsIn(batch).offerings.get(offeringNo);
  if (!offering || offering.kind === "fund" || !isOfMarket(offering, batch.venue, batch.at))
    throw new Refusal("TRD_NO_SUBSCRIBABLE", {}, "offeringNo");
  if (!channels.includes(offering.kind)) {
    throw new Refusal(offering.kind === "bond" ? "TRD_NEW_BOND_CLOSED" : "TRD_NEW_SHARE_CLOSED", {}, "offeringNo");
  }
  if (!isOpen(offering, batch.at) || offering.price === null) throw new Refusal("TRD_NOT_SUBSCRIBE_TIME", {}, "offeringNo");
  if (offering.kind === "increase" && entitled === 0) throw new Refusal("TRD_NO_SUBSCRIBABLE", {}, "offeringNo");
  return { ...offering, price: offering.price };
}

/** Checks what the member did before, and the lots, in the order of the endpoint's list. */
function checkApplication(
  batch: Batch,
  memberId: number,
  offering: OfferingRecord,
  { lots, barred, closed, entitled }: Pick<ApplicationReads, "barred" | "closed" | "entitled"> & { lots: number },
): void {
  const rule = batch.rules.of(memberId).offering;
  const isIncrease = offering.kind === "increase";
  const times = isIncrease ? INCREASE_TIMES : rule.timesPerOffering;
  const earlier = subscriptionsIn(batch).rowsOf(memberId, offering.offering_no);
  if (earlier.some(({ status }) => status !== "withdrawn")) throw new Refusal("TRD_ALREADY_SUBSCRIBED", {}, "offeringNo");
  if (earlier.length + closed >= times) throw new Refusal("TRD_SINGLE_SUBSCRIPTION", { n: times }, "offeringNo");
  if (barred > 0 && !isIncrease && offering.kind !== "placement") throw new Refusal("TRD_SUBSCRIBE_BARRED", { n: barred }, "offeringNo");
  const { least, most } = isIncrease ? { least: 1, most: entitled } : lotBounds(offering, rule);
  if (lots < least) throw new Refusal("TRD_MIN_SUBSCRIPTION", { n: least }, "lots");
  if (lots > most) throw new Refusal("TRD_LOTS_MAX", { n: most }, "lots");
}

/** What an application costs and holds, in cents. A right is exercised for its whole price, and without a fee. */
const costsOf = (kind: OfferingRecord["kind"], value: number, rule: Omit<OfferingRule, "channels">) =>
  kind === "increase"
    ? { feeCents: 0, deliveryCents: 0, deposit: value }
    : { feeCents: rule.feeCents, deliveryCents: rule.deliveryCents, deposit: partOf(value, rule.depositPerMillion) };

/** Decides an application. @throws Refusal one of `applySubscription`'s */
export function apply(
  batch: Batch,
  memberId: number,
  body: Omit<Body<"applySubscription">, "fundPassword">,
  { proven, ...reads }: ApplicationReads & { proven: boolean },
): SubscriptionRecord {
  const { agreements, isTaken, nextId } = reads;
  const debtCents = batch.ledger.debt(memberId).owed;
  checkEligible("subscribe", { ...batch.member(memberId), fundPassword: proven, agreements, debtCents });
  const { channels, ...rule } = batch.rules.of(memberId).offering;
  const offering = openOffering(batch, body.offeringNo, { channels, entitled: reads.entitled });
  if (isTaken) throw new Refusal("GEN_REQUEST_REUSED", {}, "requestId");
  checkApplication(batch, memberId, offering, { ...reads, lots: body.lots });
  const value = worth(price(offering.price), body.lots * offering.lot_shares);
  checkRisk(batch, memberId, value);
  const { feeCents, deliveryCents, deposit } = costsOf(offering.kind, value, rule);
  const held = deposit + deliveryCents;
  if (batch.ledger.balance(memberId, "available") < held + feeCents) {
    throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "lots");
  }
  payOfferingFee(batch.ledger, memberId, feeCents);
  reserve(batch.ledger, memberId, held);
  const row: SubscriptionRecord = {
    subscription_no: numberFor("U", { ...body, memberId }),
    id: nextId,
    member_id: memberId,
    offering_no: offering.offering_no,
    request_id: body.requestId,
    receipt: receiptOf(offering.offering_no, body.requestId),
    status: "subscribing",
    lots: body.lots,
    won_lots: null,
    price: offering.price,
    fee_cents: feeCents,
    delivery_cents: deliveryCents,
    deposit_cents: deposit,
    reserved_cents: held,
    due_cents: null,
    paid_cents: 0,
    applied_at: batch.at,
    result_at: null,
    paid_at: null,
    ended_at: null,
    order_no: null,
    reminded_at: null,
  };
  subscriptionsIn(batch).changed(batch, row, "subscription.applied", null);
  return row;
}

/** Books a reminder. @throws Refusal one of `bookOffering`'s */
export function book(batch: Batch, memberId: number, offeringNo: string): void {
  const shared = subscriptionsIn(batch);
  const offering = shared.offerings.get(offeringNo);
  if (!offering) throw new Refusal("TRD_NO_SUBSCRIBABLE", {}, "offeringNo");
  if (offering.phase !== "upcoming") throw new Refusal("TRD_NOT_SUBSCRIBE_TIME", {}, "offeringNo");
  if (shared.isBooked(memberId, offeringNo)) throw new Refusal("TRD_ALREADY_BOOKED", {}, "offeringNo");
  shared.book(memberId, offeringNo);
  batch.emit(memberId, { type: "offering.booked", offeringNo });
  const values = [memberId, offeringNo, batch.at];
  batch.deferWrite(async (tx) => {
    await query(tx, BOOK, values);
  });
}

function ownRow(batch: Batch, memberId: number, subscriptionNo: string): SubscriptionRecord {
  const row = subscriptionsIn(batch).row(memberId, subscriptionNo);
  if (!row) throw new Refusal("GEN_NOT_FOUND", {}, "subscriptionNo");
  return row;
}

/** Withdraws before the close. @throws Refusal one of `withdrawSubscription`'s */
export function withdraw(batch: Batch, memberId: number, subscriptionNo: string): SubscriptionRecord {
  const row = ownRow(batch, memberId, subscriptionNo);
  if (row.status !== "subscribing" || !isOpen(subscriptionsIn(batch).offeringOf(row), batch.at)) {
    throw new Refusal("TRD_NOT_SUBSCRIBE_TIME", {}, "subscriptionNo");
  }
  releaseAll(batch, row);
  stepSubscription(batch, row, "subscription.withdrawn");
  return row;
}

/** The application, if it is to be paid now. */
function payable(batch: Batch, memberId: number, subscriptionNo: string, proven: boolean): SubscriptionRecord {
  const row = ownRow(batch, memberId, subscriptionNo);
  // It was set between the check and now, or never.
  if (!proven) throw new Refusal("PWD_FUND_NOT_SET", {}, "fundPassword");
  checkEligible("close", batch.member(memberId));
  if (row.status !== "won") throw new Refusal("TRD_ORDER_NOT_PAYMENT", {}, "subscriptionNo");
  const { payable_from: from } = subscriptionsIn(batch).offeringOf(row);
  if (from === null || batch.at < from) throw new Refusal("TRD_NOT_PURCHASE_TIME", {}, "subscriptionNo");
  return row;
}

/** What is still to be paid for what was won. */
const restOf = (row: SubscriptionRecord): number => Math.max(0, (row.due_cents ?? 0) - depositHeld(row));

/** Takes the rest of the amount due into what is reserved until the allotment. */
function take(batch: Batch, row: SubscriptionRecord, messageNo: number | null): void {
  const rest = restOf(row);
  const { code, allotted_at } = subscriptionsIn(batch).offeringOf(row);
  reserve(batch.ledger, row.member_id, rest);
  row.reserved_cents += rest;
  row.paid_cents = row.due_cents ?? 0;
  row.paid_at = batch.at;
  const values = { code, amount: formatMoney(row.paid_cents), until: formatDateTime(allotted_at) };
  stepSubscription(
    batch,
    row,
    "subscription.paid",
    messageNo === null ? null : { messageNo, notice: { about: "subscriptionPaid", values } },
  );
}

/** The member pays. @throws Refusal one of `paySubscription`'s */
export function pay(batch: Batch, memberId: number, subscriptionNo: string, proven: boolean): SubscriptionRecord {
  const row = payable(batch, memberId, subscriptionNo, proven);
  if (batch.ledger.balance(memberId, "available") < restOf(row)) throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "subscriptionNo");
  take(batch, row, null);
  return row;
}

/** What is reserved for what was won goes: the deposit is lost, the delivery fee is back. @returns the deposit in cents */
function loseDeposit(batch: Batch, row: SubscriptionRecord): number {
  const lost = depositHeld(row);
  forfeit(batch.ledger, row.member_id, lost);
  giveBack(batch.ledger, row.member_id, row.reserved_cents - lost);
  row.reserved_cents = 0;
  return lost;
}

/** The member waives; their score was read. @throws Refusal one of `waiveSubscription`'s */
export function waive(batch: Batch, memberId: number, subscriptionNo: string, proven: boolean): SubscriptionRecord {
  const row = payable(batch, memberId, subscriptionNo, proven);
  if (batch.at >= subscriptionsIn(batch).offeringOf(row).payable_until) throw new Refusal("TRD_ORDER_NOT_PAYMENT", {}, "subscriptionNo");
  loseDeposit(batch, row);
  stepSubscription(batch, row, "subscription.waived");
  changeScore(batch, memberId, 0 - batch.rules.of(memberId).offering.waivedPoints, "winWaived");
  return row;
}

/** At the deadline: the rest is debited, or the win and its deposit are lost. The member's score was read. */
export function collect(batch: Batch, row: SubscriptionRecord, messageNo: number): void {
  if (row.status !== "won") return;
  if (batch.ledger.balance(row.member_id, "available") >= restOf(row)) return take(batch, row, messageNo);
  const { code, payable_until, trades_from } = subscriptionsIn(batch).offeringOf(row);
  // Only a server that was off until the listing moves the deadline there: the member had no time to pay, and loses nothing.
  if (payable_until >= trades_from) return giveAllBack(batch, row, messageNo);
  const values = { code, amount: formatMoney(loseDeposit(batch, row)) };
  stepSubscription(batch, row, "subscription.paymentFailed", { messageNo, notice: { about: "subscriptionPaymentFailed", values } });
  changeScore(batch, row.member_id, 0 - batch.rules.of(row.member_id).offering.failedPoints, "paymentFailed");
}
