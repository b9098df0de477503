/** Checks of options: what the ledger paid, the positions and their trades say the same. Each query returns a row for each inconsistency. */
export const OPTION_CHECKS: readonly string[] = [
  `SELECT format('options paid member %s %s, the positions say %s', member_id, paid.cents, said.cents) AS difference
   FROM (SELECT ledger_tx.member_id, -sum(amount) AS cents FROM ledger_tx JOIN entry ON entry.tx_id = ledger_tx.id
     JOIN pocket ON pocket.id = entry.pocket_id WHERE pocket.kind = 'optionsClearing' GROUP BY ledger_tx.member_id) AS paid
   FULL JOIN (SELECT member_id, sum(paid_cents) AS cents FROM option_position GROUP BY member_id) AS said USING (member_id)
   WHERE coalesce(paid.cents, 0) <> coalesce(said.cents, 0)`,
  `SELECT format('position %s has %s lots, its trades say %s', position_no, position.lots, traded.lots) AS difference
   FROM option_position AS position LEFT JOIN (SELECT position_no, sum(CASE side WHEN 'buy' THEN lots ELSE -lots END) AS lots
     FROM option_trade GROUP BY position_no) AS traded USING (position_no) WHERE position.lots <> coalesce(traded.lots, 0)`,
  // A tenth of a point is NT$5.
  `SELECT format('position %s was paid %s, its trades say %s', position_no, position.paid_cents, traded.cents) AS difference
   FROM option_position AS position JOIN (SELECT position_no, sum(price * lots * CASE side WHEN 'sell' THEN 500 ELSE -500 END) AS cents
     FROM option_trade GROUP BY position_no) AS traded USING (position_no) WHERE position.paid_cents <> traded.cents`,
  `SELECT format('position %s was charged %s, its trades say %s', position_no, position.fee_cents + position.tax_cents, traded.cents) AS difference
   FROM option_position AS position JOIN (SELECT position_no, sum(fee_cents + tax_cents) AS cents
     FROM option_trade GROUP BY position_no) AS traded USING (position_no) WHERE position.fee_cents + position.tax_cents <> traded.cents`,
  `SELECT format('trade %s names %s, which is not the other leg of its order', one.id, one.with_id) AS difference
   FROM option_trade AS one LEFT JOIN option_trade AS other ON other.id = one.with_id AND other.with_id = one.id AND other.id <> one.id
     AND (other.member_id, other.at, other.lots) = (one.member_id, one.at, one.lots) AND other.position_no <> one.position_no
   WHERE one.with_id IS NOT NULL AND other.id IS NULL`,
];
