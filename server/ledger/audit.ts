/** Audits the ledger: recomputes every balance and sum from the entries and reports each difference. */
import { DAY_MS, TAIPEI_OFFSET_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import { SETTLEMENT_CHECKS } from "./audit-settlement.ts";
import { FUTURES_CHECKS } from "./audit-futures.ts";
import { OPTION_CHECKS } from "./audit-option.ts";
import { LENDING_CHECKS } from "./audit-lending.ts";
import { OFFERING_CHECKS } from "./audit-offerings.ts";

export interface Audit {
  pockets: number;
  transactions: number;
  entries: number;
  /** One sentence per inconsistency; empty when the books balance. */
  differences: string[];
}

/** Each query returns one row per inconsistency. */
const CHECKS: readonly string[] = [
  `SELECT format('pocket %s (%s %s of %s) says %s, its entries say %s', pocket.id, kind, currency, coalesce('member ' || member_id, 'the broker'), balance, coalesce(sum(amount), 0)) AS difference
   FROM pocket LEFT JOIN entry ON entry.pocket_id = pocket.id GROUP BY pocket.id HAVING balance <> coalesce(sum(amount), 0)`,
  `SELECT format('transaction %s is out by %s %s', tx_id, sum(amount), currency) AS difference
   FROM entry JOIN pocket ON pocket.id = entry.pocket_id GROUP BY tx_id, currency HAVING sum(amount) <> 0`,
  `SELECT format('all pockets together hold %s %s', sum(balance), currency) AS difference FROM pocket GROUP BY currency HAVING sum(balance) <> 0`,
  `SELECT format('transaction %s crosses the border in another currency, and its value in TWD is not known', ledger_tx.id) AS difference
   FROM pocket JOIN entry ON entry.pocket_id = pocket.id JOIN ledger_tx ON ledger_tx.id = entry.tx_id
   WHERE pocket.member_id IS NULL AND pocket.kind = 'external' AND pocket.currency <> 'TWD' AND ledger_tx.paid_in_cents IS NULL`,
  `SELECT format('transaction %s has no entries', id) AS difference FROM ledger_tx WHERE NOT EXISTS (SELECT FROM entry WHERE tx_id = ledger_tx.id)`,
  `SELECT format('pocket %s (%s) of member %s is below zero', id, currency, member_id) AS difference FROM pocket WHERE member_id IS NOT NULL AND balance < 0 AND kind <> 'debt'`,
  `SELECT format('member %s owes %s and has %s free', debt.member_id, -debt.balance, free.balance) AS difference
   FROM pocket AS debt JOIN pocket AS free ON free.member_id = debt.member_id AND free.kind = 'available' AND free.currency = debt.currency
   WHERE debt.kind = 'debt' AND debt.balance < 0 AND free.balance > 0`,
  `SELECT format('member %s owes %s while order %s still has %s held', debt.member_id, -debt.balance, order_no, held_cents) AS difference
   FROM pocket AS debt JOIN "order" ON "order".member_id = debt.member_id AND "order".status = 'pending' AND held_cents > 0
   WHERE debt.kind = 'debt' AND debt.balance < 0`,
  `SELECT format('line %s of transaction %s says %s after it, its entries say %s', line, tx_id, balance_after, running) AS difference
   FROM (SELECT line, tx_id, balance_after, sum(amount) OVER (PARTITION BY pocket_id ORDER BY tx_id, line) AS running FROM entry) AS lines
   WHERE balance_after <> running`,
  `SELECT format('member %s has %s held, the orders and block purchases say %s', member_id, max(balance), coalesce(sum(claim.held_cents), 0)) AS difference
   FROM pocket LEFT JOIN (SELECT member_id, held_cents FROM "order" UNION ALL SELECT member_id, held_cents FROM block_order) AS claim USING (member_id)
   WHERE pocket.kind = 'held' AND member_id IS NOT NULL
   GROUP BY member_id HAVING max(balance) <> coalesce(sum(claim.held_cents), 0)`,
  `SELECT format('%s shares of block offer %s are taken, the purchases say %s', taken, offer_id, coalesce(sum(block_order.shares), 0)) AS difference
   FROM block_offer LEFT JOIN (SELECT * FROM block_order WHERE status IN ('pending', 'review', 'holding')) AS block_order USING (offer_id)
   GROUP BY offer_id HAVING taken <> coalesce(sum(block_order.shares), 0)`,
  `SELECT format('block purchase %s is %s and holds %s', block_no, status, held_cents) AS difference
   FROM block_order WHERE (status IN ('pending', 'review')) <> (held_cents > 0)`,
  `SELECT format('member %s has %s reserved, the applications, bids and stakes say %s', member_id, max(balance), coalesce(sum(claim.reserved_cents), 0)) AS difference
   FROM pocket LEFT JOIN (SELECT member_id, reserved_cents FROM subscription UNION ALL SELECT member_id, reserved_cents FROM bid
     UNION ALL SELECT member_id, reserved_cents FROM stake) AS claim USING (member_id)
   WHERE pocket.kind = 'reserved' AND member_id IS NOT NULL
   GROUP BY member_id HAVING max(balance) <> coalesce(sum(claim.reserved_cents), 0)`,
  `SELECT format('application %s is %s and reserves %s', subscription_no, status, reserved_cents) AS difference
   FROM subscription WHERE reserved_cents <> CASE
     WHEN status = 'subscribing' THEN deposit_cents + delivery_cents
     WHEN status = 'paid' AND order_no IS NULL THEN due_cents + delivery_cents
     WHEN status = 'won' THEN least(due_cents, ceil(deposit_cents::numeric * won_lots / lots)) + delivery_cents
     ELSE 0 END OR (status = 'paid' AND paid_cents <> due_cents)`,
  `SELECT format('bid %s of member %s is %s and reserves %s', bid_no, member_id, status, reserved_cents) AS difference
   FROM bid WHERE reserved_cents <> CASE
     WHEN status = 'placed' THEN deposit_cents
     WHEN status = 'voided' THEN 0
     ELSE CASE WHEN refunded_at IS NULL THEN refund_cents ELSE 0 END
       + CASE WHEN status = 'won' THEN deposit_cents - refund_cents
              WHEN status = 'paid' AND order_no IS NULL THEN won_cents + award_fee_cents ELSE 0 END
     END`,
  `SELECT format('%s lots of the auction of %s were won by members, of %s', sum(won_lots), auction.code, max(auction.lots)) AS difference
   FROM bid JOIN auction ON auction.id = auction_id GROUP BY auction.id, auction.code HAVING sum(won_lots) > max(auction.lots)`,
  `SELECT format('stake %s is %s and reserves %s of %s', stake_no, status, reserved_cents, value_cents + fee_cents) AS difference
   FROM stake WHERE reserved_cents <> CASE WHEN status = 'subscribed' THEN value_cents + fee_cents ELSE 0 END`,
  `SELECT format('raising %s has allotted %s lots, its stakes say %s', offering_no, raise.allotted_lots, sum(stake.allotted_lots)) AS difference
   FROM raise JOIN stake USING (offering_no) GROUP BY offering_no HAVING coalesce(sum(stake.allotted_lots), 0) > coalesce(raise.allotted_lots, 0)`,
  `SELECT format('member %s has %s as collateral, the orders say %s', member_id, max(balance), coalesce(sum(collateral_cents), 0)) AS difference
   FROM pocket LEFT JOIN "order" USING (member_id) WHERE pocket.kind = 'collateral' AND member_id IS NOT NULL
   GROUP BY member_id HAVING max(balance) <> coalesce(sum(collateral_cents), 0)`,
  `SELECT format('the broker has lent %s, the orders and loans owe %s', -balance, owed) AS difference
   FROM pocket, (SELECT (SELECT coalesce(sum(loan_cents), 0) FROM "order") + (SELECT coalesce(sum(principal_cents), 0) FROM loan) AS owed) AS borrowed
   WHERE pocket.kind = 'loans' AND member_id IS NULL AND currency = 'TWD' AND balance <> -owed`,
  `SELECT format('member %s owes %s on credit, the loans say %s', trader.member_id, credit_cents, coalesce(sum(principal_cents + interest_cents), 0)) AS difference
   FROM trader LEFT JOIN loan USING (member_id) GROUP BY trader.member_id HAVING credit_cents <> coalesce(sum(principal_cents + interest_cents), 0)`,
  `SELECT format('member %s has %s on its way out, the withdrawals say %s', pocket.member_id, max(balance), coalesce(sum(amount_cents), 0)) AS difference
   FROM pocket LEFT JOIN withdrawal ON withdrawal.member_id = pocket.member_id AND withdrawal.status IN ('requested', 'underReview', 'processing')
   WHERE pocket.kind = 'payout' AND pocket.member_id IS NOT NULL AND pocket.currency = 'TWD'
   GROUP BY pocket.member_id HAVING max(balance) <> coalesce(sum(amount_cents), 0)`,
  `SELECT format('member %s has a score of %s, the changes end with %s', id, credit_score, score) AS difference
   FROM member JOIN LATERAL (SELECT score FROM credit_change WHERE member_id = member.id ORDER BY credit_change.id DESC LIMIT 1) AS newest ON true
   WHERE credit_score <> score`,
  ...SETTLEMENT_CHECKS,
  `SELECT format('member %s has put up %s on margin calls, the calls say %s', pocket.member_id, max(balance), coalesce(sum(paid_cents), 0)) AS difference
   FROM pocket LEFT JOIN margin_call ON margin_call.member_id = pocket.member_id
   WHERE pocket.kind = 'margin' GROUP BY pocket.member_id HAVING max(balance) > coalesce(sum(paid_cents), 0)`,
  `SELECT format('order %s is %s and not done with: held %s, collateral %s, loan %s, interest %s, dividends %s, lending %s',
     order_no, status, held_cents, collateral_cents, loan_cents, interest_cents, dividend_cents, lending_cents) AS difference
   FROM "order" WHERE status IN ('closed', 'cancelled')
   AND (held_cents, collateral_cents, loan_cents, interest_cents, dividend_cents, lending_cents) <> (0, 0, 0, 0, 0, 0)`,
  `SELECT format('member %s is told a realised profit of %s, the orders say %s', member_id, tally.profit_cents, coalesce(sum("order".profit_cents), 0)) AS difference
   FROM tally LEFT JOIN "order" USING (member_id) GROUP BY member_id HAVING tally.profit_cents <> coalesce(sum("order".profit_cents), 0)`,
  `SELECT format('member %s has %s facts, the last is number %s', member_id, count(fact.n), fact_n) AS difference
   FROM tally LEFT JOIN fact USING (member_id) GROUP BY member_id HAVING count(fact.n) <> fact_n OR coalesce(max(fact.n), 0) <> fact_n`,
  `SELECT format('member %s has realised %s on day %s, the fills say %s', trader.member_id, day_profit_cents, profit_day, coalesce(sum(fill.profit_cents), 0)) AS difference
   FROM trader LEFT JOIN fill ON fill.member_id = trader.member_id AND (fill.at + ${TAIPEI_OFFSET_MS}) / ${DAY_MS} = profit_day
   GROUP BY trader.member_id HAVING day_profit_cents <> coalesce(sum(fill.profit_cents), 0)`,
  `SELECT format('order %s got %s from ex-events, the issuer and the lending pool paid %s', adjustment.order_no, sum(cash_cents), max(paid)) AS difference
   FROM adjustment JOIN LATERAL (
     SELECT coalesce(-sum(amount), 0) AS paid FROM ledger_tx JOIN entry ON entry.tx_id = ledger_tx.id JOIN pocket ON pocket.id = entry.pocket_id
     WHERE ledger_tx.member_id = adjustment.member_id AND ledger_tx.order_no = adjustment.order_no
       AND (pocket.kind = 'issuers' AND ledger_tx.kind NOT IN ('buy', 'redemption') OR pocket.kind = 'lendingPool' AND ledger_tx.kind = 'dividend')
   ) AS issued ON true
   GROUP BY adjustment.order_no HAVING sum(cash_cents) <> max(paid)`,
  `SELECT format('condition %s waits on order %s, which is %s', condition_no, order_no, "order".status) AS difference
   FROM condition JOIN "order" USING (order_no) WHERE condition.status = 'waiting' AND "order".status IN ('closed', 'cancelled')`,
  ...LENDING_CHECKS,
  ...FUTURES_CHECKS,
  ...OPTION_CHECKS,
  ...OFFERING_CHECKS,
];

/** Runs every check. Read only. */
export async function auditBooks(on: Reader): Promise<Audit> {
  const differences: string[] = [];
  for (const check of CHECKS) differences.push(...(await query<{ difference: string }>(on, check)).map((row) => row.difference));
  const [counts] = await query<{ pockets: number; transactions: number; entries: number }>(
    on,
    "SELECT (SELECT count(*) FROM pocket) AS pockets, (SELECT count(*) FROM ledger_tx) AS transactions, (SELECT count(*) FROM entry) AS entries",
  );
  return { pockets: 0, transactions: 0, entries: 0, ...counts, differences };
}
