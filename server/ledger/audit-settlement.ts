/** Audits settlement: what is owed and due later is exactly the net of each member's settlement mornings. */

/** What is due by member and morning: trades of a morning net, everything else one by one. */
const DUE = `
SELECT member_id, sum(amount_cents) AS cents FROM settlement WHERE settled_at IS NULL
GROUP BY member_id, CASE WHEN nets THEN due_at ELSE -id END`;

export const SETTLEMENT_CHECKS: readonly string[] = [
  `SELECT format('member %s has %s %s, the trades to be settled say %s', pocket.member_id, max(balance), pocket.kind, coalesce(sum(abs(cents)), 0)) AS difference
   FROM pocket LEFT JOIN (${DUE}) AS due ON due.member_id = pocket.member_id AND (cents < 0) = (pocket.kind = 'owing')
   WHERE pocket.kind IN ('owing', 'unsettled') GROUP BY pocket.member_id, pocket.kind HAVING max(balance) <> coalesce(sum(abs(cents)), 0)`,
  `SELECT format('order %s is %s, holds %s and has %s of proceeds', order_no, status, held_cents, -amount_cents) AS difference
   FROM settlement JOIN "order" USING (order_no) WHERE settlement.kind = 'hold' AND settled_at IS NULL
   AND NOT ("order".status = 'pending' AND amount_cents BETWEEN -held_cents AND -1)`,
];
