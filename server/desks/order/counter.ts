/** The counter: every command and every match waits in one line, and those that wait together are written in one transaction. */
import type { Fact } from "#contract/fact.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Order } from "#contract/order.ts";
import type { Database } from "#server/db/database.ts";
import { CommitUnknown, DatabaseUnavailable } from "#server/db/outage.ts";
import { Refusal } from "#server/desks/desk.ts";
import { collectDebts } from "#server/desks/margin/debt.ts";
import { openRules } from "#server/desks/rule/book.ts";
import type { RuleBook } from "#server/desks/rule/book.ts";
import type { Venue } from "#server/venue/port.ts";
import { isOpen } from "./day.ts";
import { onceOnly } from "./once.ts";
import type { Answering, Command } from "./once.ts";
import { Pace } from "./pace.ts";
import { toOrder } from "./record.ts";
import type { OrderRecord } from "./record.ts";
import { openRound } from "./round.ts";
import type { Needs, Preparing, Round } from "./round.ts";
import { RestingBook, restingOf } from "./resting.ts";
import type { Resting, Seek } from "./resting.ts";

export interface CounterDeps {
  db: Database;
  venue: Venue;
  /** Epoch milliseconds. */
  now: () => number;
  /** Called for every fact after its commit, in the member's order. */
  publish: (memberId: number, fact: Fact) => void;
  /** Told of faults: a command whose transaction failed. */
  report?: ((error: unknown) => void) | undefined;
  /** Commands of one member in a second; without it the setting `commandsPerSecond`. */
  commandsPerSecond?: number | undefined;
}

/** Something to decide when its turn comes, for some members; of anything else it needs nothing unless it says so. It must refuse before it does anything. */
export interface Job<Result> extends Partial<Omit<Needs, "memberIds">>, Pick<Needs, "memberIds"> {
  /** Comes before whatever stands in line: what happens at a moment, not when somebody asks for it. */
  urgent?: boolean;
  /** Resting orders it decides on besides, looked up when its turn comes. */
  gather?: (book: RestingBook) => readonly Resting[];
  /** What it will trade, so that whom it may meet is read too: asked before anything was read (null), and again after. */
  seeks?: (round: Round | null) => readonly Seek[];
  prepare?: Preparing;
  decide: (round: Round) => Result;
}

interface Waiting {
  job: Job<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}
/** What one decision came to. */
type Outcome = { result: unknown } | { refusal: Refusal };

/** More would make the first of them wait long for the last. */
const MAX_TOGETHER = 256;
/** How soon a database that did not answer is asked again what became of a commit. */
const ASK_AGAIN_MS = 200;

