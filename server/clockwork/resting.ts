/** Orders that rest, by the row they wait for: best price first, then oldest; what a market is never searched for. */

/** One resting order, as much of it as matching must know. */
export interface Resting {
  orderNo: string;
  memberId: number;
  row: number;
  side: "buy" | "sell";
  /** Null for an order at market, which comes before every limit. */
  limit: number | null;
}

/** Below 0 when `a` is served before `b`: market before limit, the better price, the older number. */
function before(a: Resting, b: Resting): number {
  const sign = a.side === "buy" ? -1 : 1;
  const rank = (one: Resting): number => (one.limit === null ? Number.NEGATIVE_INFINITY : sign * one.limit);
  const [left, right] = [rank(a), rank(b)];
  if (left !== right) return left < right ? -1 : 1;
  return a.orderNo < b.orderNo ? -1 : a.orderNo > b.orderNo ? 1 : 0;
}

/** Where in a queue an order stands, or would. */
function placeIn(queue: readonly Resting[], order: Resting): number {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = queue[middle];
    if (there && before(there, order) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class RestingBook {
  readonly #byNumber = new Map<string, Resting>();
  /** `2 * row` holds the row's buys, `2 * row + 1` its sells. */
  readonly #queues = new Map<number, Resting[]>();

  get size(): number {
    return this.#byNumber.size;
  }

  /** Every order that rests. */
  all(): Resting[] {
    return [...this.#byNumber.values()];
  }

  /** Rows somebody waits for. */
  rows(): Set<number> {
    return new Set([...this.#queues.keys()].map((key) => key >> 1));
  }

  /** The orders of one row and side, the first to be served first. */
  queue(row: number, side: Resting["side"]): readonly Resting[] {
    return this.#queues.get(row * 2 + (side === "buy" ? 0 : 1)) ?? [];
  }

  /** Let an order rest; one that changed its price loses its place. */
  put(order: Resting): void {
    const old = this.#byNumber.get(order.orderNo);
    if (old && old.row === order.row && old.side === order.side && old.limit === order.limit) return;
    this.remove(order.orderNo);
    this.#byNumber.set(order.orderNo, order);
    const key = order.row * 2 + (order.side === "buy" ? 0 : 1);
    const queue = this.#queues.get(key) ?? [];
    this.#queues.set(key, queue);
    queue.splice(placeIn(queue, order), 0, order);
  }

  /** Forget an order, if it rests. */
  remove(orderNo: string): void {
    const order = this.#byNumber.get(orderNo);
    if (!order) return;
    this.#byNumber.delete(orderNo);
    const key = order.row * 2 + (order.side === "buy" ? 0 : 1);
    const queue = this.#queues.get(key);
    if (!queue) return;
    queue.splice(placeIn(queue, order), 1);
    if (queue.length === 0) this.#queues.delete(key);
  }
}
