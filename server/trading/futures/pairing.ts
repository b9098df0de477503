/** Pairs lots of two sides so that the pairs save the most together: a flow of least cost, built by shortest paths. Pure. */

/** Lots of a left and a right item that belong together. */
export interface Paired {
  left: number;
  right: number;
  lots: number;
}

/** What is left to pair of every item, and what runs between two of them so far. */
interface Flow {
  savings: readonly (readonly number[])[];
  leftOver: number[];
  rightOver: number[];
  paired: number[][];
  /** Prices of the items, by which no step of a path costs less than nothing. */
  leftPrice: number[];
  rightPrice: number[];
}

/** The cheapest way from a left item with lots over to each right one. */
interface Ways {
  leftCost: number[];
  rightCost: number[];
  /** The item before each on its way: a right one before a left one (-1 at the beginning), and the other way round. */
  beforeLeft: number[];
  beforeRight: number[];
}

/** The unvisited item of least cost; -1 if none can be reached. */
function nearest(costs: readonly number[], done: readonly boolean[]): number {
  let best = -1;
  for (let at = 0; at < costs.length; at += 1)
    if (done[at] !== true && (costs[at] ?? Infinity) < (best < 0 ? Infinity : (costs[best] ?? Infinity))) best = at;
  return best;
}

/** Dijkstra's shortest paths over what can still be paired, or paired otherwise. */
function waysIn({ savings, leftOver, paired, leftPrice, rightPrice }: Flow): Ways {
  const [lefts, rights] = [leftPrice.length, rightPrice.length];
  const leftCost = leftOver.map((lots, left) => (lots > 0 ? 0 - (leftPrice[left] ?? 0) : Infinity));
  const rightCost = Array.from({ length: rights }, () => Infinity);
  const beforeLeft = Array.from({ length: lefts }, () => -1);
  const beforeRight = Array.from({ length: rights }, () => -1);
  const [leftDone, rightDone] = [Array.from({ length: lefts }, () => false), Array.from({ length: rights }, () => false)];
  for (;;) {
    const left = nearest(leftCost, leftDone);
    const right = nearest(rightCost, rightDone);
    if (left < 0 && right < 0) return { leftCost, rightCost, beforeLeft, beforeRight };
    const [ofLeft, ofRight] = [leftCost[left] ?? Infinity, rightCost[right] ?? Infinity];
    if (ofLeft <= ofRight) {
      leftDone[left] = true;
      for (let to = 0; to < rights; to += 1) {
        const saving = savings[left]?.[to] ?? 0;
        if (rightDone[to] === true || saving <= 0) continue;
        const cost = ofLeft + (leftPrice[left] ?? 0) - saving - (rightPrice[to] ?? 0);
        if (cost < (rightCost[to] ?? Infinity)) [rightCost[to], beforeRight[to]] = [cost, left];
      }
    } else {
      rightDone[right] = true;
      for (let to = 0; to < lefts; to += 1) {
        if (leftDone[to] === true || (paired[to]?.[right] ?? 0) <= 0) continue;
        const cost = ofRight + (rightPrice[right] ?? 0) + (savings[to]?.[right] ?? 0) - (leftPrice[to] ?? 0);
        if (cost < (leftCost[to] ?? Infinity)) [leftCost[to], beforeLeft[to]] = [cost, right];
      }
    }
  }
}

/** The right item with lots over at which the best way ends; -1 where none saves anything more. */
function bestEnd({ rightOver, rightPrice }: Flow, { rightCost }: Ways): number {
  let [best, least] = [-1, 0];
  for (const [right, over] of rightOver.entries()) {
    const cost = (rightCost[right] ?? Infinity) + (rightPrice[right] ?? 0);
    if (over > 0 && cost < least) [best, least] = [right, cost];
  }
  return best;
}

/** Pairs as many lots as a way has room for. */
function pairAlong({ leftOver, rightOver, paired }: Flow, { beforeLeft, beforeRight }: Ways, end: number): void {
  let lots = rightOver[end] ?? 0;
  let first = -1;
  for (let right = end; right >= 0; right = beforeLeft[first] ?? -1) {
    first = beforeRight[right] ?? -1;
    const from = beforeLeft[first] ?? -1;
    lots = Math.min(lots, from < 0 ? (leftOver[first] ?? 0) : (paired[first]?.[from] ?? 0));
  }
  leftOver[first] = (leftOver[first] ?? 0) - lots;
  rightOver[end] = (rightOver[end] ?? 0) - lots;
  for (let right = end; right >= 0; ) {
    const left = beforeRight[right] ?? -1;
    const row = paired[left] ?? [];
    row[right] = (row[right] ?? 0) + lots;
    right = beforeLeft[left] ?? -1;
    if (right >= 0) row[right] = (row[right] ?? 0) - lots;
  }
}

/** The pairs of some lots that save the most together, in whole numbers; what saves nothing stays alone. */
export function bestPairs(left: readonly number[], right: readonly number[], savings: readonly (readonly number[])[]): Paired[] {
  const flow: Flow = {
    savings,
    leftOver: [...left],
    rightOver: [...right],
    paired: left.map(() => right.map(() => 0)),
    leftPrice: left.map(() => 0),
    rightPrice: right.map((_, to) => 0 - savings.reduce((most, row) => Math.max(most, row[to] ?? 0), 0)),
  };
  for (;;) {
    const ways = waysIn(flow);
    const end = bestEnd(flow, ways);
    if (end < 0) break;
    pairAlong(flow, ways, end);
    for (const [at, cost] of ways.leftCost.entries()) if (cost < Infinity) flow.leftPrice[at] = (flow.leftPrice[at] ?? 0) + cost;
    for (const [at, cost] of ways.rightCost.entries()) if (cost < Infinity) flow.rightPrice[at] = (flow.rightPrice[at] ?? 0) + cost;
  }
  return flow.paired.flatMap((row, from) => row.flatMap((lots, to) => (lots > 0 ? [{ left: from, right: to, lots }] : [])));
}
