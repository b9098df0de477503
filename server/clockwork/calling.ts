/** Call auctions: when the venue strikes one, members' orders stand in it beside the market's own, and trade at its one price. */
import { price } from "#contract/kernel/money.ts";
import type { FILL_REASONS } from "#contract/order.ts";
import type { Market } from "#contract/rule.ts";
import type { Counter } from "#server/desks/order/counter.ts";
import { ofAnotherDay } from "#server/desks/order/day.ts";
import { fillOrder } from "#server/desks/order/execute.ts";
import type { OrderRecord } from "#server/desks/order/record.ts";
import { before, beyond, restingOf, unitsPerLot } from "#server/desks/order/resting.ts";
import type { Resting, Side } from "#server/desks/order/resting.ts";
import type { Round } from "#server/desks/order/round.ts";
import { strike } from "#server/venue/call.ts";
import type { CallBook, CallOrder, Strike } from "#server/venue/call.ts";
import type { Call, Venue } from "#server/venue/port.ts";

export interface CallingDeps {
  venue: Venue;
  counter: Counter;
  /** Told of faults; what was called rests on. */
  report?: ((error: unknown) => void) | undefined;
}

type Reason = (typeof FILL_REASONS)[number];

/** Which orders a call gathers, and what it is called on their fills. */
const CALLS: Record<Call["kind"], { market: Market; reason: Reason }> = {
  opening: { market: "board", reason: "auction" },
  closing: { market: "board", reason: "auction" },
  resume: { market: "board", reason: "auction" },
  odd: { market: "odd", reason: "oddAuction" },
  fixed: { market: "fixed", reason: "fixedPrice" },
};

const SIDES = ["buy", "sell"] as const;

/** A member's order in a call. */
interface Called {
  order: OrderRecord;
  resting: Resting;
}

/** Share out one side at the one price: by price, members before the market's own at the same, and among members by turn. */
function share(side: Side, called: readonly Called[], others: readonly CallOrder[], { price: at, lots }: Strike): [Called, number][] {
  const better = side === "buy" ? -1 : 1;
  const own = others.map(([each, size]) => ({ each: each ?? better * Infinity, size })).toSorted((a, b) => better * (a.each - b.each));
  const given: [Called, number][] = [];
  let left = lots;
  for (const one of called) {
    const { resting } = one;
    if (beyond(side, resting.limit, at)) continue;
    const limit = resting.atMarket || resting.limit === null ? better * Infinity : resting.limit;
    for (let first = own[0]; first && better * (first.each - limit) < 0; first = own[0]) {
      left -= first.size;
      own.shift();
    }
    const got = Math.min(left, resting.lots);
    if (got <= 0) break;
    given.push([one, got]);
    left -= got;
  }
  return given;
}

/** Whom a call leaves out: of two orders of one member that could trade with each other, the one that came later. */
function ownCrosses(buys: readonly Called[], sells: readonly Called[]): Set<Called> {
  const out = new Set<Called>();
  const sellsOf = Map.groupBy(sells, ({ resting }) => resting.memberId);
  for (const buy of buys) {
    for (const sell of sellsOf.get(buy.resting.memberId) ?? []) {
      const meet = sell.resting.limit === null || !beyond("buy", buy.resting.limit, sell.resting.limit);
      if (meet && !out.has(buy) && !out.has(sell)) out.add(buy.resting.turn > sell.resting.turn ? buy : sell);
    }
  }
  return out;
}

/** What members bring to a call; one at market goes as far as its money was held for. */
const ordersOf = (called: readonly Called[]): CallOrder[] => called.map(({ resting }) => [resting.limit, resting.lots]);

/** After hours everything trades at the close: the smaller side whole. */
function atTheClose({ bids, asks }: CallBook, close: number): Strike | null {
  const lots = (orders: readonly CallOrder[]): number => orders.reduce((sum, [, size]) => sum + size, 0);
  const both = Math.min(lots(bids), lots(asks));
  return both > 0 && close > 0 ? { price: price(close), lots: both } : null;
}

/** Strike the call of one row with whatever of its orders still rests. */
function settle(round: Round, row: number, kind: Call["kind"], market: CallBook | null): void {
  const { venue } = round;
  const instrument = venue.instruments[row];
  if (!instrument) return;
  const called = round.ordersOf(instrument.code).flatMap((order): Called[] => {
    const resting = restingOf(order, venue);
    return resting?.market === CALLS[kind].market && !ofAnotherDay(order, venue, round.at) ? [{ order, resting }] : [];
  });
  const sideOf = (side: Side): Called[] =>
    called.filter(({ resting }) => resting.side === side).toSorted((a, b) => before(a.resting, b.resting));
  const out = ownCrosses(sideOf("buy"), sideOf("sell"));
  const [buys, sells] = [sideOf("buy").filter((one) => !out.has(one)), sideOf("sell").filter((one) => !out.has(one))];
  const quote = venue.quote(row);
  const own = market ?? { kind: instrument.kind, bids: [], asks: [], anchor: quote.last > 0 ? quote.last : quote.reference, limits: null };
  const book = { ...own, bids: [...own.bids, ...ordersOf(buys)], asks: [...own.asks, ...ordersOf(sells)] };
  const struck = kind === "fixed" ? atTheClose(book, quote.last) : strike(book);
  if (!struck) return;
  for (const [side, there, others] of [["buy", buys, own.bids] as const, ["sell", sells, own.asks] as const]) {
    for (const [{ order, resting }, lots] of share(side, there, others, struck)) {
      const units = lots * unitsPerLot(order, resting.market, instrument.lotShares);
      fillOrder(round, order, [{ price: struck.price, lots: units, level: 0, best: struck.price, reason: CALLS[kind].reason }]);
    }
  }
}

/** Begin to call. @returns how to stop */
export function startCalling({ venue, counter, report }: CallingDeps): () => void {
  const call = (row: number, kind: Call["kind"]): void => {
    const { market } = CALLS[kind];
    // The market's own orders as they stand at this moment; members' as they stand in its turn, before their day's end is minded.
    const own = venue.callBook(row, market === "odd");
    void counter
      .submit({
        urgent: true,
        memberIds: [],
        gather: (book) => SIDES.flatMap((side) => book.queue(row, side, market)),
        decide: (round) => settle(round, row, kind, own),
      })
      .catch((error: unknown) => report?.(error));
  };
  return venue.onCall(({ kind, rows }) => {
    const waiting = counter.resting.rows(CALLS[kind].market);
    for (const row of rows ?? waiting) if (waiting.has(row)) call(row, kind);
  });
}
