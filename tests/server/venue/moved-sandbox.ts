/** The real book of some rows of a simulated market, whose minutes a test lets pass by hand, and a trader whose fills move it. */
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { Execution, Want } from "#server/venue/matching/book-sweep.ts";
import { movesPrice } from "#server/venue/matching/member-trade.ts";
import { DisplayedBook } from "#server/venue/simulator/displayed-book.ts";
import { MarketState } from "#server/venue/simulator/market-state.ts";
import { MemberTrades } from "#server/venue/simulator/member-trades.ts";
import { MovedMarket } from "#server/venue/simulator/moved-market.ts";
import { marketOf } from "#server/venue/simulator/seeded-market.ts";
import type { SeededMarket } from "#server/venue/simulator/seeded-market.ts";

/** A moment in the first session with an impact of which a whole day has passed. */
export const OPENED = Date.parse("2026-12-02T09:30:00+08:00");

export const marketOfCodes = (codes: readonly string[], seed = 17): SeededMarket => marketOf(seed, "taiwan", codes);

export class Sandbox {
  readonly state: MarketState;
  readonly book: DisplayedBook;
  readonly moved: MovedMarket;
  now: number;
  /** Fills of a batch that is not committed yet: the book knows what is taken, but not that it counts. */
  #batch: (() => void)[] | null = null;

  constructor(market: SeededMarket, at = OPENED) {
    this.now = at;
    this.state = new MarketState(market);
    this.state.advance(market.calendar.at(at), at);
    this.moved = new MovedMarket(this.state, new MemberTrades(market.calendar, 10));
    this.book = new DisplayedBook(this.state, this.moved);
  }

  /** Lets time pass, with the row's trades as they come. */
  pass(row: number, ms: number, stepMs = SECOND_MS): void {
    const until = this.now + ms;
    while (this.now < until) {
      this.now = Math.min(until, this.now + stepMs);
      const position = this.state.market.calendar.at(this.now);
      this.state.advance(position, this.now);
      this.state.print(row, position.offsetMs, this.now);
      for (const changed of this.moved.changed(this.now)) this.state.requote(changed, this.now);
      this.book.prune();
    }
  }

  /** The middle of the quotes that the market alone would have. */
  middle(row: number): number {
    const { bid, ask } = this.book.own(row);
    return (bid + ask) / 2;
  }

  /** Takes what the book gives now, as one order. `counts`: whether it moves the price. */
  take(row: number, side: Want["side"], lots: number, counts = true): Execution[] {
    const want: Want = { row, side, lots, limit: null };
    const executions = this.book.plan(want);
    this.book.consume(want, executions);
    const moving = executions.filter(({ price }) => movesPrice(price, this.state.limits(row), this.book.own(row)));
    for (const { lots: got } of counts ? moving : []) {
      const fill = (): void => this.moved.add(row, this.now, side === "buy" ? got : -got);
      if (this.#batch) this.#batch.push(fill);
      else fill();
    }
    return executions;
  }

  /** Takes lots in so many orders of one batch, none of which waits. @returns what they cost, and the lots they got */
  together(row: number, side: Want["side"], lots: number, orders: number): { cost: number; got: number } {
    const middle = this.middle(row);
    this.#batch = [];
    let [cost, got] = [0, 0];
    for (let nth = 0; nth < orders; nth += 1)
      for (const each of this.take(row, side, Math.ceil((lots - got) / (orders - nth)))) {
        cost += (side === "buy" ? each.price - middle : middle - each.price) * each.lots;
        got += each.lots;
      }
    for (const fill of this.#batch) fill();
    this.#batch = null;
    return { cost, got };
  }

  /** What trading some lots costs beside the market's own middle at each fill, in price units times lots: takes them minute by minute until done. */
  cost(row: number, side: Want["side"], lots: number): number {
    let left = lots;
    let cost = 0;
    for (let tries = 0; left > 0 && tries < 240; tries += 1) {
      const middle = this.middle(row);
      for (const { price, lots: got } of this.take(row, side, left)) {
        cost += (side === "buy" ? price - middle : middle - price) * got;
        left -= got;
      }
      if (left > 0) this.pass(row, MINUTE_MS / 2);
    }
    return left > 0 ? Number.NaN : cost;
  }
}
