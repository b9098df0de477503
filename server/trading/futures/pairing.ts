/** Pairs lots of two sides so that the pairs save the most together: a flow of least cost, built by shortest paths. Pure. */

/** Lots of a left and a right item that belong together. */
export interface Paired {
  left: number;
  right: number;
  lots: number;
}

/** Both sides in one row of numbers, the right one after the left. */
class Flow {
  readonly #lefts: number;
  readonly #rights: number;
  /** By left and right item: what a pair of lots saves, and the lots that are paired so far. */
  readonly #savings: Float64Array;
  readonly #paired: Float64Array;
  /** Lots that are still alone. */
  readonly #over: Float64Array;
  /** Prices of the items and of the end of every path, by which no step costs less than nothing. */
  readonly #price: Float64Array;
  #endPrice: number;
  /** The cheapest way to each item that is known, the item before it on that way, and whether it is the cheapest of all. */
  readonly #cost: Float64Array;
  readonly #before: Int32Array;
  readonly #done: Uint8Array;

  constructor(left: readonly number[], right: readonly number[], savings: readonly (readonly number[])[]) {
    this.#lefts = left.length;
    this.#rights = right.length;
    const all = left.length + right.length;
    this.#savings = Float64Array.from(savings.flat());
    this.#paired = new Float64Array(left.length * right.length);
    this.#over = Float64Array.from([...left, ...right]);
    this.#price = new Float64Array(all);
    for (const [nth] of right.entries())
      this.#price[left.length + nth] = 0 - savings.reduce((most, row) => Math.max(most, row[nth] ?? 0), 0);
    this.#endPrice = this.#price.reduce((least, price) => Math.min(least, price), 0);
    this.#cost = new Float64Array(all);
    this.#before = new Int32Array(all);
    this.#done = new Uint8Array(all);
  }

  #nearest(): number {
    let [best, least] = [-1, Infinity];
    for (let at = 0; at < this.#cost.length; at += 1) {
      const cost = this.#cost[at] ?? Infinity;
      if (cost < least && this.#done[at] === 0) [best, least] = [at, cost];
    }
    return best;
  }

  #try(from: number, to: number, cost: number): void {
    if (cost >= (this.#cost[to] ?? Infinity)) return;
    this.#cost[to] = cost;
    this.#before[to] = from;
  }

  /** From a left item to every right one that it may be paired with. */
  #pairFrom(left: number): void {
    const own = (this.#cost[left] ?? 0) + (this.#price[left] ?? 0);
    const row = left * this.#rights;
    for (let nth = 0; nth < this.#rights; nth += 1) {
      const [saving, to] = [this.#savings[row + nth] ?? 0, this.#lefts + nth];
      if (saving > 0 && this.#done[to] === 0) this.#try(left, to, own - saving - (this.#price[to] ?? 0));
    }
  }

  /** From a right item to every left one that it is paired with, which may be paired otherwise. */
  #partFrom(right: number): void {
    const own = (this.#cost[right] ?? 0) + (this.#price[right] ?? 0);
    for (let to = 0; to < this.#lefts; to += 1) {
      const at = to * this.#rights + right - this.#lefts;
      if ((this.#paired[at] ?? 0) > 0 && this.#done[to] === 0)
        this.#try(right, to, own + (this.#savings[at] ?? 0) - (this.#price[to] ?? 0));
    }
  }

  /** The right item at which the cheapest path ends, by Dijkstra; -1 where no path saves anything more. */
  #cheapest(): number {
    this.#done.fill(0);
    this.#before.fill(-1);
    for (let at = 0; at < this.#cost.length; at += 1)
      this.#cost[at] = at < this.#lefts && (this.#over[at] ?? 0) > 0 ? 0 - (this.#price[at] ?? 0) : Infinity;
    let [end, least] = [-1, Infinity];
    for (let at = this.#nearest(); at >= 0 && (this.#cost[at] ?? 0) < least; at = this.#nearest()) {
      this.#done[at] = 1;
      if (at < this.#lefts) {
        this.#pairFrom(at);
        continue;
      }
      const through = (this.#cost[at] ?? 0) + (this.#price[at] ?? 0) - this.#endPrice;
      if ((this.#over[at] ?? 0) > 0 && through < least) [end, least] = [at, through];
      this.#partFrom(at);
    }
    if (end < 0 || least + this.#endPrice >= 0) return -1;
    for (let at = 0; at < this.#cost.length; at += 1) this.#price[at] = (this.#price[at] ?? 0) + Math.min(this.#cost[at] ?? 0, least);
    this.#endPrice += least;
    return end;
  }

  /** The place of two items that follow each other on a path, and whether they are paired by it or parted. */
  #step(from: number, to: number): { at: number; sign: 1 | -1 } {
    return from < this.#lefts
      ? { at: from * this.#rights + to - this.#lefts, sign: 1 }
      : { at: to * this.#rights + from - this.#lefts, sign: -1 };
  }

  /** Pairs as many lots as the path to an item has room for. */
  #pairAlong(end: number): void {
    const steps: { at: number; sign: 1 | -1 }[] = [];
    let first = end;
    for (let from = this.#before[end] ?? -1; from >= 0; from = this.#before[from] ?? -1) {
      steps.push(this.#step(from, first));
      first = from;
    }
    let lots = Math.min(this.#over[end] ?? 0, this.#over[first] ?? 0);
    for (const { at, sign } of steps) if (sign < 0) lots = Math.min(lots, this.#paired[at] ?? 0);
    for (const { at, sign } of steps) this.#paired[at] = (this.#paired[at] ?? 0) + sign * lots;
    for (const at of [first, end]) this.#over[at] = (this.#over[at] ?? 0) - lots;
  }

  run(): Paired[] {
    for (let end = this.#cheapest(); end >= 0; end = this.#cheapest()) this.#pairAlong(end);
    const found: Paired[] = [];
    for (const [at, lots] of this.#paired.entries())
      if (lots > 0) found.push({ left: Math.floor(at / this.#rights), right: at % this.#rights, lots });
    return found;
  }
}

/** The pairs of some lots that save the most together; what saves nothing stays alone. */
export const bestPairs = (left: readonly number[], right: readonly number[], savings: readonly (readonly number[])[]): Paired[] =>
  left.length === 0 || right.length === 0 ? [] : new Flow(left, right, savings).run();
