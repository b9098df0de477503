/** Accrues the rebate of the agent who invited a member, on each commission the member really paid, in the transaction of the fill. */
import { discountPerMillion, rebateOf } from "#contract/agent.ts";
import { taipeiMonth } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";

const ACCRUE = `
INSERT INTO rebate (agent_id, month, member_id, commission_cents, rebate_cents) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (agent_id, month, member_id) DO UPDATE SET
  commission_cents = rebate.commission_cents + excluded.commission_cents, rebate_cents = rebate.rebate_cents + excluded.rebate_cents`;

/** `netCents`: the commission without what a voucher paid and without what became a debt. */
export function accrueRebate(batch: Batch, order: OrderRecord, netCents: number): void {
  const { agent_id: agentId } = batch.member(order.member_id);
  if (agentId === null || netCents <= 0) return;
  const listed = batch.rules.of(order.member_id).trade.feePerMillion;
  const { rebatePerMillion } = batch.rules.of(agentId).reward;
  const rebate = rebateOf(netCents, rebatePerMillion, discountPerMillion(listed, order.terms.feePerMillion));
  const values = [agentId, taipeiMonth(batch.at), order.member_id, netCents, rebate];
  batch.deferWrite(async (tx) => {
    await query(tx, ACCRUE, values);
  });
}
