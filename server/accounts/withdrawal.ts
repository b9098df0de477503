/** Withdrawals in a batch: held when requested, paid out at the end, or returned. */
import { cents } from "#contract/kernel/money.ts";
import { latestPayout } from "#contract/funding.ts";
import type { FundingRule } from "#contract/funding.ts";
import { MINUTE_MS, SECOND_MS, taipeiMidnight } from "#contract/kernel/time.ts";
import { amountRefusal, withdrawalBlocks } from "#contract/withdrawal.ts";
import type { WithdrawalFacts, WithdrawalFactType, WithdrawalReason } from "#contract/withdrawal.ts";
import { advance } from "#machines/advance.ts";
import { withdrawalMachine } from "#machines/withdrawal.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { toMessage } from "#server/records/message.ts";
import { toWithdrawal } from "#server/records/withdrawal.ts";
import type { WithdrawalRecord } from "#server/records/withdrawal.ts";
import { holdingsIn } from "#server/trading/clearing/holdings-in-batch.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import { ownCard, prepareCards } from "./bank-card.ts";
import type { CardsInBatch } from "./bank-card.ts";
import { openWithdrawals } from "./open-withdrawal.ts";
import { readVerdict } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";
import { readStanding, withPositions } from "./withdrawal-facts.ts";
import type { StandingFacts } from "./withdrawal-facts.ts";
import { isWorkingDay } from "./working-day.ts";

/** What a decision reads under the member's lock. */
export interface WithdrawingInBatch {
  standing: StandingFacts;
  cards: CardsInBatch;
  /** The withdrawal on its way, shared by the batch. */
  shared: { open: WithdrawalRecord | null };
  nextId: number;
}

const HELD = `SELECT order_no FROM "order" WHERE member_id = $1 AND status IN ('pending', 'holding', 'readyToClose') AND filled_lots > closed_lots`;
/** A row that is no longer in the status it was decided on changes nothing, and the batch fails. */
const UPDATE = `UPDATE withdrawal SET status = $2, reason = $3, reviewed_at = $4, approved_at = $5, ended_at = $6
WHERE withdrawal_no = $1 AND status = $7 RETURNING id`;

/** Reads what `request` decides on, and the member's positions into the batch. */
export async function prepareWithdrawal(tx: Tx, batch: Batch, memberId: number, cardId: string): Promise<WithdrawingInBatch> {
  const held = await query<{ order_no: string }>(tx, HELD, [memberId]);
  const unread = held.filter((row) => !batch.hasOrder(row.order_no)).map((row) => ({ memberId, orderNo: row.order_no }));
  if (unread.length > 0) await batch.joinOrders(tx, unread);
  const [number] = await query<{ id: number }>(tx, "SELECT nextval('withdrawal_no') AS id", []);
  if (!number) throw new Error("no number for a withdrawal");
  const sources = { rules: batch.rules, now: () => batch.at };
  return {
    standing: await readStanding(tx, memberId, batch.venue, sources),
    cards: await prepareCards(tx, batch, memberId, { cardId }),
    shared: await openWithdrawals.read(tx, batch, memberId),
    nextId: number.id,
  };
}

/** What was read, with what earlier commands of the batch changed. */
function factsIn(batch: Batch, memberId: number, { standing, shared }: WithdrawingInBatch): WithdrawalFacts {
  const loanCents = cents(batch.member(memberId).credit_cents);
  return withPositions(
    { ...standing, loanCents, pendingNo: shared.open && toWithdrawal(shared.open).withdrawalNo },
    {
      orders: holdingsIn(batch, memberId),
      availableCents: batch.ledger.balance(memberId, "available"),
      venue: batch.venue,
      at: batch.at,
      blocks: batch.rules.of(memberId).funding.holdingsBlock.includes("orders"),
    },
  );
}

/** @throws Refusal one of `requestWithdrawal`'s */
export function request(
  batch: Batch,
  memberId: number,
  { amountCents, cardId, proven }: { amountCents: number; cardId: string; proven: boolean },
  read: WithdrawingInBatch,
): WithdrawalRecord {
  const { cards, nextId } = read;
  const facts = factsIn(batch, memberId, read);
  const [block] = withdrawalBlocks(facts);
  if (block) throw new Refusal(block.code, block.params);
  // It was set between the check and now.
  if (!proven) throw new Refusal("PWD_FUND_NOT_SET", {}, "fundPassword");
  const card = ownCard(cards, cardId);
  const wrong = amountRefusal(amountCents, facts);
  if (wrong) throw new Refusal(wrong.code, wrong.params, "amount");
  const row: WithdrawalRecord = {
    withdrawal_no: `W${nextId}`,
    id: nextId,
    member_id: memberId,
    card_id: card.id,
    status: "requested",
    amount_cents: amountCents,
    bank_code: card.bank_code,
    number: card.number,
    reason: null,
    requested_at: batch.at,
    reviewed_at: null,
    approved_at: null,
    ended_at: null,
    usual_at: batch.at + batch.rules.of(memberId).funding.usualMinutes * MINUTE_MS,
    latest_at: latestPayout(batch.at, (day) => isWorkingDay(batch.venue, taipeiMidnight(day))),
  };
  batch.ledger.post({ memberId, kind: "payoutHold", orderNo: null, moves: [{ from: "available", to: "payout", amount: amountCents }] });
  batch.emit(memberId, { type: "withdrawal.requested", withdrawal: toWithdrawal(row) });
  const written = JSON.stringify(row);
  batch.deferWrite(async (tx) => {
    await query(tx, "INSERT INTO withdrawal SELECT * FROM json_populate_record(NULL::withdrawal, $1::json)", [written]);
  });
  read.shared.open = row;
  return row;
}

