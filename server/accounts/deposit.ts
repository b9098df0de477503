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
import { openDeposits } from "./open-deposit.ts";
import { readVerdict } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";
import { isWorkingDay } from "./working-day.ts";
import { virtualAccount } from "./virtual-account.ts";
import type { Venue } from "#server/venue/venue.ts";

/** What a decision on deposits reads under the member's lock. */
export interface DepositsInBatch {
  /** The deposit on its way, shared by the batch. */
  shared: { open: DepositRecord | null };
  channel: DepositChannel | null;
  /** Paid in today, in TWD. */
  todayCents: number;
  nextId: number;
}

const CHANNELS = "SELECT * FROM deposit_channel WHERE enabled ORDER BY place";
const TODAY = `SELECT coalesce(sum(home_cents), 0)::bigint AS cents FROM deposit
  WHERE member_id = $1 AND submitted_at >= $2 AND status NOT IN ('rejected', 'expired')`;
/** A row that is no longer in the status it was decided on changes nothing, and the batch fails. */
const UPDATE =
  "UPDATE deposit SET status = $2, received_at = $3, ended_at = $4, reason = $5 WHERE deposit_no = $1 AND status = $6 RETURNING id";
/** A proof belongs to the deposit that was credited for it, and until then to the first that named it. */
const REUSED = `SELECT FROM deposit WHERE proof_hash = $1 AND id <> $2
  AND (status = 'credited' OR status IN ('pending', 'processing') AND id < $2) LIMIT 1`;

/** The open channels as a member sees them at a moment. */
export async function readChannels(on: Reader, venue: Pick<Venue, "state">, memberId: number, at: number): Promise<DepositChannel[]> {
  const rows = await query<ChannelRecord>(on, CHANNELS, []);
  const working = isWorkingDay(venue, at);
  return rows.map((row) => {
    const hours = hoursAt({ opensMinute: row.opens_minute, closesMinute: row.closes_minute }, at, working);
    return toChannel(row, hours, row.address ?? virtualAccount(memberId));
  });
}

/** What a member paid in on the Taipei day of a moment, in TWD cents. */
export async function readDepositedToday(on: Reader, memberId: number, at: number): Promise<number> {
  const [row] = await query<{ cents: number }>(on, TODAY, [memberId, taipeiMidnight(taipeiDay(at))]);
  return row?.cents ?? 0;
}

/** Reads what `submit` decides on; the member is locked. */
export async function prepareDeposit(tx: Tx, batch: Batch, memberId: number, channelId: string): Promise<DepositsInBatch> {
  const [number] = await query<{ id: number }>(tx, "SELECT nextval('deposit_no') AS id", []);
  if (!number) throw new Error("no number for a deposit");
  const channels = await readChannels(tx, batch.venue, memberId, batch.at);
  return {
    shared: await openDeposits.read(tx, batch, memberId),
    channel: channels.find(({ id }) => id === channelId) ?? null,
    todayCents: await readDepositedToday(tx, memberId, batch.at),
    nextId: number.id,
  };
}

/** A proof: the photo's id as the member named it, and the hash of the member's own photo that was found under it. */
export interface Proof {
  id: string | null;
  hash: string | null;
}

/** What the member pays, in whole units, and what is credited for it. */
export interface Paying {
  amount: number;
  creditCents: number;
  proof: Proof;
}

/** @throws Refusal what keeps the member from depositing, and `FUND_DEPOSIT_PENDING` */
export function checkMayDeposit(batch: Batch, memberId: number, { shared }: Pick<DepositsInBatch, "shared">): void {
  checkEligible("deposit", batch.member(memberId));
  if (shared.open) throw new Refusal("FUND_DEPOSIT_PENDING");
}

const homeValueOf = (batch: Batch, { currency }: Pick<DepositChannel, "currency">, creditCents: number): number =>
  currency === HOME_CURRENCY ? creditCents : valueInHome(batch.venue, currency, creditCents);

/** The channel that is paid on. @throws Refusal where there is none, or it does not take this payment */
export function checkPaying(batch: Batch, memberId: number, { amount, creditCents, proof }: Paying, read: DepositsInBatch): DepositChannel {
  const { channel, todayCents } = read;
  if (!channel) throw new Refusal("GEN_NOT_FOUND", {}, "channelId");
  const refusal = depositRefusal(channel, amount, {
    homeCents: homeValueOf(batch, channel, creditCents),
    leftTodayCents: Math.max(0, batch.rules.of(memberId).funding.dailyCents - todayCents),
    hasProof: proof.id !== null,
  });
  if (refusal) throw new Refusal(refusal.code, refusal.params, refusal.field);
  // Another member's photo is unknown, like one that never was.
  if (proof.id !== null && proof.hash === null) throw new Refusal("GEN_UPLOAD_RESELECT", {}, "proofId");
  return channel;
}

/** What a member pays in TWD. `provenPassword` is whether the typed channel password was right; false where none is set. */
export interface HomePaying {
  amount: number;
  proof: Proof;
  provenPassword: boolean;
}

/** @throws Refusal one of `submitDeposit`'s */
export function submit(batch: Batch, memberId: number, { provenPassword, ...typed }: HomePaying, read: DepositsInBatch): DepositRecord {
  checkMayDeposit(batch, memberId, read);
  const paying = { ...typed, creditCents: typed.amount * 100 };
  // USDT is credited at a quote only.
  const home = { ...read, channel: read.channel?.currency === HOME_CURRENCY ? read.channel : null };
  const channel = checkPaying(batch, memberId, paying, home);
  if (channel.needsPassword && !provenPassword) throw new Refusal("PWD_CHANNEL_NOT_SET", {}, "channelPassword");
  return record(batch, memberId, { ...paying, sender: null, txHash: null }, channel, read);
}

