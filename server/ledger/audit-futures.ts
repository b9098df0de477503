/** Checks of futures: what the ledger paid, the positions and their trades say the same. Each query returns a row for each inconsistency. */
export const FUTURES_CHECKS: readonly string[] = [
  `SELECT format('futures paid member %s %s, the positions say %s', member_id, paid.cents, said.cents) AS difference
   FROM (SELECT ledger_tx.member_id, -sum(amount) AS cents FROM ledger_tx JOIN entry ON entry.tx_id = ledger_tx.id
     JOIN pocket ON pocket.id = entry.pocket_id WHERE pocket.kind = 'futuresClearing' GROUP BY ledger_tx.member_id) AS paid
   FULL JOIN (SELECT member_id, sum(paid_cents) AS cents FROM futures_position GROUP BY member_id) AS said USING (member_id)
   WHERE coalesce(paid.cents, 0) <> coalesce(said.cents, 0)`,
  `SELECT format('position %s has %s lots, its trades say %s', position_no, futures_position.lots, traded.lots) AS difference
   FROM futures_position JOIN (SELECT position_no, sum(CASE side WHEN 'buy' THEN lots ELSE -lots END) AS lots
     FROM futures_trade GROUP BY position_no) AS traded USING (position_no) WHERE futures_position.lots <> traded.lots`,
  `SELECT format('position %s was charged %s, its trades say %s', position_no, position.fee_cents + position.tax_cents, traded.cents) AS difference
   FROM futures_position AS position JOIN (SELECT position_no, sum(fee_cents + tax_cents) AS cents
     FROM futures_trade GROUP BY position_no) AS traded USING (position_no) WHERE position.fee_cents + position.tax_cents <> traded.cents`,
];
