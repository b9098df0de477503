/** One round of the counter: what some commands need, read under lock; what they did, seen by each other at once and written together. */
import type { ConditionFactType } from "#contract/condition.ts";
import type { DebtFactType } from "#contract/debt.ts";
import type { Fact, OrderFact, OrderFactType } from "#contract/fact.ts";
import { cents } from "#contract/kernel/money.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import type { MarginAccount, MarginFactType, MarginStatus } from "#contract/margin.ts";
import type { IdentityStatus } from "#contract/member.ts";
import type { Message } from "#contract/message.ts";
import type { Settlement } from "#contract/settlement.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import type { RequestTable } from "#server/db/schema.ts";
import { openFiring } from "#server/desks/alert/firing.ts";
import type { Firing } from "#server/desks/alert/firing.ts";
import { unguard } from "#server/desks/condition/guard.ts";
import { openGuarding } from "#server/desks/condition/guarding.ts";
import type { Guarding } from "#server/desks/condition/guarding.ts";
import { toCondition } from "#server/desks/condition/record.ts";
import type { ConditionRecord } from "#server/desks/condition/record.ts";
import { openHoldings } from "#server/desks/risk/holding.ts";
import type { Holdings } from "#server/desks/risk/holding.ts";
import type { RuleBook } from "#server/desks/rule/book.ts";
import { openLedger } from "#server/ledger/ledger.ts";
import type { Ledger } from "#server/ledger/ledger.ts";
import type { MemberPocket } from "#server/ledger/pocket.ts";
import type { Venue } from "#server/venue/port.ts";
import { toFill, toOrder } from "./record.ts";
import type { FillRecord, OrderRecord } from "./record.ts";

/** What a round has to read before its commands can be decided. */
export interface Needs {
  memberIds: readonly number[];
  requestIds: readonly string[];
  orderNos: readonly string[];
  /** How many numbers it may take: one for each new order, each close asked for and each new price. */
  placements: number;
  /** Alerts that may fire; of two members with the same id, both. */
  alertIds: readonly string[];
  /** How many conditions may be set. */
  conditions: number;
}

/** A job may read more, under the same locks, before it is decided. */
export type Preparing = (tx: Tx, round: Round) => Promise<void>;

/** A member as trading sees one. */
export interface Person {
  id: number;
  identity: IdentityStatus;
  trade_barred: boolean;
  fact_n: number;
  profit_cents: number;
  margin_status: MarginStatus;
  day_signed_at: number | null;
  max_order_cents: number | null;
  daily_loss_cents: number | null;
  locked_until: number | null;
  easing: { maxOrderCents: number | null; dailyLossCents: number | null; at: number } | null;
  /** The Taipei day of the realised profit beside it. */
  profit_day: number;
  day_profit_cents: number;
}

/** A fact that waits for the commit before it is pushed. */
export interface Told {
  memberId: number;
  fact: Fact;
}

interface Opened {
  people: Person[];
  requests: RequestTable[];
  orders: OrderRecord[];
  numbers: string[];
}

/** PostgreSQL writes a UUID in lower case, whatever the client did. */
const keyOf = (memberId: number, requestId: string): string => `${memberId} ${requestId.toLowerCase()}`;

const OPEN = "SELECT round_open($1::bigint[], $2::uuid[], $3::text[], $4::integer) AS opened";

/** What a round decides by, besides what it reads. */
export interface RoundDeps {
  venue: Venue;
  rules: RuleBook;
}

/** What belongs to other desks and is decided in the same round. */
interface Others {
  firing: Firing;
  guarding: Guarding;
  holdings: Holdings;
}

/** The working state of a round. Nothing here touches the database but `openRound` and `write`. */
export class Round {
  readonly at: EpochMs;
  readonly venue: Venue;
  readonly ledger: Ledger;
  readonly rules: RuleBook;
  /** What waits on the orders of the round. */
  readonly guarding: Guarding;
  /** Positions that were charged more than their member's money reached for, and answer for it with their own collateral. */
  readonly charged = new Set<OrderRecord>();
  /** Facts in the order they happened. */
  readonly told: Told[] = [];
  readonly #people: Map<number, Person>;
  readonly #orders: Map<string, OrderRecord>;
  readonly #requests: Map<string, RequestTable>;
  readonly #numbers: string[];
  readonly #firing: Firing;
  readonly #holdings: Holdings;
  readonly #touched = new Set<OrderRecord>();
  readonly #fills: FillRecord[] = [];
  readonly #asked: RequestTable[] = [];
  readonly #later: ((tx: Tx) => Promise<void>)[] = [];

