/** The exit orders of a batch: those that wait on its orders, read under the members' lock, and those it sets; written with everything else it does. */
import type { ConditionFactType } from "#contract/condition.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import type { Batch, Participant, ParticipantKind } from "#server/trading/sequencer/batch.ts";
import { nextConditionStatus, toCondition } from "./condition-record.ts";
import type { ConditionRecord } from "./condition-record.ts";

interface Opened {
  conditions: ConditionRecord[];
  /** Numbers for new ones. */
  numbers: string[];
}

const NONE: Opened = { conditions: [], numbers: [] };

const OPEN = `
SELECT json_build_object(
  'conditions', (
    SELECT coalesce(json_agg(condition ORDER BY condition_no), '[]') FROM condition WHERE order_no = ANY ($1::text[]) AND status = 'waiting'
  ),
  'numbers', (SELECT coalesce(json_agg('C' || nextval('condition_no')), '[]') FROM generate_series(1, $2::integer))
) AS opened`;

async function open(tx: Tx, orderNos: readonly string[], fresh: number): Promise<Opened> {
  if (orderNos.length === 0 && fresh === 0) return NONE;
  const [row] = await query<{ opened: Opened }>(tx, OPEN, [orderNos, fresh]);
  return row?.opened ?? NONE;
}

/** What ends a condition. */
export type EndingFact = Exclude<ConditionFactType, "condition.set" | "condition.adjusted">;

/** The working state; nothing here touches the database but `join` and `write`. */
export class ConditionsInBatch implements Participant {
  readonly #batch: Batch;
  readonly #conditions: ConditionRecord[];
  readonly #numbers: string[];
  readonly #touched = new Set<ConditionRecord>();

  constructor(batch: Batch, { conditions, numbers }: Opened) {
    this.#batch = batch;
    this.#conditions = [...conditions];
    this.#numbers = [...numbers];
  }

  /** What waits on an order, in the order it was set. */
  waitingOn(orderNo: string): ConditionRecord[] {
    return this.#conditions.filter((one) => one.order_no === orderNo && one.status === "waiting");
  }

  /** A number for a new condition. */
  takeNumber(): string {
    const number = this.#numbers.shift();
    if (number === undefined) throw new Error("this batch was not asked for so many condition numbers");
    return number;
  }

  /** Put a new condition among those of the batch. */
  add(condition: ConditionRecord): void {
    this.#conditions.push(condition);
  }

  /** Have a condition written as it stands at the end. */
  touch(condition: ConditionRecord): void {
    this.#touched.add(condition);
  }

  /** Emit what happened to a condition, as it stands now. */
  emit(type: ConditionFactType, condition: ConditionRecord): void {
    condition.version += 1;
    this.touch(condition);
    this.#batch.emit(condition.member_id, { type, condition: toCondition(condition) });
  }

  /** End a condition: fired at a price, refused, or cancelled. */
  end(condition: ConditionRecord, fact: EndingFact, how: { firedPrice?: number; refusal?: string } = {}): void {
    const status = nextConditionStatus(condition.status, fact);
    if (status === null) throw new Error(`${fact} cannot happen to condition ${condition.condition_no} in ${condition.status}`);
    condition.status = status;
    condition.ended_at = this.#batch.at;
    condition.fired_price = how.firedPrice ?? null;
    condition.refusal = how.refusal ?? null;
    this.emit(fact, condition);
  }

  /** Cancel whatever still waits on an order: it was closed or cancelled, or is being closed. */
  orderEnded(orderNo: string): void {
    for (const condition of this.waitingOn(orderNo)) this.end(condition, "condition.cancelled");
  }

  get effects(): number {
    return this.#touched.size;
  }

  /** The conditions something happened to. */
  get touched(): ReadonlySet<ConditionRecord> {
    return this.#touched;
  }

  /** Read what waits on more orders, under the same locks. */
  async join(tx: Tx, orderNos: readonly string[]): Promise<void> {
    const known = new Set(this.#conditions.map((one) => one.condition_no));
    const { conditions } = await open(tx, orderNos, 0);
    this.#conditions.push(...conditions.filter((one) => !known.has(one.condition_no)));
  }

  /** Write what was touched. */
  async write(tx: Tx): Promise<void> {
    if (this.#touched.size === 0) return;
    await query(
      tx,
      `INSERT INTO condition SELECT * FROM json_populate_recordset(NULL::condition, $1::json)
       ON CONFLICT (condition_no) DO UPDATE SET price = excluded.price, best = excluded.best, status = excluded.status,
         ended_at = excluded.ended_at, fired_price = excluded.fired_price, refusal = excluded.refusal, version = excluded.version`,
      [JSON.stringify([...this.#touched])],
    );
  }
}

/** How exit orders take part in a batch. The members' `tally` rows are locked when it opens. */
const participant: ParticipantKind<ConditionsInBatch> = {
  open: async (tx, batch, { orderNos, conditions }) => new ConditionsInBatch(batch, await open(tx, orderNos, conditions)),
};
export { participant as exitOrders };

/** The exit orders of a batch. */
export const conditionsIn = (batch: Batch): ConditionsInBatch => batch.part(participant);
