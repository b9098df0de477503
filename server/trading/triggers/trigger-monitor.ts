/** Watches prices for exit orders and entry triggers, and executes each once when its price is reached. */
import { conditionsIn } from "#server/trading/exit-orders/conditions-in-batch.ts";
import { entryReached, exitReached } from "#contract/condition.ts";
import type { TriggerRange } from "#contract/condition.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { MAX_TRADES, TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import type { Database } from "#server/db/database.ts";
import { FIRING_NUMBERS, closeAll, executeEntry, executeExits } from "./execute.ts";
import { better } from "#server/trading/exit-orders/condition-record.ts";
import type { ConditionRecord } from "#server/trading/exit-orders/condition-record.ts";
import { commandOnOrders, inParts } from "#server/trading/sequencer/queued-command.ts";
import type { OrderKey } from "#server/trading/sequencer/queued-command.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { LOCKED_WAIT_MS, isOriginLocked } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { CounterpartyQuery } from "#server/trading/sequencer/order-book.ts";
import type { Venue } from "#server/venue/venue.ts";
import { every } from "#server/kernel/every.ts";
import { queriesOfPosition } from "#server/trading/order-entry/close.ts";
import { PriceWatch } from "./price-watch.ts";
import type { Watched } from "./price-watch.ts";
import { PriceRanges } from "./price-range.ts";

export interface TriggerMonitorDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  /** Epoch milliseconds. */
  now: () => number;
  /** Receives errors; the orders concerned are evaluated again at their row's next change. */
  report?: ((error: unknown) => void) | undefined;
}

/** How often the best prices of trailing exits are stored, if they moved. */
const STORE_BESTS_MS = 5 * SECOND_MS;

/** Tells whether a price range reaches a trigger of an order, by the best prices known before it. */
function isDue(watched: Watched, range: TriggerRange, at: number): boolean {
  const { entry, exits, direction, armed, lockedUntil } = watched;
  if (entry && entryReached(entry.kind, direction, entry.price, range)) return true;
  if (!armed || at < lockedUntil) return false;
  return [...exits.values()].some(({ kind, price, best }) => exitReached(kind, direction, price, best, range));
}

/** Updates the best prices of trailing exits. */
function updateBests({ armed, direction, exits }: Watched, { high, low }: TriggerRange): void {
  if (!armed) return;
  for (const exit of exits.values()) {
    if (exit.kind === "trailing") exit.best = better(direction, exit.best, direction === "rise" ? high : low);
  }
}

/** The counterparty queries of an order when it is executed: for what it opens, or for all it holds. */
function queriesOfTrigger(batch: Batch, order: OrderRecord): CounterpartyQuery[] {
  const instrument = batch.venue.instrument(order.code);
  if (order.trigger_kind === null) return queriesOfPosition(batch, order);
  if (!instrument || order.market !== "board") return [];
  const side = order.direction === "rise" ? "buy" : "sell";
  return [{ row: instrument.row, side, limit: order.price ?? order.bound_price, lots: order.lots, memberId: order.member_id }];
}

/** The range of the recorded trades since an order was opened and its trailing exit set; null for none. */
function tradedSince(venue: Venue, order: OrderRecord, { set_at }: ConditionRecord): { high: number; low: number } | null {
  const instrument = venue.instrument(order.code);
  if (!instrument || order.filled_lots <= order.closed_lots) return null;
  const since = Math.max(set_at, order.bought_at ?? order.placed_at);
  const flat = venue.tape(instrument.row, 0, MAX_TRADES);
  const prices: number[] = [];
  for (let from = 0; from < flat.length; from += TAPE_STRIDE) {
    const trade = tradeAt(flat, from);
    if (trade.at >= since) prices.push(trade.price);
  }
  return prices.length === 0 ? null : { high: Math.max(...prices), low: Math.min(...prices) };
}

