/** What the audit checks of offerings: draws against their rows, and what members paid against what they got. */

/** SHA-256 of a text in hex, in SQL. */
const sha256 = (text: string): string => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`;

/** Each query returns one row per inconsistency. */
export const OFFERING_CHECKS: readonly string[] = [
  `SELECT format('offering %s has published %s applications for %s lots, its rows are %s for %s',
     offering_no, applications, member_lots, coalesce(n, 0), coalesce(asked, 0)) AS difference
   FROM offering LEFT JOIN (
     SELECT offering_no, count(*) AS n, sum(lots) AS asked FROM subscription WHERE status <> 'withdrawn' GROUP BY offering_no
   ) AS listed USING (offering_no)
   WHERE list_hash IS NOT NULL AND (applications, member_lots) IS DISTINCT FROM (coalesce(n, 0), coalesce(asked, 0)::bigint)`,
  `SELECT format('offering %s has drawn %s of %s lots, its members have won %s and the crowd asked for %s',
     offering_no, winning_lots, lots, coalesce(won, 0), crowd_lots) AS difference
   FROM offering LEFT JOIN (
     SELECT offering_no, sum(won_lots) AS won FROM subscription WHERE status <> 'withdrawn' GROUP BY offering_no
   ) AS drawn USING (offering_no)
   WHERE winning_lots IS NOT NULL AND (winning_lots <> least(lots, crowd_lots + member_lots)
     OR coalesce(won, 0) NOT BETWEEN winning_lots - crowd_lots AND winning_lots)`,
  `SELECT format('application %s is %s, has won %s lots at %s and owes %s', subscription_no, subscription.status, won_lots, subscription.price, due_cents) AS difference
   FROM subscription JOIN offering USING (offering_no)
   WHERE subscription.price IS DISTINCT FROM offering.price OR CASE
     WHEN subscription.status = 'notWon' THEN coalesce(won_lots, 0) > 0
     WHEN subscription.status IN ('won', 'paid', 'paymentFailed', 'waived')
       THEN coalesce(won_lots, 0) = 0 OR abs(due_cents - won_lots * lot_shares * subscription.price / 100.0) >= 1
     ELSE false END`,
  `SELECT format('application %s has the receipt %s, which is not that of its request', subscription_no, receipt) AS difference
   FROM subscription WHERE receipt <> ${sha256("offering_no || ':' || request_id")}`,
  `SELECT format('bid %s of member %s has not the number of its request', bid_no, member_id) AS difference
   FROM bid WHERE bid_no <> 'A' || left(${sha256("code || ':' || request_id")}, 12)`,
  `SELECT format('offering %s costs %s, its auction set %s', offering_no, offering.price, outcome->>'price') AS difference
   FROM offering JOIN auction USING (market, code) WHERE auction.status = 'opened' AND offering.price <> (outcome->>'price')::bigint`,
  // Shares of a capital increase are counted one by one: their price and cost tell the number.
  `SELECT format('%s got %s lots at %s for %s and a fee of %s, its position has %s lots at %s for %s and a fee of %s',
     no, got.lots, got.price, cost, fee, fill.lots, fill.price, paid, fill.fee_cents) AS difference
   FROM (
     SELECT subscription_no AS no, order_no, nullif(won_lots, CASE WHEN kind = 'increase' THEN won_lots END) AS lots, subscription.price,
       due_cents AS cost, delivery_cents AS fee FROM subscription JOIN offering USING (offering_no)
     UNION ALL SELECT bid_no, order_no, won_lots, price, won_cents, award_fee_cents FROM bid
     UNION ALL SELECT stake_no, order_no, allotted_lots, price, value_cents, fee_cents FROM stake
   ) AS got LEFT JOIN fill ON fill.order_no = got.order_no AND fill.n = 1 LEFT JOIN (
     SELECT ledger_tx.order_no, -sum(amount)::bigint AS paid
     FROM ledger_tx JOIN entry ON entry.tx_id = ledger_tx.id JOIN pocket ON pocket.id = entry.pocket_id
     WHERE ledger_tx.kind = 'buy' AND pocket.kind = 'reserved' GROUP BY ledger_tx.order_no
   ) AS bought ON bought.order_no = got.order_no
   WHERE got.order_no IS NOT NULL
     AND (fill.lots, fill.price, fill.fee_cents, paid) IS DISTINCT FROM (coalesce(got.lots, fill.lots), got.price, fee, cost)`,
  `SELECT format('member %s has forfeited %s, the wins that were not paid say %s', member_id, coalesce(taken.cents, 0), coalesce(lost.cents, 0)) AS difference
   FROM (
     SELECT pocket.member_id, -sum(amount) AS cents
     FROM ledger_tx JOIN entry ON entry.tx_id = ledger_tx.id JOIN pocket ON pocket.id = entry.pocket_id
     WHERE ledger_tx.kind = 'forfeit' AND pocket.kind = 'reserved' GROUP BY pocket.member_id
   ) AS taken FULL JOIN (
     SELECT member_id, sum(cents) AS cents FROM (
       SELECT member_id, least(due_cents, ceil(deposit_cents::numeric * won_lots / lots)) AS cents
       FROM subscription WHERE status IN ('paymentFailed', 'waived')
       UNION ALL SELECT member_id, deposit_cents - refund_cents FROM bid WHERE status = 'forfeited'
     ) AS missed GROUP BY member_id
   ) AS lost USING (member_id)
   WHERE coalesce(taken.cents, 0) <> coalesce(lost.cents, 0)`,
  `SELECT format('member %s was paid %s for rights that lapsed, the rights say %s', member_id, coalesce(paid.cents, 0), coalesce(owed.cents, 0)) AS difference
   FROM (
     SELECT pocket.member_id, sum(amount)::bigint AS cents
     FROM ledger_tx JOIN entry ON entry.tx_id = ledger_tx.id JOIN pocket ON pocket.id = entry.pocket_id
     WHERE ledger_tx.kind = 'right' AND pocket.kind = 'available' GROUP BY pocket.member_id
   ) AS paid FULL JOIN (SELECT member_id, sum(lapsed_cents)::bigint AS cents FROM entitlement GROUP BY member_id) AS owed USING (member_id)
   WHERE coalesce(paid.cents, 0) <> coalesce(owed.cents, 0)`,
  `SELECT format('member %s has a right to %s shares of offering %s, exercised %s and bought %s', member_id, entitlement.shares, offering_no, exercised_shares, bought.lots) AS difference
   FROM entitlement LEFT JOIN (
     SELECT offering_no, member_id, sum(lots)::bigint AS lots FROM subscription WHERE status IN ('paid', 'voided') GROUP BY offering_no, member_id
   ) AS bought USING (offering_no, member_id)
   WHERE settled_at IS NOT NULL AND exercised_shares > coalesce(bought.lots, 0)
     OR coalesce(bought.lots, 0) > entitlement.shares`,
  `SELECT format('raising %s has allotted %s lots, its stakes %s and the crowd asked for %s', offering_no, raise.allotted_lots, sum(stake.allotted_lots), crowd_lots) AS difference
   FROM raise JOIN stake USING (offering_no) WHERE raise.allotted_lots > 0
   GROUP BY offering_no HAVING coalesce(sum(stake.allotted_lots), 0) < raise.allotted_lots - crowd_lots`,
];
