/** Continuous trading: what other members' resting orders and the displayed book give an order now, by price, then time; at the price of what rested. */
import type { Instrument } from "#contract/instrument.ts";
import { price } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Execution, Want } from "#server/venue/port.ts";
import { lapsed } from "./day.ts";
import { fillOrder } from "./execute.ts";
import type { Filling } from "./execute.ts";
import { restOf } from "./record.ts";
import type { OrderRecord } from "./record.ts";
import { before, beyond, opposite, restingOf, unitsPerLot } from "./resting.ts";
import type { Resting, Seek, Side } from "./resting.ts";
import type { Round } from "./round.ts";
import { withdraw } from "./withdraw.ts";

/** One part of what an order gets: a level of the displayed book, or another member's order. */
export interface Part extends Execution {
  against: OrderRecord | null;
}

interface Waiting {
  order: OrderRecord;
  resting: Resting;
}

interface Offer extends Waiting {
  at: Price;
}

/** What of the orders that were read rests on one side of the board. */
function restingOn(round: Round, code: string, side: Side): Waiting[] {
  return round.ordersOf(code).flatMap((order): Waiting[] => {
    const resting = restingOf(order, round.venue);
    if (!resting || resting.market !== "board" || resting.side !== side || lapsed(order, round.venue, round.at)) return [];
    return [{ order, resting }];
  });
}

/**
 * The price an order that rests at market stands for (TWSE Operating Rules art. 58-3): to buy the highest, to sell the lowest of the
 * last trade and the best prices of both sides, members' limits beside it (`queue`) among them, so that it goes before those; never
 * beyond what it is bound to.
 */
function priceAtMarket(round: Round, { row, side, limit }: Resting, queue: readonly Waiting[]): number {
  const { last, reference, bid, ask } = round.venue.quote(row);
  const limits = queue.map(({ resting }) => (resting.atMarket ? 0 : (resting.limit ?? 0)));
  const known = [last > 0 ? last : reference, bid, ask, ...limits].filter((each) => each > 0);
  const at = side === "buy" ? Math.max(...known) : Math.min(...known);
  return beyond(side, limit, at) ? (limit ?? at) : at;
}

/** Other members' orders that an order meets, the first to be met first. */
function offersTo(round: Round, instrument: Instrument, want: Want, memberId: number): Offer[] {
  const queue = restingOn(round, instrument.code, opposite(want.side));
  const offers = queue.flatMap(({ order, resting }): Offer[] => {
    if (order.member_id === memberId) return [];
    const at = resting.atMarket ? priceAtMarket(round, resting, queue) : (resting.limit ?? 0);
    return beyond(want.side, want.limit, at) ? [] : [{ order, resting, at: price(at) }];
  });
  const better = want.side === "buy" ? 1 : -1;
  return offers.toSorted((a, b) => better * (a.at - b.at) || before(a.resting, b.resting));
}

/** A queue of parts, none of which is empty. */
const queueOf = (parts: readonly Part[]): Part[] => parts.map((part) => ({ ...part }));

/**
 * What the market would give an order of a member now; changes nothing. At one price members come before the displayed book: they
 * have waited, while what is displayed comes and goes.
 */
export function planFor(round: Round, instrument: Instrument, want: Want, memberId: number): Part[] {
  if (round.venue.matching(want.row, round.at) !== "continuous") return [];
  const members = queueOf(
    offersTo(round, instrument, want, memberId).map(({ order, resting, at }) => ({
      price: at,
      lots: resting.lots,
      level: 0,
      best: at,
      against: order,
    })),
  );
  const displayed = queueOf(round.venue.plan(want).map((execution) => ({ ...execution, against: null })));
  const parts: Part[] = [];
  for (let left = want.lots; left > 0;) {
    const [member, level] = [members[0], displayed[0]];
    const first = member && level ? (beyond(want.side, level.price, member.price) ? level : member) : (member ?? level);
    if (!first) break;
    const lots = Math.min(left, first.lots);
    parts.push({ ...first, lots, best: parts[0]?.price ?? first.price });
    left -= lots;
    first.lots -= lots;
    if (first.lots === 0) (first === member ? members : displayed).shift();
  }
  return parts;
}

/** How an order meets the market: it arrives and takes what is there, or it rested and the market comes to it. */
type Arrival = "arrives" | "rested";

/** A part at the price it is executed at, and whether the order traded for is the one that rested. */
interface Priced extends Part {
  passive: boolean;
}

/**
 * Price a part: a continuous match executes at the price of whichever order rested (TWSE Operating Rules art. 58-3), of two that rested
 * of the earlier. One that rested at market stands for its converted price, which is never better than what comes to it.
 */
function pricedFor(round: Round, order: OrderRecord, arrival: Arrival, part: Part): Priced {
  const resting = restingOf(order, round.venue);
  if (arrival === "arrives" || !resting || (part.against && part.against.turn < order.turn)) return { ...part, passive: false };
  if (!resting.atMarket && resting.limit !== null) return { ...part, price: price(resting.limit), passive: true };
  const worse = resting.side === "buy" ? Math.max : Math.min;
  const at = priceAtMarket(round, resting, restingOn(round, order.code, resting.side));
  return { ...part, price: price(worse(at, part.price)), passive: true };
}

/** The part as the order traded for gets it. */
function fillingOf({ price: at, lots, level, best, against, passive }: Priced, limited: boolean): Filling {
  const reason = passive ? "resting" : against ? "member" : limited ? "limitOrBetter" : "bookLevel";
  return { price: at, lots, level, best, reason };
}

/** The same part as the other member's order gets it. */
function fillOther(round: Round, lotShares: number, { against, price: at, lots, passive }: Priced): void {
  if (!against) return;
  const units = lots * unitsPerLot(against, "board", lotShares);
  fillOrder(round, against, [{ price: at, lots: units, level: 0, best: at, reason: passive ? "member" : "resting" }]);
}

/** Whom an order may meet, as the counter looks it up; nothing where it rests for a call or has no board to trade on. */
export function seekOf(round: Round, order: OrderRecord | undefined): Seek[] {
  const resting = order && restingOf(order, round.venue);
  return resting?.market === "board" ? [resting] : [];
}

/**
 * Let an order take what it can get now, and account for it on both sides. What may not wait and got nothing, or not all, is withdrawn.
 * @returns whether anything was executed
 */
export function trade(round: Round, order: OrderRecord, arrival: Arrival = "arrives"): boolean {
  const rest = restOf(order);
  const instrument = round.venue.instrument(order.code);
  if (!rest || !instrument || rest.lots === 0) return false;
  const perLot = unitsPerLot(order, rest.market, instrument.lotShares);
  const want: Want = { row: instrument.row, side: rest.side, limit: rest.limit, lots: Math.floor(rest.lots / perLot) };
  const parts = rest.market === "board" ? planFor(round, instrument, want, order.member_id) : [];
  const got = parts.reduce((sum, part) => sum + part.lots, 0);
  const executed = got > 0 && (rest.validity !== "fok" || got === want.lots);
  if (executed) {
    const displayed = parts.filter((part) => part.against === null);
    if (displayed.length > 0) round.venue.consume(want, displayed);
    const limited = rest.pricing === "limit";
    const priced = parts.map((part) => pricedFor(round, order, arrival, part));
    fillOrder(
      round,
      order,
      priced.map((part) => ({ ...fillingOf(part, limited), lots: part.lots * perLot })),
    );
    for (const part of priced) fillOther(round, instrument.lotShares, part);
  }
  const left = restOf(order);
  if (rest.validity !== "rod" && left && left.lots > 0) withdraw(round, order);
  return executed;
}