/** Loads the waiting triggers; trailing exits with the prices traded while the server was down. */
async function load({ db, venue }: TriggerMonitorDeps, watch: PriceWatch): Promise<void> {
  const conditions = await db.kysely.selectFrom("condition").selectAll().where("status", "=", "waiting").orderBy("condition_no").execute();
  const guarded = new Set(conditions.map((one) => one.order_no));
  const orders = await db.kysely
    .selectFrom("order")
    .selectAll()
    .where((where) =>
      where.or([
        where.and([where("trigger_kind", "is not", null), where("status", "=", "pending")]),
        where("order_no", "in", (select) => select.selectFrom("condition").select("order_no").where("status", "=", "waiting")),
      ]),
    )
    .execute();
  for (const order of orders) {
    const own = guarded.has(order.order_no) ? conditions.filter((one) => one.order_no === order.order_no) : [];
    watch.put(order, own);
    const watched = watch.of(venue.instrument(order.code)?.row ?? -1).find((one) => one.orderNo === order.order_no);
    for (const condition of own) {
      const prices = tradedSince(venue, order, condition);
      const exit = watched?.exits.get(condition.condition_no);
      if (exit?.kind === "trailing" && prices)
        exit.best = better(order.direction, exit.best, order.direction === "rise" ? prices.high : prices.low);
    }
  }
}

class TriggerMonitor {
  readonly #deps: TriggerMonitorDeps;
  readonly #watch: PriceWatch;
  readonly #ranges: PriceRanges;
  /** Orders whose whole lots are being closed because an exit fired. */
  readonly #closing = new Set<string>();
  /** Whether rows may have changed without being evaluated: before the first pass, and while the market was closed or stale. */
  #missedChanges = true;
  #stopped = false;

  constructor(deps: TriggerMonitorDeps, watch: PriceWatch) {
    this.#deps = deps;
    this.#watch = watch;
    this.#ranges = new PriceRanges(deps.venue);
  }

  /** Ends what runs in several steps. */
  stop(): void {
    this.#stopped = true;
  }

