/** Watches margin accounts: makes, clears and enforces margin calls by the newest prices, and has applications reviewed. */
import { isMarginFact } from "#contract/fact-kind.ts";
import { coverOf, isOnMargin, marginFactOf } from "#contract/margin.ts";
import type { Cover, MarginCall } from "#contract/margin.ts";
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import type { MarginCallTable } from "#server/db/schema.ts";
import { coveredAt, isMargin, judgeAccount, marginOrders, openStanding, standingOf } from "./margin-account.ts";
import { toCall } from "#server/records/margin-call.ts";
import { reviewApplications } from "./margin-review.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { Venue } from "#server/venue/venue.ts";
import { every } from "#server/kernel/every.ts";
import { isSellable, isForceClosing, forceClose, submitForcedClose } from "./forced-close.ts";

export interface MarginMonitorDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  /** Epoch milliseconds. */
  now: () => number;
  /** Told of faults; the account concerned is judged again at the next change. */
  report?: ((error: unknown) => void) | undefined;
}

/** How often applications are looked for, and accounts judged whose prices do not change: a deadline passes all the same. */
const REVIEW_EVERY_MS = SECOND_MS;
const JUDGE_EVERY_MS = MINUTE_MS;

/** An account with margin orders or a call, as far as it is known here: enough to suspect, never to decide. */
interface Watched {
  orders: Map<string, OrderRecord>;
  call: MarginCall | null;
  added: number;
  queued: boolean;
  /** Something changed while it was judged. */
  missed: boolean;
}

/** The account's oldest position that the broker may sell now, of those that can be sold at all: another may be halted for long. */
function nextSale({ call, orders }: Pick<Watched, "call" | "orders">, low: boolean, venue: Venue, at: number): OrderRecord | undefined {
  if (call?.status !== "overdue") return undefined;
  const open = [...orders.values()].filter(isMargin).toSorted((a, b) => (a.order_no < b.order_no ? -1 : 1));
  // One after the other: the account may recover before all are sold. Where too little is left, none waits for what the market does not take.
  if (open.some(isForceClosing) && !low) return undefined;
  return open.find((order) => !isForceClosing(order) && isSellable(order, venue, at));
}

/**
 * Load accounts with margin orders or a call, and begin to judge.
 * @returns how to stop; what is being decided is finished by the sequencer
 */
