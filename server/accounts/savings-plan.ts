/** Savings plans in a batch: the member's commands, each decided on the rows that the batch shares. */
import type { Body } from "#contract/endpoints.ts";
import type { Instrument } from "#contract/instrument.ts";
import { grouped } from "#contract/kernel/money.ts";
import type { Message } from "#contract/message.ts";
import type { SavingsPlanFactType } from "#contract/savings-plan.ts";
import { advance } from "#machines/advance.ts";
import { savingsPlanMachine } from "#machines/savings-plan.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { toSavingsPlan } from "#server/records/savings-plan.ts";
import type { SavingsPlanRecord } from "#server/records/savings-plan.ts";
import { limitPriceOf } from "#server/trading/order-entry/limit-price.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { SharedRows } from "#server/trading/sequencer/shared-rows.ts";
import type { MonthlyDue } from "#server/venue/venue.ts";
import { checkSavable, costOf } from "./savings-purchase.ts";

/** The member's plans that have not ended. A batch that ends one keeps it here. */
const OPEN = "SELECT * FROM savings_plan WHERE member_id = $1 AND status <> 'ended' ORDER BY id";
const EXISTS = "SELECT FROM savings_plan WHERE member_id = $1 AND plan_no = $2";
const INSERT = "INSERT INTO savings_plan SELECT * FROM json_populate_record(NULL::savings_plan, $1::json)";
const UPDATE = `UPDATE savings_plan SET status = $2, amount_cents = $3, day = $4, next_at = $5, next_month = $6, last_month = $7,
  ordered_runs = $8, skipped_runs = $9, ended_at = $10, version = $11 WHERE plan_no = $1`;

const CENTS = 100;

export const openPlans = new SharedRows<SavingsPlanRecord[]>((tx, _batch, memberId) => query<SavingsPlanRecord>(tx, OPEN, [memberId]));

/** What a command on plans reads under the member's lock. */
export interface PlanReads {
  plans: SavingsPlanRecord[];
  /** A number for a new plan. */
  nextId: number;
}

export async function preparePlans(tx: Tx, batch: Batch, memberId: number): Promise<PlanReads> {
  const plans = await openPlans.read(tx, batch, memberId);
  const [number] = await query<{ id: number }>(tx, "SELECT nextval('savings_plan_no') AS id");
  if (!number) throw new Error("no number for a savings plan");
  return { plans, nextId: number.id };
}

/** Whether a plan exists that has ended before this batch. */
export async function planHasEnded(tx: Tx, memberId: number, planNo: string): Promise<boolean> {
  return (await query(tx, EXISTS, [memberId, planNo])).length > 0;
}

/** When a plan buys next: never in the month that was decided last. */
function firstDue(batch: Batch, day: number, lastMonth: string | null): MonthlyDue {
  const { months } = batch.venue;
  const due = months.next(day, batch.at);
  return due.month === lastMonth ? months.next(day, due.at) : due;
}

function plan(row: SavingsPlanRecord, due: MonthlyDue | null): void {
  row.next_at = due?.at ?? null;
  row.next_month = due?.month ?? null;
}

/** Applies a fact, and writes the row with the batch. @throws Error when the machine forbids it, which is a fault */
export function stepPlan(batch: Batch, row: SavingsPlanRecord, type: SavingsPlanFactType, message: Message | null = null): void {
  const status = advance(savingsPlanMachine, row.status, type);
  if (!status) throw new Error(`${type} cannot happen to savings plan ${row.plan_no}, which is ${row.status}`);
  row.status = status;
  if (status !== "active") plan(row, null);
  if (status === "ended") row.ended_at = batch.at;
  row.version += 1;
  batch.emit(row.member_id, { type, plan: toSavingsPlan(row), ...(message ? { message } : {}) });
  const values = [row.plan_no, row.status, row.amount_cents, row.day, row.next_at, row.next_month, row.last_month];
  const counts = [row.ordered_runs, row.skipped_runs, row.ended_at, row.version];
  batch.deferWrite(async (tx) => {
    await query(tx, UPDATE, [...values, ...counts]);
  });
}

/** @throws Refusal TRD_STOCK_PRICE_UNAVAILABLE, TRD_PRODUCT_MIN: it must buy one share now, and be the rule's least */
function checkAmount(batch: Batch, memberId: number, instrument: Instrument, amountCents: number): void {
  const { minimumCents, limitPerMillion } = batch.rules.of(memberId).savings;
  const limit = limitPriceOf(batch.venue, instrument, limitPerMillion, batch.at);
  if (limit === null) throw new Refusal("TRD_STOCK_PRICE_UNAVAILABLE", {}, "code");
  const one = costOf(batch.rules.for(memberId, instrument, batch.at), instrument, limit, { lots: 0, odd: 1 });
  const least = Math.max(minimumCents, one);
  if (amountCents < least) throw new Refusal("TRD_PRODUCT_MIN", { n: grouped(String(Math.ceil(least / CENTS))) }, "amount");
}

