/** Pays the agents' rebates of past months into their profit wallets, each month once. */
import { formatMoney } from "#contract/kernel/money.ts";
import { HOME_CURRENCY } from "#contract/kernel/currency.ts";
import { taipeiMonth } from "#contract/kernel/time.ts";
import { missingFor } from "#contract/eligibility.ts";
import { query } from "#server/db/database.ts";
import type { Database, Tx } from "#server/db/database.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { isFirst } from "#server/trading/sequencer/once-in-batch.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { putNotice, takeMessageNo } from "./notice.ts";

const UNPAID = `
SELECT agent.member_id AS agent_id, unpaid.month FROM agent CROSS JOIN LATERAL (
  SELECT DISTINCT month FROM rebate WHERE agent_id = agent.member_id AND month < $1
    AND month > coalesce((SELECT max(month) FROM rebate_payment AS paid WHERE paid.agent_id = agent.member_id), '')
) AS unpaid ORDER BY agent_id, month`;
const SUM = `
SELECT sum(rebate_cents)::bigint AS cents, sum(commission_cents)::bigint AS commission FROM rebate WHERE agent_id = $1 AND month = $2
HAVING NOT EXISTS (SELECT FROM rebate_payment WHERE agent_id = $1 AND month = $2)`;
const PAID = "INSERT INTO rebate_payment (agent_id, month, cents, commission_cents, at) VALUES ($1, $2, $3, $4, $5)";
interface SumRow {
  cents: number;
  commission: number;
}

/** Pays one month. Its decision tells whether nothing keeps the agent from being paid. */
function payMonth(agentId: number, month: string) {
  let sum: SumRow | undefined;
  let messageNo = 0;
  return {
    memberIds: [agentId],
    prepare: async (tx: Tx, batch: Batch): Promise<void> => {
      [sum] = await query<SumRow>(tx, SUM, [agentId, month]);
      messageNo = await takeMessageNo(tx);
      await batch.ledger.openWallets(tx, [agentId], []);
    },
    decide: (batch: Batch): boolean => {
      // A restricted account is paid when the restriction is lifted.
      if (missingFor("agent", batch.member(agentId)).length > 0) return false;
      if (!sum || !isFirst(batch, `rebate ${agentId} ${month}`)) return true;
      const { cents: amount, commission } = sum;
      if (amount > 0) {
        batch.ledger.post({ memberId: agentId, kind: "rebate", orderNo: null, moves: [{ from: "rewards", to: "profit", amount }] });
        const values = { month, amount: formatMoney(amount) };
        batch.emit(agentId, { type: "wallet.changed", kind: "rebate", currencies: [HOME_CURRENCY] });
        batch.emit(agentId, { type: "rebate.paid", message: putNotice(batch, agentId, messageNo, { about: "rebatePaid", values }) });
      }
      batch.deferWrite(async (tx) => {
        await query(tx, PAID, [agentId, month, amount, commission, batch.at]);
      });
      return true;
    },
  };
}

/** Pays every month that is over. */
export async function payRebates({
  db,
  sequencer,
  now,
}: {
  db: Database;
  sequencer: Pick<Sequencer, "submit">;
  now: () => number;
}): Promise<void> {
  const unpaid = await query<{ agent_id: number; month: string }>(db.kysely, UNPAID, [taipeiMonth(now())]);
  // In order: a month that was left out would lie before the last one paid.
  const held = new Set<number>();
  for (const { agent_id: agentId, month } of unpaid) {
    if (!held.has(agentId) && !(await sequencer.submit(payMonth(agentId, month)))) held.add(agentId);
  }
}
