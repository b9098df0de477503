/** One queue of the exchange as members see it: the lots that the market displays at a price, and members' orders among them. Pure. */

/** One member's order in a queue. */
export interface Place {
  readonly orderNo: string;
  /** Time priority among members. */
  readonly timePriority: string;
  /** Lots that are still to be filled. */
  lots: number;
  /** The market's lots before it; null while that is not known. May be a fraction: shares of what is cancelled are not whole lots. */
  ahead: number | null;
  /** Lots of it that trades have reached and that are not booked yet. */
  due: number;
}

/** Milliseconds after which all but a third of the orders ahead of a member are cancelled, beside what the display shows. */
const CANCEL_MS = 240_000;
/** Of the lots that leave the display without having traded, the share that stood ahead: the rest stood behind. */
const CANCELLED_AHEAD = 0.5;

/** Whole market lots that must trade before an order is reached. */
const wholeAhead = ({ ahead }: Place): number => (ahead === null ? Infinity : Math.ceil(ahead));
/** Lots of an order that no trade has reached. */
const openLots = ({ lots, due }: Place): number => Math.max(0, lots - due);

/** Puts a place where its time priority belongs. */
export function insert(queue: Place[], place: Place): void {
  const at = queue.findIndex((other) => other.timePriority > place.timePriority);
  queue.splice(at === -1 ? queue.length : at, 0, place);
}

/** Leaves nobody behind more of the market's lots than those who came later. */
export function putInOrder(queue: readonly Place[]): void {
  let most = Infinity;
  for (const place of queue.toReversed()) {
    if (place.ahead === null) continue;
    most = Math.min(most, place.ahead);
    place.ahead = most;
  }
}

/** Takes market lots out of the front of a queue. */
export function takeAhead(queue: readonly Place[], lots: number): void {
  for (const place of queue) if (place.ahead !== null) place.ahead = Math.max(0, place.ahead - lots);
}

/** Lets a trade of some lots run down a queue: the market's lots first that stand before a member's. @returns the lots members get */
export function trade(queue: readonly Place[], lots: number): number {
  let left = lots;
  let market = 0;
  let served = 0;
  for (const place of queue) {
    const before = Math.max(0, wholeAhead(place) - market);
    if (before >= left) break;
    left -= before;
    market += before;
    const got = Math.min(left, openLots(place));
    place.due += got;
    left -= got;
    served += got;
    if (left === 0) break;
  }
  takeAhead(queue, lots - served);
  return served;
}

/**
 * Lets a trade at a worse price run down a queue: everything that stands in it comes first, `standing` being the market's lots.
 * @returns the lots of the trade that end here
 */
export function tradeThrough(queue: readonly Place[], lots: number, standing: number): number {
  const market = Math.max(standing, ...queue.map(wholeAhead));
  const members = queue.reduce((sum, place) => sum + openLots(place), 0);
  const here = Math.min(lots, market + members);
  trade(queue, here);
  return here;
}

/** What a queue has been through since it was last looked at. */
export interface QueueChange {
  /** Lots displayed at its price then and now. */
  before: number;
  now: number;
  /** Lots that traded at its price meanwhile. */
  traded: number;
  elapsedMs: number;
  /** At a price limit nobody leaves the queue: only trades shorten it. */
  isLocked: boolean;
}

/** Lets orders ahead be cancelled: some all the time, more when the display shrinks by more than what traded, and never more than it shows. */
export function cancelAhead(queue: readonly Place[], { before, now, traded, elapsedMs, isLocked }: QueueChange): void {
  const vanished = before > 0 ? Math.max(0, before - traded - now) / before : 0;
  const kept = isLocked ? 1 : Math.exp(-elapsedMs / CANCEL_MS) * (1 - CANCELLED_AHEAD * vanished);
  for (const place of queue) place.ahead = Math.min(place.ahead === null ? Infinity : place.ahead * kept, now);
}

/** All lots before an order: the market's, and those of the members before it; null while the market's are not known. */
export function lotsBefore(queue: readonly Place[], orderNo: string): number | null {
  let members = 0;
  for (const place of queue) {
    if (place.orderNo === orderNo) return place.ahead === null ? null : wholeAhead(place) + members;
    members += openLots(place);
  }
  return null;
}