/** @throws Refusal one of `startSavingsPlan`'s */
export function startPlan(batch: Batch, memberId: number, body: Body<"startSavingsPlan">, { plans, nextId }: PlanReads): SavingsPlanRecord {
  checkEligible("trade", { ...batch.member(memberId), debtCents: batch.ledger.debt(memberId).owed });
  const instrument = checkSavable(batch, body.code);
  checkAmount(batch, memberId, instrument, body.amount * CENTS);
  const { plans: most } = batch.rules.of(memberId).savings;
  if (plans.filter(({ status }) => status !== "ended").length >= most) throw new Refusal("GEN_LIST_FULL", { n: most });
  const due = firstDue(batch, body.day, null);
  const row: SavingsPlanRecord = {
    plan_no: `V${nextId}`,
    id: nextId,
    member_id: memberId,
    code: body.code,
    status: "active",
    amount_cents: body.amount * CENTS,
    day: body.day,
    next_at: due.at,
    next_month: due.month,
    last_month: null,
    ordered_runs: 0,
    skipped_runs: 0,
    started_at: batch.at,
    ended_at: null,
    version: 1,
  };
  plans.push(row);
  batch.emit(memberId, { type: "savingsPlan.started", plan: toSavingsPlan(row) });
  const written = JSON.stringify(row);
  batch.deferWrite(async (tx) => {
    await query(tx, INSERT, [written]);
  });
  return row;
}

/** The member's plan. @throws Refusal GEN_NOT_FOUND, TRD_SAVINGS_ENDED */
function openPlan({ plans }: Pick<PlanReads, "plans">, planNo: string, hasEnded: boolean): SavingsPlanRecord {
  const row = plans.find((one) => one.plan_no === planNo);
  if (row && row.status !== "ended") return row;
  if (row || hasEnded) throw new Refusal("TRD_SAVINGS_ENDED", {}, "planNo");
  throw new Refusal("GEN_NOT_FOUND", {}, "planNo");
}

interface Asked {
  planNo: string;
  /** Whether a plan of that number had ended before the batch. */
  hasEnded: boolean;
}

/** @throws Refusal one of `changeSavingsPlan`'s */
export function changePlan(
  batch: Batch,
  memberId: number,
  { amount, day, planNo, hasEnded }: Asked & Pick<Body<"changeSavingsPlan">, "amount" | "day">,
  reads: Pick<PlanReads, "plans">,
): SavingsPlanRecord {
  const row = openPlan(reads, planNo, hasEnded);
  const instrument = batch.venue.instrument(row.code);
  if (instrument) checkAmount(batch, memberId, instrument, amount * CENTS);
  row.amount_cents = amount * CENTS;
  // The day alone moves what is due: a purchase that waits for the market is not lost by another amount.
  if (row.day !== day && row.status === "active") plan(row, firstDue(batch, day, row.last_month));
  row.day = day;
  stepPlan(batch, row, "savingsPlan.changed");
  return row;
}

/** @throws Refusal GEN_NOT_FOUND, TRD_SAVINGS_ENDED, TRD_SAVINGS_NOT_ACTIVE */
export function pausePlan(batch: Batch, { planNo, hasEnded }: Asked, reads: Pick<PlanReads, "plans">): SavingsPlanRecord {
  const row = openPlan(reads, planNo, hasEnded);
  if (row.status !== "active") throw new Refusal("TRD_SAVINGS_NOT_ACTIVE", {}, "planNo");
  stepPlan(batch, row, "savingsPlan.paused");
  return row;
}

/** @throws Refusal one of `resumeSavingsPlan`'s */
export function resumePlan(
  batch: Batch,
  memberId: number,
  { planNo, hasEnded }: Asked,
  reads: Pick<PlanReads, "plans">,
): SavingsPlanRecord {
  checkEligible("trade", { ...batch.member(memberId), debtCents: batch.ledger.debt(memberId).owed });
  const row = openPlan(reads, planNo, hasEnded);
  if (row.status !== "paused") throw new Refusal("TRD_SAVINGS_NOT_PAUSED", {}, "planNo");
  plan(row, firstDue(batch, row.day, row.last_month));
  stepPlan(batch, row, "savingsPlan.resumed");
  return row;
}

/** @throws Refusal GEN_NOT_FOUND, TRD_SAVINGS_ENDED */
export function endPlan(batch: Batch, { planNo, hasEnded }: Asked, reads: Pick<PlanReads, "plans">): SavingsPlanRecord {
  const row = openPlan(reads, planNo, hasEnded);
  stepPlan(batch, row, "savingsPlan.ended");
  return row;
}