const MOVES: Partial<Record<WithdrawalFactType, { kind: "withdrawal" | "payoutRelease"; to: "external" | "available" }>> = {
  "withdrawal.paid": { kind: "withdrawal", to: "external" },
  "withdrawal.failed": { kind: "payoutRelease", to: "available" },
  "withdrawal.cancelled": { kind: "payoutRelease", to: "available" },
};

/** Applies a fact to a withdrawal. @throws Error when its machine forbids it, which is a fault */
function step(batch: Batch, row: WithdrawalRecord, type: WithdrawalFactType, reason: WithdrawalReason | null, messageNo: number): void {
  const before = row.status;
  const status = advance(withdrawalMachine, before, type);
  if (!status) throw new Error(`${type} cannot happen to withdrawal ${row.withdrawal_no}, which is ${row.status}`);
  const { member_id: memberId, amount_cents: amount } = row;
  const move = MOVES[type];
  if (move) batch.ledger.post({ memberId, kind: move.kind, orderNo: null, moves: [{ from: "payout", to: move.to, amount }] });
  row.status = status;
  if (status === "underReview") row.reviewed_at = batch.at;
  else if (status === "processing") row.approved_at = batch.at;
  else row.ended_at = batch.at;
  if (status === "failed") row.reason = reason;
  const withdrawal = toWithdrawal(row);
  const told = status === "paid" || status === "failed";
  const message = told ? { id: messageNo, at: batch.at, kind: "withdrawal" as const, read: false, withdrawal } : null;
  batch.emit(memberId, { type, withdrawal, ...(message ? { message: toMessage(message, null) } : {}) });
  const { withdrawal_no, reviewed_at, approved_at, ended_at } = row;
  const values = [withdrawal_no, status, row.reason, reviewed_at, approved_at, ended_at, before];
  const shared = openWithdrawals.of(batch, memberId);
  if (shared && ended_at !== null) shared.open = null;
  batch.deferWrite(async (tx) => {
    const changed = await query(tx, UPDATE, values);
    if (changed.length !== 1) throw new Error(`withdrawal ${withdrawal_no} is no longer ${before}`);
    if (!message) return;
    const stored = { ...message, withdrawal: JSON.stringify(withdrawal), member_id: memberId, alert_id: null };
    await tx.insertInto("message").values(stored).execute();
  });
}

/** @throws Refusal GEN_NOT_FOUND for another member's or none, TRD_ORDER_NOT_REVIEW once its review has begun */
export function cancel(batch: Batch, { open }: WithdrawingInBatch["shared"], withdrawalNo: string, isKnown: boolean): WithdrawalRecord {
  if (!isKnown) throw new Refusal("GEN_NOT_FOUND", {}, "withdrawalNo");
  if (open?.withdrawal_no !== withdrawalNo || open.status !== "requested") throw new Refusal("TRD_ORDER_NOT_REVIEW", {}, "withdrawalNo");
  step(batch, open, "withdrawal.cancelled", null, 0);
  return open;
}

/** When the next step of a withdrawal is due. */
function nextStepAt(row: WithdrawalRecord, rule: FundingRule): number {
  if (row.status === "requested") return row.requested_at + rule.reviewAfterSeconds * SECOND_MS;
  if (row.status === "underReview") return (row.reviewed_at ?? 0) + rule.reviewSeconds * SECOND_MS;
  return (row.approved_at ?? 0) + rule.payoutSeconds * SECOND_MS;
}

/** Why money must not leave now; null for no reason. */
function obstacle(batch: Batch, memberId: number): WithdrawalReason | null {
  const { restrictions } = batch.member(memberId);
  if (restrictions.some((one) => one !== "tradeBarred")) return "restricted";
  return batch.ledger.debt(memberId).owed > 0 ? "debt" : null;
}

/** The next step, if it is due. The operator's decision needs no waiting until the money is under way; nor does it override an obstacle. */
function factDue(
  batch: Batch,
  row: WithdrawalRecord,
  verdict: Verdict | null,
): { type: WithdrawalFactType; reason: WithdrawalReason | null } | null {
  const isDecided = verdict === "rejected" || (verdict === "approved" && row.status !== "processing");
  if (!isDecided && batch.at < nextStepAt(row, batch.rules.of(row.member_id).funding)) return null;
  if (row.status === "requested") return { type: "withdrawal.reviewed", reason: null };
  if (verdict === "rejected") return { type: "withdrawal.failed", reason: "operator" };
  const reason = obstacle(batch, row.member_id);
  if (reason) return { type: "withdrawal.failed", reason };
  return { type: row.status === "underReview" ? "withdrawal.approved" : "withdrawal.paid", reason: null };
}

/** One step of a member's withdrawal, if it is due. */
export function withdrawalStep(memberId: number): QueuedCommand<void> {
  let row: WithdrawalRecord | null = null;
  let shared: WithdrawingInBatch["shared"] | null = null;
  let messageNo = 0;
  let verdict: Verdict | null = null;
  return {
    memberIds: [memberId],
    prepare: async (tx, batch) => {
      shared = await openWithdrawals.read(tx, batch, memberId);
      row = shared.open;
      if (row) verdict = await readVerdict(tx, "withdrawal", row.withdrawal_no);
      const [number] = row ? await query<{ id: number }>(tx, "SELECT nextval('message_no') AS id", []) : [];
      messageNo = number?.id ?? 0;
    },
    decide: (batch) => {
      // Not one that was cancelled in this batch.
      if (row !== shared?.open) return;
      const due = row && factDue(batch, row, verdict);
      if (row && due) step(batch, row, due.type, due.reason, messageNo);
    },
  };
}
