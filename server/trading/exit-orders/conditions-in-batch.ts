/** The exit orders of a batch: those of its orders, read under the members' locks, and new ones; written with everything else. */
import type { ConditionFactType } from "#contract/condition.ts";
import { defer, query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import type { Statement } from "#server/db/statement.ts";
import type { Batch, Participant, ParticipantKind } from "#server/trading/sequencer/batch.ts";
import { nextConditionStatus, toCondition } from "./condition-record.ts";
import type { ConditionRecord } from "./condition-record.ts";

interface Opened {
  conditions: ConditionRecord[];
  /** Numbers for new conditions. */
  numbers: string[];
}

const NONE: Opened = { conditions: [], numbers: [] };

/** Of an order that an exit is closing, also what its firing ended: it waits again if the close ends unfilled. */
const OPEN = `
SELECT json_build_object(
  'conditions', (
    SELECT coalesce(json_agg(one ORDER BY one.condition_no), '[]') FROM (
      SELECT * FROM condition WHERE order_no = ANY ($1::text[]) AND status = 'waiting'
      UNION ALL
      SELECT ended.* FROM "order" AS closing
      CROSS JOIN LATERAL (
        SELECT * FROM condition WHERE order_no = closing.order_no AND status IN ('fired', 'cancelled') AND ended_at = (
          SELECT max(ended_at) FROM condition WHERE order_no = closing.order_no AND status = 'fired'
        )
      ) AS ended
      WHERE closing.order_no = ANY ($1::text[]) AND closing.status = 'readyToClose' AND closing.close_cause = 'condition'
    ) AS one
  ),
  'numbers', (SELECT coalesce(json_agg('C' || nextval('condition_no')), '[]') FROM generate_series(1, $2::integer))
) AS opened`;

/** Reads the exit orders of orders, and numbers for so many new ones. */
const openingRead = (orderNos: readonly string[], fresh: number): Statement | null =>
  orderNos.length === 0 && fresh === 0 ? null : { sql: OPEN, parameters: [orderNos, fresh] };

const openedOf = ([row]: readonly unknown[]): Opened => (row as { opened: Opened } | undefined)?.opened ?? NONE;

async function open(tx: Tx, orderNos: readonly string[], fresh: number): Promise<Opened> {
  const asked = openingRead(orderNos, fresh);
  return asked ? openedOf(await query(tx, asked.sql, asked.parameters)) : NONE;
}

/** The facts that end a condition. */
export type EndingFact = Extract<ConditionFactType, "condition.fired" | "condition.cancelled">;

/** The status a fact leads to. @throws Error when the machine forbids it */
function advanced({ condition_no: conditionNo, status }: ConditionRecord, fact: ConditionFactType): ConditionRecord["status"] {
  const next = nextConditionStatus(status, fact);
  if (next === null) throw new Error(`${fact} cannot happen to condition ${conditionNo} in ${status}`);
  return next;
}

/** The working state; only `join` and `write` access the database. */
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

  /** The exit orders of an order, in the order they were set. */
  waitingOn(orderNo: string): ConditionRecord[] {
    return this.#conditions.filter((one) => one.order_no === orderNo && one.status === "waiting");
  }

  /** Takes a number for a new condition. */
  takeNumber(): string {
    const number = this.#numbers.shift();
    if (number === undefined) throw new Error("this batch was not asked for so many condition numbers");
    return number;
  }

  /** Adds a new condition to the batch. */
  add(condition: ConditionRecord): void {
    this.#conditions.push(condition);
  }

  /** Marks a condition to be written in its final state. */
  touch(condition: ConditionRecord): void {
    this.#touched.add(condition);
  }

  /** Emits a fact about a condition, with its current state. */
  emit(type: ConditionFactType, condition: ConditionRecord): void {
    condition.version += 1;
    this.touch(condition);
    this.#batch.emit(condition.member_id, { type, condition: toCondition(condition) });
  }

  /** Records the best price of a trailing stop. Its version stays, so that what is watched in memory goes on from its own best price. */
  trail(condition: ConditionRecord, best: number): void {
    condition.best = best;
    this.touch(condition);
    this.#batch.emit(condition.member_id, { type: "condition.trailed", condition: toCondition(condition) });
  }

  /** Ends a condition: fired at a price, or cancelled. */
  end(condition: ConditionRecord, fact: EndingFact, how: { firedPrice?: number } = {}): void {
    condition.status = advanced(condition, fact);
    condition.ended_at = this.#batch.at;
    condition.fired_price = how.firedPrice ?? null;
    this.emit(fact, condition);
  }

  /**
   * The exits of an order wait again: the one that fired last, and those that its firing cancelled. The close it sent ended unfilled, so its
   * position would have no protection. The fired one is told last, because its message speaks for all. One of its kind that the member has
   * set since stands in for it.
   */
  rearm(orderNo: string): void {
    const ended = this.#conditions.filter((one) => one.order_no === orderNo && (one.status === "fired" || one.status === "cancelled"));
    const fired = ended.filter(({ status }) => status === "fired").toSorted((a, b) => (b.ended_at ?? 0) - (a.ended_at ?? 0))[0];
    const set = new Set(this.waitingOn(orderNo).map(({ kind }) => kind));
    if (!fired || set.has(fired.kind)) return;
    const siblings = ended.filter(
      ({ status, ended_at: at, kind }) => status === "cancelled" && at === fired.ended_at && kind !== fired.kind && !set.has(kind),
    );
    for (const condition of [...siblings, fired]) {
      condition.status = advanced(condition, "condition.rearmed");
      condition.ended_at = null;
      condition.fired_price = null;
      this.emit("condition.rearmed", condition);
    }
  }

  /** Cancels the exit orders of an order that was closed or cancelled, or is being closed. */
  orderEnded(orderNo: string): void {
    for (const condition of this.waitingOn(orderNo)) this.end(condition, "condition.cancelled");
  }

  get effects(): number {
    return this.#touched.size;
  }

  /** The conditions that changed. */
  get touched(): ReadonlySet<ConditionRecord> {
    return this.#touched;
  }

  /** Reads the exit orders of more orders, under the same locks. */
  async join(tx: Tx, orderNos: readonly string[]): Promise<void> {
    const known = new Set(this.#conditions.map((one) => one.condition_no));
    const { conditions } = await open(tx, orderNos, 0);
    this.#conditions.push(...conditions.filter((one) => !known.has(one.condition_no)));
  }

  /** Writes the changed conditions. */
  async write(tx: Tx): Promise<void> {
    if (this.#touched.size === 0) return;
    await defer(
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
  reads: ({ orderNos, conditions }) => openingRead(orderNos, conditions),
  async open(tx, batch, { orderNos }, rows) {
    const part = new ConditionsInBatch(batch, openedOf(rows));
    const more = batch.ordersBeside(orderNos);
    if (more.length > 0) await part.join(tx, more);
    return part;
  },
};
export { participant as exitOrders };

/** The exit orders of a batch. */
export const conditionsIn = (batch: Batch): ConditionsInBatch => batch.part(participant);
