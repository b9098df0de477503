/** Applications for offerings in a batch: the rows that several commands decide on, their steps, and their one write at the end. */
import type { Notice } from "#contract/notice.ts";
import type { SubscriptionFactType } from "#contract/subscription.ts";
import { advance } from "#machines/advance.ts";
import { subscriptionMachine } from "#machines/subscription.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { giveBack } from "#server/ledger/reserve.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import { toMessage } from "#server/records/message.ts";
import type { OfferingRecord } from "#server/records/offering.ts";
import { toSubscription } from "#server/records/subscription.ts";
import type { SubscriptionRecord } from "#server/records/subscription.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";

/** Of a row that was read: the member, its number and what identify it never change. A number that another row has is a fault. */
const WRITE = `INSERT INTO subscription SELECT * FROM json_populate_recordset(NULL::subscription, $1::json)
ON CONFLICT (id) DO UPDATE SET status = excluded.status, won_lots = excluded.won_lots, reserved_cents = excluded.reserved_cents,
  due_cents = excluded.due_cents, paid_cents = excluded.paid_cents, result_at = excluded.result_at, paid_at = excluded.paid_at,
  ended_at = excluded.ended_at, order_no = excluded.order_no, reminded_at = excluded.reminded_at`;
const WRITE_MESSAGES = `INSERT INTO message (id, member_id, at, kind, read, notice)
SELECT id, member_id, at, 'notice', false, notice FROM json_to_recordset($1::json) AS told (id bigint, member_id bigint, at bigint, notice jsonb)`;
const OPEN_OF_MEMBER = `SELECT s.* FROM subscription AS s JOIN offering AS o USING (offering_no)
WHERE s.member_id = $1 AND s.status = 'subscribing' AND o.phase = 'open' AND o.closes_at > $2 ORDER BY s.id DESC`;

/** A message of a step: its number, and what it says. */
export interface Told {
  messageNo: number;
  notice: Notice;
}

/** The state that the commands of one batch share, so that each sees what the earlier ones decided. */
export class SubscriptionsInBatch {
  readonly offerings = new Map<string, OfferingRecord>();
  readonly #rows = new Map<string, SubscriptionRecord>();
  readonly #booked = new Map<string, boolean>();
  readonly #changed = new Set<SubscriptionRecord>();
  readonly #messages: { id: number; member_id: number; at: number; notice: Notice }[] = [];

  /** Reads an offering, unless the batch has it. */
  async readOffering(tx: Tx, offeringNo: string): Promise<void> {
    if (this.offerings.has(offeringNo)) return;
    const [row] = await query<OfferingRecord>(tx, "SELECT * FROM offering WHERE offering_no = $1", [offeringNo]);
    if (row) this.offerings.set(offeringNo, row);
  }

  #take(rows: readonly SubscriptionRecord[]): void {
    for (const row of rows) if (!this.#rows.has(row.subscription_no)) this.#rows.set(row.subscription_no, row);
  }

  /** Reads what members have to do with an offering. The members are locked. */
  async readOf(tx: Tx, memberIds: readonly number[], offeringNo: string): Promise<void> {
    await this.readOffering(tx, offeringNo);
    const rows = "SELECT * FROM subscription WHERE member_id = ANY ($1::bigint[]) AND offering_no = $2 ORDER BY id";
    this.#take(await query<SubscriptionRecord>(tx, rows, [memberIds, offeringNo]));
  }

  /** Reads one application with its offering; another member's is not found by `row`. */
  async readOne(tx: Tx, memberId: number, subscriptionNo: string): Promise<void> {
    const one = "SELECT * FROM subscription WHERE member_id = $1 AND subscription_no = $2";
    const rows = await query<SubscriptionRecord>(tx, one, [memberId, subscriptionNo]);
    this.#take(rows);
    for (const { offering_no } of rows) await this.readOffering(tx, offering_no);
  }

