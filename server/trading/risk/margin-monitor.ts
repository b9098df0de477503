/** Monitors margin accounts: issues, clears and enforces margin calls at the latest prices, and has applications reviewed. */
import { isMarginFact } from "#contract/fact-kind.ts";
import { coverOf, marginFactOf } from "#contract/margin.ts";
import type { Cover } from "#contract/margin.ts";
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { MarginRule } from "#contract/rule.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import type { MarginCallTable } from "#server/db/schema.ts";
import { coveredAt, evaluateAccount, hasLocked, isMargin, marginIn, marginOrders, openMarginAccount } from "./margin-account.ts";
import { toCall } from "#server/records/margin-call.ts";
import { reviewApplications } from "./margin-review.ts";
import { MarginWatch } from "./margin-watch.ts";
import type { WatchedAccount } from "./margin-watch.ts";
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
  /** Receives errors; the account concerned is evaluated again at the next change. */
  report?: ((error: unknown) => void) | undefined;
}

/** How often applications are reviewed, and accounts without price changes evaluated: a deadline passes regardless. */
const REVIEW_EVERY_MS = SECOND_MS;
const EVALUATE_EVERY_MS = MINUTE_MS;

/** What an account owes and is worth at the latest prices. */
function coverNow({ orders, added }: WatchedAccount, venue: Venue, at: number): Cover {
  const covered = [...orders.values()].filter(isMargin).map((order) => coveredAt(order, venue, at));
  return coverOf(covered, added);
}

/** The position of an overdue account to sell next: the oldest that can be sold now, since others may be halted for long. */
function nextSale(account: WatchedAccount, cover: Cover, rule: MarginRule, venue: Venue, at: number): OrderRecord | undefined {
  if (account.call?.status !== "overdue" || hasLocked(account.orders.values())) return undefined;
  const open = [...account.orders.values()].filter(isMargin).toSorted((a, b) => (a.order_no < b.order_no ? -1 : 1));
  const { ratioBasisPoints: ratio } = cover;
  const low = ratio !== null && ratio < rule.liquidationPercent * 100;
  // Sold one at a time, because the account may recover first. When too little is left, all are sold at once.
  if (open.some(isForceClosing) && !low) return undefined;
  return open.find((order) => !isForceClosing(order) && isSellable(order, venue, at));
}

class MarginMonitor {
  readonly #deps: MarginMonitorDeps;
  readonly #watch: MarginWatch;
  #stopped = false;

  constructor(deps: MarginMonitorDeps, watch: MarginWatch) {
    this.#deps = deps;
    this.#watch = watch;
  }

  /** Stops evaluating accounts. */
  stop(): void {
    this.#stopped = true;
  }

  /** Evaluates every account, whether something seems due or not. */
  evaluateAll(): Promise<unknown> {
    return Promise.all(this.#watch.members().map((memberId) => this.#evaluate(memberId)));
  }

  /** Evaluates those of some members' accounts on which something seems due. */
  check(members: Iterable<number>): void {
    for (const memberId of members) {
      const account = this.#watch.get(memberId);
      if (account?.queued) account.missed = true;
      else if (account && this.#isDue(memberId, account)) void this.#evaluate(memberId);
    }
  }

  /** Takes in members' changes: above all payments, and deposits used for a debt. */
  follow(batch: Batch): void {
    for (const { id: memberId } of batch.members) {
      const account = this.#watch.get(memberId);
      if (account) account.added = batch.ledger.balance(memberId, "margin");
    }
    for (const { memberId, fact } of batch.facts) {
      const account = this.#watch.get(memberId);
      if (!account || !isMarginFact(fact)) continue;
      const { call, addedCents } = fact.account;
      account.call = call?.endedAt === null ? call : null;
      account.added = addedCents;
      this.check([memberId]);
    }
  }

  /** Checks the members who hold one of these rows, while the market is open and its prices are fresh. */
  checkHolders(rows: readonly number[]): void {
    const { venue, now } = this.#deps;
    if (this.#watch.size === 0 || venue.phase(now()) !== "open" || !venue.fresh(now())) return;
    this.check(this.#watch.holdersOf(rows));
  }

  /**
   * Tells whether something seems due on an account, from what is known in memory. A lock is lifted outside of batches; the regular
   * evaluation of all accounts notices it.
   */
  #isDue(memberId: number, account: WatchedAccount): boolean {
    const { venue, sequencer, now } = this.#deps;
    const at = now();
    if (hasLocked(account.orders.values())) return false;
    const rule = sequencer.rules.of(memberId).margin;
    const cover = coverNow(account, venue, at);
    if (nextSale(account, cover, rule, venue, at)) return true;
    if (cover.owedCents === 0 && account.added > 0) return true;
    return marginFactOf(cover, account.call, rule, at) !== null;
  }

  /** Evaluates an account under its member's lock, and sells its next position if it is overdue. */
  async #evaluate(memberId: number): Promise<void> {
    const account = this.#watch.watch(memberId);
    if (account.queued || this.#stopped) return;
    account.queued = true;
    account.missed = false;
    try {
      await this.#submit(memberId, account);
      await this.#sellNext(memberId, account);
    } catch (error) {
      this.#deps.report?.(error);
    } finally {
      account.queued = false;
      if (account.missed) this.check([memberId]);
      else this.#watch.dropIfEmpty(memberId);
    }
  }

  #submit(memberId: number, account: WatchedAccount): Promise<void> {
    return this.#deps.sequencer.submit({
      memberIds: [memberId],
      prepare: (tx, batch) => openMarginAccount(tx, batch, memberId),
      decide: (batch) => {
        evaluateAccount(batch, memberId);
        const { call } = marginIn(batch, memberId);
        account.call = call && toCall(call);
        account.added = batch.ledger.balance(memberId, "margin");
        account.orders = new Map(marginOrders(batch, memberId).map((order) => [order.order_no, order]));
      },
    });
  }

