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
import { openAlerts } from "#server/alerts/alerts-in-batch.ts";
import type { AlertsInBatch } from "#server/alerts/alerts-in-batch.ts";
import { cancelExits } from "#server/trading/exit-orders/exits.ts";
import { openConditions } from "#server/trading/exit-orders/conditions-in-batch.ts";
import type { ConditionsInBatch } from "#server/trading/exit-orders/conditions-in-batch.ts";
import { toCondition } from "#server/trading/exit-orders/condition-record.ts";
import type { ConditionRecord } from "#server/trading/exit-orders/condition-record.ts";
import { openHoldings } from "#server/trading/clearing/holdings-in-batch.ts";
import type { HoldingsInBatch } from "#server/trading/clearing/holdings-in-batch.ts";
import type { RuleSet } from "#server/rules/rules.ts";
import { openLedger } from "#server/ledger/ledger.ts";
import type { Ledger } from "#server/ledger/ledger.ts";
import type { MemberPocket } from "#server/ledger/pocket.ts";
import type { Venue } from "#server/venue/venue.ts";
import { toFill, toOrder } from "./order-record.ts";
import type { FillRecord, OrderRecord } from "./order-record.ts";

/** What a round has to read before its commands can be decided. */
export interface ReadSet {
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
export type PrepareReads = (tx: Tx, batch: Batch) => Promise<void>;

/** A member as trading sees one. */
export interface TradingMember {
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
export interface QueuedFact {
  memberId: number;
  fact: Fact;
}

interface Opened {
  members: TradingMember[];
  requests: RequestTable[];
  orders: OrderRecord[];
  numbers: string[];
}

/** PostgreSQL writes a UUID in lower case, whatever the client did. */
const keyOf = (memberId: number, requestId: string): string => `${memberId} ${requestId.toLowerCase()}`;

const OPEN = "SELECT round_open($1::bigint[], $2::uuid[], $3::text[], $4::integer) AS opened";

/** What a round decides by, besides what it reads. */
export interface BatchDeps {
  venue: Venue;
  rules: RuleSet;
}

/** What belongs to other desks and is decided in the same round. */
interface Participants {
  alerts: AlertsInBatch;
  conditions: ConditionsInBatch;
  holdings: HoldingsInBatch;
}

/** The working state of a round. Nothing here touches the database but `openRound` and `write`. */
export class Batch {
  readonly at: EpochMs;
  readonly venue: Venue;
  readonly ledger: Ledger;
  readonly rules: RuleSet;
  /** What waits on the orders of the round. */
  readonly conditions: ConditionsInBatch;
  /** Positions that were charged more than their member's money reached for, and answer for it with their own collateral. */
  readonly charged = new Set<OrderRecord>();
  /** Facts in the order they happened. */
  readonly facts: QueuedFact[] = [];
  readonly #members: Map<number, TradingMember>;
  readonly #orders: Map<string, OrderRecord>;
  readonly #requests: Map<string, RequestTable>;
  readonly #numbers: string[];
  readonly #alerts: AlertsInBatch;
  readonly #holdings: HoldingsInBatch;
  readonly #touched = new Set<OrderRecord>();
  readonly #fills: FillRecord[] = [];
  readonly #acted: RequestTable[] = [];
  readonly #deferredWrites: ((tx: Tx) => Promise<void>)[] = [];

