/** Continuous matching: fills an order from members' resting orders and the displayed book, by price, then time, at the resting price. */
import type { Instrument } from "#contract/instrument.ts";
import { price } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { MemberTrade } from "#server/venue/matching/member-trade.ts";
import type { Execution, Want } from "#server/venue/matching/book-sweep.ts";
import { lapsed } from "#server/trading/sequencer/time-in-force.ts";
import { fillOrder } from "#server/trading/clearing/fills.ts";
import type { PricedExecution } from "#server/trading/clearing/fills.ts";
import { isLockedClose, restOf } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { comparePriority, isBeyondLimit, oppositeSide, restingOf, unitsPerLot } from "#server/trading/sequencer/order-book.ts";
import type { RestingOrder, CounterpartyQuery, Side } from "#server/trading/sequencer/order-book.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";

/** One part of a fill: a level of the displayed book, or another member's order. */
export interface MatchedPart extends Execution {
  restingOrder: OrderRecord | null;
}

interface Waiting {
  order: OrderRecord;
  resting: RestingOrder;
}

interface Offer extends Waiting {
  at: Price;
}

/** The resting orders of one side of the board among those that were read. */
function restingOn(batch: Batch, code: string, side: Side): Waiting[] {
  return batch.ordersOf(code).flatMap((order): Waiting[] => {
    const resting = restingOf(order, batch.venue);
    if (!resting || resting.market !== "board" || resting.side !== side) return [];
    if (lapsed(order, batch.venue, batch.at) || isLockedClose(order)) return [];
    return [{ order, resting }];
  });
}

/**
 * The conversion price of a resting market order (TWSE Operating Rules art. 58-3): for a buy the highest, for a sell the lowest of the
 * last trade and the best prices of both sides, including members' limits on its own side (`queue`), so that it precedes them; never
 * beyond its own price limit.
 */
function priceAtMarket(batch: Batch, { row, side, limit }: RestingOrder, queue: readonly Waiting[]): number {
  const { last, reference } = batch.venue.quote(row);
  const { bid, ask } = batch.venue.publicQuote(row);
  const limits = queue.map(({ resting }) => (resting.atMarket ? 0 : (resting.limit ?? 0)));
  const known = [last > 0 ? last : reference, bid, ask, ...limits].filter((each) => each > 0);
  const at = side === "buy" ? Math.max(...known) : Math.min(...known);
  return isBeyondLimit(side, limit, at) ? (limit ?? at) : at;
}

/** A member, or several who trade together. */
export type Traders = number | ReadonlySet<number>;

const isAmong = (traders: Traders, memberId: number): boolean =>
  typeof traders === "number" ? traders === memberId : traders.has(memberId);

/** Other members' orders that an order can match, by priority. */
function offersTo(batch: Batch, instrument: Instrument, want: Want, traders: Traders): Offer[] {
  const queue = restingOn(batch, instrument.code, oppositeSide(want.side));
  const offers = queue.flatMap(({ order, resting }): Offer[] => {
    if (isAmong(traders, order.member_id)) return [];
    const at = resting.atMarket ? priceAtMarket(batch, resting, queue) : (resting.limit ?? 0);
    return isBeyondLimit(want.side, want.limit, at) ? [] : [{ order, resting, at: price(at) }];
  });
  const better = want.side === "buy" ? 1 : -1;
  return offers.toSorted((a, b) => better * (a.at - b.at) || comparePriority(a.resting, b.resting));
}

/** Another member's order as a part, and the displayed lots of its price that came before it. */
type MemberPart = MatchedPart & { ahead: number };

/** The lots of the next displayed level that precede a member's order: all at a better price, at the same those that came before it. */
function displayedBefore(want: Want, level: MatchedPart, member: MemberPart | undefined, takenAtPrice: number): number {
  if (!member || isBeyondLimit(want.side, level.price, member.price)) return level.lots;
  if (level.price !== member.price) return 0;
  return Math.min(level.lots, Math.max(0, member.ahead - takenAtPrice));
}

/**
 * The fills an order would get now; changes nothing. At one price the queue decides: the displayed lots that came before a member's order
 * precede it, the others follow.
 */
