/** Stakes in fund raisings in a batch: the rows that several commands decide on, their steps, and their one write at the end. */
import { formatMoney } from "#contract/kernel/money.ts";
import type { Notice } from "#contract/notice.ts";
import { MOST_STAKES } from "#contract/raise.ts";
import type { StakeFactType, StakeReason } from "#contract/raise.ts";
import { advance } from "#machines/advance.ts";
import { stakeMachine } from "#machines/stake.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { giveBack } from "#server/ledger/reserve.ts";
import { toMessage } from "#server/records/message.ts";
import { SELECT_RAISE, toStake } from "#server/records/raise.ts";
import type { RaiseRecord, StakeRecord } from "#server/records/raise.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";

/** Of a row that was read: the member, its number and what identify it never change. A number that another row has is a fault. */
const WRITE = `INSERT INTO stake SELECT * FROM json_populate_recordset(NULL::stake, $1::json)
ON CONFLICT (id) DO UPDATE SET status = excluded.status, allotted_lots = excluded.allotted_lots, result_at = excluded.result_at,
  value_cents = excluded.value_cents, fee_cents = excluded.fee_cents, reserved_cents = excluded.reserved_cents, reason = excluded.reason,
  ended_at = excluded.ended_at, order_no = excluded.order_no, version = excluded.version`;
const WRITE_MESSAGES = `INSERT INTO message (id, member_id, at, kind, read, notice)
SELECT id, member_id, at, 'notice', false, notice FROM json_to_recordset($1::json) AS told (id bigint, member_id bigint, at bigint, notice jsonb)`;
const SUBSCRIBED_OF_MEMBER = "SELECT * FROM stake WHERE member_id = $1 AND offering_no = $2 AND status = 'subscribed' ORDER BY id";
/** No more than matter: the index alone answers. */
const TIMES = `SELECT count(*)::integer AS times FROM (SELECT FROM stake WHERE member_id = $1 AND offering_no = $2 LIMIT ${MOST_STAKES}) AS stakes`;
const OPEN_OF_MEMBER = `SELECT s.* FROM stake AS s JOIN raise USING (offering_no) JOIN offering AS o USING (offering_no)
WHERE s.member_id = $1 AND s.status = 'subscribed' AND raise.status = 'raising' AND o.closes_at > $2 ORDER BY s.id DESC`;

/** A message of a step: its number, and what it says. */
export interface StakeNotice {
  messageNo: number;
  notice: Notice;
}

/** The state that the commands of one batch share, so that each sees what the earlier ones decided. */
export class StakesInBatch {
  readonly raises = new Map<string, RaiseRecord>();
  readonly #rows = new Map<string, StakeRecord>();
  /** Subscriptions by member and raising. */
  readonly #times = new Map<string, number>();
  readonly #changed = new Set<StakeRecord>();
  readonly #messages: { id: number; member_id: number; at: number; notice: Notice }[] = [];

  /** Reads a raising, unless the batch has it. */
  async readRaise(tx: Tx, offeringNo: string): Promise<void> {
    if (this.raises.has(offeringNo)) return;
    const [row] = await query<RaiseRecord>(tx, `${SELECT_RAISE} WHERE r.offering_no = $1`, [offeringNo]);
    if (row) this.raises.set(offeringNo, row);
  }

  async #take(tx: Tx, rows: readonly StakeRecord[]): Promise<void> {
    for (const row of rows) {
      if (!this.#rows.has(row.stake_no)) this.#rows.set(row.stake_no, row);
      await this.readRaise(tx, row.offering_no);
    }
  }

