/**
 * One batch of the sequencer. Reads under lock what its commands need, applies their decisions in memory so that each sees the earlier
 * ones, and writes everything in one transaction.
 */
import type { Fact, OrderFact, OrderFactType } from "#contract/fact.ts";
import { cents } from "#contract/kernel/money.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import { defer, query, queryAll } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import type { Statement } from "#server/db/statement.ts";
import type { RequestTable } from "#server/db/schema.ts";
import type { RuleSet } from "#server/rules/rules.ts";
import { Ledger, pocketsOf, takePockets } from "#server/ledger/ledger.ts";
import { FROZEN_POCKETS } from "#server/ledger/pocket.ts";
import type { MemberPocket } from "#server/ledger/pocket.ts";
import type { Venue } from "#server/venue/venue.ts";
import { toFill, toOrder } from "./order-record.ts";
import type { FillRecord, OrderRecord } from "./order-record.ts";
import { MarketInBatch } from "./market-in-batch.ts";
import { QueueInBatch } from "./queue-in-batch.ts";
import type { QueuePlaces } from "./queue-places.ts";
import type { ReadSet } from "./read-set.ts";
import type { TradingMember } from "./trading-member.ts";

/** Reads more rows for a command under the same locks, before it is decided. */
export type PrepareReads = (tx: Tx, batch: Batch) => Promise<void>;

/** A fact that is pushed after the commit. */
export interface QueuedFact {
  memberId: number;
  fact: Fact;
}

interface Opened {
  /** A row as `batch_open` returns it; the field names are its JSON keys. */
  people: TradingMember[];
  requests: RequestTable[];
  orders: OrderRecord[];
  numbers: string[];
}

/** PostgreSQL returns UUIDs in lower case; clients may send upper case. */
const keyOf = (memberId: number, requestId: string): string => `${memberId} ${requestId.toLowerCase()}`;

const OPEN = "SELECT batch_open($1::bigint[], $2::uuid[], $3::text[], $4::integer) AS opened";

/** What decisions use besides the rows read. */
export interface BatchDeps {
  venue: Venue;
  rules: RuleSet;
  queue: QueuePlaces;
  participants: readonly ParticipantKind[];
}

/** One feature's part of a batch: the rows it read under the members' locks and its changes, written with everything else. */
export interface Participant {
  /** Number of changes so far. A command that is refused must not have made any. */
  readonly effects: number;
  /** Reads the rows that belong to more orders, under the same locks. */
  join?(tx: Tx, orderNos: readonly string[]): Promise<void>;
  /** Acts on what was read before the first decision, and again when more orders were read. */
  begin?(): void;
  /** Called when an order was closed or cancelled. */
  orderEnded?(orderNo: string): void;
  /** Reacts to the result of all decisions, before anything is written. */
  conclude?(tx: Tx): Promise<void>;
  write?(tx: Tx): Promise<void>;
}

/** How a feature takes part in batches. The sequencer is given a list of these and knows no feature by name. */
export interface ParticipantKind<Part extends Participant = Participant> {
  /** What it always reads for the given set: sent in one message with the batch's own reads, after the members are locked. Null for nothing. */
  readonly reads?: (reads: ReadSet) => Statement | null;
  /** Takes the rows of `reads` and reads what depends on the batch. The members of the batch are locked. */
  open(tx: Tx, batch: Batch, reads: ReadSet, rows: readonly unknown[]): Promise<Part>;
}

/** A fact without what the batch adds: its number and its time. */
type FactBody = Fact extends infer One ? (One extends Fact ? Omit<One, "n" | "at"> : never) : never;

/** The working state of a batch. Only `openBatch`, `joinOrders`, `wasCommitted` and `write` access the database. */
export class Batch {
  readonly at: EpochMs;
  /** When the first decision was made, by `performance.now()`: a quote that changed since may not be in the decisions. */
  decidingSince = Infinity;
  readonly venue: Venue;
  readonly ledger: Ledger;
  readonly rules: RuleSet;
  readonly queue: QueueInBatch;
  readonly market: MarketInBatch;
  /** Positions that were charged more than their member could pay. The rest is taken from their own collateral. */
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
  #begun = false;