  /** Evaluates every row that is watched. */
  evaluateAll(): void {
    this.evaluate(this.#watch.rows());
  }

  /** Evaluates rows by their current prices, if the market is open and its prices are fresh. */
  evaluate(rows: Iterable<number>): void {
    const { venue, now } = this.#deps;
    const at = now();
    if (venue.phase(at) !== "open" || !venue.fresh(at)) {
      this.#missedChanges = true;
      return;
    }
    const wanted = this.#missedChanges ? this.#watch.rows() : rows;
    this.#missedChanges = false;
    const since = venue.state(at).opensAt;
    for (const row of wanted) if (this.#watch.watches(row)) this.#evaluateRow(row, since);
  }

  /** Takes in what a batch has written, and evaluates the rows concerned. */
  follow(batch: Batch): void {
    const conditions = [...conditionsIn(batch).touched];
    const orders = new Set(conditions.map((one) => batch.order(one.member_id, one.order_no)));
    for (const order of batch.touched) orders.add(order);
    const emptied = new Set(batch.facts.flatMap(({ fact }) => (fact.type === "order.lotsClosed" ? [fact.order.orderNo as string] : [])));
    const changed = new Set<number>();
    for (const order of orders) {
      if (!order) continue;
      this.#closeRemainder(order, emptied.has(order.order_no));
      const row = this.#deps.venue.instrument(order.code)?.row;
      const first = row !== undefined && !this.#watch.watches(row);
      const own = conditions.filter((one) => one.order_no === order.order_no);
      if (this.#watch.put(order, own) === null || row === undefined) continue;
      if (first) this.#ranges.begin(row);
      changed.add(row);
    }
    this.evaluate(changed);
  }

  /** Stores the best prices that have moved, so that a restart knows them, and tells their members. */
  async storeBests(): Promise<void> {
    const moved = this.#watch.all().filter(({ exits }) => [...exits.values()].some(({ best, written }) => best !== written));
    for (const part of inParts(moved)) {
      if (this.#stopped) return;
      const exitsOf = new Map(part.flatMap(({ exits }) => [...exits.values()].map((exit) => [exit.conditionNo, exit] as const)));
      await this.#submit(part, (batch, order) => {
        for (const condition of conditionsIn(batch).waitingOn(order.order_no)) {
          const exit = exitsOf.get(condition.condition_no);
          if (!exit || exit.price !== condition.price || exit.best === condition.best) continue;
          const best = better(order.direction, condition.best, exit.best);
          if (best !== null && best !== condition.best) conditionsIn(batch).trail(condition, best);
        }
      });
    }
  }

  #evaluateRow(row: number, since: number): void {
    const { venue, now } = this.#deps;
    const quote = venue.quote(row);
    // A row unchanged since the open still has an earlier day's price.
    if (quote.at < since || quote.last <= 0) return;
    const rangeOf = this.#ranges.look(quote, since);
    const range: TriggerRange = { last: quote.last, high: rangeOf("above").last, low: rangeOf("below").last };
    for (const watched of this.#watch.of(row)) {
      const { missed } = watched;
      const all = missed ? { ...range, high: Math.max(range.high, missed.high), low: Math.min(range.low, missed.low) } : range;
      if (!watched.asked && isDue(watched, all, now())) this.#execute(watched, all);
      updateBests(watched, range);
    }
  }

  #execute(watched: Watched, range: TriggerRange): void {
    watched.asked = true;
    watched.missed = null;
    const bests = new Map(
      [...watched.exits.values()].flatMap(({ conditionNo, best }) => (best === null ? [] : [[conditionNo, best] as const])),
    );
    void this.#submit([watched], (batch, order) => {
      if (isOriginLocked(order, batch.at)) watched.lockedUntil = Math.max(watched.lockedUntil, order.locked_until ?? 0);
      if (order.locked) watched.lockedUntil = Math.max(watched.lockedUntil, batch.at + LOCKED_WAIT_MS);
      executeEntry(batch, order, range);
      executeExits(batch, order, range, bests);
    }).then((decided) => {
      watched.asked = false;
      if (!decided) watched.missed = range;
    });
  }

  /** An exit closes everything: the odd shares follow when the whole lots beside them are closed. */
  #closeRemainder({ order_no: orderNo, member_id: memberId, status, close_cause: cause }: OrderRecord, lotsClosed: boolean): void {
    if (status === "readyToClose" && cause === "condition") this.#closing.add(orderNo);
    else if (this.#closing.delete(orderNo) && status === "holding" && lotsClosed) void this.#submit([{ memberId, orderNo }], closeAll);
  }

  /** Queues one decision on some orders. @returns whether it was taken; an error is reported */
  #submit(keys: readonly OrderKey[], decide: (batch: Batch, order: OrderRecord) => void): Promise<boolean> {
    const ordersIn = (batch: Batch): OrderRecord[] => keys.flatMap(({ memberId, orderNo }) => batch.order(memberId, orderNo) ?? []);
    return this.#deps.sequencer
      .submit({
        ...commandOnOrders(keys, decide),
        placements: keys.length * FIRING_NUMBERS,
        counterparties: (batch) => (batch ? ordersIn(batch).flatMap((order) => queriesOfTrigger(batch, order)) : []),
      })
      .then(
        () => true,
        (error: unknown) => {
          this.#deps.report?.(error);
          return false;
        },
      );
  }
}

/**
 * Loads the waiting triggers and starts evaluating them.
 * @returns a function that stops it; orders already submitted are finished by the sequencer
 */
export async function startTriggerMonitor(deps: TriggerMonitorDeps): Promise<() => void> {
  const { venue, sequencer } = deps;
  const watch = new PriceWatch(venue);
  await load(deps, watch);
  const monitor = new TriggerMonitor(deps, watch);
  const stops = [
    sequencer.onBatch((batch) => monitor.follow(batch)),
    venue.onChange((rows) => monitor.evaluate(rows)),
    venue.onPhase((phase) => {
      if (phase === "open") monitor.evaluateAll();
    }),
    every(STORE_BESTS_MS, () => monitor.storeBests(), deps.report),
    () => monitor.stop(),
  ];
  monitor.evaluateAll();
  return () => {
    for (const stop of stops) stop();
  };
}
