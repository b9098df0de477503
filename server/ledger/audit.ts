/** The books checked: every balance derived again from the entries, every sum asked again, every difference named. */
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";

export interface Audit {
  pockets: number;
  transactions: number;
  entries: number;
  /** One sentence for each thing that does not agree; empty when the books are right. */
  differences: string[];
}

const QUESTIONS: readonly string[] = [
  `SELECT format('pocket %s (%s of %s) says %s, its entries say %s', pocket.id, kind, coalesce('member ' || member_id, 'the house'), balance, coalesce(sum(amount), 0)) AS said
   FROM pocket LEFT JOIN entry ON entry.pocket_id = pocket.id GROUP BY pocket.id HAVING balance <> coalesce(sum(amount), 0)`,
  `SELECT format('transaction %s is out by %s %s', tx_id, sum(amount), currency) AS said
   FROM entry JOIN pocket ON pocket.id = entry.pocket_id GROUP BY tx_id, currency HAVING sum(amount) <> 0`,
  `SELECT format('transaction %s has no entries', id) AS said FROM ledger_tx WHERE NOT EXISTS (SELECT FROM entry WHERE tx_id = ledger_tx.id)`,
  `SELECT format('pocket %s of member %s is below zero', id, member_id) AS said FROM pocket WHERE member_id IS NOT NULL AND balance < 0`,
  `SELECT format('line %s of transaction %s says %s after it, its entries say %s', line, tx_id, balance_after, running) AS said
   FROM (SELECT line, tx_id, balance_after, sum(amount) OVER (PARTITION BY pocket_id ORDER BY tx_id, line) AS running FROM entry) AS lines
   WHERE balance_after <> running`,
  `SELECT format('member %s has %s held, the orders say %s', member_id, max(balance), coalesce(sum(held_cents), 0)) AS said
   FROM pocket LEFT JOIN "order" USING (member_id) WHERE pocket.kind = 'held' AND member_id IS NOT NULL
   GROUP BY member_id HAVING max(balance) <> coalesce(sum(held_cents), 0)`,
  `SELECT format('member %s has %s as collateral, the orders say %s', member_id, max(balance), coalesce(sum(collateral_cents), 0)) AS said
   FROM pocket LEFT JOIN "order" USING (member_id) WHERE pocket.kind = 'collateral' AND member_id IS NOT NULL
   GROUP BY member_id HAVING max(balance) <> coalesce(sum(collateral_cents), 0)`,
  `SELECT format('member %s is told a realised profit of %s, the orders say %s', member_id, tally.profit_cents, coalesce(sum("order".profit_cents), 0)) AS said
   FROM tally LEFT JOIN "order" USING (member_id) GROUP BY member_id HAVING tally.profit_cents <> coalesce(sum("order".profit_cents), 0)`,
  `SELECT format('member %s has %s facts, the last is number %s', member_id, count(fact.n), fact_n) AS said
   FROM tally LEFT JOIN fact USING (member_id) GROUP BY member_id HAVING count(fact.n) <> fact_n OR coalesce(max(fact.n), 0) <> fact_n`,
];

/** Read everything and compare. Changes nothing. */
export async function auditBooks(on: Reader): Promise<Audit> {
  const differences: string[] = [];
  for (const question of QUESTIONS) differences.push(...(await query<{ said: string }>(on, question)).map((row) => row.said));
  const [counts] = await query<{ pockets: number; transactions: number; entries: number }>(
    on,
    "SELECT (SELECT count(*) FROM pocket) AS pockets, (SELECT count(*) FROM ledger_tx) AS transactions, (SELECT count(*) FROM entry) AS entries",
  );
  return { pockets: 0, transactions: 0, entries: 0, ...counts, differences };
}
