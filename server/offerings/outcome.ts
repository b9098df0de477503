/** What the clock does to an application after the close: won or not, given back where the draw is void, and delivered. */
import { formatMoney, price, worth } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { termsOf } from "#contract/rule.ts";
import { isOfMarket } from "#server/venue/market-name.ts";
import { depositHeld } from "#server/records/subscription.ts";
import type { SubscriptionRecord } from "#server/records/subscription.ts";
import { giveBack } from "#server/ledger/reserve.ts";
import { allot } from "#server/trading/clearing/allot.ts";
import { releaseAll, stepSubscription, subscriptionsIn } from "#server/trading/clearing/subscriptions-in-batch.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";

/** Tells the draw's result: a loser gets everything back but the fee, a winner what was held for lots that were not won. */
export function tellResult(batch: Batch, row: SubscriptionRecord, messageNo: number): void {
  if (row.status !== "subscribing") return;
  const offering = subscriptionsIn(batch).offeringOf(row);
  const won = row.won_lots ?? 0;
  row.won_lots = won;
  row.result_at = batch.at;
  const { code } = offering;
  if (won === 0) {
    const values = { code, amount: formatMoney(releaseAll(batch, row)) };
    return stepSubscription(batch, row, "subscription.notWon", { messageNo, notice: { about: "subscriptionNotWon", values } });
  }
  row.due_cents = worth(price(row.price), won * offering.lot_shares);
  const kept = Math.min(row.due_cents, Math.ceil((row.deposit_cents * won) / row.lots));
  giveBack(batch.ledger, row.member_id, row.deposit_cents - kept);
  row.reserved_cents -= row.deposit_cents - kept;
  const values = {
    code,
    lots: String(won),
    amount: formatMoney(row.due_cents - kept),
    from: formatDateTime(offering.payable_from ?? batch.at),
    until: formatDateTime(offering.payable_until),
  };
  stepSubscription(batch, row, "subscription.won", { messageNo, notice: { about: "subscriptionWon", values } });
}

/** Reminds a winner who has not paid of the deadline, once. */
export function remind(batch: Batch, row: SubscriptionRecord, messageNo: number): void {
  if (row.status !== "won" || row.reminded_at !== null) return;
  row.reminded_at = batch.at;
  const { code, payable_until } = subscriptionsIn(batch).offeringOf(row);
  const rest = Math.max(0, (row.due_cents ?? 0) - depositHeld(row));
  const values = { code, amount: formatMoney(rest), until: formatDateTime(payable_until) };
  stepSubscription(batch, row, "subscription.reminded", { messageNo, notice: { about: "subscriptionDue", values } });
}

/** Gives everything back, the fee too: there was no draw, or no time to pay, or nothing to deliver. */
export function giveAllBack(batch: Batch, row: SubscriptionRecord, messageNo: number): void {
  if (row.status !== "subscribing" && row.status !== "won" && (row.status !== "paid" || row.order_no !== null)) return;
  const { member_id: memberId, fee_cents: fee } = row;
  const amount = releaseAll(batch, row) + fee;
  batch.ledger.post({ memberId, kind: "offeringFee", orderNo: null, moves: [{ from: "fees", to: "available", amount: fee }] });
  const values = { code: subscriptionsIn(batch).offeringOf(row).code, amount: formatMoney(amount) };
  stepSubscription(batch, row, "subscription.voided", { messageNo, notice: { about: "subscriptionVoided", values } });
}

/** Delivers what was won and paid as a position that is locked until the listing. Takes one order number. */
export function deliver(batch: Batch, row: SubscriptionRecord): void {
  if (row.status !== "paid" || row.order_no !== null) return;
  const offering = subscriptionsIn(batch).offeringOf(row);
  const instrument = isOfMarket(offering, batch.venue, batch.at) ? batch.venue.instrument(offering.code) : undefined;
  if (!instrument) throw new Error(`application ${row.subscription_no} is for ${offering.code}, which the venue does not know`);
  const choice = { market: "board", funding: "cash", leverage: 1, dayTrade: false } as const;
  const order = allot(batch, {
    memberId: row.member_id,
    requestId: row.request_id,
    instrument,
    shares: (row.won_lots ?? 0) * offering.lot_shares,
    price: row.price,
    feeCents: row.delivery_cents,
    terms: termsOf(batch.rules.for(row.member_id, instrument, batch.at), instrument, choice),
    origin: "subscription",
    lockedUntil: Math.max(offering.trades_from, batch.at),
    payFrom: "reserved",
    payTo: "issuers",
    reason: "offering",
  });
  row.order_no = order.order_no;
  row.reserved_cents = 0;
  stepSubscription(batch, row, "subscription.allotted");
}
