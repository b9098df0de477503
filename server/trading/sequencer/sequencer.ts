/** The sequencer: every command and every match waits in one queue, and those that wait together are one batch, written in one transaction. */
import type { Fact } from "#contract/fact.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Order } from "#contract/order.ts";
import type { Database } from "#server/db/database.ts";
import { CommitUnknown, DatabaseUnavailable } from "#server/db/outage.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { openRules } from "#server/rules/rules.ts";
import type { RuleSet } from "#server/rules/rules.ts";
import type { Venue } from "#server/venue/venue.ts";
import { isOpen } from "./time-in-force.ts";
import { idempotent } from "./idempotency.ts";
import type { Replies, Command } from "./idempotency.ts";
import { RateLimit } from "./rate-limit.ts";
import { toOrder } from "./order-record.ts";
import type { OrderRecord } from "./order-record.ts";
import { openBatch } from "./batch.ts";
import type { Batch, ParticipantKind } from "./batch.ts";
import type { QueuedCommand } from "./queued-command.ts";
import type { ReadSet } from "./read-set.ts";
import { OrderBook, restingOf } from "./order-book.ts";
import type { RestingOrder, CounterpartyQuery } from "./order-book.ts";

export interface SequencerDeps {
  db: Database;
  venue: Venue;
  /** The features that take part in every batch. */
  participants: readonly ParticipantKind[];
  /** Epoch milliseconds. */
  now: () => number;
  /** Called for every fact after its commit, in the member's order. */
  publish: (memberId: number, fact: Fact) => void;
  /** Told of faults: a command whose transaction failed. */
  report?: ((error: unknown) => void) | undefined;
  /** Commands of one member in a second; without it the setting `commandsPerSecond`. */
  commandsPerSecond?: number | undefined;
}

interface Queued {
  command: QueuedCommand<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}
/** What one decision came to. */
type Outcome = { result: unknown } | { refusal: Refusal };

/** More would make the first of them wait long for the last. */
const MAX_BATCH = 256;
/** How soon a database that did not answer is asked again what became of a commit. */
const ASK_AGAIN_MS = 200;

function mergeReadSets(jobs: readonly QueuedCommand<unknown>[], met: readonly RestingOrder[]): ReadSet {
  return {
    memberIds: [...new Set([...jobs.flatMap((job) => job.memberIds), ...met.map((one) => one.memberId)])],
    requestIds: [...new Set(jobs.flatMap((job) => job.requestIds ?? []))],
    orderNos: [...new Set([...jobs.flatMap((job) => job.orderNos ?? []), ...met.map((one) => one.orderNo)])],
    placements: jobs.reduce((sum, job) => sum + (job.placements ?? 0), 0),
    alertIds: jobs.flatMap((job) => job.alertIds ?? []),
    conditions: jobs.reduce((sum, job) => sum + (job.conditions ?? 0), 0),
  };
}

/** What has to be done before anything is decided on a new trading day. */
export interface StartOfDay {
  /** Whether a day has begun of which nothing was done yet. */
  due: () => boolean;
  /** Do it; `serve` decides a job at once, before everything queued. */
  work: (serve: (job: QueuedCommand<void>) => Promise<void>) => Promise<void>;
}

/** A day began while a batch was read: it is read again once what the day brings was done. */
class SessionRolled extends Error {}

export class Sequencer {
  /** What members trade by. */
  readonly rules: RuleSet;
  /** What rests, as of the last commit. */
  readonly orderBook = new OrderBook();
  /** What is in the market or waits to go there, as of the last commit: whose each is. */
  readonly open = new Map<string, number>();
  readonly #deps: SequencerDeps;
  readonly #rateLimit: RateLimit;
  readonly #listeners = new Set<(orders: readonly OrderRecord[]) => void>();
  readonly #batchListeners = new Set<(batch: Batch) => void>();
  #startOfDay: StartOfDay | null = null;
  #queue: Queued[] = [];
  #working: Promise<void> | null = null;

  constructor(deps: SequencerDeps, rules: RuleSet) {
    this.#deps = deps;
    this.rules = rules;
    this.#rateLimit = new RateLimit(rules.commandsPerSecond);
  }

