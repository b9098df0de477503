/** The sequencer: one queue for all commands and matches. Those that wait together form a batch, which is written in one transaction. */
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
import { FundCommands } from "./fund-commands.ts";
import { idempotent } from "./idempotency.ts";
import type { Replies, Command } from "./idempotency.ts";
import { RateLimit } from "./rate-limit.ts";
import { toOrder } from "./order-record.ts";
import type { OrderRecord } from "./order-record.ts";
import { openBatch } from "./batch.ts";
import type { Batch, ParticipantKind } from "./batch.ts";
import { withChosen } from "./open-orders.ts";
import type { QueuedCommand } from "./queued-command.ts";
import type { ReadSet } from "./read-set.ts";
import { openTrades } from "./stored-effects.ts";
import { OrderBook, restingOf } from "./order-book.ts";
import { QueuePlaces } from "./queue-places.ts";
import type { RestingOrder, CounterpartyQuery } from "./order-book.ts";

export interface SequencerDeps {
  db: Database;
  venue: Venue;
  /** The features that take part in every batch. */
  participants: readonly ParticipantKind[];
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** Called for every fact after its commit, in the member's order. */
  publish: (memberId: number, fact: Fact) => void;
  /** Reports faults, such as a command whose transaction failed. */
  report?: ((error: unknown) => void) | undefined;
  /** Told of every committed batch: its commands, and the milliseconds it took. */
  observe?: ((commands: number, ms: number) => void) | undefined;
  /** Commands of one member per second; by default the setting `commandsPerSecond`. */
  commandsPerSecond?: number | undefined;
}

interface Queued {
  command: QueuedCommand<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}
/** The result of one decision. */
type Decision = { result: unknown } | { refusal: Refusal };

/** Larger batches would make the first command wait long for the last. */
const MAX_BATCH = 256;
/** Delay before a database that did not answer is asked again whether a commit took effect. */
const ASK_AGAIN_MS = 200;

function mergeReadSets(commands: readonly QueuedCommand<unknown>[], met: readonly RestingOrder[]): ReadSet {
  return {
    memberIds: [...new Set([...commands.flatMap((command) => command.memberIds), ...met.map((one) => one.memberId)])],
    requestIds: [...new Set(commands.flatMap((command) => command.requestIds ?? []))],
    orderNos: [...new Set([...commands.flatMap((command) => command.orderNos ?? []), ...met.map((one) => one.orderNo)])],
    placements: commands.reduce((sum, command) => sum + (command.placements ?? 0), 0),
    alertIds: commands.flatMap((command) => command.alertIds ?? []),
    conditions: commands.reduce((sum, command) => sum + (command.conditions ?? 0), 0),
    calls: commands.flatMap((command) => command.calls ?? []),
  };
}

/** What must be done before anything else is decided: before the first decision of a trading day, or once a call could not be booked. */
export interface StartOfDay {
  /** Tells whether a day has begun, or something else, that was not processed yet. */
  due: () => boolean;
  /** Processes it; `serve` decides a command at once, before everything queued. */
  work: (serve: (command: QueuedCommand<void>) => Promise<void>) => Promise<void>;
}

/** A day began while a batch was read. The batch is read again once the start of the day is processed. */
class SessionRolled extends Error {}

export class Sequencer {
  /** The trading rules. */
  readonly rules: RuleSet;
  /** Members' resting orders, as of the last commit. */
  readonly orderBook = new OrderBook();
  /** Where they stand in the exchange's queues. */
  readonly queue: QueuePlaces;
  /** Orders in the market or waiting for a trigger, as of the last commit, with their members. */
  readonly open = new Map<string, number>();
  readonly #deps: SequencerDeps;
  readonly #rateLimit: RateLimit;
  readonly #fundCommands = new FundCommands();
  readonly #listeners = new Set<(orders: readonly OrderRecord[]) => void>();
  readonly #batchListeners = new Set<(batch: Batch) => void>();
  readonly #startsOfDay: StartOfDay[] = [];
  #queue: Queued[] = [];
  #working: Promise<void> | null = null;

  constructor(deps: SequencerDeps, rules: RuleSet) {
    this.#deps = deps;
    this.rules = rules;
    this.queue = new QueuePlaces(deps.venue, deps.now);
    this.#rateLimit = new RateLimit(rules.commandsPerSecond);
  }

