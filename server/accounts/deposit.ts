/** Deposits in a batch: what a member submits, and the steps that the bank's reports cause. The money is credited once, at the last one. */
import { depositRefusal } from "#contract/deposit.ts";
import type { DepositFactType, DepositReason } from "#contract/deposit.ts";
import type { FundingRule } from "#contract/funding.ts";
import { HOME_CURRENCY } from "#contract/kernel/currency.ts";
import { cents } from "#contract/kernel/money.ts";
import { SECOND_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { advance } from "#machines/advance.ts";
import { depositMachine } from "#machines/deposit.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { toChannel, toDeposit } from "#server/records/deposit.ts";
import type { ChannelRecord, DepositRecord } from "#server/records/deposit.ts";
import { toMessage } from "#server/records/message.ts";
import { valueInHome } from "#server/trading/clearing/mid-rates.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { hoursAt } from "#contract/funding.ts";
import type { DepositChannel } from "#contract/deposit.ts";
import { isWorkingDay } from "./working-day.ts";
import { virtualAccount } from "./virtual-account.ts";
import type { Venue } from "#server/venue/venue.ts";

/** What a decision on deposits reads under the member's lock. */
export interface DepositsInBatch {
  /** The deposit on its way. */
  open: DepositRecord | null;
  channel: DepositChannel | null;
  /** Paid in today, in TWD. */
  todayCents: number;
  nextId: number;
  messageNo: number;
}

const CHANNELS = "SELECT * FROM deposit_channel WHERE enabled ORDER BY place";
const OPEN = "SELECT * FROM deposit WHERE member_id = $1 AND status IN ('pending', 'processing')";
const TODAY = `SELECT coalesce(sum(home_cents), 0)::bigint AS cents FROM deposit
  WHERE member_id = $1 AND submitted_at >= $2 AND status NOT IN ('rejected', 'expired')`;
const NUMBERS = "SELECT nextval('deposit_no') AS next_id, nextval('message_no') AS message_no";
const REUSED = "SELECT FROM deposit WHERE proof_hash = $1 AND status = 'credited' AND deposit_no <> $2 LIMIT 1";

/** The open channels as a member sees them at a moment. */
export async function readChannels(on: Reader, venue: Pick<Venue, "state">, memberId: number, at: number): Promise<DepositChannel[]> {
  const rows = await query<ChannelRecord>(on, CHANNELS, []);
  const working = isWorkingDay(venue, at);
  return rows.map((row) => {
    const hours = hoursAt({ opensMinute: row.opens_minute, closesMinute: row.closes_minute }, at, working);
    return toChannel(row, hours, row.address ?? virtualAccount(memberId));
  });
}

/** The deposit on its way; null for none. */
export async function readOpenDeposit(on: Reader, memberId: number): Promise<DepositRecord | null> {
  const [row] = await query<DepositRecord>(on, OPEN, [memberId]);
  return row ?? null;
}

/** What a member paid in on the Taipei day of a moment, in TWD cents. */
export async function readDepositedToday(on: Reader, memberId: number, at: number): Promise<number> {
  const [row] = await query<{ cents: number }>(on, TODAY, [memberId, taipeiMidnight(taipeiDay(at))]);
  return row?.cents ?? 0;
}

/** Reads what `submit` decides on; the member is locked. */
export async function prepareDeposit(tx: Tx, batch: Batch, memberId: number, channelId: string): Promise<DepositsInBatch> {
  const [numbers] = await query<{ next_id: number; message_no: number }>(tx, NUMBERS, []);
  if (!numbers) throw new Error("no number for a deposit");
  const channels = await readChannels(tx, batch.venue, memberId, batch.at);
  return {
    open: await readOpenDeposit(tx, memberId),
    channel: channels.find(({ id }) => id === channelId) ?? null,
    todayCents: await readDepositedToday(tx, memberId, batch.at),
    nextId: numbers.next_id,
    messageNo: numbers.message_no,
  };
}

/** What the member pays, with the proof that was found under its id. */
export interface Paying {
  amount: number;
  proofId: string | null;
  proofHash: string | null;
}

/** @throws Refusal one of `submitDeposit`'s */
export function submit(batch: Batch, memberId: number, paying: Paying, read: DepositsInBatch): DepositRecord {
  const rule = batch.rules.of(memberId).funding;
  checkEligible("deposit", batch.member(memberId));
  if (read.open) throw new Refusal("FUND_DEPOSIT_PENDING");
  const { channel } = read;
  if (!channel) throw new Refusal("GEN_NOT_FOUND", {}, "channelId");
  const creditCents = paying.amount * 100;
  const homeCents = channel.currency === HOME_CURRENCY ? creditCents : valueInHome(batch.venue, channel.currency, creditCents);
  const refusal = depositRefusal(channel, paying.amount, {
    homeCents,
    leftTodayCents: Math.max(0, rule.dailyCents - read.todayCents),
    hasProof: paying.proofId !== null,
  });
  if (refusal) throw new Refusal(refusal.code, refusal.params, refusal.field);
  if (paying.proofId !== null && paying.proofHash === null) throw new Refusal("GEN_UPLOAD_RESELECT", {}, "proofId");
  const row: DepositRecord = {
    deposit_no: `D${read.nextId}`,
    id: read.nextId,
    member_id: memberId,
    channel_id: channel.id,
    channel: channel.kind,
    status: "pending",
    paid: channel.paid,
    amount: paying.amount,
    currency: channel.currency,
    credit_cents: creditCents,
    home_cents: homeCents,
    pay_to: channel.payTo,
    tx_hash: null,
    proof_id: paying.proofId,
    proof_hash: paying.proofHash,
    reason: null,
    submitted_at: batch.at,
    received_at: null,
    ended_at: null,
    expires_at: batch.at + rule.expirySeconds * SECOND_MS,
  };
  batch.emit(memberId, { type: "deposit.submitted", deposit: toDeposit(row) });
  const written = { ...row };
  batch.deferWrite(async (tx) => {
    await query(tx, "INSERT INTO deposit SELECT * FROM json_populate_record(NULL::deposit, $1::json)", [JSON.stringify(written)]);
  });
  return row;
}

/** When the bank does something about a deposit next, at the latest. */
export function nextStepAt(row: Pick<DepositRecord, "status" | "submitted_at" | "received_at" | "expires_at">, rule: FundingRule): number {
  if (row.status === "processing") return (row.received_at ?? 0) + rule.bookSeconds * SECOND_MS;
  return Math.min(row.submitted_at + rule.reportSeconds * SECOND_MS, row.expires_at);
}

/** What the sandbox bank does about a deposit now; null while it is too early. */
function factDue(row: DepositRecord, rule: FundingRule, at: number, isReused: boolean): DepositFactType | null {
  if (at < nextStepAt(row, rule)) return null;
  if (row.status === "processing") return isReused ? "deposit.rejected" : "deposit.credited";
  return row.submitted_at + rule.reportSeconds * SECOND_MS <= row.expires_at ? "deposit.received" : "deposit.expired";
}

/** Applies a fact to a deposit. @throws Error when its machine forbids it, which is a fault */
function step(batch: Batch, row: DepositRecord, type: DepositFactType, messageNo: number, reason: DepositReason | null): void {
  const status = advance(depositMachine, row.status, type);
  if (!status) throw new Error(`${type} cannot happen to deposit ${row.deposit_no}, which is ${row.status}`);
  row.status = status;
  if (status === "processing") row.received_at = batch.at;
  else row.ended_at = batch.at;
  if (status === "rejected") row.reason = reason;
  if (status === "credited") credit(batch, row);
  const deposit = toDeposit(row);
  const message = status === "processing" ? null : { id: messageNo, at: batch.at, kind: "deposit" as const, read: false, deposit };
  batch.emit(row.member_id, { type, deposit, ...(message ? { message: toMessage(message, null) } : {}) });
  const written = { ...row };
  batch.deferWrite(async (tx) => {
    await query(tx, "UPDATE deposit SET status = $2, received_at = $3, ended_at = $4, reason = $5 WHERE deposit_no = $1", [
      written.deposit_no,
      written.status,
      written.received_at,
      written.ended_at,
      written.reason,
    ]);
    if (!message) return;
    const values = { ...message, deposit: JSON.stringify(deposit), member_id: written.member_id, alert_id: null };
    await tx.insertInto("message").values(values).execute();
  });
}

function credit(batch: Batch, { member_id: memberId, currency, credit_cents: amount }: DepositRecord): void {
  if (currency === HOME_CURRENCY) return batch.ledger.deposit(memberId, cents(amount));
  const paidInCents = valueInHome(batch.venue, currency, amount);
  const moves = [{ from: "external", to: "available", amount, currency }] as const;
  batch.ledger.post({ memberId, kind: "deposit", orderNo: null, moves, paidInCents });
}

/** One step of a member's open deposit, if it is due. */
export function depositStep(memberId: number) {
  let row: DepositRecord | null = null;
  let isReused = false;
  let messageNo = 0;
  return {
    memberIds: [memberId],
    prepare: async (tx: Tx, batch: Batch): Promise<void> => {
      row = await readOpenDeposit(tx, memberId);
      if (!row) return;
      const [numbers] = await query<{ id: number }>(tx, "SELECT nextval('message_no') AS id", []);
      messageNo = numbers?.id ?? 0;
      isReused = row.proof_hash !== null && (await query(tx, REUSED, [row.proof_hash, row.deposit_no])).length > 0;
      if (row.currency !== HOME_CURRENCY) await batch.ledger.openWallets(tx, [memberId], [row.currency]);
    },
    decide: (batch: Batch): void => {
      const type = row && factDue(row, batch.rules.of(memberId).funding, batch.at, isReused);
      if (row && type) step(batch, row, type, messageNo, "proofReused");
    },
  };
}
