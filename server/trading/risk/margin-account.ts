/** A member's margin account in a batch: read under the member's lock, changed in memory, written once with everything else. */
import { holdingsIn } from "#server/trading/clearing/holdings-in-batch.ts";
import { coverOf, isOnMargin, lackingTo, marginFactOf } from "#contract/margin.ts";
import type { Cover, Covered, MarginAccount, MarginCall, MarginFactType, MarginStatus } from "#contract/margin.ts";
import { cents, price } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import { epochMs, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import type { Message } from "#contract/message.ts";
import type { MarginRule } from "#contract/rule.ts";
import { advance } from "#machines/advance.ts";
import { marginCallMachine } from "#machines/margin-call.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import type { MarginCallTable } from "#server/db/schema.ts";
import { toOrder } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { SharedRows } from "#server/trading/sequencer/shared-rows.ts";
import { toMessage } from "#server/records/message.ts";
import { tradingDaysAfter } from "#server/trading/clearing/settlement-calendar.ts";
import type { Venue } from "#server/venue/venue.ts";
import { toCall } from "#server/records/margin-call.ts";

/** The account's own row. */
export interface Holder {
  margin_status: MarginStatus;
  margin_applied_at: number | null;
  margin_approved_at: number | null;
  margin_version: number;
}

/** A margin account within a batch. */
export interface MarginInBatch {
  memberId: number;
  holder: Holder;
  /** The open margin call. */
  call: MarginCallTable | null;
  /** Numbers reserved for a new call and its message. */
  nextNo: string;
  messageNo: number;
}

const OPEN = `
SELECT margin_status, margin_applied_at, margin_approved_at, margin_version,
  (SELECT to_json(margin_call) FROM margin_call WHERE member_id = $1 AND status IN ('due', 'paused', 'overdue')) AS call,
  'M' || nextval('margin_call_no') AS next_no, nextval('message_no') AS message_no,
  (SELECT coalesce(json_agg(order_no), '[]') FROM "order"
    WHERE member_id = $1 AND (funding = 'margin' OR (funding = 'cash' AND direction = 'fall')) AND status IN ('pending', 'holding', 'readyToClose')) AS order_nos
FROM trader WHERE member_id = $1`;

const accounts = new SharedRows<MarginInBatch>(async (tx, batch, memberId) => {
  const [row] = await query<Holder & { call: MarginCallTable | null; next_no: string; message_no: number; order_nos: string[] }>(tx, OPEN, [
    memberId,
  ]);
  if (!row) throw new Error(`member ${memberId} has no margin account`);
  const { call, next_no: nextNo, message_no: messageNo, order_nos: orderNos, ...holder } = row;
  const unread = orderNos.filter((orderNo) => !batch.hasOrder(orderNo));
  if (unread.length > 0) {
    await batch.joinOrders(
      tx,
      unread.map((orderNo) => ({ memberId, orderNo })),
    );
  }
  return { memberId, holder, call, nextNo, messageNo };
});

/** Reads a member's margin account and its orders into a batch that has locked the member. */
export async function openMarginAccount(tx: Tx, batch: Batch, memberId: number): Promise<void> {
  await accounts.read(tx, batch, memberId);
}

/** The account, which has been read. */
export function marginIn(batch: Batch, memberId: number): MarginInBatch {
  const account = accounts.of(batch, memberId);
  if (!account) throw new Error(`the margin account of member ${memberId} was not read in this batch`);
  return account;
}

/**
 * A margin order with the price it is valued at: the latest of the day, before the first trade the day's reference, or its cost if the
 * venue no longer lists the instrument. Yesterday's last price is wrong for shares that were split this morning.
 */
export function coveredAt(order: OrderRecord, venue: Pick<Venue, "instrument" | "quote" | "state">, at: number): Covered {
  const instrument = venue.instrument(order.code);
  const quote = instrument && venue.quote(instrument.row);
  const cost = Math.round((order.open_cents * 100) / Math.max(1, order.filled_lots * order.lot_shares));
  const last = quote && quote.at >= venue.state(at).opensAt ? quote.last : 0;
  return { ...toOrder(order), at: price(last || quote?.reference || cost) };
}

/** Tells whether an order counts towards the margin account. */
export function isMargin(order: OrderRecord): boolean {
  return isOnMargin(order) && order.filled_lots > order.closed_lots;
}

/**
 * Tells whether a margin position is locked. Its lots or prices are wrong, and so is the account's ratio: until the lock is lifted, no call
 * is raised or enforced.
 */
export function hasLocked(orders: Iterable<OrderRecord>): boolean {
  return [...orders].some((order) => order.locked && isMargin(order));
}

/** The account's margin orders after the decisions so far. */
export function marginOrders(batch: Batch, memberId: number): OrderRecord[] {
  return holdingsIn(batch, memberId).filter(isMargin);
}

/** The account's current maintenance ratio. */
export function coverIn(batch: Batch, memberId: number): Cover {
  const orders = marginOrders(batch, memberId).map((order) => coveredAt(order, batch.venue, batch.at));
  return coverOf(orders, batch.ledger.balance(memberId, "margin"));
}

/** Converts the account to the contract's type. */
export function toAccount(
  holder: Holder,
  call: MarginCallTable | null,
  orders: readonly OrderRecord[],
  { cover, added }: { cover: Cover; added: number },
): MarginAccount {
  const sum = (of: (order: OrderRecord) => number): Cents => cents(orders.reduce((total, order) => total + of(order), 0));
  return {
    status: holder.margin_status,
    appliedAt: holder.margin_applied_at === null ? null : epochMs(holder.margin_applied_at),
    approvedAt: holder.margin_approved_at === null ? null : epochMs(holder.margin_approved_at),
    loanCents: sum((order) => order.loan_cents),
    interestCents: sum((order) => order.interest_cents),
    addedCents: cents(added),
    ratioBasisPoints: cover.ratioBasisPoints,
    call: call && toCall(call),
    version: holder.margin_version,
  };
}

/** The account in a batch as the contract's type, with the call that has just ended, if any. */
export function accountIn(batch: Batch, memberId: number, ended: MarginCallTable | null = null): MarginAccount {
  const { holder, call } = marginIn(batch, memberId);
  const state = { cover: coverIn(batch, memberId), added: batch.ledger.balance(memberId, "margin") };
  return toAccount(holder, call ?? ended, marginOrders(batch, memberId), state);
}

/** Writes the account with the batch and emits the facts of its changes. */
function emitMarginFact(
  batch: Batch,
  account: MarginInBatch,
  type: MarginFactType,
  { ended = null, message = null }: { ended?: MarginCallTable | null; message?: Message | null } = {},
): void {
  const { memberId, holder } = account;
  holder.margin_version += 1;
  const call = account.call ?? ended;
  batch.emit(memberId, { type, account: accountIn(batch, memberId, ended), ...(message ? { message } : {}) });
  const written = structuredClone({ holder, call });
  batch.deferWrite(async (tx) => {
    await tx.updateTable("trader").set(written.holder).where("member_id", "=", memberId).execute();
    const { call: row } = written;
    if (!row) return;
    const { status, ended_at, paid_cents } = row;
    await tx
      .insertInto("margin_call")
      .values(row)
      .onConflict((conflict) => conflict.column("call_no").doUpdateSet({ status, ended_at, paid_cents }))
      .execute();
  });
}

/** Changes the application's state and emits the fact. */
export function changeHolder(batch: Batch, memberId: number, type: MarginFactType, change: Partial<Holder>): void {
  const account = marginIn(batch, memberId);
  Object.assign(account.holder, change);
  emitMarginFact(batch, account, type);
}

/** The end of the last of so many trading days, which is the deadline of a call. */
function dueAfter(at: number, days: number): number {
  return taipeiMidnight((tradingDaysAfter(at, days).at(-1) ?? taipeiDay(at)) + 1) - 1;
}

function openCall(batch: Batch, account: MarginInBatch, cover: Cover, rule: MarginRule): void {
  account.call = {
    call_no: account.nextNo,
    member_id: account.memberId,
    status: "due",
    called_at: batch.at,
    due_at: dueAfter(batch.at, rule.graceDays),
    ended_at: null,
    required_cents: lackingTo(cover, rule.clearedPercent),
    paid_cents: 0,
  };
  const { memberId, call, messageNo: id } = account;
  const row = { id, at: batch.at, kind: "marginCall" as const, read: false };
  emitMarginFact(batch, account, "margin.called", { message: toMessage(row, null, call) });
  batch.deferWrite(async (tx) => {
    await tx
      .insertInto("message")
      .values({ ...row, member_id: memberId, alert_id: null, call_no: call.call_no })
      .execute();
  });
}

/** Applies a fact to the open call. @throws Error when its machine forbids it, which is a fault */
export function stepCall(batch: Batch, memberId: number, type: MarginFactType): void {
  const account = marginIn(batch, memberId);
  const { call } = account;
  const next = call && advance(marginCallMachine, call.status, type);
  if (!call || !next) throw new Error(`${type} cannot happen to the margin call of member ${memberId}`);
  call.status = next;
  if (next !== "cleared" && next !== "liquidated") return emitMarginFact(batch, account, type);
  call.ended_at = batch.at;
  account.call = null;
  emitMarginFact(batch, account, type, { ended: call });
}

/** Deposits a payment on a call. It counts towards the account until nothing is owed any more. */
export function depositMargin(batch: Batch, memberId: number, amountCents: number): void {
  const { call } = marginIn(batch, memberId);
  if (!call) throw new Error(`member ${memberId} has no margin call`);
  batch.ledger.post({ memberId, kind: "margin", orderNo: null, moves: [{ from: "available", to: "margin", amount: amountCents }] });
  call.paid_cents += amountCents;
  stepCall(batch, memberId, "margin.paid");
}

/** Evaluates an account at current prices: applies the transitions that need no command, and returns deposits once nothing is owed. */
export function evaluateAccount(batch: Batch, memberId: number): void {
  const account = marginIn(batch, memberId);
  const rule = batch.rules.of(memberId).margin;
  const added = marginOrders(batch, memberId).length === 0 ? batch.ledger.balance(memberId, "margin") : 0;
  if (added > 0) {
    batch.ledger.post({ memberId, kind: "margin", orderNo: null, moves: [{ from: "margin", to: "available", amount: added }] });
    if (account.call === null) emitMarginFact(batch, account, "margin.cleared");
  }
  if (hasLocked(marginOrders(batch, memberId))) return;
  // One step may lead to another: a call that is raised again may already be overdue.
  for (;;) {
    const cover = coverIn(batch, memberId);
    const fact = marginFactOf(cover, account.call && toCall(account.call), rule, batch.at);
    if (fact === null) break;
    if (fact === "margin.called") openCall(batch, account, cover, rule);
    else stepCall(batch, memberId, fact);
  }
}

/** A member's account outside a batch, with past calls. */
export async function readMarginAccount(
  on: Reader,
  venue: Venue,
  memberId: number,
  limit: number,
  at: number,
): Promise<{ account: MarginAccount; calls: MarginCall[] }> {
  const holders = await query<Holder>(
    on,
    "SELECT margin_status, margin_applied_at, margin_approved_at, margin_version FROM trader WHERE member_id = $1",
    [memberId],
  );
  const [holder] = holders;
  if (!holder) throw new Error(`member ${memberId} has no margin account`);
  const orders = await on
    .selectFrom("order")
    .selectAll()
    .where("member_id", "=", memberId)
    .where((one) => one.or([one("funding", "=", "margin"), one.and([one("funding", "=", "cash"), one("direction", "=", "fall")])]))
    .where("status", "in", ["pending", "holding", "readyToClose"])
    .execute();
  const calls = await on
    .selectFrom("margin_call")
    .selectAll()
    .where("member_id", "=", memberId)
    .orderBy("call_no", "desc")
    .limit(limit)
    .execute();
  const [purse] = await query<{ balance: number }>(on, "SELECT balance FROM pocket WHERE member_id = $1 AND kind = 'margin'", [memberId]);
  const added = purse?.balance ?? 0;
  const open = orders.filter(isMargin);
  const cover = coverOf(
    open.map((order) => coveredAt(order, venue, at)),
    added,
  );
  const call = calls.find(({ ended_at }) => ended_at === null) ?? null;
  return { account: toAccount(holder, call, open, { cover, added }), calls: calls.map(toCall) };
}