/** Writes a deposit that was checked; it is then the one on its way. */
export function record(
  batch: Batch,
  memberId: number,
  { amount, creditCents, proof, sender, txHash }: Paying & { sender: string | null; txHash: string | null },
  channel: DepositChannel,
  { nextId, shared }: Pick<DepositsInBatch, "nextId" | "shared">,
): DepositRecord {
  const row: DepositRecord = {
    deposit_no: `D${nextId}`,
    id: nextId,
    member_id: memberId,
    channel_id: channel.id,
    channel: channel.kind,
    status: "pending",
    paid: channel.paid,
    amount,
    currency: channel.currency,
    credit_cents: creditCents,
    home_cents: homeValueOf(batch, channel, creditCents),
    pay_to: channel.payTo,
    sender,
    tx_hash: txHash,
    proof_id: proof.id,
    proof_hash: proof.hash,
    reason: null,
    submitted_at: batch.at,
    received_at: null,
    ended_at: null,
    expires_at: batch.at + batch.rules.of(memberId).funding.expirySeconds * SECOND_MS,
  };
  batch.emit(memberId, { type: "deposit.submitted", deposit: toDeposit(row) });
  const written = JSON.stringify(row);
  batch.deferWrite(async (tx) => {
    await query(tx, "INSERT INTO deposit SELECT * FROM json_populate_record(NULL::deposit, $1::json)", [written]);
  });
  shared.open = row;
  return row;
}

/** What speaks for or against a deposit. */
interface DepositReview {
  /** Whether its proof belongs to an earlier deposit. */
  isReused: boolean;
  /** The operator's decision. */
  verdict: Verdict | null;
}

/** When the bank does something about a deposit next, at the latest. */
export function nextStepAt(row: Pick<DepositRecord, "status" | "submitted_at" | "received_at" | "expires_at">, rule: FundingRule): number {
  if (row.status === "processing") return (row.received_at ?? 0) + rule.bookSeconds * SECOND_MS;
  return Math.min(row.submitted_at + rule.reportSeconds * SECOND_MS, row.expires_at);
}

/**
 * What is done about a deposit now; null while it is too early. The operator's approval takes both steps at once, but counts no proof twice;
 * money that the bank has not reported is not there to be rejected.
 */
function factDue(row: DepositRecord, rule: FundingRule, at: number, { isReused, verdict }: DepositReview): DepositFactType | null {
  const ending = isReused || verdict === "rejected" ? "deposit.rejected" : "deposit.credited";
  if (row.status === "processing" && verdict !== null) return ending;
  if (row.status === "pending" && verdict === "approved") return "deposit.received";
  if (at < nextStepAt(row, rule)) return null;
  if (row.status === "processing") return ending;
  return row.submitted_at + rule.reportSeconds * SECOND_MS <= row.expires_at ? "deposit.received" : "deposit.expired";
}

/** Applies a fact to a deposit. @throws Error when its machine forbids it, which is a fault */
function step(batch: Batch, row: DepositRecord, type: DepositFactType, messageNo: number, reason: DepositReason | null): void {
  const before = row.status;
  const status = advance(depositMachine, before, type);
  if (!status) throw new Error(`${type} cannot happen to deposit ${row.deposit_no}, which is ${row.status}`);
  row.status = status;
  if (status === "processing") row.received_at = batch.at;
  else row.ended_at = batch.at;
  if (status === "rejected") row.reason = reason;
  if (status === "credited") credit(batch, row);
  const deposit = toDeposit(row);
  const message = status === "processing" ? null : { id: messageNo, at: batch.at, kind: "deposit" as const, read: false, deposit };
  batch.emit(row.member_id, { type, deposit, ...(message ? { message: toMessage(message, null) } : {}) });
  const { deposit_no, member_id, received_at, ended_at } = row;
  const values = [deposit_no, status, received_at, ended_at, row.reason, before];
  const shared = openDeposits.of(batch, member_id);
  if (shared && ended_at !== null) shared.open = null;
  batch.deferWrite(async (tx) => {
    const changed = await query(tx, UPDATE, values);
    if (changed.length !== 1) throw new Error(`deposit ${deposit_no} is no longer ${before}`);
    if (!message) return;
    const stored = { ...message, deposit: JSON.stringify(deposit), member_id, alert_id: null };
    await tx.insertInto("message").values(stored).execute();
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
  let shared: DepositsInBatch["shared"] | null = null;
  const review: DepositReview = { isReused: false, verdict: null };
  let messageNo = 0;
  return {
    memberIds: [memberId],
    prepare: async (tx: Tx, batch: Batch): Promise<void> => {
      shared = await openDeposits.read(tx, batch, memberId);
      row = shared.open;
      if (!row) return;
      const [numbers] = await query<{ id: number }>(tx, "SELECT nextval('message_no') AS id", []);
      messageNo = numbers?.id ?? 0;
      review.verdict = await readVerdict(tx, "deposit", row.deposit_no);
      review.isReused = row.proof_hash !== null && (await query(tx, REUSED, [row.proof_hash, row.id])).length > 0;
      if (row.currency !== HOME_CURRENCY) await batch.ledger.openWallets(tx, [memberId], [row.currency]);
    },
    decide: (batch: Batch): void => {
      // Not one that ended in this batch.
      if (row !== shared?.open) return;
      const type = row && factDue(row, batch.rules.of(memberId).funding, batch.at, review);
      if (row && type) step(batch, row, type, messageNo, review.isReused ? "proofReused" : "operator");
    },
  };
}