  /** Reads a member's stakes in a raising that count, and how many there were. The member is locked. */
  async readOf(tx: Tx, memberId: number, offeringNo: string): Promise<void> {
    await this.readRaise(tx, offeringNo);
    await this.#take(tx, await query<StakeRecord>(tx, SUBSCRIBED_OF_MEMBER, [memberId, offeringNo]));
    const key = `${memberId} ${offeringNo}`;
    if (this.#times.has(key)) return;
    const [before] = await query<{ times: number }>(tx, TIMES, [memberId, offeringNo]);
    this.#times.set(key, before?.times ?? 0);
  }

  /** How often a member has subscribed to a raising that was read, what was withdrawn included. */
  timesOf(memberId: number, offeringNo: string): number {
    return this.#times.get(`${memberId} ${offeringNo}`) ?? 0;
  }

  /** Reads one stake with its raising; another member's is not found by `row`. */
  async readOne(tx: Tx, memberId: number, stakeNo: string): Promise<void> {
    await this.#take(tx, await query<StakeRecord>(tx, "SELECT * FROM stake WHERE member_id = $1 AND stake_no = $2", [memberId, stakeNo]));
  }

  /** A member's own stake. */
  row(memberId: number, stakeNo: string): StakeRecord | null {
    const row = this.#rows.get(stakeNo);
    return row?.member_id === memberId ? row : null;
  }

  /** A member's stakes in a raising that were read. */
  rowsOf(memberId: number, offeringNo: string): StakeRecord[] {
    return [...this.#rows.values()].filter((row) => row.member_id === memberId && row.offering_no === offeringNo);
  }

  raiseOf(row: StakeRecord): RaiseRecord {
    const raise = this.raises.get(row.offering_no);
    if (!raise) throw new Error(`raising ${row.offering_no} was not read`);
    return raise;
  }

  /** The member's stakes that can still be withdrawn, the newest first. */
  async readOpen(tx: Tx, batch: Batch, memberId: number): Promise<StakeRecord[]> {
    await this.#take(tx, await query<StakeRecord>(tx, OPEN_OF_MEMBER, [memberId, batch.at]));
    return [...this.#rows.values()]
      .filter((row) => row.member_id === memberId && row.status === "subscribed" && isOpen(this.raiseOf(row), batch.at))
      .toSorted((a, b) => b.id - a.id);
  }

  /** Writes a row with the batch, and emits its fact. */
  changed(batch: Batch, row: StakeRecord, type: StakeFactType, told: StakeNotice | null): void {
    this.#rows.set(row.stake_no, row);
    if (type === "stake.subscribed")
      this.#times.set(`${row.member_id} ${row.offering_no}`, this.timesOf(row.member_id, row.offering_no) + 1);
    row.version += 1;
    if (this.#changed.size === 0) batch.deferWrite((tx) => this.#write(tx));
    this.#changed.add(row);
    const message = told && { id: told.messageNo, at: batch.at, kind: "notice" as const, read: false, notice: told.notice };
    if (told) this.#messages.push({ id: told.messageNo, member_id: row.member_id, at: batch.at, notice: told.notice });
    const stake = toStake(row, this.raiseOf(row));
    batch.emit(row.member_id, { type, stake, ...(message ? { message: toMessage(message, null) } : {}) });
  }

  async #write(tx: Tx): Promise<void> {
    await query(tx, WRITE, [JSON.stringify([...this.#changed])]);
    if (this.#messages.length > 0) await query(tx, WRITE_MESSAGES, [JSON.stringify(this.#messages)]);
  }
}

const inBatch = new WeakMap<Batch, StakesInBatch>();

/** The stakes of a batch. */
export function stakesIn(batch: Batch): StakesInBatch {
  let found = inBatch.get(batch);
  if (!found) inBatch.set(batch, (found = new StakesInBatch()));
  return found;
}

/** Whether a raising takes subscriptions and withdrawals at a moment. */
export const isOpen = ({ status, closes_at }: Pick<RaiseRecord, "status" | "closes_at">, at: number): boolean =>
  status === "raising" && at < closes_at;

/** Applies a fact to a stake. @throws Error when its machine forbids it, which is a fault */
export function stepStake(
  batch: Batch,
  row: StakeRecord,
  type: StakeFactType,
  { reason = null, told = null }: { reason?: StakeReason | null; told?: StakeNotice | null } = {},
): void {
  const status = advance(stakeMachine, row.status, type);
  if (!status) throw new Error(`${type} cannot happen to stake ${row.stake_no}, which is ${row.status}`);
  row.status = status;
  row.reason = reason;
  if (status !== "subscribed" && status !== "inProgress") row.ended_at = batch.at;
  stakesIn(batch).changed(batch, row, type, told);
}

/** Gives back everything that is reserved for a stake. @returns the amount in cents */
export function releaseStake(batch: Batch, row: StakeRecord): number {
  const amount = row.reserved_cents;
  giveBack(batch.ledger, row.member_id, amount);
  row.reserved_cents = 0;
  return amount;
}

/** Gives a stake back for a reason of the broker's, and tells the member. */
export function returnStake(
  batch: Batch,
  row: StakeRecord,
  type: "stake.returned" | "stake.withdrawn",
  reason: "debt" | "failed" | "notAllotted",
  messageNo: number,
): void {
  const amount = formatMoney(releaseStake(batch, row));
  const values = { code: stakesIn(batch).raiseOf(row).code, amount, reason };
  stepStake(batch, row, type, { reason, told: { messageNo, notice: { about: "stakeReturned", values } } });
}
