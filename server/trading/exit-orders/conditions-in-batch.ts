/** The conditions of a round: those that wait on its orders, read under the members' lock, and those it sets; written with everything else it does. */
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
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

/** The working state; nothing here touches the database but `openGuarding`, `join` and `write`. */
export class ConditionsInBatch {
  readonly #conditions: ConditionRecord[];
  readonly #numbers: string[];
  readonly #touched = new Set<ConditionRecord>();

  constructor({ conditions, numbers }: Opened) {
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
    if (number === undefined) throw new Error("this round was not told of a condition");
    return number;
  }

  /** Put a new condition among those of the round. */
  add(condition: ConditionRecord): void {
    this.#conditions.push(condition);
  }

  /** Have a condition written as it stands at the end. */
  touch(condition: ConditionRecord): void {
    this.#touched.add(condition);
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

/** Read what waits on the orders of a round, and take numbers for `fresh` new conditions. The caller holds the members' `tally` rows locked. */
export async function openConditions(tx: Tx, orderNos: readonly string[], fresh: number): Promise<ConditionsInBatch> {
  return new ConditionsInBatch(await open(tx, orderNos, fresh));
}
