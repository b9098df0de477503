/** A trader in a test who waits at a price, at the front of the queue: nobody could be better off. */
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { RestingOrder } from "#server/trading/sequencer/order-book.ts";
import { QueuePlaces } from "#server/trading/sequencer/queue-places.ts";
import { movesPrice } from "#server/venue/matching/member-trade.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { Sandbox } from "./moved-sandbox.ts";

type Side = "buy" | "sell";

/** A trader who waits in the exchange's queue. */
export class Waiter {
  readonly #box: Sandbox;
  readonly #row: number;
  readonly #counts: boolean;
  readonly #queue: QueuePlaces;
  #order: (RestingOrder & { limit: number }) | null = null;
  #turn = 0;
  /** Lots bought less those sold, and what each fill is worth a minute later beside what it cost. */
  held = 0;
  readonly #marks: { due: number; signed: number; price: number }[] = [];
  gain = 0;

  constructor(box: Sandbox, row: number, counts: boolean) {
    this.#box = box;
    this.#row = row;
    this.#counts = counts;
    const venue: Partial<Venue> = {
      instruments: box.state.market.referenceData.listings.map(({ instrument }) => instrument),
      matching: () => "continuous",
      lotsAt: (at, side, price) => box.book.lotsAt(at, side, price),
      boardTape: (at, after, limit) => box.moved.tape(at, after, limit),
      quote: (at) => ({ ...box.state.quote(at, box.book.own(at), 1000) }),
    };
    this.#queue = new QueuePlaces(venue as Venue, () => box.now);
  }

  /** Waits on a side at the best price of the moment, in place of what waited before. */
  wait(side: Side, lots: number): void {
    const { bid, ask } = this.#box.book.best(this.#row);
    const limit = side === "buy" ? bid : ask;
    if (this.#order) this.#queue.remove(this.#order.orderNo);
    this.#order = null;
    if (limit === 0 || lots === 0) return;
    this.#turn += 1;
    const order = {
      orderNo: `O${this.#turn}`,
      row: this.#row,
      memberId: 1,
      side,
      market: "board",
      atMarket: false,
      limit,
      lots,
      timePriority: String(this.#turn).padStart(8, "0"),
    } as unknown as RestingOrder & { limit: number };
    this.#order = order;
    this.#put(order);
  }

  #put(order: RestingOrder & { limit: number }): void {
    const place = this.#queue.placeFor(order);
    this.#queue.put(order, place && { ...place, ahead: 0 });
  }

  fill(side: Side, price: number, lots: number): void {
    const signed = side === "buy" ? lots : -lots;
    this.held += signed;
    this.#marks.push({ due: this.#box.now + MINUTE_MS, signed, price });
    if (!this.#counts) return;
    const [limits, own] = [this.#box.state.limits(this.#row), this.#box.book.own(this.#row)];
    if (movesPrice(price, limits, own)) this.#box.moved.add(this.#row, this.#box.now, signed);
  }

  /** Lets time pass; books what trades have reached. */
  pass(ms: number): void {
    for (let passed = 0; passed < ms; passed += SECOND_MS) {
      this.#box.pass(this.#row, SECOND_MS);
      const order = this.#order;
      this.#queue.observe(this.#row);
      if (passed % (5 * SECOND_MS) === 0) this.#queue.step();
      const due = order ? Math.min(order.lots, this.#queue.due(order.orderNo)) : 0;
      if (order && due > 0) {
        this.#queue.served(order.orderNo, due);
        this.fill(order.side, order.limit, due);
        order.lots -= due;
        if (order.lots === 0) this.wait(order.side, 0);
        else this.#put(order);
      }
      const middle = this.#box.middle(this.#row);
      while ((this.#marks[0]?.due ?? Infinity) <= this.#box.now) {
        const mark = this.#marks.shift();
        if (mark) this.gain += mark.signed * (middle - mark.price);
      }
    }
  }

  /** Takes lots from the book at once, and what it does not have little by little. */
  take(side: Side, lots: number): void {
    let left = lots;
    if (!this.#counts && left > 0) {
      // Beside the impact, in which it pays only the spread.
      const { bid, ask } = this.#box.book.own(this.#row);
      return this.fill(side, side === "buy" ? ask : bid, lots);
    }
    for (let tries = 0; left > 0 && tries < 240; tries += 1) {
      for (const { price, lots: got } of this.#box.take(this.#row, side, left, false)) {
        this.fill(side, price, got);
        left -= got;
      }
      if (left > 0) this.pass(MINUTE_MS / 2);
    }
  }
}
