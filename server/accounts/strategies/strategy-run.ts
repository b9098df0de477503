/** The member's commands on runs of strategies, each decided on rows read under the member's lock. */
import type { Body } from "#contract/endpoints.ts";
import { grouped } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { RunRecord } from "#server/records/strategy.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { openRuns, runIn, stepRun } from "./runs-in-batch.ts";
import { tradedBy } from "./strategy-history.ts";

const CENTS = 100;
const EXISTS = "SELECT FROM strategy_run WHERE member_id = $1 AND run_no = $2";
const FUND_PASSWORD = "SELECT FROM member WHERE id = $1 AND fund_password_hash IS NOT NULL";

/** What a command reads under the member's lock. */
export interface RunReads {
  fundPassword: boolean;
  /** A number for a new run. */
  nextId: number;
  /** Whether the named run had stopped before the batch. */
  hasEnded: boolean;
}

export async function prepareRuns(tx: Tx, batch: Batch, memberId: number, runNo: string | null): Promise<RunReads> {
  await openRuns.read(tx, batch, memberId);
  const hasEnded = runNo !== null && (await query(tx, EXISTS, [memberId, runNo])).length > 0;
  const [number] = runNo === null ? await query<{ id: number }>(tx, "SELECT nextval('strategy_run_no') AS id") : [];
  return { fundPassword: (await query(tx, FUND_PASSWORD, [memberId])).length > 0, nextId: number?.id ?? 0, hasEnded };
}

function checkMayRun(batch: Batch, memberId: number, { fundPassword }: RunReads): void {
  checkEligible("runStrategy", { ...batch.member(memberId), fundPassword, debtCents: batch.ledger.debt(memberId).owed });
}

function checkAmount(batch: Batch, memberId: number, amountCents: number): void {
  const { minimumCents } = batch.rules.of(memberId).strategy;
  if (amountCents < minimumCents) throw new Refusal("TRD_PRODUCT_MIN", { n: grouped(String(minimumCents / CENTS)) }, "amount");
  if (amountCents > batch.ledger.balance(memberId, "available")) throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "amount");
}

/** Begins a run; the clock decides it next. @throws Refusal one of `startStrategy`'s */
export function startRun(batch: Batch, memberId: number, body: Body<"startStrategy">, reads: RunReads): RunRecord {
  checkMayRun(batch, memberId, reads);
  tradedBy(batch.venue, body);
  const runs = openRuns.of(batch, memberId) ?? [];
  const open = runs.filter(({ status }) => status !== "stopped");
  if (open.some(({ strategy, code }) => strategy === body.strategy && code === body.code))
    throw new Refusal("TRD_STRATEGY_RUNNING", {}, "code");
  const { runs: most } = batch.rules.of(memberId).strategy;
  if (open.length >= most) throw new Refusal("GEN_LIST_FULL", { n: most });
  checkAmount(batch, memberId, body.amount * CENTS);
  const row: RunRecord = {
    run_no: `Q${reads.nextId}`,
    id: reads.nextId,
    member_id: memberId,
    strategy: body.strategy,
    code: body.code,
    status: "running",
    amount_cents: body.amount * CENTS,
    stop_percent: body.stopPercent,
    started_at: batch.at,
    ended_at: null,
    reason: null,
    kept: false,
    wanted: null,
    decided_day: null,
    decided_at: null,
    bought: 0,
    sold: 0,
    left_out: 0,
    version: 0,
  };
  runs.push(row);
  stepRun(batch, row, "strategy.started");
  return row;
}

/** The member's run that goes on. @throws Refusal GEN_NOT_FOUND, TRD_STRATEGY_ENDED */
function openRow(batch: Batch, memberId: number, runNo: string, { hasEnded }: RunReads): RunRecord {
  const row = runIn(batch, memberId, runNo);
  if (row && row.reason === null) return row;
  if (row || hasEnded) throw new Refusal("TRD_STRATEGY_ENDED", {}, "runNo");
  throw new Refusal("GEN_NOT_FOUND", {}, "runNo");
}

/** @throws Refusal one of `pauseStrategy`'s */
export function pauseRun(batch: Batch, memberId: number, runNo: string, reads: RunReads): RunRecord {
  const row = openRow(batch, memberId, runNo, reads);
  if (row.status !== "running") throw new Refusal("TRD_STRATEGY_NOT_RUNNING", {}, "runNo");
  stepRun(batch, row, "strategy.paused");
  return row;
}

/** Goes on, with what is wanted today. @throws Refusal one of `resumeStrategy`'s */
export function resumeRun(batch: Batch, memberId: number, runNo: string, reads: RunReads): RunRecord {
  checkMayRun(batch, memberId, reads);
  const row = openRow(batch, memberId, runNo, reads);
  if (row.status !== "paused") throw new Refusal("TRD_STRATEGY_NOT_PAUSED", {}, "runNo");
  row.wanted = null;
  row.decided_day = null;
  stepRun(batch, row, "strategy.resumed");
  return row;
}

/** Stops: the clock then sells what the run bought, or it is kept. @throws Refusal one of `stopStrategy`'s */
export function stopRun(batch: Batch, memberId: number, { runNo, keep }: Pick<Body<"stopStrategy">, "runNo" | "keep">, reads: RunReads) {
  const row = openRow(batch, memberId, runNo, reads);
  row.reason = "member";
  row.kept = keep;
  stepRun(batch, row, keep ? "strategy.stopped" : "strategy.stopping");
  return row;
}