  /** Queue a command. Resolves after the commit, rejects with the refusal or the fault. */
  submit<Result>(job: QueuedCommand<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const waiting: Queued = { command: job, resolve: resolve as (result: unknown) => void, reject };
      if (job.urgent) this.#queue.unshift(waiting);
      else this.#queue.push(waiting);
      // The immediate lets everything that arrived with this one be queued first.
      this.#working ??= new Promise((done) => setImmediate(() => void this.#work().then(done)));
    });
  }

  /**
   * Carry out a member's command on one order, once: the same id with the same body gets the order as it stands now, with another
   * body is refused.
   * @throws Refusal GEN_REQUEST_REUSED, GEN_TOO_FREQUENT, or whatever `decide` refuses
   */
  command(command: Command<OrderRecord>): Promise<Order> {
    return this.#once(command, {
      now: (order) => ({ result: toOrder(order), orderNo: order.order_no, answer: null }),
      again: (batch, before) => {
        const order = batch.order(command.memberId, before.order_no);
        return order ? toOrder(order) : null;
      },
    });
  }

  /**
   * Carry out a member's command whose answer is more than one order, once: the same id with the same body gets the same answer.
   * @throws Refusal GEN_REQUEST_REUSED, GEN_TOO_FREQUENT, or whatever `decide` refuses
   */
  commandAll<Result extends object>(command: Command<Result>): Promise<Result> {
    return this.#once(command, {
      now: (result) => ({ result, orderNo: command.body.orderNo ?? "", answer: result }),
      again: (_round, before) => before.answer as Result | null,
    });
  }

  #once<Decided, Result>(command: Command<Decided>, answering: Replies<Decided, Result>): Promise<Result> {
    return this.submit(idempotent(command, answering, (memberId, at) => this.#rateLimit.take(memberId, at)));
  }

  /** The moment a decision made now would have. */
  now(): number {
    return this.#deps.now();
  }

  /** Count a command that is carried out elsewhere. @throws Refusal GEN_TOO_FREQUENT when it is one too many of its member */
  admit(memberId: number): void {
    if (!this.#rateLimit.take(memberId, this.#deps.now())) throw new Refusal("GEN_TOO_FREQUENT");
  }

  /** Listen to the orders that changed, after each commit. @returns how to stop */
  onOrders(listener: (orders: readonly OrderRecord[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Listen to each batch after its commit. @returns how to stop */
  onBatch(listener: (batch: Batch) => void): () => void {
    this.#batchListeners.add(listener);
    return () => this.#batchListeners.delete(listener);
  }

  /** Resolves when nobody is queued. */
  async idle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  /** Keep what is open and what rests up to what is written. */
  follow(orders: readonly OrderRecord[]): void {
    for (const order of orders) {
      if (isOpen(order)) this.open.set(order.order_no, order.member_id);
      else this.open.delete(order.order_no);
      const resting = restingOf(order, this.#deps.venue);
      if (resting) this.orderBook.put(resting);
      else this.orderBook.remove(order.order_no);
    }
  }

  async #work(): Promise<void> {
    while (this.#queue.length > 0) {
      const together = this.#queue.splice(0, MAX_BATCH);
      try {
        await this.#runBatch(together);
      } catch (error) {
        // One of them broke the transaction of all: each gets its own. Not where the database is gone: each would wait for it in turn.
        if (together.length === 1 || error instanceof DatabaseUnavailable) this.#fail(together, error);
        else for (const one of together) await this.#runBatch([one]).catch((cause: unknown) => this.#fail([one], cause));
      }
    }
    this.#working = null;
  }

  #fail(waiting: readonly Queued[], error: unknown): void {
    this.#deps.report?.(error);
    for (const { reject } of waiting) reject(error);
  }

  /** Have something done before the first decision of each trading day; nothing is decided while it fails. */
  beforeEachDay(dawn: StartOfDay): void {
    this.#startOfDay = dawn;
  }

  async #runBatch(together: readonly Queued[]): Promise<void> {
    for (;;) {
      if (this.#startOfDay?.due())
        await this.#startOfDay.work((job) => this.#decide([{ command: job, resolve: () => undefined, reject: () => undefined }], false));
      try {
        return await this.#decide(together, true);
      } catch (error) {
        if (!(error instanceof SessionRolled)) throw error;
      }
    }
  }

  async #decide(together: readonly Queued[], inDay: boolean): Promise<void> {
    const { db, venue, now, participants } = this.#deps;
    const jobs = together.map(({ command: job }) => job);
    const seeks = (batch: Batch | null): CounterpartyQuery[] => jobs.flatMap((job) => job.counterparties?.(batch) ?? []);
    const met = [...jobs.flatMap((job) => job.gather?.(this.orderBook) ?? []), ...this.orderBook.findCounterparties(seeks(null))];
    let written: Batch | null = null;
    const done = await db
      .transaction(async (tx) => {
        const opened = await openBatch(tx, mergeReadSets(jobs, met), { venue, rules: this.rules, participants }, epochMs(now()));
        // Only what was read says where a close trades: whom it may meet is seldom there, and then read in a second call.
        const more = this.orderBook.findCounterparties(seeks(opened)).filter(({ orderNo }) => !opened.hasOrder(orderNo));
        if (more.length > 0) await opened.joinOrders(tx, more);
        for (const { command: job } of together) await job.prepare?.(tx, opened);
        if (inDay && this.#startOfDay?.due()) throw new SessionRolled();
        const decided = together.map(({ command: job }) => decide(job, opened));
        await opened.conclude(tx);
        await opened.write(tx);
        written = opened;
        return { batch: opened, outcomes: decided };
      })
      .catch((error: unknown) => {
        if (!(error instanceof CommitUnknown) || !written) throw error;
        return this.#recover(together, written, error);
      });
    if (!done) return;
    const { batch, outcomes } = done;
    this.#publishFacts(batch);
    together.forEach(({ resolve, reject }, at) => {
      const outcome = outcomes[at];
      if (outcome && "refusal" in outcome) reject(outcome.refusal);
      else resolve(outcome?.result);
    });
  }

  /**
   * The answer to a commit was lost. Its commands are unknown to whoever waits; nothing else is decided until it is known here, or
   * the book in memory would no longer be what is written. @throws the fault itself when it was not committed
   */
  async #recover(together: readonly Queued[], batch: Batch, unknown: CommitUnknown): Promise<null> {
    this.#fail(together, unknown);
    for (;;) {
      try {
        if (!(await this.#deps.db.transaction((tx) => batch.wasCommitted(tx)))) throw unknown;
        this.#publishFacts(batch);
        return null;
      } catch (error) {
        if (error === unknown || !(error instanceof DatabaseUnavailable)) throw error;
        this.#fail(this.#queue.splice(0), error);
        await new Promise((again) => setTimeout(again, ASK_AGAIN_MS));
      }
    }
  }

  /** Committed is committed: who fails to hear of it must not have it done a second time. */
  #safely(notify: () => void): void {
    try {
      notify();
    } catch (error) {
      this.#deps.report?.(error);
    }
  }

  #publishFacts(batch: Batch): void {
    const changed = [...batch.touched];
    this.follow(changed);
    if (changed.length > 0) for (const listener of this.#listeners) this.#safely(() => listener(changed));
    for (const listener of this.#batchListeners) this.#safely(() => listener(batch));
    // Whoever missed the push asks for the facts since.
    for (const { memberId, fact } of batch.facts) this.#safely(() => this.#deps.publish(memberId, fact));
  }
}

function decide(job: QueuedCommand<unknown>, batch: Batch): Outcome {
  const before = batch.effects;
  try {
    return { result: job.decide(batch) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (batch.effects !== before) throw new Error(`refused with ${error.code} after acting`, { cause: error });
    return { refusal: error };
  }
}

/** Open the sequencer with every open order, at the rate limit of the settings unless one is given. */
export async function openSequencer(deps: SequencerDeps): Promise<Sequencer> {
  const { kysely } = deps.db;
  const sequencer = new Sequencer(deps, await openRules(kysely, deps.commandsPerSecond));
  sequencer.follow(await kysely.selectFrom("order").selectAll().where("status", "in", ["pending", "readyToClose"]).execute());
  return sequencer;
}
