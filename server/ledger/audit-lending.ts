/** Checks of securities loans: lots, demands and fees say the same everywhere. Each query returns a row for each inconsistency. */
export const LENDING_CHECKS: readonly string[] = [
  `SELECT format('order %s has %s lots offered or on loan, the loans say %s', "order".order_no, on_loan_lots, coalesce(sum(open.lots), 0)) AS difference
   FROM "order" LEFT JOIN (SELECT * FROM lending WHERE status IN ('offered', 'inProgress', 'recalled')) AS open USING (order_no)
   GROUP BY "order".order_no HAVING on_loan_lots <> coalesce(sum(open.lots), 0)`,
  `SELECT format('order %s is %s with %s lots on loan and %s open', order_no, status, on_loan_lots, filled_lots - closed_lots) AS difference
   FROM "order" WHERE on_loan_lots + closing_lots > filled_lots - closed_lots AND on_loan_lots > 0`,
  `SELECT format('member %s has %s loans open, the rows say %s', trader.member_id, lends, count(lending_no)) AS difference
   FROM trader LEFT JOIN lending ON lending.member_id = trader.member_id AND lending.status IN ('offered', 'inProgress', 'recalled')
   GROUP BY trader.member_id HAVING lends <> count(lending_no)`,
  `SELECT format('loan %s is %s, of a fee of %s %s is paid', lending_no, status, fee_cents, paid_cents) AS difference FROM lending
   WHERE paid_cents <> CASE WHEN status = 'completed' THEN fee_cents * (1000000 - broker_per_million) / 1000000 ELSE 0 END`,
  `SELECT format('member %s was paid %s for lending, the loans say %s', paid.member_id, cents, owed) AS difference
   FROM (SELECT ledger_tx.member_id, sum(amount) AS cents FROM ledger_tx JOIN entry ON entry.tx_id = ledger_tx.id JOIN pocket ON pocket.id = entry.pocket_id
     WHERE ledger_tx.kind = 'lendingFee' AND pocket.member_id IS NOT NULL GROUP BY ledger_tx.member_id) AS paid
   FULL JOIN (SELECT member_id, sum(paid_cents) AS owed FROM lending GROUP BY member_id HAVING sum(paid_cents) > 0) AS loans USING (member_id)
   WHERE coalesce(cents, 0) <> coalesce(owed, 0)`,
  `SELECT format('member %s lends and sells short %s', lending.member_id, lending.code) AS difference
   FROM lending JOIN "order" ON "order".member_id = lending.member_id AND "order".code = lending.code AND direction = 'fall'
     AND "order".status IN ('pending', 'holding', 'readyToClose') WHERE lending.status IN ('offered', 'inProgress', 'recalled')`,
];
