/** Copies in a batch: what its members follow, every step of it with its fact, and what was copied, written together at the end. */
import type { CopyFactType } from "#contract/copy.ts";
import { isOpenCopy } from "#contract/copy.ts";
import type { Message } from "#contract/message.ts";
import { advance } from "#machines/advance.ts";
import { copyMachine } from "#machines/copy.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { toCopy } from "#server/records/copy.ts";
import type { CopyPartRecord, CopyRecord } from "#server/records/copy.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";

const OPEN = `SELECT copy.*, mentor.strategy, mentor.name FROM copy JOIN mentor USING (mentor_no)
WHERE copy.member_id = ANY ($1::bigint[]) AND status <> 'stopped' ORDER BY copy.id`;
const ENDED = `SELECT copy.*, mentor.strategy, mentor.name FROM copy JOIN mentor USING (mentor_no)
WHERE copy.member_id = $1 AND copy_no = $2 AND status = 'stopped'`;
const WRITE = `INSERT INTO copy SELECT * FROM json_populate_recordset(NULL::copy, $1::json)
ON CONFLICT (copy_no) DO UPDATE SET status = excluded.status, copies_from = excluded.copies_from, ended_at = excluded.ended_at,
  reason = excluded.reason, kept = excluded.kept, copied = excluded.copied, left_out = excluded.left_out,
  slippage_cents = excluded.slippage_cents, version = excluded.version`;
const COLUMNS = `copy_no, member_id, lead_no, from_n, side, at, code, mentor_price, wanted_shares, shares, price, order_no, left_out,
  slippage_cents`;
const WRITE_PARTS = `INSERT INTO copy_part (${COLUMNS})
SELECT ${COLUMNS} FROM json_populate_recordset(NULL::copy_part, $1::json)`;

class CopiesInBatch {
  readonly #rows = new Map<string, CopyRecord>();
  readonly #readOf = new Set<number>();
  readonly #changed = new Set<CopyRecord>();
  readonly #parts: CopyPartRecord[] = [];
  readonly #begun: CopyRecord[] = [];

  /** Reads what members follow, unless an earlier command did. The members are locked. */
  async read(tx: Tx, memberIds: readonly number[]): Promise<void> {
    const unread = memberIds.filter((id) => !this.#readOf.has(id));
    if (unread.length === 0) return;
    for (const row of await query<CopyRecord>(tx, OPEN, [unread])) this.#rows.set(row.copy_no, row);
    for (const id of unread) this.#readOf.add(id);
  }

  /** Reads one that has stopped, for the command that names it. */
  async readEnded(tx: Tx, memberId: number, copyNo: string): Promise<void> {
    if (this.#rows.has(copyNo)) return;
    const [row] = await query<CopyRecord>(tx, ENDED, [memberId, copyNo]);
    if (row) this.#rows.set(copyNo, row);
  }

  row(memberId: number, copyNo: string): CopyRecord | null {
    const row = this.#rows.get(copyNo);
    return row?.member_id === memberId ? row : null;
  }

  /** Who follows a mentor and was read, in the order they began. */
  followersOf(mentorNo: string): CopyRecord[] {
    return [...this.#rows.values()].filter((row) => row.mentor_no === mentorNo && isOpenCopy(row)).toSorted((a, b) => a.id - b.id);
  }

  /** Adds one that begins. */
  add(row: CopyRecord): void {
    this.#rows.set(row.copy_no, row);
    this.#begun.push(row);
  }

  /** How many have begun to follow a mentor in this batch. */
  begunOf(mentorNo: string): number {
    return this.#begun.filter((row) => row.mentor_no === mentorNo).length;
  }

  /** Writes a row with the batch, as it is then. */
  change(batch: Batch, row: CopyRecord): void {
    if (this.#changed.size === 0)
      batch.deferWrite(async (tx) => {
        await query(tx, WRITE, [JSON.stringify([...this.#changed])]);
      });
    this.#changed.add(row);
  }

  addPart(batch: Batch, part: CopyPartRecord): void {
    if (this.#parts.length === 0)
      batch.deferWrite(async (tx) => {
        await query(tx, WRITE_PARTS, [JSON.stringify(this.#parts)]);
      });
    this.#parts.push(part);
  }
}

const batches = new WeakMap<Batch, CopiesInBatch>();

export function copiesIn(batch: Batch): CopiesInBatch {
  const known = batches.get(batch) ?? new CopiesInBatch();
  batches.set(batch, known);
  return known;
}

/** Applies a fact, and writes the row with the batch. @throws Error when the machine forbids it, which is a fault */
export function stepCopy(batch: Batch, row: CopyRecord, type: CopyFactType, message: Message | null = null): void {
  if (type !== "copy.started") {
    const status = advance(copyMachine, row.status, type);
    if (!status) throw new Error(`${type} cannot happen to copy ${row.copy_no}, which is ${row.status}`);
    row.status = status;
  }
  if (row.status === "stopped") row.ended_at = batch.at;
  row.version += 1;
  batch.emit(row.member_id, { type, copy: toCopy(row), ...(message ? { message } : {}) });
  copiesIn(batch).change(batch, row);
}