export function planFor(batch: Batch, instrument: Instrument, want: Want, traders: Traders): MatchedPart[] {
  if (batch.venue.matching(want.row, batch.at) !== "continuous") return [];
  const members = offersTo(batch, instrument, want, traders).map(({ order, resting, at }): MemberPart => ({
    price: at,
    lots: resting.lots,
    level: 0,
    best: at,
    restingOrder: order,
    ahead: batch.queue.marketAhead(resting),
  }));
  const displayed = batch.venue.plan(want).map((execution): MatchedPart => ({ ...execution, restingOrder: null }));
  const parts: MatchedPart[] = [];
  let taken = { price: 0, lots: 0 };
  for (let left = want.lots; left > 0;) {
    const [member, level] = [members[0], displayed[0]];
    if (level && level.price !== taken.price) taken = { price: level.price, lots: 0 };
    const before = level ? displayedBefore(want, level, member, taken.lots) : 0;
    const first = before > 0 ? level : member;
    if (!first) break;
    const lots = Math.min(left, before > 0 ? before : first.lots);
    parts.push({ price: first.price, lots, level: first.level, best: parts[0]?.price ?? first.price, restingOrder: first.restingOrder });
    left -= lots;
    first.lots -= lots;
    if (before > 0) taken.lots += lots;
    if (first.lots === 0) (before > 0 ? displayed : members).shift();
  }
  return parts;
}

/**
 * Lets the displayed lots of the other side that have come to the price of a resting order go to those who stand before it: what is left
 * is for the order.
 */
function serveQueueFirst(batch: Batch, order: OrderRecord, want: Want): void {
  const resting = restingOf(order, batch.venue);
  const ahead = resting ? batch.queue.marketAhead(resting) : 0;
  if (ahead === 0 || want.limit === null || batch.venue.matching(want.row, batch.at) !== "continuous") return;
  const taken = batch.venue.plan({ ...want, lots: ahead });
  if (taken.length === 0) return;
  batch.venue.consume(want, taken);
  batch.queue.take({ row: want.row, side: want.side, price: want.limit, lots: taken.reduce((sum, { lots }) => sum + lots, 0) });
}

/** How an order meets the market: it `arrives` and takes liquidity, or it `rested` and the market reaches its price. */
type Arrival = "arrives" | "rested";

/** A part with its execution price, and whether the order being filled is the resting one. */
interface Priced extends MatchedPart {
  passive: boolean;
}

/**
 * Prices a part: continuous matching executes at the price of the resting order (TWSE Operating Rules art. 58-3); of two resting orders at
 * that of the earlier. A resting market order counts at its conversion price, which is never better than the incoming order's.
 */
function pricedFor(batch: Batch, order: OrderRecord, arrival: Arrival, part: MatchedPart): Priced {
  const resting = restingOf(order, batch.venue);
  if (arrival === "arrives" || !resting || (part.restingOrder && part.restingOrder.turn < order.turn)) return { ...part, passive: false };
  if (!resting.atMarket && resting.limit !== null) return { ...part, price: price(resting.limit), passive: true };
  const worse = resting.side === "buy" ? Math.max : Math.min;
  const at = priceAtMarket(batch, resting, restingOn(batch, order.code, resting.side));
  return { ...part, price: price(worse(at, part.price)), passive: true };
}

/** The execution from the point of view of the order being filled. */
function fillingOf({ price: at, lots, level, best, restingOrder: against, passive }: Priced, limited: boolean): PricedExecution {
  const reason = passive ? "resting" : against ? "member" : limited ? "limitOrBetter" : "bookLevel";
  return { price: at, lots, level, best, reason };
}

/** The same execution from the point of view of the other member's order. */
function fillOther(batch: Batch, lotShares: number, { restingOrder: against, price: at, lots, passive }: Priced): void {
  if (!against) return;
  const units = lots * unitsPerLot(against, "board", lotShares);
  fillOrder(batch, against, [{ price: at, lots: units, level: 0, best: at, reason: passive ? "member" : "resting" }]);
}

