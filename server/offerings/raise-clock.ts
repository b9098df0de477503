/** The clock of fund raisings: moves each through its phases, and its stakes after it, also what was missed while the server was off. */
import { SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import type { RaiseRecord, StakeRecord } from "#server/records/raise.ts";
import { SELECT_RAISE } from "#server/records/raise.ts";
import { stakesIn } from "#server/trading/clearing/stakes-in-batch.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import { announceRaises, moveRaise, stepDue } from "./raise.ts";
import { deliver, endSold, tellResult } from "./stake.ts";

export interface RaiseClockDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** Reports faults; the step is tried again at a later tick. */
  report?: ((error: unknown) => void) | undefined;
  /** Runs the ticks, `every` by default. */
  repeat?: typeof every | undefined;
}

/** Stakes served together; each in a command of its own, so that one that fails stops no other. */
const TOGETHER = 100;
const MOVING = `${SELECT_RAISE} WHERE r.status IN ('upcoming', 'raising', 'raised') OR (r.status = 'listed' AND r.matures_at <= $1)
OR EXISTS (SELECT FROM stake WHERE stake.offering_no = r.offering_no AND stake.status = 'subscribed') ORDER BY o.id`;
const SUBSCRIBED = `SELECT id, stake_no, member_id, order_no FROM stake
WHERE offering_no = $1 AND status = 'subscribed' AND id > $2 AND ($3 OR result_at IS NULL) ORDER BY id LIMIT ${TOGETHER}`;
const SOLD = `SELECT stake_no, stake.member_id, stake.order_no FROM stake JOIN "order" USING (order_no)
WHERE stake.status = 'inProgress' AND "order".status = 'closed'`;

type Key = Pick<StakeRecord, "stake_no" | "member_id" | "order_no">;

/** One step of a stake, decided on its row under the member's lock. */
function stakeCommand(
  key: Key,
  step: (batch: Batch, row: StakeRecord, messageNo: number) => void,
  placements: number,
): QueuedCommand<void> {
  let messageNo = 0;
  return {
    memberIds: [key.member_id],
    orderNos: key.order_no === null ? [] : [key.order_no],
    placements,
    prepare: async (tx, batch) => {
      await stakesIn(batch).readOne(tx, key.member_id, key.stake_no);
      const [number] = await query<{ id: number }>(tx, "SELECT nextval('message_no') AS id");
      messageNo = number?.id ?? 0;
    },
    decide: (batch) => {
      const row = stakesIn(batch).row(key.member_id, key.stake_no);
      if (row) step(batch, row, messageNo);
    },
  };
}

/** What is due with the stakes of a raising: their result after the close, and their delivery. */
async function serveStakes({ db, sequencer, now, report }: RaiseClockDeps, row: RaiseRecord): Promise<void> {
  if (row.status === "upcoming" || row.status === "raising") return;
  const isDelivered = row.status !== "failed" && now() >= row.allotted_at;
  const submit = (key: Key, step: typeof tellResult, placements: number) =>
    sequencer.submit(stakeCommand(key, step, placements)).catch((error: unknown) => report?.(error));
  let last = 0;
  for (;;) {
    const keys = await query<Key & { id: number }>(db.kysely, SUBSCRIBED, [row.offering_no, last, isDelivered]);
    // Commands of one member are decided in the order they were submitted: the result, then the delivery.
    await Promise.all(keys.flatMap((key) => [submit(key, tellResult, 0), ...(isDelivered ? [submit(key, deliver, 1)] : [])]));
    last = keys.at(-1)?.id ?? last;
    if (keys.length < TOGETHER) return;
  }
}

/** Moves one raising as far as it is due. */
async function moveOn(deps: RaiseClockDeps, row: RaiseRecord): Promise<void> {
  const { db, sequencer, now } = deps;
  let current = row;
  for (;;) {
    await serveStakes(deps, current);
    if (!stepDue(current, now())) return;
    const { status } = current;
    await sequencer.submit(moveRaise(current.offering_no));
    const [read] = await query<RaiseRecord>(db.kysely, `${SELECT_RAISE} WHERE r.offering_no = $1`, [current.offering_no]);
    if (!read || read.status === status) return;
    current = read;
  }
}

/** Starts the clock. @returns a function that stops it */
export async function startRaiseClock(given: RaiseClockDeps): Promise<() => void> {
  const { db, venue, sequencer, now, repeat = every } = given;
  let isStopped = false;
  // At shutdown the database may close while a tick is still at work.
  const report = (error: unknown): void => (isStopped ? undefined : given.report?.(error));
  const deps = { ...given, report };
  /** Whether positions of stakes may have been closed since they were looked at. */
  let isSold = true;
  const endStakes = async (): Promise<void> => {
    if (!isSold) return;
    isSold = false;
    const keys = await query<Key>(db.kysely, SOLD);
    const end = (key: Key) =>
      sequencer.submit(stakeCommand(key, endSold, 0)).catch((error: unknown) => {
        isSold = true;
        report(error);
      });
    await Promise.all(keys.map(end));
  };
  const follow = (orders: readonly OrderRecord[]): void => {
    if (orders.some(({ origin, status }) => origin === "raise" && status === "closed")) isSold = true;
  };
  const tick = async (): Promise<void> => {
    await announceRaises({ db, venue, report }, sequencer.rules.of(0).raise.minimumSizePerMillion, now());
    const moving = await query<RaiseRecord>(db.kysely, MOVING, [now()]);
    // One that fails stops no other.
    for (const row of moving) await moveOn(deps, row).catch(report);
    await endStakes();
  };
  const stopFollowing = sequencer.onOrders(follow);
  const stopTicking = repeat(SECOND_MS, tick, report);
  return () => {
    isStopped = true;
    stopFollowing();
    stopTicking();
  };
}