  constructor(at: EpochMs, { venue, rules }: BatchDeps, ledger: Ledger, opened: Opened, others: Participants) {
    this.at = at;
    this.venue = venue;
    this.ledger = ledger;
    this.rules = rules;
    this.#members = new Map(opened.members.map((member) => [member.id, member]));
    // Somebody may name another member's order: whose lock is not held is not read, or who may meet it would not read it again.
    const locked = opened.orders.filter((order) => this.#members.has(order.member_id));
    this.#orders = new Map(locked.map((order) => [order.order_no, order]));
    this.#requests = new Map(opened.requests.map((request) => [keyOf(request.member_id, request.request_id), request]));
    this.#numbers = opened.numbers;
    this.#alerts = others.alerts;
    this.conditions = others.conditions;
    this.#holdings = others.holdings;
  }

  /** The member, who is known: the caller was signed in. */
  member(memberId: number): TradingMember {
    const member = this.#members.get(memberId);
    if (!member) throw new Error(`member ${memberId} was not read in this round`);
    return member;
  }

  /** The members whose lock it holds. */
  get memberIds(): number[] {
    return [...this.#members.keys()];
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
  emitFact(type: OrderFactType, order: OrderRecord, fills: readonly FillRecord[] = []): void {
    const member = this.member(order.member_id);
    order.version += 1;
    member.fact_n += 1;
    this.#touched.add(order);
    const balance = (pocket: MemberPocket): number => this.ledger.balance(member.id, pocket);
    const fact: OrderFact = {
      n: member.fact_n,
      at: this.at,
      type,
      order: toOrder(order),
      fills: fills.map(toFill),
      money: {
        availableCents: cents(balance("available")),
        frozenCents: cents(balance("held") + balance("collateral") + balance("margin")),
        profitCents: cents(member.profit_cents),
      },
    };
    this.facts.push({ memberId: member.id, fact });
    // What guarded an order ends with it.
    if (order.status === "closed" || order.status === "cancelled") cancelExits(this, order.order_no);
  }

  /** Write down what happened to a condition, as it stands now. */
  emitConditionFact(type: ConditionFactType, condition: ConditionRecord): void {
    const member = this.member(condition.member_id);
    condition.version += 1;
    member.fact_n += 1;
    this.conditions.touch(condition);
    this.facts.push({ memberId: member.id, fact: { n: member.fact_n, at: this.at, type, condition: toCondition(condition) } });
  }

  /** What a member who set a daily loss has in the market, as this round has left it. */
  holdings(memberId: number): OrderRecord[] {
    const others = this.#holdings.of(memberId).filter((order) => !this.#orders.has(order.order_no));
    return [...others, ...this.#orders.values()].filter((order) => order.member_id === memberId && order.filled_lots > order.closed_lots);
  }

  /** Let a member's alert fire at a price, null for none, if it still waits: with its message, and the fact of it. */
  fireAlert(memberId: number, alertId: string, firedPrice: number | null): void {
    const fired = this.#alerts.fire(memberId, alertId, firedPrice, this.at);
    if (!fired) return;
    const member = this.member(memberId);
    member.fact_n += 1;
    this.facts.push({ memberId, fact: { n: member.fact_n, at: this.at, type: "alert.fired", ...fired } });
  }

  /** Tell what became of a margin account, as it stands now. */
  emitMarginFact(memberId: number, type: MarginFactType, account: MarginAccount, message: Message | null = null): void {
    const member = this.member(memberId);
    member.fact_n += 1;
    this.facts.push({ memberId, fact: { n: member.fact_n, at: this.at, type, account, ...(message ? { message } : {}) } });
  }

  /** Write down that what a member owes has changed. */
  emitDebtFact(memberId: number, type: DebtFactType, message: Message | null = null): void {
    const member = this.member(memberId);
    member.fact_n += 1;
    const { owed: owedCents } = this.ledger.debt(memberId);
    this.facts.push({ memberId, fact: { n: member.fact_n, at: this.at, type, owedCents, ...(message ? { message } : {}) } });
  }

  /** Tell that trades were settled. */
  emitSettledFact(memberId: number, settlements: Settlement[]): void {
    const member = this.member(memberId);
    member.fact_n += 1;
    this.facts.push({ memberId, fact: { n: member.fact_n, at: this.at, type: "money.settled", settlements } });
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
    for (const member of row?.opened.members ?? []) this.#members.set(member.id, member);
    for (const order of row?.opened.orders ?? []) if (!this.#orders.has(order.order_no)) this.#orders.set(order.order_no, order);
    await this.ledger.join(tx, strangers);
    await this.conditions.join(tx, orderNos);
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
    const { facts: told, ledger, conditions: guarding } = this;
    return told.length + this.#fills.length + this.#acted.length + this.#deferredWrites.length + ledger.pending + guarding.touched.size;
  }

  /**
   * Whether what was written took effect, when nobody heard of its commit. Asked under the members' locks: a transaction that still
   * holds them has not ended, and is waited for.
   */
  async wasCommitted(tx: Tx): Promise<boolean> {
    await query(tx, "SELECT FROM tally WHERE member_id = ANY ($1::bigint[]) ORDER BY member_id FOR UPDATE", [[...this.#members.keys()]]);
    const [told] = this.facts;
    const [asked] = this.#acted;
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
    await this.#alerts.write(tx);
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
      "SELECT round_write($1::json, $2::json, $3::json, $4::json, $5::json)",
      rows.map((some) => JSON.stringify(some)),
    );
    await this.conditions.write(tx);
    for (const write of this.#deferredWrites) await write(tx);
  }
}

/** Lock the members of a round and read what it needs. */
export async function openBatch(tx: Tx, needs: ReadSet, deps: BatchDeps, at: EpochMs): Promise<Batch> {
  const asked = [needs.memberIds, needs.requestIds, needs.orderNos, needs.placements];
  const [row] = await query<{ opened: Opened }>(tx, OPEN, asked);
  if (!row) throw new Error("round_open said nothing");
  const ledger = await openLedger(tx, needs.memberIds);
  return new Batch(at, deps, ledger, row.opened, {
    alerts: await openAlerts(tx, needs.memberIds, needs.alertIds),
    conditions: await openConditions(tx, needs.orderNos, needs.conditions ?? 0),
    // Only what takes a number may open something.
    holdings: await openHoldings(tx, needs.placements > 0 ? row.opened.members : []),
  });
}