  /** Reads whether a member has booked an offering. */
  async readBooking(tx: Tx, memberId: number, offeringNo: string): Promise<void> {
    await this.readOffering(tx, offeringNo);
    const key = `${memberId} ${offeringNo}`;
    if (this.#booked.has(key)) return;
    const found = await query(tx, "SELECT FROM offering_booking WHERE member_id = $1 AND offering_no = $2", [memberId, offeringNo]);
    this.#booked.set(key, found.length > 0);
  }

  isBooked(memberId: number, offeringNo: string): boolean {
    return this.#booked.get(`${memberId} ${offeringNo}`) ?? false;
  }

  book(memberId: number, offeringNo: string): void {
    this.#booked.set(`${memberId} ${offeringNo}`, true);
  }

  /** A member's own application. */
  row(memberId: number, subscriptionNo: string): SubscriptionRecord | null {
    const row = this.#rows.get(subscriptionNo);
    return row?.member_id === memberId ? row : null;
  }

  /** A member's applications for an offering, the oldest first. */
  rowsOf(memberId: number, offeringNo: string): SubscriptionRecord[] {
    return [...this.#rows.values()].filter((row) => row.member_id === memberId && row.offering_no === offeringNo);
  }

  offeringOf(row: SubscriptionRecord): OfferingRecord {
    const offering = this.offerings.get(row.offering_no);
    if (!offering) throw new Error(`offering ${row.offering_no} was not read`);
    return offering;
  }

  /** The member's applications that can still be withdrawn, the newest first. */
  async readOpen(tx: Tx, batch: Batch, memberId: number): Promise<SubscriptionRecord[]> {
    const rows = await query<SubscriptionRecord>(tx, OPEN_OF_MEMBER, [memberId, batch.at]);
    this.#take(rows);
    for (const { offering_no } of rows) await this.readOffering(tx, offering_no);
    return [...this.#rows.values()]
      .filter((row) => row.member_id === memberId && row.status === "subscribing")
      .filter((row) => isOpen(this.offeringOf(row), batch.at))
      .toSorted((a, b) => b.id - a.id);
  }

  /** Writes a row with the batch, and emits its fact. */
  changed(batch: Batch, row: SubscriptionRecord, type: SubscriptionFactType, told: Told | null): void {
    this.#rows.set(row.subscription_no, row);
    if (this.#changed.size === 0) batch.deferWrite((tx) => this.#write(tx));
    this.#changed.add(row);
    const subscription = toSubscription(row, this.offeringOf(row));
    const message = told && { id: told.messageNo, at: batch.at, kind: "notice" as const, read: false, notice: told.notice };
    if (told) this.#messages.push({ id: told.messageNo, member_id: row.member_id, at: batch.at, notice: told.notice });
    batch.emit(row.member_id, { type, subscription, ...(message ? { message: toMessage(message, null) } : {}) });
  }

  async #write(tx: Tx): Promise<void> {
    await query(tx, WRITE, [JSON.stringify([...this.#changed])]);
    if (this.#messages.length > 0) await query(tx, WRITE_MESSAGES, [JSON.stringify(this.#messages)]);
  }
}

const inBatch = new WeakMap<Batch, SubscriptionsInBatch>();

/** The applications of a batch. */
export function subscriptionsIn(batch: Batch): SubscriptionsInBatch {
  let found = inBatch.get(batch);
  if (!found) inBatch.set(batch, (found = new SubscriptionsInBatch()));
  return found;
}

/** Whether an offering takes applications and withdrawals at a moment. */
export const isOpen = ({ phase, closes_at }: Pick<OfferingRecord, "phase" | "closes_at">, at: number): boolean =>
  phase === "open" && at < closes_at;

/** Applies a fact to an application. @throws Error when its machine forbids it, which is a fault */
export function stepSubscription(batch: Batch, row: SubscriptionRecord, type: SubscriptionFactType, told: Told | null = null): void {
  const status = advance(subscriptionMachine, row.status, type);
  if (!status) throw new Error(`${type} cannot happen to application ${row.subscription_no}, which is ${row.status}`);
  row.status = status;
  if (status !== "won" && status !== "paid" && status !== "subscribing") row.ended_at = batch.at;
  subscriptionsIn(batch).changed(batch, row, type, told);
}

/** Gives back everything that is reserved for an application. @returns the amount in cents */
export function releaseAll(batch: Batch, row: SubscriptionRecord): number {
  const amount = row.reserved_cents;
  giveBack(batch.ledger, row.member_id, amount);
  row.reserved_cents = 0;
  return amount;
}

/** Takes back one application for a debt, which its money can then pay. */
export function recallSubscription(batch: Batch, row: SubscriptionRecord, messageNo: number): void {
  const { code } = subscriptionsIn(batch).offeringOf(row);
  const amount = releaseAll(batch, row);
  const notice: Notice = { about: "subscriptionRecalled", values: { code, amount: formatMoney(amount) } };
  stepSubscription(batch, row, "subscription.withdrawn", { messageNo, notice });
}
