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
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { unitsPerLot } from "#server/trading/sequencer/order-book.ts";
import type { CounterpartyQuery } from "#server/trading/sequencer/order-book.ts";
import type { Venue } from "#server/venue/venue.ts";
import { PriceWatch } from "./price-watch.ts";
import type { Watched } from "./price-watch.ts";
import { PriceRanges } from "./price-range.ts";

export interface TriggerMonitorDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  /** Epoch milliseconds. */
  now: () => number;
  /** Told of faults; the orders concerned are judged again at their row's next change. */
  report?: ((error: unknown) => void) | undefined;
}

/** How often the best prices of trailing conditions are written down, where they moved. */
const WRITE_BEST_MS = 5 * SECOND_MS;
/** The most commands queued at once, so that a member's order that comes meanwhile waits for no more. */
const MAX_TOGETHER = 64;

/** What has come true of an order at a look, by prices that were known before it. */
function due(watched: Watched, sight: TriggerRange, at: number): boolean {
  const { entry, exits, direction, armed, lockedUntil } = watched;
  if (entry && entryReached(entry.kind, direction, entry.price, sight)) return true;
  if (!armed || at < lockedUntil) return false;
  return [...exits.values()].some(({ kind, price, best }) => exitReached(kind, direction, price, best, sight));
}

/** Let trailing exits remember how far the market went for them. */
function remember({ armed, direction, exits }: Watched, { high, low }: TriggerRange): void {
  if (!armed) return;
  for (const exit of exits.values()) {
    if (exit.kind === "trailing") exit.best = better(direction, exit.best, direction === "rise" ? high : low);
  }
}

/** Whom an order may meet when it is set off: as what it opens, or with all it holds. */
function seeksOf(batch: Batch, order: OrderRecord): CounterpartyQuery[] {
  const instrument = batch.venue.instrument(order.code);
  if (!instrument) return [];
  const { row } = instrument;
  const memberId = order.member_id;
  const opening = order.trigger_kind !== null;
  const side = (order.direction === "rise") === opening ? "buy" : "sell";
  if (opening) return order.market === "board" ? [{ row, side, limit: order.price ?? order.bound_price, lots: order.lots, memberId }] : [];
  const lots = Math.floor((order.filled_lots - order.closed_lots) / unitsPerLot(order, "board", instrument.lotShares));
  return lots > 0 ? [{ row, side, limit: null, lots, memberId }] : [];
}

/** Prices that certainly were since an order was opened and its trailing exits set, whoever looked then. */
function sinceSet(venue: Venue, order: OrderRecord, { set_at }: ConditionRecord): { high: number; low: number } | null {
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

/** Load what waits, as it was written down; trailing exits with what the market did while nobody was here. */
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
      const prices = sinceSet(venue, order, condition);
      const exit = watched?.exits.get(condition.condition_no);
      if (exit?.kind === "trailing" && prices)
        exit.best = better(order.direction, exit.best, order.direction === "rise" ? prices.high : prices.low);
    }
  }
}

/**
 * Load what waits, and begin to judge.
 * @returns how to stop; what is firing is finished by the sequencer
 */
