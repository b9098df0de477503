/** A slow reference implementation of a call auction: tries every tick and assigns every lot separately to the first order in priority. */
import { step } from "#contract/tick.ts";
import type { Auction } from "#server/trading/matching-engine/auction-queue.ts";
import type { CallBook, CallOrder } from "#server/venue/matching/call-auction.ts";
import type { RestingOrder } from "#server/trading/sequencer/order-book.ts";

/** One order; the market's own orders have no number. */
interface Line {
  buys: boolean;
  /** Null for an unbounded order. */
  limit: number | null;
  atMarket: boolean;
  left: number;
  order: RestingOrder | null;
  /** When it came; null where that is not known. */
  cameAt: number | null;
  /** Of a lot of the market: how many stood before it at its price; of a member: how many of them stood before it. Null for what came in the call. */
  stood: number | null;
}

/**
 * The auction price, and by the number of a member's order its executed lots, and of those with lots left how many of the market's are before it at
 * its price.
 */
export interface ReferenceResult {
  price: number;
  lots: Record<string, number>;
  ahead: Record<string, number>;
}

const accepts = ({ buys, limit }: Line, price: number): boolean => limit === null || (buys ? limit >= price : limit <= price);
const betterThan = ({ buys, limit }: Line, price: number): boolean => limit === null || (buys ? limit > price : limit < price);
const sum = (lines: readonly Line[]): number => lines.reduce((total, line) => total + line.left, 0);

/** Tells whether `a` has priority over `b` by the exchange's rules. */
function first(a: Line, b: Line): boolean {
  if (a.limit === null && b.limit !== null) return true;
  if (a.limit !== null && b.limit === null) return false;
  if (a.limit !== null && b.limit !== null && a.limit !== b.limit) return a.buys ? a.limit > b.limit : a.limit < b.limit;
  if (a.atMarket !== b.atMarket) return a.atMarket;
  if (a.order === null || b.order === null) {
    if (a.stood !== null && b.stood !== null) return a.order === null ? a.stood < b.stood : a.stood <= b.stood;
    if (a.stood !== null || b.stood !== null) return a.stood !== null;
    if (a.cameAt !== null && b.cameAt !== null && a.cameAt !== b.cameAt) return a.cameAt < b.cameAt;
    return a.order !== null;
  }
  return a.order.timePriority < b.order.timePriority;
}

/** The price with the maximum volume; of several the one closest to the last price, of two equally close the higher. */
function priceOf(lines: readonly Line[], { own: { kind, limits, anchor } }: Auction): number | null {
  if (!limits) throw new Error("the reference algorithm needs limits");
  // A market order has the day's limit price.
  const bounded = lines.map((line) => ({ ...line, limit: line.limit ?? (line.buys ? limits.up : limits.down) }));
  const [buys, sells] = [bounded.filter((line) => line.buys), bounded.filter((line) => !line.buys)];
  let best: { price: number; lots: number } | null = null;
  for (let price = limits.down; price <= limits.up; price = step(kind, price, 1)) {
    const demand = sum(buys.filter((line) => accepts(line, price)));
    const supply = sum(sells.filter((line) => accepts(line, price)));
    const lots = Math.min(demand, supply);
    const served =
      sum(buys.filter((line) => betterThan(line, price))) <= supply && sum(sells.filter((line) => betterThan(line, price))) <= demand;
    if (lots === 0 || !served) continue;
    const nearer = best !== null && Math.abs(price - anchor) <= Math.abs(best.price - anchor);
    if (best === null || lots > best.lots || (lots === best.lots && nearer)) best = { price, lots };
    if (price === limits.up) break;
  }
  return best?.price ?? null;
}

/** Whether the queue at a price limit stood there before the call. */
const isQueued = ({ queued, limits }: CallBook, buys: boolean, limit: number | null): boolean =>
  limit !== null && queued === (buys ? "buy" : "sell") && limit === (buys ? limits?.up : limits?.down);

/**
 * The market's own lots at one price: as many as stood before any member's order, and then those of the call: they came in up to twenty parts,
 * evenly spaced in time, the larger parts last.
 */
function ownLines(buys: boolean, limit: number | null, own: CallBook, members: readonly Line[]): Line[] {
  const lots = (buys ? own.bids : own.asks).filter(([at]) => at === limit).reduce((total, [, size]) => total + size, 0);
  const places = members.flatMap((one) => (one.buys === buys && one.limit === limit && one.stood !== null ? [one.stood] : []));
  const stood = isQueued(own, buys, limit) ? lots : Math.min(lots, Math.max(0, ...places));
  const rest = lots - stood;
  const parts = Math.min(20, rest);
  return Array.from({ length: lots }, (_, lot) => {
    const line = { buys, limit, atMarket: limit === null, left: 1, order: null };
    if (lot < stood) return { ...line, cameAt: null, stood: lot };
    let part = 0;
    while (Math.floor((rest * (part + 1)) / parts) <= lot - stood) part += 1;
    const { came } = own;
    return { ...line, cameAt: came ? came.from + ((came.until - came.from) * (part + 0.5)) / parts : null, stood: null };
  });
}