export async function startMarginMonitor(deps: MarginMonitorDeps): Promise<() => void> {
  const { db, venue, sequencer, now } = deps;
  const accounts = new Map<number, Watched>();
  const rows = new Map<number, Set<number>>();
  let stopped = false;

  const watch = (memberId: number): Watched => {
    const account = accounts.get(memberId) ?? { orders: new Map(), call: null, added: 0, queued: false, missed: false };
    accounts.set(memberId, account);
    return account;
  };

  /** Sell the next position of an overdue account, if it still is that when its turn comes. */
  const sell = (memberId: number, order: OrderRecord): Promise<unknown> =>
    submitForcedClose(
      sequencer,
      order,
      (batch, fresh) => {
        judgeAccount(batch, memberId);
        if (standingOf(batch, memberId).call?.status === "overdue") forceClose(batch, fresh, "marginCall");
      },
      (tx, batch) => openStanding(tx, batch, memberId),
    );

  const judge = async (memberId: number): Promise<void> => {
    const account = watch(memberId);
    if (account.queued || stopped) return;
    account.queued = true;
    account.missed = false;
    try {
      await sequencer.submit({
        memberIds: [memberId],
        prepare: (tx, batch) => openStanding(tx, batch, memberId),
        decide: (batch) => {
          judgeAccount(batch, memberId);
          const { call } = standingOf(batch, memberId);
          account.call = call && toCall(call);
          account.added = batch.ledger.balance(memberId, "margin");
          account.orders = new Map(marginOrders(batch, memberId).map((order) => [order.order_no, order]));
        },
      });
      const due = dueSale(memberId, account);
      if (due && venue.phase(now()) === "open") await sell(memberId, due);
    } catch (error) {
      deps.report?.(error);
    } finally {
      account.queued = false;
      if (account.missed) suspect([memberId]);
      else if (account.orders.size === 0 && account.call === null && account.added === 0) accounts.delete(memberId);
    }
  };

  const coverNow = ({ orders, added }: Watched): Cover =>
    coverOf(
      [...orders.values()].filter(isMargin).map((order) => coveredAt(order, venue, now())),
      added,
    );

  /** What would be sold next of an account, as far as it is known here. */
  const dueSale = (memberId: number, account: Watched): OrderRecord | undefined => {
    const { ratioBasisPoints: ratio } = coverNow(account);
    const low = ratio !== null && ratio < sequencer.rules.of(memberId).margin.liquidationPercent * 100;
    return nextSale(account, low, venue, now());
  };

  /** Whether something would happen to an account, as far as it is known here. */
  const isDue = (memberId: number, account: Watched): boolean => {
    if (dueSale(memberId, account)) return true;
    const cover = coverNow(account);
    if (cover.owedCents === 0 && account.added > 0) return true;
    return marginFactOf(cover, account.call, sequencer.rules.of(memberId).margin, now()) !== null;
  };

  const suspect = (members: Iterable<number>): void => {
    for (const memberId of members) {
      const account = accounts.get(memberId);
      if (account?.queued) account.missed = true;
      else if (account && isDue(memberId, account)) void judge(memberId);
    }
  };

  const follow = (orders: readonly OrderRecord[]): void => {
    const members = new Set<number>();
    for (const order of orders) {
      const row = venue.instrument(order.code)?.row;
      if (!isOnMargin(order) || row === undefined || order.filled_lots === 0) continue;
      const account = watch(order.member_id);
      if (isMargin(order)) account.orders.set(order.order_no, order);
      else account.orders.delete(order.order_no);
      const holders = rows.get(row) ?? new Set<number>();
      rows.set(row, holders.add(order.member_id));
      members.add(order.member_id);
    }
    suspect(members);
  };

  /** What members did themselves, paid above all; and what a debt took of the margin put up. */
  const onRound = (batch: Batch): void => {
    for (const { id: memberId } of batch.members) {
      const account = accounts.get(memberId);
      if (account) account.added = batch.ledger.balance(memberId, "margin");
    }
    for (const { memberId, fact } of batch.facts) {
      const account = accounts.get(memberId);
      if (!account || !isMarginFact(fact)) continue;
      const { call, addedCents } = fact.account;
      account.call = call?.endedAt === null ? call : null;
      account.added = addedCents;
      suspect([memberId]);
    }
  };

  const onChange = (changed: readonly number[]): void => {
    if (accounts.size === 0 || venue.phase(now()) !== "open" || !venue.fresh(now())) return;
    const members = new Set<number>();
    for (const row of changed) {
      for (const memberId of rows.get(row) ?? []) {
        if (accounts.has(memberId)) members.add(memberId);
        else rows.get(row)?.delete(memberId);
      }
    }
    suspect(members);
  };

  const load = async (): Promise<void> => {
    for (const call of await query<MarginCallTable>(db.kysely, "SELECT * FROM margin_call WHERE status IN ('due', 'paused', 'overdue')")) {
      watch(call.member_id).call = toCall(call);
    }
    const added = await query<{ member_id: number; balance: number }>(
      db.kysely,
      "SELECT member_id, balance FROM pocket WHERE kind = 'margin' AND balance > 0",
    );
    for (const { member_id, balance } of added) watch(member_id).added = balance;
    follow(
      await db.kysely
        .selectFrom("order")
        .selectAll()
        .where((one) => one.or([one("funding", "=", "margin"), one.and([one("funding", "=", "cash"), one("direction", "=", "fall")])]))
        .where("status", "in", ["pending", "holding", "readyToClose"])
        .execute(),
    );
  };

  const stops = [
    sequencer.onOrders(follow),
    sequencer.onBatch(onRound),
    venue.onChange(onChange),
    venue.onPhase(() => suspect([...accounts.keys()])),
  ];
  await load();
  await reviewApplications(deps);
  stops.push(
    every(REVIEW_EVERY_MS, () => reviewApplications(deps), deps.report),
    every(JUDGE_EVERY_MS, () => Promise.all([...accounts.keys()].map(judge)), deps.report),
  );
  return () => {
    stopped = true;
    for (const stop of stops) stop();
  };
}
