/** Takes a step with many applications: a few dozen in one command, and each of them alone where one of them fails. */
import { prepareCredit } from "#server/accounts/credit.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { DatabaseUnavailable } from "#server/db/outage.ts";
import type { SubscriptionRecord } from "#server/records/subscription.ts";
import { subscriptionsIn } from "#server/trading/clearing/subscriptions-in-batch.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";

/** Applications of one command: members' commands that arrive meanwhile wait for no more. */
const TOGETHER = 32;
const NUMBERS = "SELECT nextval('message_no') AS id FROM generate_series(1, $1::integer)";

/** Which applications of an offering. */
export type Where = "subscribing" | "won" | "unreminded" | "undelivered";
const CONDITION: Record<Where, string> = {
  subscribing: "status = 'subscribing'",
  won: "status = 'won'",
  unreminded: "status = 'won' AND reminded_at IS NULL",
  undelivered: "status = 'paid' AND order_no IS NULL",
};

type Key = Pick<SubscriptionRecord, "id" | "member_id" | "subscription_no">;
export type Step = (batch: Batch, row: SubscriptionRecord, messageNo: number) => void;

/** What is done with which applications of an offering. */
interface Doing {
  offeringNo: string;
  where: Where;
  step: Step;
  /** Order numbers that it takes. */
  placements: number;
}

function command({ offeringNo, where, step, placements }: Doing, keys: readonly Key[]): QueuedCommand<void> {
  const memberIds = keys.map(({ member_id }) => member_id);
  let numbers: number[] = [];
  return {
    memberIds,
    placements: placements * keys.length,
    prepare: async (tx, batch) => {
      await subscriptionsIn(batch).readOf(tx, memberIds, offeringNo);
      if (where === "won") for (const memberId of memberIds) await prepareCredit(tx, batch, memberId);
      numbers = (await query<{ id: number }>(tx, NUMBERS, [keys.length])).map(({ id }) => id);
    },
    decide: (batch) => {
      for (const [nth, { member_id, subscription_no }] of keys.entries()) {
        const row = subscriptionsIn(batch).row(member_id, subscription_no);
        const messageNo = numbers[nth];
        if (row && messageNo !== undefined) step(batch, row, messageNo);
      }
    },
  };
}

export interface EachDeps {
  db: Database;
  sequencer: Sequencer;
  report?: ((error: unknown) => void) | undefined;
}

/**
 * Takes a step with each application, in their order; the step itself tells whether it is due. `placements`: order numbers it takes.
 * @returns how many failed, which were reported
 */
export async function eachSubscription(
  { db, sequencer, report }: EachDeps,
  offeringNo: string,
  where: Where,
  step: Step,
  placements = 0,
): Promise<number> {
  const sql = `SELECT id, member_id, subscription_no FROM subscription
    WHERE offering_no = $1 AND ${CONDITION[where]} AND id > $2 ORDER BY id LIMIT ${TOGETHER}`;
  const doing = { offeringNo, where, step, placements };
  let failed = 0;
  for (let after = 0; ;) {
    const keys = await query<Key>(db.kysely, sql, [offeringNo, after]);
    const last = keys.at(-1);
    if (!last) return failed;
    after = last.id;
    try {
      await sequencer.submit(command(doing, keys));
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      failed += await oneByOne({ sequencer, report }, doing, keys);
    }
  }
}

async function oneByOne({ sequencer, report }: Omit<EachDeps, "db">, doing: Doing, keys: readonly Key[]): Promise<number> {
  let failed = 0;
  for (const key of keys) {
    await sequencer.submit(command(doing, [key])).catch((error: unknown) => {
      failed += 1;
      report?.(error);
    });
  }
  return failed;
}
