/**
 * Holds the call auctions that took place while the server was down, at their official prices. It runs before anything else is decided and
 * before anybody is served, so that no order entered or changed after a call takes part, and nobody can cancel one for knowing its price.
 */
import { CANDLE_STRIDE } from "#contract/candle.ts";
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { price } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { Database, Tx } from "#server/db/database.ts";
import { DatabaseUnavailable } from "#server/db/outage.ts";
import { every } from "#server/kernel/every.ts";
import { fillOrder } from "#server/trading/clearing/fills.ts";
import { isLockedClose } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { SIDES, comparePriority, isBeyondLimit, restingOf, unitsPerLot } from "#server/trading/sequencer/order-book.ts";
import type { RestingOrder, Side } from "#server/trading/sequencer/order-book.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { CallOf } from "#server/trading/sequencer/read-set.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { PastCall, Venue } from "#server/venue/venue.ts";
import { MAX_TRIES, heldOnce, readHeldCalls } from "./held-calls.ts";
import type { UnbookedCalls } from "./unbooked-calls.ts";

export interface MissedCallDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** How the mark is repeated; `every` unless a test does it by hand. */
  repeat?: typeof every;
  /** What is not booked yet: a server that starts later holds it. */
  unbooked: UnbookedCalls;
  /** Receives errors; the orders of a row that could not be filled rest on. */
  report?: ((error: unknown) => void) | undefined;
}

const MARK_EVERY_MS = 5 * SECOND_MS;
/** The mark stays so far behind, so that a call just taking place is not counted as held before it is. */
const MARK_LAG_MS = 10 * SECOND_MS;

const READ_MARK = "SELECT until FROM call_clock";
const WRITE_MARK = `
INSERT INTO call_clock (one, until) VALUES (true, $1) ON CONFLICT (one) DO UPDATE SET until = greatest(call_clock.until, excluded.until)`;

/** The official result of a call: its price, and the lots that traded at it. */
interface Official {
  price: Price;
  lots: number;
}

/** The result of a row's call by the venue's own bars; null when nothing traded in it. A call in between is all that trades in its minute. */
async function officialOf(venue: Venue, { code }: Instrument, { kind, at, share }: PastCall): Promise<Official | null> {
  const { bars } = await venue.candles(code, "minute", at + 1, 1);
  const [from = 0, open = 0, , , close = 0, volume = 0] = bars.slice(-CANDLE_STRIDE);
  if (volume === 0 || at - from >= MINUTE_MS) return null;
  return { price: price(kind === "opening" ? open : close), lots: Math.max(1, Math.floor(volume * share)) };
}

/** The index of the life of orders covers these facts. */
const CHANGED = `
SELECT DISTINCT body -> 'order' ->> 'orderNo' AS "orderNo" FROM fact
WHERE body -> 'order' ->> 'orderNo' = ANY ($1) AND at >= $2 AND type IN ('order.triggered', 'order.amended', 'order.closeRequested')`;

/** The orders of a row that got another price, came to the market or were to be sold since a moment: they were not in a call of then. */
async function readChanged(tx: Tx, batch: Batch, code: string, since: number): Promise<Set<string>> {
  const orderNos = batch.ordersOf(code).map((order) => order.order_no);
  const rows = await query<{ orderNo: string }>(tx, CHANGED, [orderNos, since]);
  return new Set(rows.map(({ orderNo }) => orderNo));
}

/** A call that is held late, and the orders that have changed since. */
interface LateCall extends PastCall {
  changed: ReadonlySet<string>;
}