  constructor(at: EpochMs, { venue, rules, queue }: BatchDeps, ledger: Ledger, opened: Opened) {
    this.at = at;
    this.venue = venue;
    this.ledger = ledger;
    this.rules = rules;
    this.queue = new QueueInBatch(queue, venue);
    this.market = new MarketInBatch(venue, at);
    this.#members = new Map(opened.people.map((member) => [member.id, member]));
    // A command may name another member's order. Rows of members who are not locked are left out, so that counterparties read them again
    // later.
    const locked = opened.orders.filter((order) => this.#members.has(order.member_id));
    this.#orders = new Map(locked.map((order) => [order.order_no, order]));
    this.#requests = new Map(opened.requests.map((request) => [keyOf(request.member_id, request.request_id), request]));
    this.#numbers = opened.numbers;
  }

  /** The member; always found, because the caller is signed in. */
  member(memberId: number): TradingMember {
    const member = this.#members.get(memberId);
    if (!member) throw new Error(`member ${memberId} was not read in this batch`);
    return member;
  }

  /** A feature's state in this batch. */
  part<Part extends Participant>(kind: ParticipantKind<Part>): Part {
    const part = this.#parts.get(kind);
    if (!part) throw new Error("this feature takes no part in the batches of this sequencer");
    // The value was stored by `open` of the same kind.
    return part as Part;
  }

  /** Lets every feature take its rows, and read what depends on the batch. */
  async openParts(tx: Tx, kinds: readonly ParticipantKind[], reads: ReadSet, rows: ReadonlyMap<ParticipantKind, unknown[]>): Promise<void> {
    for (const kind of kinds) this.#parts.set(kind, await kind.open(tx, this, reads, rows.get(kind) ?? []));
  }

  /** Lets every feature act before the first decision. */
  begin(): void {
    if (!this.#begun) this.decidingSince = performance.now();
    this.#begun = true;
    for (const part of this.#parts.values()) part.begin?.();
  }

  /** Lets every feature react to the result of all decisions. */
  async conclude(tx: Tx): Promise<void> {
    for (const part of this.#parts.values()) await part.conclude?.(tx);
  }

  /** The members this batch has locked. */
  get members(): TradingMember[] {
    return [...this.#members.values()];
  }

  /** A member's own order; undefined if it does not exist or belongs to another member. */
  order(memberId: number, orderNo: string): OrderRecord | undefined {
    const order = this.#orders.get(orderNo);
    return order?.member_id === memberId ? order : undefined;
  }

  /** The command this id was used for before, if any. */
  request(memberId: number, requestId: string): RequestTable | undefined {
    return this.#requests.get(keyOf(memberId, requestId));
  }

  /** Records that a command was carried out, so that its id never acts again. */
  recordRequest(request: RequestTable): void {
    this.#requests.set(keyOf(request.member_id, request.request_id), request);
    this.#acted.push(request);
  }

  /** Takes a number for a new order. */
  takeNumber(): string {
    const number = this.#numbers.shift();
    if (number === undefined) throw new Error("this batch was not asked for so many order numbers");
    return number;
  }

  /** Puts an order behind all others at its price, as of now. Takes one order number. */
  takeTurn(order: OrderRecord): void {
    order.turn = this.takeNumber();
    order.turn_at = this.at;
  }

  /**
   * All orders of one instrument that were read, of any member, so that a decision can match orders that an earlier decision left in the
   * book.
   */
  ordersOf(code: string): OrderRecord[] {
    return [...this.#orders.values()].filter((order) => order.code === code);
  }

  /** The member's orders that were read. */
  ordersOfMember(memberId: number): OrderRecord[] {
    return [...this.#orders.values()].filter((order) => order.member_id === memberId);
  }

  /** Adds a new order to the batch. */
  add(order: OrderRecord): void {
    this.#orders.set(order.order_no, order);
  }

  /** Adds an execution. */
  addFill(fill: FillRecord): void {
    this.#fills.push(fill);
  }

  /** Emits a fact of a member. It gets the member's next number, is written with the batch and pushed after its commit. */
  emit(memberId: number, body: FactBody): void {
    const member = this.member(memberId);
    member.fact_n += 1;
    this.facts.push({ memberId, fact: { n: member.fact_n, at: this.at, ...body } });
  }

  /** Emits a fact about an order, with the current state of the order and of the member's money. */
  emitOrderFact(
    type: OrderFactType,
    order: OrderRecord,
    fills: readonly FillRecord[] = [],
    why: Pick<OrderFact, "closeCause" | "ended"> = {},
  ): void {
    const member = this.member(order.member_id);
    order.version += 1;
    this.#touched.add(order);
    const balance = (pocket: MemberPocket): number => this.ledger.balance(member.id, pocket);
    this.emit(member.id, {
      type,
      order: toOrder(order),
      fills: fills.map(toFill),
      ...why,
      money: {
        availableCents: cents(balance("available")),
        frozenCents: cents(FROZEN_POCKETS.reduce((sum, pocket) => sum + balance(pocket), 0)),
        profitCents: cents(member.profit_cents),
      },
    });
    if (order.status !== "closed" && order.status !== "cancelled") return;
    for (const part of this.#parts.values()) part.orderEnded?.(order.order_no);
  }

  /** Defers a write of a less common table until after the orders. */
  deferWrite(write: (tx: Tx) => Promise<void>): void {
    this.#deferredWrites.push(write);
  }

  /** Adds resting orders that may be matched; their members are locked. */
  async joinOrders(tx: Tx, met: readonly { memberId: number; orderNo: string }[]): Promise<void> {
    const newMemberIds = [...new Set(met.map(({ memberId }) => memberId))].filter((id) => !this.#members.has(id));
    const orderNos = met.map(({ orderNo }) => orderNo);
    const [row] = await query<{ opened: Opened }>(tx, OPEN, [newMemberIds, [], orderNos, 0]);
    for (const member of row?.opened.people ?? []) this.#members.set(member.id, member);
    for (const order of row?.opened.orders ?? []) if (!this.#orders.has(order.order_no)) this.#orders.set(order.order_no, order);
    await this.ledger.join(tx, newMemberIds);
    for (const part of this.#parts.values()) await part.join?.(tx, orderNos);
    if (this.#begun) this.begin();
  }

  /** All orders that were read. */
  get orders(): Iterable<OrderRecord> {
    return this.#orders.values();
  }

  /** Numbers of the orders that were read beside the named ones: those of repeated commands. */
  ordersBeside(orderNos: readonly string[]): string[] {
    const named = new Set(orderNos);
    return [...this.#orders.keys()].filter((orderNo) => !named.has(orderNo));
  }

  /** Tells whether an order was read. */
  hasOrder(orderNo: string): boolean {
    return this.#orders.has(orderNo);
  }

  /** The orders that changed. */
  get touched(): ReadonlySet<OrderRecord> {
    return this.#touched;
  }

  /** Number of changes so far. A command that is refused must not have made any. */
  get effects(): number {
    const parts = [...this.#parts.values()].reduce((sum, part) => sum + part.effects, 0);
    return this.facts.length + this.#fills.length + this.#acted.length + this.#deferredWrites.length + this.ledger.pending + parts;
  }

  /**
   * Tells whether the batch was committed when the reply to COMMIT was lost. Takes the members' locks first: a transaction that still
   * holds them has not ended, and this waits for it.
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

  /** Writes everything, at `now`; a batch without changes writes nothing. */
  async write(tx: Tx, now: number): Promise<void> {
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
    await defer(
      tx,
      "SELECT batch_write($1::json, $2::json, $3::json, $4::json, $5::json)",
      rows.map((some) => JSON.stringify(some)),
    );
    if (this.#touched.size > 0) await this.queue.write(tx, this.#touched);
    await this.market.write(tx, now);
    for (const part of this.#parts.values()) await part.write?.(tx);
    for (const write of this.#deferredWrites) await write(tx);
  }
}

/** Locks the members of a batch and reads what it needs, in one message as far as what the commands name tells it. */
export async function openBatch(tx: Tx, reads: ReadSet, deps: BatchDeps, at: EpochMs): Promise<Batch> {
  const asked = deps.participants.flatMap((kind) => {
    const statement = kind.reads?.(reads);
    return statement ? [{ kind, statement }] : [];
  });
  const [opened, pockets, ...parts] = await queryAll(tx, [
    { sql: OPEN, parameters: [reads.memberIds, reads.requestIds, reads.orderNos, reads.placements] },
    pocketsOf(reads.memberIds),
    ...asked.map(({ statement }) => statement),
  ]);
  const row = opened?.[0] as { opened: Opened } | undefined;
  if (!row) throw new Error("batch_open returned no row");
  const batch = new Batch(at, deps, new Ledger(takePockets(pockets ?? [])), row.opened);
  await batch.openParts(tx, deps.participants, reads, new Map(asked.map(({ kind }, nth) => [kind, parts[nth] ?? []])));
  return batch;
}
