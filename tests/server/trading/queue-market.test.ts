/**
 * Tests the queues of the simulated market over some minutes: when orders at its best prices are reached, and by how many lots, against a
 * slow reference that keeps every lot ahead of an order in a line. `QUEUE_STORIES=1` prints what happened to each.
 */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MAX_TRADES, TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import type { RestingOrder, Side } from "#server/trading/sequencer/order-book.ts";
import { QueuePlaces } from "#server/trading/sequencer/queue-places.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Venue } from "#server/venue/venue.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";

const START = Date.parse("2026-11-20T10:14:50+08:00");
const MINUTES = 5;
const codes = sampleUniverse(6);

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

/** An order, and every lot of the market that stands before it: how much of the lot has not been cancelled. */
class SlowLine {
  readonly order: RestingOrder & { limit: number };
  readonly story: string[] = [];
  got = 0;
  reachedAt: number | null = null;
  /** Lots that traded at the order's price or a worse one. */
  traded = 0;
  readonly first: number;
  readonly #venue: Venue;
  #before: number[];
  #seen: number;
  #shown: number;
  #tradedSince = 0;

  constructor(venue: Venue, order: RestingOrder & { limit: number }) {
    this.#venue = venue;
    this.order = order;
    this.#shown = this.#display();
    this.first = this.#shown;
    this.#before = Array.from({ length: this.first }, () => 1);
    this.#seen = venue.tape(order.row, 0, 1)[0] ?? 0;
    this.#tell(`placed behind ${this.first} lots`);
  }

  #tell(what: string): void {
    const seconds = (Date.now() - START) / 1000;
    this.story.push(`+${seconds.toFixed(1)} s ${what}`);
  }

  #display(): number {
    const { row, side, limit } = this.order;
    return this.#venue.lotsAt(row, side === "buy" ? "bids" : "asks", limit) ?? 0;
  }

  /** Whole lots that must trade before the order is reached. */
  get ahead(): number {
    // Adding up thousands of parts is inexact.
    return Math.ceil(this.#before.reduce((sum, share) => sum + share, 0) - 1e-6) || 0;
  }

  /** Reads the trades since the last time, lot by lot. */
  follow(): void {
    const flat = this.#venue.tape(this.order.row, this.#seen, MAX_TRADES);
    for (let at = 0; at < flat.length; at += TAPE_STRIDE) {
      const { n, price, lots, side } = tradeAt(flat, at);
      this.#seen = n;
      const beyond = this.order.side === "buy" ? this.order.limit - price : price - this.order.limit;
      if (side === 0 || side > 0 === (this.order.side === "buy") || beyond < 0) continue;
      this.traded += lots;
      this.#tradedSince += lots;
      this.#trade(lots);
    }
  }

  #trade(lots: number): void {
    for (let lot = 0; lot < lots && this.got < this.order.lots; lot += 1) {
      if (this.ahead === 0) {
        this.got += 1;
        this.reachedAt ??= Date.now();
        this.#tell(`lot ${this.got} of ${this.order.lots}, after ${this.traded} lots traded`);
        continue;
      }
      // One whole lot leaves the front of the line, be it made of parts of several.
      let left = 1;
      while (left > 1e-12 && this.#before.length > 0) {
        const part = Math.min(left, this.#before[0] ?? 0);
        left -= part;
        this.#before[0] = (this.#before[0] ?? 0) - part;
        if ((this.#before[0] ?? 0) <= 1e-12) this.#before.shift();
      }
    }
  }

  /** Every five seconds lots leave the line, and from its end those that are not displayed any more. */
  cancel(): void {
    const now = this.#display();
    const { bid, ask } = this.#venue.quote(this.order.row);
    const isLocked = (this.order.side === "buy" ? ask : bid) === 0;
    const untraded = Math.max(0, this.#shown - this.#tradedSince - now);
    const vanished = this.#shown > 0 ? untraded / this.#shown : 0;
    if (!isLocked) this.#before = this.#before.map((share) => share * Math.exp(-5 / 240) * (1 - vanished / 2));
    let over = this.#before.reduce((sum, share) => sum + share, 0) - now;
    while (over > 1e-9 && this.#before.length > 0) {
      const part = Math.min(over, this.#before.at(-1) ?? 0);
      over -= part;
      this.#before.push((this.#before.pop() ?? 0) - part);
      if ((this.#before.at(-1) ?? 0) <= 1e-12) this.#before.pop();
    }
    this.#shown = now;
    this.#tradedSince = 0;
  }
}

/** Rows whose books are deep, of middle depth and thin. */
function chosenRows(venue: Venue): number[] {
  const rows = venue.instruments
    .filter(({ tradable, kind, row }) => tradable && kind !== "crypto" && venue.quote(row).bid > 0 && venue.quote(row).ask > 0)
    .toSorted((a, b) => (venue.depth(b.row).bids[0]?.[1] ?? 0) - (venue.depth(a.row).bids[0]?.[1] ?? 0))
    .map(({ row }) => row);
  return [...rows.slice(0, 6), ...rows.slice(Math.floor(rows.length / 2), Math.floor(rows.length / 2) + 6), ...rows.slice(-6)];
}

test.each(["taiwan", "always"] as const)("orders are reached when a line of single lots says so, in a market open %s", (hours) => {
  const venue = openVenue({ seed: 11, rate: 2_000, hours, codes });
  const places = new QueuePlaces(venue, Date.now);
  venue.start();
  vi.advanceTimersByTime(1_000);
  const lines = chosenRows(venue).flatMap((row) =>
    (["buy", "sell"] as const).map((side: Side) => {
      const { bid, ask } = venue.quote(row);
      const limit = side === "buy" ? bid : ask;
      const orderNo = `${side} ${row}`;
      const order = { orderNo, memberId: 1, row, side, market: "board" as const, atMarket: false, limit, lots: 3, timePriority: orderNo };
      places.put(order, places.placeFor(order));
      return new SlowLine(venue, order);
    }),
  );
  const follow = (): void => {
    for (const line of lines) {
      const { order } = line;
      places.observe(order.row);
      line.follow();
      expect([places.due(order.orderNo), line.got], `${order.orderNo}: ${line.story.join("; ")}`).toEqual([line.got, line.got]);
      if (line.got === 0) expect(places.before(order.orderNo), order.orderNo).toBe(line.ahead);
    }
  };
  venue.onChange(follow);
  for (let second = 5; second <= MINUTES * 60; second += 5) {
    vi.advanceTimersByTime(5_000);
    places.step();
    for (const line of lines) line.cancel();
    follow();
  }
  void venue.stop();
  const reached = lines.filter(({ got }) => got > 0);
  expect(reached.length).toBeGreaterThan(lines.length / 8);
  expect(reached.length).toBeLessThan(lines.length);
  // A place is worth something: with hundreds of lots ahead none of them was reached after a few.
  const deep = reached.filter(({ first }) => first > 100);
  expect(deep.length).toBeGreaterThan(0);
  if (process.env["QUEUE_STORIES"])
    for (const { order, story } of lines) console.info(venue.instruments[order.row]?.code, order.orderNo, story);
});