function mergeNeeds(jobs: readonly Job<unknown>[], met: readonly Resting[]): Needs {
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
export interface Dawn {
  /** Whether a day has begun of which nothing was done yet. */
  due: () => boolean;
  /** Do it; `serve` decides a job at once, before all who stand in line. */
  work: (serve: (job: Job<void>) => Promise<void>) => Promise<void>;
}

/** A day began while a round was read: it is read again once what the day brings was done. */
class DayTurned extends Error {}

export class Counter {
  /** What members trade by. */
  readonly rules: RuleBook;
  /** What rests, as of the last commit. */
  readonly resting = new RestingBook();
  /** What is in the market or waits to go there, as of the last commit: whose each is. */
  readonly open = new Map<string, number>();
  readonly #deps: CounterDeps;
  readonly #pace: Pace;
  readonly #listeners = new Set<(orders: readonly OrderRecord[]) => void>();
  readonly #roundListeners = new Set<(round: Round) => void>();
  #dawn: Dawn | null = null;
  #line: Waiting[] = [];
  #working: Promise<void> | null = null;

  constructor(deps: CounterDeps, rules: RuleBook) {
    this.#deps = deps;
    this.rules = rules;
    this.#pace = new Pace(rules.commandsPerSecond);
  }

  /** Stand in line. Resolves after the commit, rejects with the refusal or the fault. */
  submit<Result>(job: Job<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const waiting: Waiting = { job, resolve: resolve as (result: unknown) => void, reject };
      if (job.urgent) this.#line.unshift(waiting);
      else this.#line.push(waiting);
      // The immediate lets everything that arrived with this one stand in line first.
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
      again: (round, before) => {
        const order = round.order(command.memberId, before.order_no);
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

  #once<Decided, Result>(command: Command<Decided>, answering: Answering<Decided, Result>): Promise<Result> {
    return this.submit(onceOnly(command, answering, (memberId, at) => this.#pace.take(memberId, at)));
  }

  /** The moment a decision made now would have. */
  now(): number {
    return this.#deps.now();
  }

  /** Count a command that is carried out elsewhere. @throws Refusal GEN_TOO_FREQUENT when it is one too many of its member */
  admit(memberId: number): void {
    if (!this.#pace.take(memberId, this.#deps.now())) throw new Refusal("GEN_TOO_FREQUENT");
  }

  /** Be told, after each commit, of the orders that changed. Returns how to stop. */
  onOrders(listener: (orders: readonly OrderRecord[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Be told of each round after its commit. Returns how to stop. */
  onRound(listener: (round: Round) => void): () => void {
    this.#roundListeners.add(listener);
    return () => this.#roundListeners.delete(listener);
  }

  /** Resolves when nobody stands in line. */
  async idle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  /** Keep what is open and what rests up to what is written. */
  follow(orders: readonly OrderRecord[]): void {
    for (const order of orders) {
      if (isOpen(order)) this.open.set(order.order_no, order.member_id);
      else this.open.delete(order.order_no);
      const resting = restingOf(order, this.#deps.venue);
      if (resting) this.resting.put(resting);
      else this.resting.remove(order.order_no);
    }
  }

  async #work(): Promise<void> {
    while (this.#line.length > 0) {
      const together = this.#line.splice(0, MAX_TOGETHER);
      try {
        await this.#serve(together);
      } catch (error) {
        // One of them broke the transaction of all: each gets its own. Not where the database is gone: each would wait for it in turn.
        if (together.length === 1 || error instanceof DatabaseUnavailable) this.#fail(together, error);
        else for (const one of together) await this.#serve([one]).catch((cause: unknown) => this.#fail([one], cause));
      }
    }
    this.#working = null;
  }

  #fail(waiting: readonly Waiting[], error: unknown): void {
    this.#deps.report?.(error);
    for (const { reject } of waiting) reject(error);
  }

  /** Have something done before the first decision of each trading day; nothing is decided while it fails. */
  beforeEachDay(dawn: Dawn): void {
    this.#dawn = dawn;
  }

  async #serve(together: readonly Waiting[]): Promise<void> {
    for (;;) {
      if (this.#dawn?.due())
        await this.#dawn.work((job) => this.#decide([{ job, resolve: () => undefined, reject: () => undefined }], false));
      try {
        return await this.#decide(together, true);
      } catch (error) {
        if (!(error instanceof DayTurned)) throw error;
      }
    }
  }

  async #decide(together: readonly Waiting[], inDay: boolean): Promise<void> {
    const { db, venue, now } = this.#deps;
    const jobs = together.map(({ job }) => job);
    const seeks = (round: Round | null): Seek[] => jobs.flatMap((job) => job.seeks?.(round) ?? []);
    const met = [...jobs.flatMap((job) => job.gather?.(this.resting) ?? []), ...this.resting.meet(seeks(null))];
    let written: Round | null = null;
    const done = await db
      .transaction(async (tx) => {
        const opened = await openRound(tx, mergeNeeds(jobs, met), { venue, rules: this.rules }, epochMs(now()));
        // Only what was read says where a close trades: whom it may meet is seldom there, and then read in a second call.
        const more = this.resting.meet(seeks(opened)).filter(({ orderNo }) => !opened.knows(orderNo));
        if (more.length > 0) await opened.join(tx, more);
        for (const { job } of together) await job.prepare?.(tx, opened);
        if (inDay && this.#dawn?.due()) throw new DayTurned();
        const decided = together.map(({ job }) => decide(job, opened));
        await collectDebts(tx, opened);
        await opened.write(tx);
        written = opened;
        return { round: opened, outcomes: decided };
      })
      .catch((error: unknown) => {
        if (!(error instanceof CommitUnknown) || !written) throw error;
        return this.#recover(together, written, error);
      });
    if (!done) return;
    const { round, outcomes } = done;
    this.#tell(round);
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
  async #recover(together: readonly Waiting[], round: Round, unknown: CommitUnknown): Promise<null> {
    this.#fail(together, unknown);
    for (;;) {
      try {
        if (!(await this.#deps.db.transaction((tx) => round.wasCommitted(tx)))) throw unknown;
        this.#tell(round);
        return null;
      } catch (error) {
        if (error === unknown || !(error instanceof DatabaseUnavailable)) throw error;
        this.#fail(this.#line.splice(0), error);
        await new Promise((again) => setTimeout(again, ASK_AGAIN_MS));
      }
    }
  }

  /** Committed is committed: who fails to hear of it must not have it done a second time. */
  #safely(tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.#deps.report?.(error);
    }
  }

  #tell(round: Round): void {
    const changed = [...round.touched];
    this.follow(changed);
    if (changed.length > 0) for (const listener of this.#listeners) this.#safely(() => listener(changed));
    for (const listener of this.#roundListeners) this.#safely(() => listener(round));
    // Whoever missed the push asks for the facts since.
    for (const { memberId, fact } of round.told) this.#safely(() => this.#deps.publish(memberId, fact));
  }
}

function decide(job: Job<unknown>, round: Round): Outcome {
  const before = round.effects;
  try {
    return { result: job.decide(round) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (round.effects !== before) throw new Error(`refused with ${error.code} after acting`, { cause: error });
    return { refusal: error };
  }
}

/** Open the counter with everything that rests, at the pace of the settings unless one is given. */
export async function openCounter(deps: CounterDeps): Promise<Counter> {
  const { kysely } = deps.db;
  const counter = new Counter(deps, await openRules(kysely, deps.commandsPerSecond));
  counter.follow(await kysely.selectFrom("order").selectAll().where("status", "in", ["pending", "readyToClose"]).execute());
  return counter;
}