/** The orders that were in a row's call, of one side by priority: those of its session that nobody entered or changed after it. */
function takingPart(batch: Batch, code: string, side: Side, call: LateCall): { order: OrderRecord; resting: RestingOrder }[] {
  const { venue } = batch;
  const { opensAt } = venue.state(call.at);
  return batch
    .ordersOf(code)
    .flatMap((order) => {
      const resting = restingOf(order, venue);
      const was = order.asked_at < call.at && !call.changed.has(order.order_no) && venue.state(order.asked_at).opensAt === opensAt;
      return resting && was && resting.market === "board" && resting.side === side && !isLockedClose(order) ? [{ order, resting }] : [];
    })
    .toSorted((a, b) => comparePriority(a.resting, b.resting));
}

/** Fills the orders of a row's call that its price reaches; each side as far as lots traded in it, the better price first, then by time. */
function holdLate(batch: Batch, instrument: Instrument, call: LateCall, official: Official): void {
  for (const side of SIDES) {
    let left = official.lots;
    for (const { order, resting } of takingPart(batch, instrument.code, side, call)) {
      const lots = Math.min(left, resting.lots);
      if (lots === 0 || isBeyondLimit(side, resting.limit, official.price)) continue;
      left -= lots;
      const units = lots * unitsPerLot(order, "board", instrument.lotShares);
      fillOrder(batch, order, [{ price: official.price, lots: units, level: 0, best: official.price, reason: "missedCall" }]);
    }
  }
}

/** Holds a missed call of one row, with the orders that were in it. */
async function holdInRow({ venue, sequencer }: MissedCallDeps, instrument: Instrument, call: PastCall, own: CallOf): Promise<void> {
  const official = await officialOf(venue, instrument, call);
  if (!official) return;
  let changed: ReadonlySet<string> = new Set();
  await sequencer.submit({
    memberIds: [],
    gather: (book) => SIDES.flatMap((side) => book.queue(instrument.row, side)),
    ...heldOnce(own, (batch) => holdLate(batch, instrument, { ...call, changed }, official)),
    prepare: async (tx, batch) => {
      changed = await readChanged(tx, batch, instrument.code, call.at);
    },
  });
}

/** Tries it a few times, then gives it up. Nobody is served before it is known what was missed, so an outage is no end. */
async function tryInRow(deps: MissedCallDeps, instrument: Instrument, call: PastCall, own: CallOf): Promise<void> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    try {
      await holdInRow(deps, instrument, call, own);
      return;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      if (tries === MAX_TRIES) deps.report?.(error);
    }
  }
}

/** Holds one missed call in every row with orders that were in it; a row whose own call was committed before the end is left alone. */
async function holdCall(deps: MissedCallDeps, call: PastCall): Promise<void> {
  const { db, venue, sequencer } = deps;
  const held = await readHeldCalls(db.kysely);
  for (const row of sequencer.orderBook.rows("board")) {
    const instrument = venue.instruments[row];
    if (!instrument || call.except?.includes(row) || call.rows?.includes(row) === false) continue;
    const own = { code: instrument.code, kind: call.kind, at: call.at };
    if (!held.has(own)) await tryInRow(deps, instrument, call, own);
  }
}

/** Holds what was missed of the current session since the mark. */
async function holdMissed(deps: MissedCallDeps, at: number): Promise<void> {
  const [mark] = await query<{ until: number }>(deps.db.kysely, READ_MARK);
  // Before the first mark nothing is known to have been missed.
  const missed = mark ? deps.venue.pastCalls(at).filter((call) => call.at > mark.until) : [];
  for (const call of missed) await holdCall(deps, call);
}

/**
 * Holds the missed calls, then keeps a mark of the time up to which the server was there.
 * @returns a function that stops it
 */
export async function startMissedCalls(deps: MissedCallDeps): Promise<() => Promise<void>> {
  const { db, venue, now, unbooked, report } = deps;
  const mark = (moment: number) => query(db.kysely, WRITE_MARK, [unbooked.bookedUntil(moment, venue.state(now()).opensAt)]);
  const begun = now();
  await holdMissed(deps, begun);
  await mark(begun);
  return (deps.repeat ?? every)(MARK_EVERY_MS, () => mark(now() - MARK_LAG_MS), report);
}
