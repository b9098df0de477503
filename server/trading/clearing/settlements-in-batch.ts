/**
 * Net settlement in a batch: trades of a member that settle on one morning offset each other at once, so that only the difference is owed or
 * due, and the proceeds of a day's sales may be held for purchases that settle with them.
 */
import { defer, query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import type { Move } from "#server/ledger/ledger.ts";
import type { Batch, Participant, ParticipantKind } from "#server/trading/sequencer/batch.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { settlesAt } from "./settlement-calendar.ts";

const NETS = `SELECT member_id, due_at, sum(amount_cents)::bigint AS cents FROM settlement
  WHERE member_id = ANY ($1::bigint[]) AND nets AND settled_at IS NULL GROUP BY member_id, due_at`;
const HOLDS = `SELECT order_no, due_at, -amount_cents AS cents FROM settlement
  WHERE order_no = ANY ($1::text[]) AND kind = 'hold' AND settled_at IS NULL`;
const DROP_HOLD = "DELETE FROM settlement WHERE order_no = $1 AND kind = 'hold' AND settled_at IS NULL";
const INSERT = "INSERT INTO settlement (member_id, order_no, traded_at, due_at, amount_cents, kind) VALUES ($1, $2, $3, $4, $5, $6)";

/** What an order holds of the proceeds that are due on one morning. */
interface ProceedsHold {
  dueAt: number;
  cents: number;
}

const keyOf = (memberId: number, dueAt: number): string => `${memberId} ${dueAt}`;

const mayHoldProceeds = ({ status, terms }: OrderRecord): boolean => status === "pending" && terms.settlementDays > 0;

/** What the members of one batch are owed, or owe, by settlement morning; it is in `unsettled` or in `owing`, never in both. */
class SettlementsInBatch implements Participant {
  /** Its changes are postings of the ledger. */
  readonly effects = 0;
  readonly #batch: Batch;
  readonly #nets = new Map<string, number>();
  readonly #holds = new Map<string, ProceedsHold>();
  readonly #readMembers = new Set<number>();
  readonly #readOrders = new Set<string>();
  readonly #changed = new Map<string, OrderRecord>();

  constructor(batch: Batch) {
    this.#batch = batch;
  }

  /** Reads what is missing. Members without such money, and orders that trade at once, cost no query. */
  async join(tx: Tx): Promise<void> {
    const { ledger } = this.#batch;
    const members = this.#batch.members.map(({ id }) => id).filter((id) => !this.#readMembers.has(id));
    for (const id of members) this.#readMembers.add(id);
    const waiting = members.filter((id) => ledger.balance(id, "unsettled") > 0 || ledger.balance(id, "owing") > 0);
    const nets = waiting.length > 0 ? await query<{ member_id: number; due_at: number; cents: number }>(tx, NETS, [waiting]) : [];
    for (const { member_id: id, due_at: dueAt, cents } of nets) this.#nets.set(keyOf(id, dueAt), cents);
    const orders = [...this.#batch.orders].filter((order) => mayHoldProceeds(order) && !this.#readOrders.has(order.order_no));
    const orderNos = orders.map((order) => order.order_no);
    for (const orderNo of orderNos) this.#readOrders.add(orderNo);
    const holds = orderNos.length > 0 ? await query<ProceedsHoldRow>(tx, HOLDS, [orderNos]) : [];
    for (const { order_no: orderNo, due_at: dueAt, cents } of holds) this.#holds.set(orderNo, { dueAt, cents });
  }

  /** Signed cents due to the member (or by the member, if negative) on a morning, after the decisions so far. */
  net(memberId: number, dueAt: number): number {
    return this.#nets.get(keyOf(memberId, dueAt)) ?? 0;
  }

  hold(orderNo: string): ProceedsHold | undefined {
    return this.#holds.get(orderNo);
  }

  setHold(order: OrderRecord, dueAt: number, cents: number): void {
    if (cents > 0) this.#holds.set(order.order_no, { dueAt, cents });
    else this.#holds.delete(order.order_no);
    this.#changed.set(order.order_no, order);
  }

  setNet(memberId: number, dueAt: number, cents: number): void {
    this.#nets.set(keyOf(memberId, dueAt), cents);
  }

  /** Forgets a morning that is settled: what orders hold of its proceeds is from now on the member's own money. */
  settled(memberId: number, dueAt: number): void {
    this.#nets.delete(keyOf(memberId, dueAt));
    for (const [orderNo, { dueAt: of }] of this.#holds) {
      if (of === dueAt && this.#batch.order(memberId, orderNo)) this.#holds.delete(orderNo);
    }
  }

  async write(tx: Tx): Promise<void> {
    for (const [orderNo, { member_id: memberId }] of this.#changed) {
      await defer(tx, DROP_HOLD, [orderNo]);
      const hold = this.#holds.get(orderNo);
      if (hold) await defer(tx, INSERT, [memberId, orderNo, this.#batch.at, hold.dueAt, -hold.cents, "hold"]);
    }
  }
}

type ProceedsHoldRow = { order_no: string; due_at: number; cents: number };

/** How net settlement takes part in a batch. */
const participant: ParticipantKind<SettlementsInBatch> = {
  async open(tx, batch) {
    const part = new SettlementsInBatch(batch);
    await part.join(tx);
    return part;
  },
};
export { participant as settlements };

export const settlementsIn = (batch: Batch): SettlementsInBatch => batch.part(participant);

/** Writes what an order's trade adds to a settlement morning, for the member to see; posts nothing. */
function record(batch: Batch, { member_id: memberId, order_no: orderNo }: OrderRecord, dueAt: number, cents: number): void {
  if (cents === 0) return;
  const { at } = batch;
  batch.deferWrite(async (tx) => {
    await defer(tx, INSERT, [memberId, orderNo, at, dueAt, cents, "trade"]);
  });
}

/**
 * Adds an amount that was just posted to `unsettled` (positive) or `owing` (negative) to its morning. What it offsets is settled at once:
 * the proceeds pay the purchase, and the money kept for the purchase is free again.
 */
function offset(batch: Batch, { member_id: memberId, order_no: orderNo }: OrderRecord, dueAt: number, cents: number): void {
  const part = settlementsIn(batch);
  const before = part.net(memberId, dueAt);
  part.setNet(memberId, dueAt, before + cents);
  const amount = Math.sign(before) === -Math.sign(cents) ? Math.min(Math.abs(before), Math.abs(cents)) : 0;
  const moves: Move[] = [
    { from: "unsettled", to: "clearing", amount },
    { from: "owing", to: "available", amount },
  ];
  batch.ledger.post({ memberId, kind: "settle", orderNo, moves });
}

/** Tells whether an order's trades are settled later. */
export function settlesLater({ terms }: Pick<OrderRecord, "terms">): boolean {
  return terms.settlementDays > 0;
}

/** Books an amount that was just posted to `owing` (negative) or `unsettled`, and is due on the order's settlement morning. */
export function settleLater(batch: Batch, order: OrderRecord, cents: number): void {
  if (cents === 0) return;
  const dueAt = settlesAt(batch.at, order.terms.settlementDays);
  record(batch, order, dueAt, cents);
  offset(batch, order, dueAt, cents);
}

type Purchase = Pick<OrderRecord, "member_id" | "direction" | "funding" | "terms"> & Partial<Pick<OrderRecord, "order_no">>;

/** Cents of proceeds that settle on the same morning as a purchase made now, and may be held for it; only a plain purchase may. */
export function proceedsFor(batch: Batch, { member_id: memberId, order_no: orderNo, direction, funding, terms }: Purchase): number {
  if (direction !== "rise" || funding !== "cash" || terms.settlementDays === 0) return 0;
  const dueAt = settlesAt(batch.at, terms.settlementDays);
  // A session may last beyond midnight: an order never holds proceeds of two mornings.
  const hold = orderNo === undefined ? undefined : settlementsIn(batch).hold(orderNo);
  return hold && hold.dueAt !== dueAt ? 0 : Math.max(0, settlementsIn(batch).net(memberId, dueAt));
}

/** Holds money for an order: available money first, then proceeds that settle with it. The caller has checked that there is enough. */
export function holdMoney(batch: Batch, order: OrderRecord, cents: number): void {
  const { member_id: memberId, order_no: orderNo } = order;
  const own = Math.min(batch.ledger.balance(memberId, "available"), cents);
  const lacking = Math.min(cents - own, proceedsFor(batch, order));
  const moves: Move[] = [
    { from: "available", to: "held", amount: cents - lacking },
    { from: "unsettled", to: "held", amount: lacking },
  ];
  batch.ledger.post({ memberId, kind: "hold", orderNo, moves });
  if (lacking === 0) return;
  const part = settlementsIn(batch);
  const dueAt = settlesAt(batch.at, order.terms.settlementDays);
  part.setNet(memberId, dueAt, part.net(memberId, dueAt) - lacking);
  part.setHold(order, dueAt, (part.hold(orderNo)?.cents ?? 0) + lacking);
}

/** Releases held money of an order; proceeds go back to their settlement morning, before money that was available. */
export function releaseMoney(batch: Batch, order: OrderRecord, cents: number): void {
  const { member_id: memberId, order_no: orderNo } = order;
  const part = settlementsIn(batch);
  const hold = part.hold(orderNo);
  const back = Math.min(hold?.cents ?? 0, cents);
  const moves: Move[] = [
    { from: "held", to: "unsettled", amount: back },
    { from: "held", to: "available", amount: cents - back },
  ];
  batch.ledger.post({ memberId, kind: "release", orderNo, moves });
  if (!hold || back === 0) return;
  part.setHold(order, hold.dueAt, hold.cents - back);
  offset(batch, order, hold.dueAt, back);
}

/**
 * What a fill takes of the proceeds that its order holds: they pay its value, then its fee, and both settle with them.
 * @returns the cents of the value they pay
 */
export function payByProceeds(batch: Batch, order: OrderRecord, valueCents: number, feeCents: number): number {
  const part = settlementsIn(batch);
  const hold = part.hold(order.order_no);
  if (!hold) return 0;
  const value = Math.min(hold.cents, valueCents);
  const fee = Math.min(hold.cents - value, feeCents);
  part.setHold(order, hold.dueAt, hold.cents - value - fee);
  record(batch, order, hold.dueAt, -value - fee);
  return value;
}