  /** Sells the next position of an overdue account, if it is still overdue when the sale is decided. */
  async #sellNext(memberId: number, account: WatchedAccount): Promise<void> {
    const { venue, sequencer, now } = this.#deps;
    const at = now();
    const order = nextSale(account, coverNow(account, venue, at), sequencer.rules.of(memberId).margin, venue, at);
    if (!order || venue.phase(at) !== "open") return;
    await submitForcedClose(
      sequencer,
      order,
      (batch, fresh) => {
        evaluateAccount(batch, memberId);
        if (hasLocked(marginOrders(batch, memberId))) return;
        if (marginIn(batch, memberId).call?.status === "overdue") forceClose(batch, fresh, "marginCall");
      },
      (tx, batch) => openMarginAccount(tx, batch, memberId),
    );
  }
}

const CALLS = "SELECT * FROM margin_call WHERE status IN ('due', 'paused', 'overdue')";
const MARGIN_PUT_UP = "SELECT member_id, balance FROM pocket WHERE watched AND kind = 'margin'";

/** Loads the accounts with a call or a deposit. @returns the margin orders */
async function load({ kysely }: Database, watch: MarginWatch): Promise<OrderRecord[]> {
  for (const call of await query<MarginCallTable>(kysely, CALLS)) watch.watch(call.member_id).call = toCall(call);
  const putUp = await query<{ member_id: number; balance: number }>(kysely, MARGIN_PUT_UP);
  for (const { member_id, balance } of putUp) watch.watch(member_id).added = balance;
  return kysely
    .selectFrom("order")
    .selectAll()
    .where((one) => one.or([one("funding", "=", "margin"), one.and([one("funding", "=", "cash"), one("direction", "=", "fall")])]))
    .where("status", "in", ["pending", "holding", "readyToClose"])
    .execute();
}

/**
 * Loads accounts with margin orders, a call or a deposit, and starts evaluating them.
 * @returns a function that stops it; decisions in progress are finished by the sequencer
 */
export async function startMarginMonitor(deps: MarginMonitorDeps): Promise<() => void> {
  const { db, venue, sequencer, report } = deps;
  const watch = new MarginWatch(venue);
  const monitor = new MarginMonitor(deps, watch);
  const stops = [
    sequencer.onOrders((orders) => monitor.check(watch.put(orders))),
    sequencer.onBatch((batch) => monitor.follow(batch)),
    venue.onChange((rows) => monitor.checkHolders(rows)),
    venue.onPhase(() => monitor.check(watch.members())),
    () => monitor.stop(),
  ];
  monitor.check(watch.put(await load(db, watch)));
  await reviewApplications(deps);
  stops.push(
    every(REVIEW_EVERY_MS, () => reviewApplications(deps), report),
    every(EVALUATE_EVERY_MS, () => monitor.evaluateAll(), report),
  );
  return () => {
    for (const stop of stops) stop();
  };
}