  constructor(at: EpochMs, { venue, rules }: RoundDeps, ledger: Ledger, opened: Opened, others: Others) {
    this.at = at;
    this.venue = venue;
    this.ledger = ledger;
    this.rules = rules;
    this.#people = new Map(opened.people.map((person) => [person.id, person]));
    // Somebody may name another member's order: whose lock is not held is not read, or who may meet it would not read it again.
    const locked = opened.orders.filter((order) => this.#people.has(order.member_id));
    this.#orders = new Map(locked.map((order) => [order.order_no, order]));
    this.#requests = new Map(opened.requests.map((request) => [keyOf(request.member_id, request.request_id), request]));
    this.#numbers = opened.numbers;
    this.#firing = others.firing;
    this.guarding = others.guarding;
    this.#holdings = others.holdings;
  }

  /** The member, who is known: the caller was signed in. */
  person(memberId: number): Person {
    const person = this.#people.get(memberId);
    if (!person) throw new Error(`member ${memberId} was not read in this round`);
    return person;
  }

  /** The members whose lock it holds. */
  get memberIds(): number[] {
    return [...this.#people.keys()];
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
  remember(request: RequestTable): void {
    this.#requests.set(keyOf(request.member_id, request.request_id), request);
    this.#asked.push(request);
  }

  /** A number for a new order. */
  takeNumber(): string {
    const number = this.#numbers.shift();
    if (number === undefined) throw new Error("this round was not told of a placement");
    return number;
  }

  /** Whatever was read of one instrument, whoever's it is: what one decision leaves resting the next can meet. */
  ordersOf(code: string): OrderRecord[] {
    return [...this.#orders.values()].filter((order) => order.code === code);
  }

  /** A member's orders that still wait to open something, as far as they were read. */
  workingOf(memberId: number): OrderRecord[] {
    return [...this.#orders.values()].filter((order) => order.member_id === memberId && order.status === "pending");
  }

  /** Put a new order among those of the round. */
  add(order: OrderRecord): void {
    this.#orders.set(order.order_no, order);
  }

  /** Add an execution. */
  addFill(fill: FillRecord): void {
    this.#fills.push(fill);
  }

  /** Write down what happened to an order, as it stands now, with the money as it stands now. */
  tell(type: OrderFactType, order: OrderRecord, fills: readonly FillRecord[] = []): void {
    const person = this.person(order.member_id);
    order.version += 1;
    person.fact_n += 1;
    this.#touched.add(order);
    const balance = (pocket: MemberPocket): number => this.ledger.balance(person.id, pocket);
    const fact: OrderFact = {
      n: person.fact_n,
      at: this.at,
      type,
      order: toOrder(order),
      fills: fills.map(toFill),
      money: {
        availableCents: cents(balance("available")),
        frozenCents: cents(balance("held") + balance("collateral") + balance("margin")),
        profitCents: cents(person.profit_cents),
      },
    };
    this.told.push({ memberId: person.id, fact });
    // What guarded an order ends with it.
    if (order.status === "closed" || order.status === "cancelled") unguard(this, order.order_no);
  }

  /** Write down what happened to a condition, as it stands now. */
  tellCondition(type: ConditionFactType, condition: ConditionRecord): void {
    const person = this.person(condition.member_id);
    condition.version += 1;
    person.fact_n += 1;
    this.guarding.touch(condition);
    this.told.push({ memberId: person.id, fact: { n: person.fact_n, at: this.at, type, condition: toCondition(condition) } });
  }

  /** What a member who set a daily loss has in the market, as this round has left it. */
  holdings(memberId: number): OrderRecord[] {
    const others = this.#holdings.of(memberId).filter((order) => !this.#orders.has(order.order_no));
    return [...others, ...this.#orders.values()].filter((order) => order.member_id === memberId && order.filled_lots > order.closed_lots);
  }

  /** Let a member's alert fire at a price, null for none, if it still waits: with its message, and the fact of it. */
  fire(memberId: number, alertId: string, firedPrice: number | null): void {
    const fired = this.#firing.fire(memberId, alertId, firedPrice, this.at);
    if (!fired) return;
    const person = this.person(memberId);
    person.fact_n += 1;
    this.told.push({ memberId, fact: { n: person.fact_n, at: this.at, type: "alert.fired", ...fired } });
  }

  /** Tell what became of a margin account, as it stands now. */
  tellMargin(memberId: number, type: MarginFactType, account: MarginAccount, message: Message | null = null): void {
    const person = this.person(memberId);
    person.fact_n += 1;
    this.told.push({ memberId, fact: { n: person.fact_n, at: this.at, type, account, ...(message ? { message } : {}) } });
  }

  /** Write down that what a member owes has changed. */
  tellDebt(memberId: number, type: DebtFactType, message: Message | null = null): void {
    const person = this.person(memberId);
    person.fact_n += 1;
    const { owed: owedCents } = this.ledger.debt(memberId);
    this.told.push({ memberId, fact: { n: person.fact_n, at: this.at, type, owedCents, ...(message ? { message } : {}) } });
  }

  /** Tell that trades were settled. */
  tellSettled(memberId: number, settlements: Settlement[]): void {
    const person = this.person(memberId);
    person.fact_n += 1;
    this.told.push({ memberId, fact: { n: person.fact_n, at: this.at, type: "money.settled", settlements } });
  }

  /** Have something rarer written with everything else, after the orders. */
  later(write: (tx: Tx) => Promise<void>): void {
    this.#later.push(write);
  }

  /** Take in resting orders that may be met, their members locked. */
  async join(tx: Tx, met: readonly { memberId: number; orderNo: string }[]): Promise<void> {
    const strangers = [...new Set(met.map(({ memberId }) => memberId))].filter((id) => !this.#people.has(id));
    const orderNos = met.map(({ orderNo }) => orderNo);
    const [row] = await query<{ opened: Opened }>(tx, OPEN, [strangers, [], orderNos, 0]);
    for (const person of row?.opened.people ?? []) this.#people.set(person.id, person);
    for (const order of row?.opened.orders ?? []) if (!this.#orders.has(order.order_no)) this.#orders.set(order.order_no, order);
    await this.ledger.join(tx, strangers);
    await this.guarding.join(tx, orderNos);
  }

  /** Whether an order was read. */
  knows(orderNo: string): boolean {
    return this.#orders.has(orderNo);
  }

  /** The orders something happened to. */
  get touched(): ReadonlySet<OrderRecord> {
    return this.#touched;
  }

  /** How much was done so far: a command that refuses must have done nothing. */
  get effects(): number {
    const { told, ledger, guarding } = this;
    return told.length + this.#fills.length + this.#asked.length + this.#later.length + ledger.pending + guarding.touched.size;
  }

  /**
   * Whether what was written took effect, when nobody heard of its commit. Asked under the members' locks: a transaction that still
   * holds them has not ended, and is waited for.
   */
  async wasCommitted(tx: Tx): Promise<boolean> {
    await query(tx, "SELECT FROM tally WHERE member_id = ANY ($1::bigint[]) ORDER BY member_id FOR UPDATE", [[...this.#people.keys()]]);
    const [told] = this.told;
    const [asked] = this.#asked;
    const found = told
      ? await query(tx, "SELECT FROM fact WHERE member_id = $1 AND n = $2 AND at = $3", [told.memberId, told.fact.n, told.fact.at])
      : asked
        ? await query(tx, "SELECT FROM request WHERE member_id = $1 AND request_id = $2", [asked.member_id, asked.request_id])
        : [];
    return found.length > 0;
  }

  /** Write everything; a round in which nothing happened writes nothing. */
  async write(tx: Tx): Promise<void> {
    if (this.effects === 0) return;
    await this.ledger.write(tx, this.at);
    await this.#firing.write(tx);
    const members = new Set(this.told.map(({ memberId }) => memberId));
    const facts = this.told.map(({ memberId, fact }) => ({ member_id: memberId, n: fact.n, at: fact.at, type: fact.type, body: fact }));
    const tallies = [...members].map((id) => ({
      member_id: id,
      fact_n: this.person(id).fact_n,
      profit_cents: this.person(id).profit_cents,
      profit_day: this.person(id).profit_day,
      day_profit_cents: this.person(id).day_profit_cents,
    }));
    const rows: readonly unknown[][] = [[...this.#touched], this.#fills, this.#asked, facts, tallies];
    await query(
      tx,
      "SELECT round_write($1::json, $2::json, $3::json, $4::json, $5::json)",
      rows.map((some) => JSON.stringify(some)),
    );
    await this.guarding.write(tx);
    for (const write of this.#later) await write(tx);
  }
}

/** Lock the members of a round and read what it needs. */
export async function openRound(tx: Tx, needs: Needs, deps: RoundDeps, at: EpochMs): Promise<Round> {
  const asked = [needs.memberIds, needs.requestIds, needs.orderNos, needs.placements];
  const [row] = await query<{ opened: Opened }>(tx, OPEN, asked);
  if (!row) throw new Error("round_open said nothing");
  const ledger = await openLedger(tx, needs.memberIds);
  return new Round(at, deps, ledger, row.opened, {
    firing: await openFiring(tx, needs.memberIds, needs.alertIds),
    guarding: await openGuarding(tx, needs.orderNos, needs.conditions ?? 0),
    // Only what takes a number may open something.
    holdings: await openHoldings(tx, needs.placements > 0 ? row.opened.people : []),
  });
}
