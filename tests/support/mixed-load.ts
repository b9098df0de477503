/**
 * Clients that place orders, cancel some and pay money in, on whichever server answers, and repeat each call by its id until they know its outcome.
 * They look at the chart and the profile too: one that fails is noticed by what its server logs.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Answer, Asked, EndpointName } from "#contract/endpoints.ts";
import { Code, RequestId } from "#contract/kernel/id.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import type { Reply } from "#contract/kernel/reply.ts";
import type { ClusterServer } from "./cluster.ts";
import type { Headers } from "./server.ts";

const AGAIN_MS = 20;
const PAUSE_MS = 30;
/** Every so many calls two servers are asked at the same time, as by a client whose first call is still under way. */
const TWICE = 5;
/** Every so many turns a client looks at the chart and the profile. */
const LOOK = 4;
const UNKNOWN: ReadonlySet<string> = new Set(["GEN_SYSTEM_BUSY", "FUND_OP_IN_PROGRESS"]);

/**
 * It depends on the moment: of two calls with one id the later one may be accepted. An outcome only when every call of the turn is refused so.
 */
const PASSING = "FUND_DEPOSIT_PENDING";

type Known<Name extends EndpointName> = Extract<Reply<Answer<Name>>, { status: 1 }> | Exclude<Reply<Answer<Name>>, { status: 1 }>;

export class MixedLoad {
  readonly #servers: readonly ClusterServer[];
  readonly #code: string;
  /** A price at which an order rests. */
  readonly #far: number;
  /** What was acknowledged, by its id. */
  readonly orders = new Map<string, string>();
  readonly cancelled = new Map<string, string>();
  readonly deposits = new Map<string, string>();
  /** Refusals, which are outcomes too. */
  readonly refused = new Map<string, number>();
  readonly refusedIds = new Set<string>();
  /** Calls of one id that two servers answered differently. */
  readonly contradictions: string[] = [];
  #longestMs = 0;
  #lastAt = 0;
  #isOn = false;
  #isOver = false;
  #busy = 0;
  readonly #clients: Promise<void>[] = [];

  constructor(servers: readonly ClusterServer[], { code, far }: { code: string; far: number }) {
    this.#servers = servers;
    this.#code = code;
    this.#far = far;
  }

  get acknowledged(): number {
    return this.orders.size + this.cancelled.size + this.deposits.size;
  }

  /** The longest time without an acknowledgement since `watch`. */
  get longestMs(): number {
    return this.#longestMs;
  }

  watch(): void {
    [this.#longestMs, this.#lastAt] = [0, performance.now()];
  }

  /** Adds a client of a member. */
  add(headers: Headers): void {
    this.#clients.push(this.#trade(headers, this.#clients.length));
  }

  run(): void {
    this.#isOn = true;
  }

  /** Resolves when the outcome of every call is known. */
  async rest(): Promise<void> {
    this.#isOn = false;
    while (this.#busy > 0) await wait(AGAIN_MS);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  async #trade(headers: Headers, client: number): Promise<void> {
    for (let turn = client; !this.#isOver; turn += 1) {
      if (this.#isOn) {
        this.#busy += 1;
        await this.#act(headers, turn, client).finally(() => (this.#busy -= 1));
      }
      await wait(PAUSE_MS);
    }
  }

  async #act(headers: Headers, turn: number, client: number): Promise<void> {
    if (turn % 6 === 5 && client % 2 === 0) {
      const paid = { channelId: "transfer", amount: 1_000, channelPassword: null, proofId: null };
      const deposit = await this.#command("submitDeposit", paid, headers, turn);
      if (deposit) this.deposits.set(deposit.id, deposit.data.depositNo);
      return;
    }
    if (turn % LOOK === 0) await this.#look(headers, turn);
    const isResting = turn % 3 === 2;
    const price = isResting ? { pricing: "limit" as const, price: this.#far } : { pricing: "market" as const, price: null };
    const ticket = { code: Code.parse(this.#code), direction: "rise" as const, lots: 1, ...price };
    const placed = await this.#command("placeOrder", ticket, headers, turn);
    if (!placed) return;
    this.orders.set(placed.id, placed.data.orderNo);
    if (isResting) await this.#cancel(placed.data.orderNo, headers, turn);
  }

  /** An answer is not waited for again: a fault may go on. */
  async #look(headers: Headers, turn: number): Promise<void> {
    const code = Code.parse(this.#code);
    await this.#ask(turn, "readCandles", { code, period: "day", before: null, limit: 10 }, headers);
    await this.#ask(turn + 1, "readProfile", { code }, headers);
  }

  async #cancel(orderNo: OrderNo, headers: Headers, turn: number): Promise<void> {
    const done = await this.#command("cancelOrder", { orderNo }, headers, turn);
    if (done) this.cancelled.set(done.id, orderNo);
  }

  /** Calls until the outcome is known. @returns null when it was refused */
  async #command<Name extends "placeOrder" | "cancelOrder" | "submitDeposit">(
    name: Name,
    body: Omit<Asked<Name>, "requestId">,
    headers: Headers,
    turn: number,
  ): Promise<{ id: string; data: Answer<Name> } | null> {
    const id = randomUUID();
    const given = { ...body, requestId: RequestId.parse(id) } as Asked<Name>;
    for (let nth = turn; ; nth += 1) {
      const asked = nth % TWICE === 0 ? [nth, nth + 1] : [nth];
      const replies = await Promise.all(asked.map((each) => this.#ask(each, name, given, headers)));
      const isPassing = replies.every((reply) => reply?.status !== 1 && reply?.code === PASSING);
      const known = replies.filter((reply) => reply !== null).filter((reply) => isPassing || reply.status === 1 || reply.code !== PASSING);
      const numbers = new Set(known.map((reply) => JSON.stringify(this.#numberOf(reply))));
      if (numbers.size > 1) this.contradictions.push(`${name} ${id}: ${[...numbers].join(" and ")}`);
      const [first] = known;
      if (first?.status === 1) {
        const now = performance.now();
        this.#longestMs = Math.max(this.#longestMs, now - this.#lastAt);
        this.#lastAt = now;
        return { id, data: first.data };
      }
      if (first) {
        this.refusedIds.add(id);
        this.refused.set(`${name} ${first.code}`, (this.refused.get(`${name} ${first.code}`) ?? 0) + 1);
        return null;
      }
      await wait(AGAIN_MS);
    }
  }

  #numberOf(reply: Known<"placeOrder" | "cancelOrder" | "submitDeposit">): unknown {
    if (reply.status !== 1) return reply.code;
    return "depositNo" in reply.data ? reply.data.depositNo : reply.data.orderNo;
  }

  /** Asks one server. A busy one does not say what became of the call, nor one that has it under way. */
  async #ask<Name extends EndpointName>(nth: number, name: Name, body: Asked<Name>, headers: Headers): Promise<Known<Name> | null> {
    const reply = (await this.#servers[nth % this.#servers.length]?.ask(name, body, headers)) ?? null;
    return reply?.status !== 1 && UNKNOWN.has(reply?.code ?? "") ? null : reply;
  }
}
