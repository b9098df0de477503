/** Settlement: on the morning a trade is due its money is paid out or comes in, once, whenever the house was last open. */
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import type { SettlementTable } from "#server/db/schema.ts";
import type { Counter } from "#server/desks/order/counter.ts";
import { toSettlement } from "#server/desks/settlement/due.ts";
import { everySoOften } from "./rhythm.ts";

export interface SettlingDeps {
  db: Database;
  counter: Counter;
  /** Epoch milliseconds. */
  now: () => number;
  /** Told of faults; what was not settled is settled at the next look. */
  report?: ((error: unknown) => void) | undefined;
}

const LOOK_EVERY_MS = MINUTE_MS;
const DUE = "SELECT * FROM settlement WHERE member_id = $1 AND settled_at IS NULL AND due_at <= $2 ORDER BY id";

type Row = SettlementTable & { id: number };

/** Settle what a member has due, in the line of all commands. */
async function settleMember(counter: Counter, memberId: number): Promise<void> {
  let rows: Row[] = [];
  await counter.submit({
    memberIds: [memberId],
    // Under the member's lock: what another server settled is not read here.
    prepare: async (tx, round) => {
      rows = await query<Row>(tx, DUE, [memberId, round.at]);
    },
    decide: (round) => {
      for (const { order_no: orderNo, amount_cents: amount } of rows) {
        const out = amount < 0;
        const move = { from: out ? "owing" : "unsettled", to: out ? "clearing" : "available", amount: Math.abs(amount) } as const;
        round.ledger.post({ memberId, kind: "settle", orderNo, moves: [move] });
      }
      if (rows.length === 0) return;
      round.tellSettled(memberId, rows.map(toSettlement));
      const ids = rows.map(({ id }) => id);
      round.later(async (tx) => {
        await query(tx, "UPDATE settlement SET settled_at = $1 WHERE id = ANY ($2::bigint[])", [round.at, ids]);
      });
    },
  });
}

/** Settle everything that is due. */
export async function settleDue({ db, counter, now, report }: SettlingDeps): Promise<void> {
  const members = await query<{ member_id: number }>(
    db.kysely,
    "SELECT DISTINCT member_id FROM settlement WHERE settled_at IS NULL AND due_at <= $1",
    [now()],
  );
  for (const { member_id } of members) await settleMember(counter, member_id).catch((error: unknown) => report?.(error));
}

/** Look every minute. @returns how to stop */
export async function startSettling(deps: SettlingDeps): Promise<() => void> {
  await settleDue(deps);
  return everySoOften(LOOK_EVERY_MS, () => settleDue(deps), deps.report);
}
