/** One month of a savings plan: bought with ordinary orders, or skipped with the reason, in the transaction that plans the next one. */
import { missingFor } from "#contract/eligibility.ts";
import type { Code } from "#contract/kernel/id.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import type { SavingsSkip } from "#contract/savings-plan.ts";
import { hasEnded, isListed } from "#contract/instrument.ts";
import { query } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { SavingsPlanRecord, SavingsRunRecord } from "#server/records/savings-plan.ts";
import { limitPriceOf } from "#server/trading/order-entry/limit-price.ts";
import { placeOrder } from "#server/trading/order-entry/place.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import type { Venue } from "#server/venue/venue.ts";
import { putNotice, takeMessageNo } from "./notice.ts";
import { affordable, savableOf, ticketsOf } from "./savings-purchase.ts";
import { openPlans, stepPlan } from "./savings-plan.ts";

/** A plan that was due when the clock looked. */
export type DuePlan = Pick<SavingsPlanRecord, "plan_no" | "member_id" | "code" | "version">;

/** What becomes of a due month: orders, a reason to skip it, or null to look again later. */
type Outcome = { orderNos: string[] } | { skipped: SavingsSkip } | null;

const INSERT = `INSERT INTO savings_run (plan_no, month, member_id, due_at, at, amount_cents, skipped, order_nos)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** What a refusal of an order means for the month: a reason to skip it; null where only the market is not ready. */
function skipOf(code: string): SavingsSkip | null {
  if (code.startsWith("FUND_")) return "money";
  if (code.startsWith("ACC_") || code.startsWith("RSK_")) return "restricted";
  if (code === "TRD_NOT_TRADABLE") return "untradable";
  return code === "TRD_CONTRACT_MIN" ? "tooSmall" : null;
}

/** Sends the orders of a purchase to the market: the first decides what becomes of the month, a later one that is refused is left out. */
function order(batch: Batch, row: SavingsPlanRecord, limit: number): Outcome {
  const { member_id: memberId } = row;
  const instrument = savableOf(batch.venue, row.code);
  if (!instrument) return { skipped: "untradable" };
  const sizes = affordable(batch.rules.for(memberId, instrument, batch.at), instrument, limit, row.amount_cents);
  const tickets = ticketsOf(row.code as Code, limit, sizes);
  if (tickets.length === 0) return { skipped: "tooSmall" };
  if (batch.ledger.balance(memberId, "available") < row.amount_cents) return { skipped: "money" };
  const orderNos: string[] = [];
  for (const ticket of tickets) {
    try {
      orderNos.push(placeOrder(batch, memberId, ticket, "savings").order_no);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (orderNos.length > 0) break;
      const skipped = skipOf(error.code);
      return skipped && { skipped };
    }
  }
  return { orderNos };
}

/** Decides a due month. `limit` is null where the market is not open, or has no price. */
function decide(batch: Batch, row: SavingsPlanRecord, limit: number | null): Outcome {
  const { venue, at } = batch;
  const instrument = savableOf(venue, row.code);
  if (!instrument || hasEnded(instrument, at)) return { skipped: "untradable" };
  if (limit === null || !isListed(instrument, at) || venue.phase(at) !== "open" || !venue.fresh(at, instrument.row)) return null;
  const debtCents = batch.ledger.debt(row.member_id).owed;
  if (debtCents > 0) return { skipped: "debt" };
  if (missingFor("trade", { ...batch.member(row.member_id), debtCents }).length > 0) return { skipped: "restricted" };
  return order(batch, row, limit);
}

/** The latest month that is due by now, the plan's own or a later one. */
function latestDue({ months }: Venue, row: SavingsPlanRecord, dueAt: number, at: number): { month: string; at: number } | null {
  let latest: { month: string; at: number } | null = null;
  for (let next = months.next(row.day, dueAt); next.at <= at; next = months.next(row.day, next.at)) latest = next;
  return latest;
}

/** Records the month and plans the next one. A month that a later one has overtaken is skipped, and the later one is due at once. */
function conclude(batch: Batch, row: SavingsPlanRecord, outcome: NonNullable<Outcome>, messageNo: number): void {
  const { next_at: dueAt, next_month: month } = row;
  if (dueAt === null || month === null) throw new Error(`savings plan ${row.plan_no} is not due`);
  const skipped = "skipped" in outcome ? outcome.skipped : null;
  const run: SavingsRunRecord = {
    plan_no: row.plan_no,
    month,
    member_id: row.member_id,
    due_at: dueAt,
    at: batch.at,
    amount_cents: row.amount_cents,
    skipped,
    order_nos: "orderNos" in outcome ? outcome.orderNos : [],
  };
  const next = latestDue(batch.venue, row, dueAt, batch.at) ?? batch.venue.months.next(row.day, dueAt);
  Object.assign(row, { last_month: month, next_at: next.at, next_month: next.month });
  if (skipped) row.skipped_runs += 1;
  else row.ordered_runs += 1;
  const values = { code: row.code, amount: formatMoney(row.amount_cents), month, reason: skipped ?? "" };
  const message = skipped ? putNotice(batch, row.member_id, messageNo, { about: "savingsSkipped", values }) : null;
  stepPlan(batch, row, skipped ? "savingsPlan.skipped" : "savingsPlan.ordered", message);
  batch.deferWrite(async (tx) => {
    const { plan_no, member_id, due_at, at, amount_cents, order_nos } = run;
    await query(tx, INSERT, [plan_no, month, member_id, due_at, at, amount_cents, skipped, order_nos]);
  });
}

/** The most orders of a month: whole lots, and the rest. */
const ORDERS = 2;

/** Decides what is due of a plan, unless it has changed since the clock looked. */
export function savingsRun({ plan_no: planNo, member_id: memberId, code, version }: DuePlan): QueuedCommand<void> {
  let row: SavingsPlanRecord | undefined;
  let messageNo = 0;
  let limit: number | null = null;
  return {
    memberIds: [memberId],
    placements: ORDERS,
    // The price is fixed before anything is read, so that its counterparties are among what is read.
    counterparties: (batch) => {
      if (!batch) return [];
      const instrument = savableOf(batch.venue, code);
      const rules = batch.rules.of(memberId);
      limit = instrument && limitPriceOf(batch.venue, instrument, rules.savings.limitPerMillion, batch.at);
      if (!instrument || limit === null) return [];
      return [{ row: instrument.row, side: "buy", limit, lots: rules.trade.maxLots, memberId }];
    },
    prepare: async (tx, batch) => {
      row = (await openPlans.read(tx, batch, memberId)).find((one) => one.plan_no === planNo);
      messageNo = await takeMessageNo(tx);
    },
    decide: (batch) => {
      if (!row || row.version !== version || row.status !== "active" || row.next_at === null || batch.at < row.next_at) return;
      const missed = latestDue(batch.venue, row, row.next_at, batch.at) !== null;
      const outcome = missed ? { skipped: "missed" as const } : decide(batch, row, limit);
      if (outcome) conclude(batch, row, outcome, messageNo);
    },
  };
}