  /** Queues a command. Resolves after the commit, rejects with the refusal or the fault. */
  submit<Result>(command: QueuedCommand<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const waiting: Queued = { command, resolve: resolve as (result: unknown) => void, reject };
      // After what is as urgent: calls are held in the order they were due.
      const after = command.urgent ? this.#queue.findIndex((one) => !one.command.urgent) : -1;
      if (after === -1) this.#queue.push(waiting);
      else this.#queue.splice(after, 0, waiting);
      // setImmediate lets everything that arrived together be queued first.
      this.#working ??= new Promise((done) => setImmediate(() => void this.#work().then(done)));
    });
  }

  /**
   * Carries out a member's command on one order, once. The same id with the same body gets the order in its current state, with another
   * body it is refused.
   * @throws Refusal GEN_REQUEST_REUSED, GEN_TOO_FREQUENT, or a refusal by `decide`
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
   * Carries out a member's command whose answer is not a single order, once. The same id with the same body gets the same answer.
   * @throws Refusal GEN_REQUEST_REUSED, FUND_OP_IN_PROGRESS, GEN_TOO_FREQUENT, or a refusal by `decide`
   */
  commandAll<Result extends object>(command: Command<Result>): Promise<Result> {
    return this.#once(command, {
      now: (result) => ({ result, orderNo: command.body.orderNo ?? "", answer: result }),
      again: (_batch, before) => before.answer as Result | null,
    });
  }

  #once<Decided, Result>(command: Command<Decided>, answering: Replies<Decided, Result>): Promise<Result> {
    const { busy, end } = this.#fundCommands.begin(command);
    const queued = idempotent(command, answering, { limit: this.#rateLimit, now: this.#deps.now, busy });
    return this.submit(queued).finally(end);
  }

  /** The time a decision made now would have. */
  now(): number {
    return this.#deps.now();
  }

  /** Counts a command that is carried out elsewhere. @throws Refusal GEN_TOO_FREQUENT beyond the member's rate limit */
  countCommand(memberId: number): void {
    if (!this.#rateLimit.take(memberId, this.#deps.now())) throw new Refusal("GEN_TOO_FREQUENT");
  }

  /** Listens to changed orders, after each commit. @returns a function that stops it */
  onOrders(listener: (orders: readonly OrderRecord[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Listens to each batch after its commit. @returns a function that stops it */
  onBatch(listener: (batch: Batch) => void): () => void {
    this.#batchListeners.add(listener);
    return () => this.#batchListeners.delete(listener);
  }

  /** Resolves when the queue is empty. */
  async idle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  /** Updates the open orders, the book and the queues to what is committed. */
  follow(orders: readonly OrderRecord[], batch: Batch | null = null): void {
    for (const order of orders) {
      if (isOpen(order)) this.open.set(order.order_no, order.member_id);
      else this.open.delete(order.order_no);
      const resting = restingOf(order, this.#deps.venue);
      if (resting) {
        this.orderBook.put(resting);
        this.queue.put(resting, batch ? batch.queue.place(order.order_no) : this.queue.placeFor(resting));
      } else {
        this.orderBook.remove(order.order_no);
        this.queue.remove(order.order_no);
      }
    }
  }

  async #work(): Promise<void> {
    while (this.#queue.length > 0) {
      const together = this.#queue.splice(0, MAX_BATCH);
      try {
        await this.#runBatch(together);
      } catch (error) {
        // One command broke the transaction of all, so each gets its own. Not while the database is unreachable: each would wait for it in
        // turn.
        if (together.length === 1 || error instanceof DatabaseUnavailable) this.#fail(together, error);
        else await this.#runAlone(together, error);
      }
    }
    this.#working = null;
  }

  /** Runs the commands of a broken batch one by one. Where each of them works alone, what broke them together is reported. */
  async #runAlone(together: readonly Queued[], broken: unknown): Promise<void> {
    let failed = 0;
    for (const one of together) {
      await this.#runBatch([one]).catch((cause: unknown) => {
        failed += 1;
        this.#fail([one], cause);
      });
    }
    if (failed === 0) this.#deps.report?.(broken);
  }

  #fail(waiting: readonly Queued[], error: unknown): void {
    this.#deps.report?.(error);
    for (const { reject } of waiting) reject(error);
  }

  /**
   * Registers what must be done before the first decision of each trading day, after what was registered before. Nothing is decided while
   * it fails.
   */
  beforeEachDay(startOfDay: StartOfDay): void {
    this.#startsOfDay.push(startOfDay);
  }

  async #runBatch(together: readonly Queued[]): Promise<void> {
    for (;;) {
      for (const start of this.#startsOfDay)
        if (start.due())
          await start.work((command) => this.#decide([{ command, resolve: () => undefined, reject: () => undefined }], false));
      try {
        return await this.#decide(together, true);
      } catch (error) {
        if (!(error instanceof SessionRolled)) throw error;
      }
    }
  }

  async #decide(together: readonly Queued[], inDay: boolean): Promise<void> {
    const { db, venue, now, participants } = this.#deps;
    const began = performance.now();
    const commands = together.map(({ command }) => command);
    const counterpartyQueries = (batch: Batch | null): CounterpartyQuery[] =>
      commands.flatMap((command) => command.counterparties?.(batch) ?? []);
    const met = [
      ...commands.flatMap((command) => command.gather?.(this.orderBook) ?? []),
      ...this.orderBook.findCounterparties(counterpartyQueries(null)),
    ];
    let written: Batch | null = null;
    const done = await db
      .transaction(async (tx) => {
        const reads = mergeReadSets(await withChosen(tx, commands), met);
        const opened = await openBatch(tx, reads, { venue, rules: this.rules, queue: this.queue, participants }, epochMs(now()));
        // Where a close trades is known only from what was read. Its counterparties are rarely among that, and are then read by a second
        // call.
        const more = this.orderBook.findCounterparties(counterpartyQueries(opened)).filter(({ orderNo }) => !opened.hasOrder(orderNo));
        if (more.length > 0) await opened.joinOrders(tx, more);
        for (const { command } of together) await command.prepare?.(tx, opened);
        if (inDay && this.#startsOfDay.some((start) => start.due())) throw new SessionRolled();
        opened.begin();
        const decided = together.map(({ command }) => decide(command, opened));
        await opened.conclude(tx);
        await opened.write(tx, now());
        written = opened;
        return { batch: opened, outcomes: decided };
      })
      .catch((error: unknown) => {
        if (!(error instanceof CommitUnknown) || !written) throw error;
        return this.#recover(together, written, error);
      });
    if (!done) return;
    const { batch, outcomes } = done;
    this.#deps.observe?.(together.length, performance.now() - began);
    this.#publishFacts(batch);
    together.forEach(({ resolve, reject }, at) => {
      const outcome = outcomes[at];
      if (outcome && "refusal" in outcome) reject(outcome.refusal);
      else resolve(outcome?.result);
    });
  }

  /**
   * Called when the reply to COMMIT was lost: the callers' result is unknown. Waits until the outcome is known before anything else is
   * decided; otherwise the book in memory could differ from the database. @throws the original error when it was not committed
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

  /** The batch is committed: a listener's error must not make a caller repeat it. */
  #safely(notify: () => void): void {
    try {
      notify();
    } catch (error) {
      this.#deps.report?.(error);
    }
  }

  #publishFacts(batch: Batch): void {
    const changed = [...batch.touched];
    batch.queue.commit();
    this.follow(changed, batch);
    this.#safely(() => batch.market.commit());
    if (changed.length > 0) for (const listener of this.#listeners) this.#safely(() => listener(changed));
    for (const listener of this.#batchListeners) this.#safely(() => listener(batch));
    // A client that misses the push asks for the facts since its last one.
    for (const { memberId, fact } of batch.facts) this.#safely(() => this.#deps.publish(memberId, fact));
  }
}

function decide(command: QueuedCommand<unknown>, batch: Batch): Decision {
  const before = batch.effects;
  try {
    return { result: command.decide(batch) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (batch.effects !== before) throw new Error(`refused with ${error.code} after acting`, { cause: error });
    return { refusal: error };
  }
}

/** Opens the sequencer with every open order, at the given rate limit or that of the settings. */
export async function openSequencer(deps: SequencerDeps): Promise<Sequencer> {
  const { kysely } = deps.db;
  const sequencer = new Sequencer(deps, await openRules(kysely, deps.commandsPerSecond));
  await openTrades(deps);
  sequencer.queue.restore(await kysely.selectFrom("queue_place").selectAll().execute());
  sequencer.follow(await kysely.selectFrom("order").selectAll().where("status", "in", ["pending", "readyToClose"]).execute());
  return sequencer;
}