export async function startTriggerMonitor(deps: TriggerMonitorDeps): Promise<() => void> {
  const { venue, sequencer, now } = deps;
  const watch = new PriceWatch(venue);
  const sights = new PriceRanges(venue);
  /** Whether rows have changed that were not judged: before the first look, and while the market was closed or silent. */
  let behind = true;
  let stopped = false;

  /** Let orders have their turn in the line of all commands. @returns whether they had it */
  const serve = (
    some: readonly Pick<Watched, "memberId" | "orderNo">[],
    act: (batch: Batch, order: OrderRecord) => void,
  ): Promise<boolean> => {
    const each = (batch: Batch): OrderRecord[] => some.flatMap(({ memberId, orderNo }) => batch.order(memberId, orderNo) ?? []);
    return sequencer
      .submit({
        memberIds: [...new Set(some.map(({ memberId }) => memberId))],
        orderNos: some.map(({ orderNo }) => orderNo),
        placements: some.length * FIRING_NUMBERS,
        counterparties: (batch) => (batch ? each(batch).flatMap((order) => seeksOf(batch, order)) : []),
        decide: (batch) => {
          for (const order of each(batch)) act(batch, order);
        },
      })
      .then(
        () => true,
        (error: unknown) => {
          deps.report?.(error);
          return false;
        },
      );
  };

  const fire = (watched: Watched, sight: TriggerRange): void => {
    watched.asked = true;
    watched.missed = null;
    const bests = new Map(
      [...watched.exits.values()].flatMap(({ conditionNo, best }) => (best === null ? [] : [[conditionNo, best] as const])),
    );
    void serve([watched], (batch, order) => {
      executeEntry(batch, order, sight);
      executeExits(batch, order, sight, bests);
    }).then((served) => {
      watched.asked = false;
      if (!served) watched.missed = sight;
    });
  };

  /** Orders whose whole lots are being closed because an exit fired. */
  const finishing = new Set<string>();
  /** What an exit closes it closes to the last share: single shares go when the whole lots beside them are gone. */
  const finish = ({ order_no: orderNo, member_id: memberId, status, close_cause: cause }: OrderRecord, lotsClosed: boolean): void => {
    if (status === "readyToClose" && cause === "condition") finishing.add(orderNo);
    else if (finishing.delete(orderNo) && status === "holding" && lotsClosed) void serve([{ memberId, orderNo }], closeAll);
  };

  const look = (row: number, since: number): void => {
    const quote = venue.quote(row);
    // Of a row that has not changed since the market opened there is only an older day's price.
    if (quote.at < since || quote.last <= 0) return;
    const seen = sights.look(quote, since);
    const sight: TriggerRange = { last: quote.last, high: seen("above").last, low: seen("below").last };
    for (const watched of watch.of(row)) {
      const { missed } = watched;
      const all = missed ? { ...sight, high: Math.max(sight.high, missed.high), low: Math.min(sight.low, missed.low) } : sight;
      if (!watched.asked && due(watched, all, now())) fire(watched, all);
      remember(watched, sight);
    }
  };

  /** Judge rows by what they are now, if that is a price of an open, living market. */
  const judge = (rows: Iterable<number>): void => {
    const at = now();
    if (venue.phase(at) !== "open" || !venue.fresh(at)) {
      behind = true;
      return;
    }
    const wanted = behind ? watch.rows() : rows;
    behind = false;
    const since = venue.state(at).opensAt;
    for (const row of wanted) if (watch.watches(row)) look(row, since);
  };

  const follow = (batch: Batch): void => {
    const conditions = [...conditionsIn(batch).touched];
    const about = new Set(conditions.map((one) => batch.order(one.member_id, one.order_no)));
    for (const order of batch.touched) about.add(order);
    const emptied = new Set(batch.facts.flatMap(({ fact }) => (fact.type === "order.lotsClosed" ? [fact.order.orderNo as string] : [])));
    const changed = new Set<number>();
    for (const order of about) {
      if (!order) continue;
      finish(order, emptied.has(order.order_no));
      const row = venue.instrument(order.code)?.row;
      const first = row !== undefined && !watch.watches(row);
      const own = conditions.filter((one) => one.order_no === order.order_no);
      if (watch.put(order, own) === null || row === undefined) continue;
      if (first) sights.begin(row);
      changed.add(row);
    }
    judge(changed);
  };

  /** Write the best prices down that moved, so that a restart knows them. */
  const writeBests = async (): Promise<void> => {
    const moved = watch.all().filter(({ exits }) => [...exits.values()].some(({ best, written }) => best !== written));
    for (let from = 0; from < moved.length; from += MAX_TOGETHER) {
      if (stopped) return;
      const some = moved.slice(from, from + MAX_TOGETHER);
      const bests = new Map(some.flatMap(({ exits }) => [...exits.values()].map((exit) => [exit.conditionNo, exit] as const)));
      await serve(some, (batch, order) => {
        for (const condition of conditionsIn(batch).waitingOn(order.order_no)) {
          const exit = bests.get(condition.condition_no);
          if (!exit || exit.price !== condition.price || exit.best === condition.best) continue;
          condition.best = better(order.direction, condition.best, exit.best);
          conditionsIn(batch).touch(condition);
        }
      });
    }
  };

  await load(deps, watch);
  const timer = setInterval(() => void writeBests(), WRITE_BEST_MS);
  timer.unref();
  const stops = [
    sequencer.onBatch(follow),
    venue.onChange(judge),
    venue.onPhase((phase) => {
      if (phase === "open") judge(watch.rows());
    }),
    () => clearInterval(timer),
  ];
  judge(watch.rows());
  return () => {
    stopped = true;
    for (const stop of stops) stop();
  };
}
