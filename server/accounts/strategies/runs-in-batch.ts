/** Runs of strategies in a batch: the member's rows, every step of them with its fact, and what was traded, written together at the end. */
import type { Message } from "#contract/message.ts";
import type { StrategyFactType } from "#contract/strategy.ts";
import { advance } from "#machines/advance.ts";
import { strategyMachine } from "#machines/strategy.ts";
import { query } from "#server/db/database.ts";
import { toRun } from "#server/records/strategy.ts";
import type { RunRecord, RunTradeRecord } from "#server/records/strategy.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { SharedRows } from "#server/trading/sequencer/shared-rows.ts";

/** The member's runs that have not stopped. A batch that stops one keeps it here. */
const OPEN = "SELECT * FROM strategy_run WHERE member_id = $1 AND status <> 'stopped' ORDER BY id";
const WRITE = `INSERT INTO strategy_run SELECT * FROM json_populate_record(NULL::strategy_run, $1::json)
ON CONFLICT (run_no) DO UPDATE SET status = excluded.status, ended_at = excluded.ended_at, reason = excluded.reason, kept = excluded.kept,
  wanted = excluded.wanted, decided_day = excluded.decided_day, decided_at = excluded.decided_at, bought = excluded.bought,
  sold = excluded.sold, left_out = excluded.left_out, version = excluded.version`;
const WRITE_TRADE = `INSERT INTO strategy_trade (run_no, member_id, at, side, code, wanted_lots, lots, order_no, left_out)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

export const openRuns = new SharedRows<RunRecord[]>((tx, _batch, memberId) => query<RunRecord>(tx, OPEN, [memberId]));

/** The member's run, as this batch has it. */
export const runIn = (batch: Batch, memberId: number, runNo: string): RunRecord | undefined =>
  openRuns.of(batch, memberId)?.find((row) => row.run_no === runNo);

/** Applies a fact, and writes the row with the batch. @throws Error when the machine forbids it, which is a fault */
export function stepRun(batch: Batch, row: RunRecord, type: StrategyFactType, message: Message | null = null): void {
  if (type !== "strategy.started") {
    const status = advance(strategyMachine, row.status, type);
    if (!status) throw new Error(`${type} cannot happen to run ${row.run_no}, which is ${row.status}`);
    row.status = status;
  }
  if (row.status === "stopped") row.ended_at = batch.at;
  row.version += 1;
  batch.emit(row.member_id, { type, run: toRun(row), ...(message ? { message } : {}) });
  const written = JSON.stringify(row);
  batch.deferWrite(async (tx) => {
    await query(tx, WRITE, [written]);
  });
}

/** Records what a rule wanted to buy or sell, and what became of it. */
export function addTrade(batch: Batch, row: RunRecord, trade: Omit<RunTradeRecord, "run_no" | "member_id" | "at">): void {
  if (trade.left_out !== null) row.left_out += 1;
  else if (trade.side === "buy") row.bought += 1;
  else row.sold += 1;
  const { side, code, wanted_lots: wanted, lots, order_no: orderNo, left_out: leftOut } = trade;
  const values = [row.run_no, row.member_id, batch.at, side, code, wanted, lots, orderNo, leftOut];
  batch.deferWrite(async (tx) => {
    await query(tx, WRITE_TRADE, values);
  });
}
