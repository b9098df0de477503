/** The clock of fund raisings: moves each through its phases, and its stakes after it, also what was missed while the server was off. */
import { SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { BackOff } from "#server/kernel/back-off.ts";
import { every } from "#server/kernel/every.ts";
import type { RaiseRecord, StakeRecord } from "#server/records/raise.ts";
import { SELECT_RAISE } from "#server/records/raise.ts";
import { stakesIn } from "#server/trading/clearing/stakes-in-batch.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { ClockDeps } from "#server/trading/sequencer/clock.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import { marketName } from "#server/venue/market-name.ts";
import { allotStakes } from "./raise-allotment.ts";
import { endFund, tellOfEnd } from "./fund-end.ts";
import type { FundEndDeps } from "./fund-end.ts";
import { adoptTerms, announceRaise, isEnding, moveRaise, nextMoment, stepDue } from "./raise.ts";
import type { NewFund } from "./raise.ts";
import { deliver, endSold, tellResult } from "./stake.ts";

/** Stakes served together; each in a command of its own, so that one that fails stops no other. */
const TOGETHER = 100;
/** What was announced since the clock looked last, and whether it is a fund that has no row yet. */
const ANNOUNCED = `SELECT id, offering_no, code, lots, closes_at,
  kind = 'fund' AND price IS NOT NULL AND NOT EXISTS (SELECT FROM raise WHERE raise.offering_no = offering.offering_no) AS is_new
FROM offering WHERE market = $1 AND id > $2 ORDER BY id`;
/** Those on their way, and those that are over but for a stake that failed. */
const MOVING = `SELECT offering_no FROM raise WHERE status IN ('upcoming', 'raising', 'raised') OR (status = 'listed' AND matures_at IS NOT NULL)
UNION SELECT offering_no FROM stake WHERE status = 'subscribed'`;
const ONE = `${SELECT_RAISE} WHERE r.offering_no = $1`;
const SUBSCRIBED = `SELECT id, stake_no, member_id, order_no FROM stake
WHERE offering_no = $1 AND status = 'subscribed' AND id > $2 AND ($3 OR result_at IS NULL) ORDER BY id LIMIT ${TOGETHER}`;
const SOLD = `SELECT stake_no, stake.member_id, stake.order_no FROM stake JOIN "order" USING (order_no)
WHERE stake.status = 'inProgress' AND "order".status = 'closed'`;

export type RaiseClockDeps = ClockDeps & Pick<FundEndDeps, "alerts">;

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

/** A clock of raisings, which is ticked. */
export class RaiseClock {
  readonly #deps: RaiseClockDeps;
  /** Stakes, raisings and funds whose step failed. */
  readonly #backOff = new BackOff();
  /** When to look at each raising again. Before that a tick costs nothing. */
  readonly #due = new Map<string, number>();
  /** Announced funds whose row could not be written yet. */
  readonly #funds = new Map<string, NewFund>();
  /** The last offering that was looked at. */
  #announced = 0;
  #isStarted = false;
  #isStopped = false;
  /** Whether positions of stakes may have been closed since they were looked at. */
  #isSold = true;
  readonly #stopFollowing: () => void;

  constructor(deps: RaiseClockDeps) {
    this.#deps = deps;
    this.#stopFollowing = deps.sequencer.onOrders((orders: readonly OrderRecord[]) => {
      if (orders.some(({ origin, status }) => origin === "raise" && status === "closed")) this.#isSold = true;
    });
  }

  get #market(): string {
    return marketName(this.#deps.venue.state(this.#deps.now()));
  }

  /** At shutdown the database may close while a tick is still at work. */
  readonly #report = (error: unknown): void => (this.#isStopped ? undefined : this.#deps.report?.(error));

  /** Announces what is new, and does what is due. One that fails stops no other. */
  async tick(): Promise<void> {
    this.#backOff.tick();
    if (!this.#isStarted) {
      await adoptTerms(this.#deps, this.#market);
      const moving = await query<{ offering_no: string }>(this.#deps.db.kysely, MOVING);
      for (const { offering_no } of moving) this.#due.set(offering_no, 0);
      this.#isStarted = true;
    }
    await this.#announce();
    for (const [offeringNo, at] of this.#due) {
      if (this.#isStopped) return;
      if (this.#deps.now() < at) continue;
      await this.#backOff.take(offeringNo, () => this.#moveOn(offeringNo), this.#report);
    }
    await this.#endSold();
  }

  /** No tick goes on with another raising afterwards. */
  stop(): void {
    this.#isStopped = true;
    this.#stopFollowing();
  }

  async #announce(): Promise<void> {
    const { db, sequencer, now } = this.#deps;
    const rows = await query<NewFund & { is_new: boolean }>(db.kysely, ANNOUNCED, [this.#market, this.#announced]);
    for (const row of rows) if (row.is_new) this.#funds.set(row.offering_no, row);
    this.#announced = rows.at(-1)?.id ?? this.#announced;
    const { minimumSizePerMillion } = sequencer.rules.of(0).raise;
    for (const [offeringNo, fund] of this.#funds) {
      const announce = () => announceRaise(this.#deps, fund, minimumSizePerMillion, now());
      if (!(await this.#backOff.take(offeringNo, announce, this.#report))) continue;
      this.#funds.delete(offeringNo);
      this.#due.set(offeringNo, 0);
    }
  }

  /** Moves one raising as far as it is due. */
  async #moveOn(offeringNo: string): Promise<void> {
    const { db, now } = this.#deps;
    let before: RaiseRecord["status"] | null = null;
    for (;;) {
      // One time for the whole look: a moment that passes meanwhile is still to come for it, and is not missed.
      const at = now();
      const [row] = await query<RaiseRecord>(db.kysely, ONE, [offeringNo]);
      if (!row) return void this.#due.delete(offeringNo);
      const step = stepDue(row, at, this.#market);
      const isServed = (await this.#serveStakes(row, at)) && (await this.#serveHolders(row, step, at));
      if (!isServed && step === "raise.terminated") return;
      // A step that was not taken, and a stake that failed, are tried again.
      if (row.status === before || (!step && !isServed)) return;
      if (!step) return this.#wait(row, at);
      await this.#move(row, step);
      before = row.status;
    }
  }

  #wait(row: RaiseRecord, at: number): void {
    const next = nextMoment(row, at);
    if (next === Number.POSITIVE_INFINITY) this.#due.delete(row.offering_no);
    else this.#due.set(row.offering_no, next);
  }

  async #move(row: RaiseRecord, step: NonNullable<ReturnType<typeof stepDue>>): Promise<void> {
    const { db, sequencer } = this.#deps;
    if (step !== "decide") return sequencer.submit(moveRaise(row.offering_no));
    // Behind this command nothing is on its way that was decided before the close.
    await sequencer.submit({ memberIds: [], decide: () => undefined });
    return sequencer.submit(moveRaise(row.offering_no, await allotStakes(db, row)));
  }

  /** What is due with the stakes of a raising: their result after the close, and their delivery. @returns whether all of it is done */
  async #serveStakes(row: RaiseRecord, at: number): Promise<boolean> {
    if (row.status === "upcoming" || row.status === "raising") return true;
    const { db, sequencer } = this.#deps;
    const isDelivered = row.status !== "failed" && at >= row.allotted_at;
    // Commands of one member are decided in the order they were submitted: the result, then the delivery.
    const serve = (key: Key) => {
      const result = sequencer.submit(stakeCommand(key, tellResult, 0));
      return isDelivered ? Promise.all([result, sequencer.submit(stakeCommand(key, deliver, 1))]) : result;
    };
    let [last, isDone] = [0, true];
    for (;;) {
      const keys = await query<Key & { id: number }>(db.kysely, SUBSCRIBED, [row.offering_no, last, isDelivered]);
      const served = await Promise.all(keys.map((key) => this.#backOff.take(key.stake_no, () => serve(key), this.#report)));
      isDone &&= served.every(Boolean);
      last = keys.at(-1)?.id ?? last;
      if (keys.length < TOGETHER || this.#isStopped) return isDone;
    }
  }

  /** Tells holders of a fund that it ends soon, and at its end does what is due for them. @returns whether all of it is done */
  async #serveHolders(row: RaiseRecord, step: ReturnType<typeof stepDue>, at: number): Promise<boolean> {
    if (isEnding(row, at)) await tellOfEnd(this.#deps, row);
    return step !== "raise.terminated" || endFund(this.#deps, row, (key, act) => this.#backOff.take(key, act, this.#report));
  }

  /** Ends the stakes whose positions are closed. */
  async #endSold(): Promise<void> {
    if (!this.#isSold) return;
    this.#isSold = false;
    const { db, sequencer } = this.#deps;
    const keys = await query<Key>(db.kysely, SOLD);
    const end = (key: Key) => this.#backOff.take(key.stake_no, () => sequencer.submit(stakeCommand(key, endSold, 0)), this.#report);
    const ended = await Promise.all(keys.map(end));
    if (!ended.every(Boolean)) this.#isSold = true;
  }
}

/** Starts the clock. @returns a function that stops it, and resolves when it is at rest */
export function startRaiseClock(deps: RaiseClockDeps): () => Promise<void> {
  const clock = new RaiseClock(deps);
  const { repeat = every, report } = deps;
  const stopTicking = repeat(SECOND_MS, () => clock.tick(), report);
  return () => {
    clock.stop();
    return stopTicking();
  };
}
