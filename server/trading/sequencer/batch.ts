/** One batch of the sequencer: what its commands need, read under lock; what they did, seen by each other at once and written together. */
import type { Fact, OrderFactType } from "#contract/fact.ts";
import { cents } from "#contract/kernel/money.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import type { RequestTable } from "#server/db/schema.ts";
import type { RuleSet } from "#server/rules/rules.ts";
import { openLedger } from "#server/ledger/ledger.ts";
import type { Ledger } from "#server/ledger/ledger.ts";
import type { MemberPocket } from "#server/ledger/pocket.ts";
import type { Venue } from "#server/venue/venue.ts";
import { toFill, toOrder } from "./order-record.ts";
import type { FillRecord, OrderRecord } from "./order-record.ts";
import type { ReadSet } from "./read-set.ts";
import type { TradingMember } from "./trading-member.ts";

/** A command may read more, under the same locks, before it is decided. */
export type PrepareReads = (tx: Tx, batch: Batch) => Promise<void>;

/** A fact that waits for the commit before it is pushed. */
export interface QueuedFact {
  memberId: number;
  fact: Fact;
}

interface Opened {
  /** Named as `batch_open` answers. */
  people: TradingMember[];
  requests: RequestTable[];
  orders: OrderRecord[];
  numbers: string[];
}

/** PostgreSQL writes a UUID in lower case, whatever the client did. */
const keyOf = (memberId: number, requestId: string): string => `${memberId} ${requestId.toLowerCase()}`;

const OPEN = "SELECT batch_open($1::bigint[], $2::uuid[], $3::text[], $4::integer) AS opened";

/** What a batch decides by, besides what it reads. */
export interface BatchDeps {
  venue: Venue;
  rules: RuleSet;
  participants: readonly ParticipantKind[];
}

/** A feature's part of a batch: what it read under the members' locks and what it did, written with everything else. */
export interface Participant {
  /** How much it did so far: a command that refuses must have done nothing. */
  readonly effects: number;
  /** Read what belongs to more orders, under the same locks. */
  join?(tx: Tx, orderNos: readonly string[]): Promise<void>;
  /** An order was closed or cancelled. */
  orderEnded?(orderNo: string): void;
  /** Act on what all decisions left, before anything is written. */
  conclude?(tx: Tx): Promise<void>;
  write?(tx: Tx): Promise<void>;
}

/** How a feature takes part in batches. The sequencer is given a list of these and knows none by name. */
export interface ParticipantKind<Part extends Participant = Participant> {
  /** Read its part. The members of the batch are locked. */
  open(tx: Tx, batch: Batch, reads: ReadSet): Promise<Part>;
}

/** A fact without what the batch adds: its number and its moment. */
type FactBody = Fact extends infer One ? (One extends Fact ? Omit<One, "n" | "at"> : never) : never;

/** The working state of a batch. Nothing here touches the database but `openBatch`, `joinOrders`, `wasCommitted` and `write`. */
export class Batch {
  readonly at: EpochMs;
  readonly venue: Venue;
  readonly ledger: Ledger;
  readonly rules: RuleSet;
  /** Positions that were charged more than their member's money reached for, and answer for it with their own collateral. */
  readonly charged = new Set<OrderRecord>();
  /** Facts in the order they happened. */
  readonly facts: QueuedFact[] = [];
  readonly #members: Map<number, TradingMember>;
  readonly #orders: Map<string, OrderRecord>;
  readonly #requests: Map<string, RequestTable>;
  readonly #numbers: string[];
  readonly #parts = new Map<ParticipantKind, Participant>();
  readonly #touched = new Set<OrderRecord>();
  readonly #fills: FillRecord[] = [];
  readonly #acted: RequestTable[] = [];
  readonly #deferredWrites: ((tx: Tx) => Promise<void>)[] = [];