/** Members' orders: no more of the market's lots stood before one than before any at its price that follows it in time priority. */
const inPlace = (lines: readonly Line[]): Line[] =>
  lines.map((line) => {
    const following = lines.filter(
      ({ buys, limit, order }) =>
        buys === line.buys && limit === line.limit && (order?.timePriority ?? "") >= (line.order?.timePriority ?? ""),
    );
    const known = following.flatMap(({ stood }) => (stood === null ? [] : [stood]));
    return { ...line, stood: known.length > 0 && line.limit !== null ? Math.min(...known) : null };
  });

/** When a member's order came: no later than any order of its side that follows it in time priority. */
function cameAt(order: RestingOrder, members: readonly RestingOrder[], { came }: CallBook): number | null {
  if (!came) return null;
  const following = members.filter(({ side, timePriority }) => side === order.side && timePriority >= order.timePriority);
  return Math.min(...following.map((one) => one.cameAt ?? came.until));
}

function linesOf({ own, members, fixedPrice }: Auction, out: ReadonlySet<string>): Line[] {
  const furthest = (buys: boolean): number | undefined => (buys ? own.limits?.up : own.limits?.down);
  const staying = members.filter(({ orderNo }) => !out.has(orderNo));
  const end = (buys: boolean): number | null => furthest(buys) ?? null;
  // Where a queue stands at the limit, a market order asks for no more than one with that limit.
  const counted = (line: Line): Line =>
    line.limit === null && isQueued(own, line.buys, end(line.buys)) ? { ...line, limit: end(line.buys), atMarket: false } : line;
  const asked = staying.map((order): Line => {
    const buys = order.side === "buy";
    const free = order.atMarket && order.limit === furthest(buys);
    const limit = free ? null : order.limit;
    const line = { buys, limit, atMarket: order.atMarket, left: order.lots, order, cameAt: cameAt(order, staying, own) };
    const isPlain = isQueued(own, buys, limit) ? { atMarket: false } : {};
    const known = order.ahead ?? null;
    const shown = order.aheadOf ?? 0;
    const there = counted({ ...line, ...isPlain, stood: known });
    if (known === null || shown === 0 || !isQueued(own, buys, there.limit)) return there;
    // As large a part of the queue at the limit as of what was displayed.
    const queued = (buys ? own.bids : own.asks).reduce((total, [at, size]) => total + (at === there.limit ? size : 0), 0);
    return { ...there, stood: Math.ceil(Math.min(1, known / shown) * queued) };
  });
  const theirs = inPlace(asked);
  const prices = (orders: readonly CallOrder[]): (number | null)[] => [...new Set(orders.map(([limit]) => limit))];
  const lines = [
    ...prices(own.bids).flatMap((limit) => ownLines(true, limit, own, theirs).map(counted)),
    ...prices(own.asks).flatMap((limit) => ownLines(false, limit, own, theirs).map(counted)),
    ...theirs,
  ];
  if (fixedPrice === null) return lines;
  // In fixed-price trading all orders are at the close, so price gives no priority.
  return lines.filter((line) => accepts(line, fixedPrice)).map((line) => ({ ...line, limit: fixedPrice, atMarket: false }));
}

function once(auction: Auction, out: ReadonlySet<string>): ReferenceResult | null {
  const lines = linesOf(auction, out);
  const price = auction.fixedPrice ?? priceOf(lines, auction);
  if (price === null) return null;
  const sides = [true, false].map((buys) => lines.filter((line) => line.buys === buys && accepts(line, price)));
  const lots: Record<string, number> = {};
  for (let left = Math.min(...sides.map(sum)); left > 0; left -= 1) {
    for (const side of sides) {
      const next = side.filter((line) => line.left > 0).reduce((head, line) => (first(line, head) ? line : head));
      next.left -= 1;
      if (next.order) lots[next.order.orderNo] = (lots[next.order.orderNo] ?? 0) + 1;
    }
  }
  const ahead = lines.flatMap((line) => {
    if (line.order === null || line.left === 0) return [];
    const before = lines.filter((own) => own.order === null && own.buys === line.buys && own.limit === line.limit && first(own, line));
    return [[line.order.orderNo, sum(before)] as const];
  });
  return { price, lots, ahead: Object.fromEntries(ahead) };
}

/** Runs the auction. If a member would trade with themselves, it drops the later order and runs again. */
export function referenceAuction(auction: Auction): ReferenceResult | null {
  const out = new Set<string>();
  for (;;) {
    const result = once(auction, out);
    const before = out.size;
    const served = auction.members
      .filter(({ orderNo }) => (result?.lots[orderNo] ?? 0) > 0)
      .toSorted((one, other) => (one.timePriority < other.timePriority ? -1 : 1));
    for (const [n, late] of served.entries()) {
      const early = served.slice(0, n).filter(({ orderNo, memberId }) => memberId === late.memberId && !out.has(orderNo));
      if (early.some(({ side }) => side !== late.side)) out.add(late.orderNo);
    }
    if (out.size === before) return result && Object.keys(result.lots).length > 0 ? result : null;
  }
}
