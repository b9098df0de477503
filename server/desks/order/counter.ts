/** The counter: every command and every match waits in one line, and those that wait together are written in one transaction. */
import { createHash } from "node:crypto";
import type { Fact } from "#contract/fact.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Order } from "#contract/order.ts";
import type { Database } from "#server/db/database.ts";
import { Refusal } from "#server/desks/desk.ts";
import { openRules } from "#server/desks/rule/book.ts";
import type { RuleBook } from "#server/desks/rule/book.ts";
import type { Venue } from "#server/venue/port.ts";
import { Pace } from "./pace.ts";
import { toOrder } from "./record.ts";
import type { OrderRecord } from "./record.ts";
import { openRound } from "./round.ts";
import type { Needs, Preparing, Round } from "./round.ts";

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

/** Something to decide when its turn comes. It must refuse before it does anything. */
export interface Job<Result> extends Needs {
  prepare?: Preparing;
  decide: (round: Round) => Result;
}

/** A member's command, which acts once. */
export interface Command {
  endpoint: "placeOrder" | "cancelOrder" | "closeOrder";
  memberId: number;
  body: { requestId: string; orderNo?: string };
  decide: (round: Round) => OrderRecord;
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

/** What a body asks for, whatever order its fields came in. */
export function hashOf(body: Command["body"]): string {
  const asked = Object.entries(body).filter(([name]) => name !== "requestId");
  const sorted = asked.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}

function mergeNeeds(jobs: readonly Job<unknown>[]): Needs {
  return {
    memberIds: [...new Set(jobs.flatMap((job) => job.memberIds))],
    requestIds: [...new Set(jobs.flatMap((job) => job.requestIds))],
    orderNos: [...new Set(jobs.flatMap((job) => job.orderNos))],
    placements: jobs.reduce((sum, job) => sum + job.placements, 0),
    alertIds: jobs.flatMap((job) => job.alertIds),
    conditions: jobs.reduce((sum, job) => sum + (job.conditions ?? 0), 0),
  };
}

export class Counter {
  /** What members trade by. */
  readonly rules: RuleBook;
  readonly #deps: CounterDeps;
  readonly #pace: Pace;
  readonly #listeners = new Set<(orders: readonly OrderRecord[]) => void>();
  readonly #roundListeners = new Set<(round: Round) => void>();
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
      this.#line.push({ job, resolve: resolve as (result: unknown) => void, reject });
      // The immediate lets everything that arrived with this one stand in line first.
      this.#working ??= new Promise((done) => setImmediate(() => void this.#work().then(done)));
    });
  }

  /**
   * Carry out a member's command once: the same id with the same body gets the order as it stands now, with another body is refused.
   * @throws Refusal GEN_REQUEST_REUSED, GEN_TOO_FREQUENT, or whatever `decide` refuses
   */
  command(command: Command): Promise<Order> {
    const { endpoint, memberId, body, decide } = command;
    const bodyHash = hashOf(body);
    let admitted: boolean | null = null;
    return this.submit({
      memberIds: [memberId],
      requestIds: [body.requestId],
      orderNos: body.orderNo === undefined ? [] : [body.orderNo],
      placements: endpoint === "placeOrder" ? 1 : 0,
      alertIds: [],
      decide: (round) => {
        const before = round.request(memberId, body.requestId);
        if (before) {
          const order = round.order(memberId, before.order_no);
          if (!order || before.endpoint !== endpoint || before.body_hash !== bodyHash)
            throw new Refusal("GEN_REQUEST_REUSED", {}, "requestId");
          return toOrder(order);
        }
        // A round that failed decides again: the command still counts once.
        admitted ??= this.#pace.take(memberId, round.at);
        if (!admitted) throw new Refusal("GEN_TOO_FREQUENT");
        const order = decide(round);
        round.remember({
          member_id: memberId,
          request_id: body.requestId,
          endpoint,
          body_hash: bodyHash,
          order_no: order.order_no,
          at: round.at,
          answer: null,
        });
        return toOrder(order);
      },
    });
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

  async #work(): Promise<void> {
    while (this.#line.length > 0) {
      const together = this.#line.splice(0, MAX_TOGETHER);
      try {
        await this.#serve(together);
      } catch (error) {
        // One of them broke the transaction of all: each gets its own.
        if (together.length === 1) this.#fail(together, error);
        else for (const one of together) await this.#serve([one]).catch((cause: unknown) => this.#fail([one], cause));
      }
    }
    this.#working = null;
  }

  #fail(waiting: readonly Waiting[], error: unknown): void {
    this.#deps.report?.(error);
    for (const { reject } of waiting) reject(error);
  }

  async #serve(together: readonly Waiting[]): Promise<void> {
    const { db, venue, now } = this.#deps;
    const needs = mergeNeeds(together.map(({ job }) => job));
    const { round, outcomes } = await db.transaction(async (tx) => {
      const opened = await openRound(tx, needs, { venue, rules: this.rules }, epochMs(now()));
      for (const { job } of together) await job.prepare?.(tx, opened);
      const decided = together.map(({ job }) => decide(job, opened));
      await opened.write(tx);
      return { round: opened, outcomes: decided };
    });
    this.#tell(round);
    together.forEach(({ resolve, reject }, at) => {
      const outcome = outcomes[at];
      if (outcome && "refusal" in outcome) reject(outcome.refusal);
      else resolve(outcome?.result);
    });
  }

  #tell(round: Round): void {
    const changed = [...round.touched];
    if (changed.length > 0) for (const listener of this.#listeners) listener(changed);
    for (const listener of this.#roundListeners) listener(round);
    for (const { memberId, fact } of round.told) {
      try {
        this.#deps.publish(memberId, fact);
      } catch (error) {
        // Committed is committed: whoever missed the push asks for the facts since.
        this.#deps.report?.(error);
      }
    }
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

/** Open the counter, with the pace of the settings unless one is given. */
export async function openCounter(deps: CounterDeps): Promise<Counter> {
  return new Counter(deps, await openRules(deps.db.kysely, deps.commandsPerSecond));
}