  constructor(at: EpochMs, { venue, rules }: BatchDeps, ledger: Ledger, opened: Opened) {
    this.at = at;
    this.venue = venue;
    this.ledger = ledger;
    this.rules = rules;
    this.#members = new Map(opened.people.map((member) => [member.id, member]));
    // Somebody may name another member's order: whose lock is not held is not read, or who may meet it would not read it again.
    const locked = opened.orders.filter((order) => this.#members.has(order.member_id));
    this.#orders = new Map(locked.map((order) => [order.order_no, order]));
    this.#requests = new Map(opened.requests.map((request) => [keyOf(request.member_id, request.request_id), request]));
    this.#numbers = opened.numbers;
  }

  /** The member, who is known: the caller was signed in. */
  member(memberId: number): TradingMember {
    const member = this.#members.get(memberId);
    if (!member) throw new Error(`member ${memberId} was not read in this batch`);
    return member;
  }

  /** What a feature has in this batch. */
  part<Part extends Participant>(kind: ParticipantKind<Part>): Part {
    const part = this.#parts.get(kind);
    if (!part) throw new Error("this feature takes no part in the batches of this sequencer");
    // Only `open` of the same kind put it there.
    return part as Part;
  }

  /** Have every feature read its part. */
  async openParts(tx: Tx, kinds: readonly ParticipantKind[], reads: ReadSet): Promise<void> {
    for (const kind of kinds) this.#parts.set(kind, await kind.open(tx, this, reads));
  }

  /** Let every feature act on what all decisions left. */
  async conclude(tx: Tx): Promise<void> {
    for (const part of this.#parts.values()) await part.conclude?.(tx);
  }

  /** The members whose lock it holds. */
  get members(): TradingMember[] {
    return [...this.#members.values()];
  }

  /** A member's own order; undefined for another's, as for none. */
  order(memberId: number, orderNo: string): OrderRecord | undefined {
    const order = this.#orders.get(orderNo);
    return order?.member_id === memberId ? order : undefined;
  }

  /** The command this id was used for before, if it was. */
  request(memberId: number, requestId: string): RequestTable | undefined {
    return this.#requests.get(keyOf(memberId, requestId));
  }

  /** Remember that a command acted, so that its id never acts again. */
  recordRequest(request: RequestTable): void {
    this.#requests.set(keyOf(request.member_id, request.request_id), request);
    this.#acted.push(request);
  }

  /** A number for a new order. */
  takeNumber(): string {
    const number = this.#numbers.shift();
    if (number === undefined) throw new Error("this batch was not asked for so many order numbers");
    return number;
  }

  /** Whatever was read of one instrument, whoever's it is: what one decision leaves resting the next can meet. */
  ordersOf(code: string): OrderRecord[] {
    return [...this.#orders.values()].filter((order) => order.code === code);
  }

  /** A member's orders, as far as they were read. */
  ordersOfMember(memberId: number): OrderRecord[] {
    return [...this.#orders.values()].filter((order) => order.member_id === memberId);
  }

  /** Put a new order among those of the batch. */
  add(order: OrderRecord): void {
    this.#orders.set(order.order_no, order);
  }

  /** Add an execution. */
  addFill(fill: FillRecord): void {
    this.#fills.push(fill);
  }

  /** Emit a fact of a member: it gets the member's next number, is written with the batch and pushed after its commit. */
  emit(memberId: number, body: FactBody): void {
    const member = this.member(memberId);
    member.fact_n += 1;
    this.facts.push({ memberId, fact: { n: member.fact_n, at: this.at, ...body } });
  }

  /** Emit what happened to an order, as it stands now, with the money as it stands now. */
  emitOrderFact(type: OrderFactType, order: OrderRecord, fills: readonly FillRecord[] = []): void {
    const member = this.member(order.member_id);
    order.version += 1;
    this.#touched.add(order);
    const balance = (pocket: MemberPocket): number => this.ledger.balance(member.id, pocket);
    this.emit(member.id, {
      type,
      order: toOrder(order),
      fills: fills.map(toFill),
      money: {
        availableCents: cents(balance("available")),
        frozenCents: cents(balance("held") + balance("collateral") + balance("margin")),
        profitCents: cents(member.profit_cents),
      },
    });
    if (order.status !== "closed" && order.status !== "cancelled") return;
    for (const part of this.#parts.values()) part.orderEnded?.(order.order_no);
  }

  /** Have something rarer written with everything else, after the orders. */
  deferWrite(write: (tx: Tx) => Promise<void>): void {
    this.#deferredWrites.push(write);
  }

  /** Take in resting orders that may be met, their members locked. */
  async joinOrders(tx: Tx, met: readonly { memberId: number; orderNo: string }[]): Promise<void> {
    const strangers = [...new Set(met.map(({ memberId }) => memberId))].filter((id) => !this.#members.has(id));
    const orderNos = met.map(({ orderNo }) => orderNo);
    const [row] = await query<{ opened: Opened }>(tx, OPEN, [strangers, [], orderNos, 0]);
    for (const member of row?.opened.people ?? []) this.#members.set(member.id, member);
    for (const order of row?.opened.orders ?? []) if (!this.#orders.has(order.order_no)) this.#orders.set(order.order_no, order);
    await this.ledger.join(tx, strangers);
    for (const part of this.#parts.values()) await part.join?.(tx, orderNos);
  }

  /** Whether an order was read. */
  hasOrder(orderNo: string): boolean {
    return this.#orders.has(orderNo);
  }

  /** The orders something happened to. */
  get touched(): ReadonlySet<OrderRecord> {
    return this.#touched;
  }

  /** How much was done so far: a command that refuses must have done nothing. */
  get effects(): number {
    const parts = [...this.#parts.values()].reduce((sum, part) => sum + part.effects, 0);
    return this.facts.length + this.#fills.length + this.#acted.length + this.#deferredWrites.length + this.ledger.pending + parts;
  }

  /**
   * Whether what was written took effect, when nobody heard of its commit. Asked under the members' locks: a transaction that still
   * holds them has not ended, and is waited for.
   */
  async wasCommitted(tx: Tx): Promise<boolean> {
    await query(tx, "SELECT FROM tally WHERE member_id = ANY ($1::bigint[]) ORDER BY member_id FOR UPDATE", [[...this.#members.keys()]]);
    const [first] = this.facts;
    const [command] = this.#acted;
    const found = first
      ? await query(tx, "SELECT FROM fact WHERE member_id = $1 AND n = $2 AND at = $3", [first.memberId, first.fact.n, first.fact.at])
      : command
        ? await query(tx, "SELECT FROM request WHERE member_id = $1 AND request_id = $2", [command.member_id, command.request_id])
        : [];
    return found.length > 0;
  }

  /** Write everything; a batch in which nothing happened writes nothing. */
  async write(tx: Tx): Promise<void> {
    if (this.effects === 0) return;
    await this.ledger.write(tx, this.at);
    const members = new Set(this.facts.map(({ memberId }) => memberId));
    const facts = this.facts.map(({ memberId, fact }) => ({ member_id: memberId, n: fact.n, at: fact.at, type: fact.type, body: fact }));
    const tallies = [...members].map((id) => ({
      member_id: id,
      fact_n: this.member(id).fact_n,
      profit_cents: this.member(id).profit_cents,
      profit_day: this.member(id).profit_day,
      day_profit_cents: this.member(id).day_profit_cents,
    }));
    const rows: readonly unknown[][] = [[...this.#touched], this.#fills, this.#acted, facts, tallies];
    await query(
      tx,
      "SELECT batch_write($1::json, $2::json, $3::json, $4::json, $5::json)",
      rows.map((some) => JSON.stringify(some)),
    );
    for (const part of this.#parts.values()) await part.write?.(tx);
    for (const write of this.#deferredWrites) await write(tx);
  }
}

/** Lock the members of a batch and read what it needs. */
export async function openBatch(tx: Tx, reads: ReadSet, deps: BatchDeps, at: EpochMs): Promise<Batch> {
  const [row] = await query<{ opened: Opened }>(tx, OPEN, [reads.memberIds, reads.requestIds, reads.orderNos, reads.placements]);
  if (!row) throw new Error("batch_open returned no row");
  const batch = new Batch(at, deps, await openLedger(tx, reads.memberIds), row.opened);
  await batch.openParts(tx, deps.participants, reads);
  return batch;
}