/** Takes lots out of the displayed book, and so out of the queues at their prices. */
function takeDisplayed(batch: Batch, want: Want, displayed: readonly MatchedPart[]): void {
  if (displayed.length === 0) return;
  batch.venue.consume(want, displayed);
  for (const { price: at, lots } of displayed) {
    batch.queue.take({ row: want.row, side: oppositeSide(want.side), price: at, lots });
    batch.market.addFill(want.row, want.side, at, lots);
  }
}

/**
 * Adds an order's match to the market, the parts at one price as one trade. What orders that rested get by trades of the market is among
 * those already. The side is that of the order that came to the other. Of digital currency the market counts whole coins: less than one is no
 * trade of it, as single shares are none.
 */
function publish(batch: Batch, { row, side }: Want, parts: readonly Priced[]): void {
  const trades: MemberTrade[] = [];
  for (const { price: at, lots, passive } of parts) {
    const from = (side === "buy") === passive ? -1 : 1;
    const last = trades.at(-1);
    if (last?.price === at && last.side === from) last.lots += lots;
    else trades.push({ row, at: batch.at, price: at, lots, side: from });
  }
  for (const trade of trades) batch.market.add(trade);
}

/** What several members got together, at one average price. */
export interface SharedExecution {
  lots: number;
  /** Rounded to the members' disadvantage, by less than a ten-thousandth. */
  average: Price;
  best: Price;
}

/**
 * Trades for several members at once, on the board: books the other side, and leaves it to the caller to share out the lots at the average
 * price. None of `traders` is a counterparty. Null where nothing can be traded.
 */
export function tradeTogether(batch: Batch, instrument: Instrument, want: Want, traders: ReadonlySet<number>): SharedExecution | null {
  const parts = planFor(batch, instrument, want, traders);
  const lots = parts.reduce((sum, part) => sum + part.lots, 0);
  const best = parts[0]?.price;
  if (best === undefined || lots === 0) return null;
  const displayed = parts.filter((part) => part.restingOrder === null);
  takeDisplayed(batch, want, displayed);
  const priced = parts.map((part) => ({ ...part, passive: false }));
  for (const part of priced) fillOther(batch, instrument.lotShares, part);
  publish(batch, want, priced);
  const value = parts.reduce((sum, part) => sum + part.price * part.lots, 0);
  return { lots, best, average: price(want.side === "buy" ? Math.ceil(value / lots) : Math.floor(value / lots)) };
}

/** The counterparties the sequencer should read for an order; none while it waits for a call or cannot trade on the board. */
export function counterpartyQuery(batch: Batch, order: OrderRecord | undefined): CounterpartyQuery[] {
  const resting = order && restingOf(order, batch.venue);
  return resting?.market === "board" ? [resting] : [];
}

/**
 * Fills an order as far as possible now and books both sides. An immediate order's unfilled rest is cancelled.
 * @returns whether anything was executed
 */
export function matchContinuously(batch: Batch, order: OrderRecord, arrival: Arrival = "arrives"): boolean {
  const rest = restOf(order);
  const instrument = batch.venue.instrument(order.code);
  if (!rest || !instrument || rest.lots === 0) return false;
  const perLot = unitsPerLot(order, rest.market, instrument.lotShares);
  const want: Want = { row: instrument.row, side: rest.side, limit: rest.limit, lots: Math.floor(rest.lots / perLot) };
  if (arrival === "rested" && rest.market === "board") serveQueueFirst(batch, order, want);
  const parts = rest.market === "board" ? planFor(batch, instrument, want, order.member_id) : [];
  const got = parts.reduce((sum, part) => sum + part.lots, 0);
  const executed = got > 0 && (rest.validity !== "fok" || got === want.lots);
  if (executed) {
    const displayed = parts.filter((part) => part.restingOrder === null);
    takeDisplayed(batch, want, displayed);
    const limited = rest.pricing === "limit";
    const priced = parts.map((part) => pricedFor(batch, order, arrival, part));
    fillOrder(
      batch,
      order,
      priced.map((part) => ({ ...fillingOf(part, limited), lots: part.lots * perLot })),
    );
    for (const part of priced) fillOther(batch, instrument.lotShares, part);
    publish(batch, want, priced);
  }
  const left = restOf(order);
  if (rest.validity !== "rod" && left && left.lots > 0) cancelRest(batch, order, "immediate");
  return executed;
}
