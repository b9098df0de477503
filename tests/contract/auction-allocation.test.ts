/** Tests the allocation of an auction against a slow obvious reference that gives away one lot at a time, and the fairness of its ties. */
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { allocate, averagePrice, cutOffPrice, histogramOf, lotteryPrice } from "#contract/auction-allocation.ts";
import type { SealedBid } from "#contract/auction-allocation.ts";
import { randomFrom } from "#tests/server/simulation/random.ts";

const RUNS = Number(process.env.PROPERTY_RUNS) || 400;

interface Case {
  bids: SealedBid[];
  lots: number;
  cap: number;
}

const drawnBy =
  (secret: string) =>
  (ticket: string): string =>
    createHmac("sha256", secret).update(ticket).digest("hex");

/** Bids at few prices, of few bidders, so that ties and caps are common. */
function drawCase(seed: number): Case {
  const random = randomFrom(seed);
  const upTo = (most: number): number => random.int(1, most);
  const bids = Array.from({ length: upTo(30) }, (_, nth) => ({
    ticket: `T${nth}`,
    bidder: `B${upTo(12)}`,
    price: 100_000 + 500 * upTo(8),
    lots: upTo(20),
  }));
  return { bids, lots: upTo(150), cap: upTo(30) };
}

/** Gives one lot at a time to the best bid that may still have one. */
function slowly({ bids, lots, cap }: Case, drawn: (ticket: string) => string): Map<string, number> {
  const won = new Map(bids.map(({ ticket }) => [ticket, 0]));
  const ofBidder = (bidder: string): number =>
    bids.filter((bid) => bid.bidder === bidder).reduce((sum, { ticket }) => sum + (won.get(ticket) ?? 0), 0);
  for (let lot = 0; lot < lots; lot += 1) {
    const able = bids.filter((bid) => (won.get(bid.ticket) ?? 0) < bid.lots && ofBidder(bid.bidder) < cap);
    const best = able.reduce<SealedBid | null>((found, bid) => {
      if (!found || bid.price > found.price) return bid;
      return bid.price === found.price && drawn(bid.ticket) < drawn(found.ticket) ? bid : found;
    }, null);
    if (!best) break;
    won.set(best.ticket, (won.get(best.ticket) ?? 0) + 1);
  }
  return won;
}

describe("the allocation", () => {
  it("is that of giving away one lot at a time, with exact sums, within every cap", () => {
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const drawn = drawnBy(`secret ${seed}`);
      const one = drawCase(seed);
      const awarded = allocate(one.bids, one, drawn);
      expect(new Map(awarded.map(({ bid, wonLots }) => [bid.ticket, wonLots])), `seed ${seed}`).toEqual(slowly(one, drawn));
      const total = awarded.reduce((sum, { wonLots }) => sum + wonLots, 0);
      const bidders = new Map<string, { asked: number; won: number }>();
      for (const { bid, wonLots } of awarded) {
        const before = bidders.get(bid.bidder) ?? { asked: 0, won: 0 };
        bidders.set(bid.bidder, { asked: before.asked + bid.lots, won: before.won + wonLots });
      }
      const wanted = [...bidders.values()].reduce((sum, { asked }) => sum + Math.min(asked, one.cap), 0);
      expect(total, `seed ${seed}`).toBe(Math.min(one.lots, wanted));
      for (const { won } of bidders.values()) expect(won, `seed ${seed}`).toBeLessThanOrEqual(one.cap);
    }
  });

  it("does not depend on the order in which bids came", () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const one = drawCase(seed);
      const drawn = drawnBy("the same");
      expect(allocate(one.bids.toReversed(), one, drawn)).toEqual(allocate(one.bids, one, drawn));
    }
  });

  it("fills descending prices, the last in part, and nobody above the cap", () => {
    const bids = [
      { ticket: "a", bidder: "x", price: 300, lots: 8 },
      { ticket: "b", bidder: "y", price: 400, lots: 3 },
      { ticket: "c", bidder: "z", price: 200, lots: 9 },
      { ticket: "d", bidder: "z", price: 100, lots: 9 },
    ];
    const awarded = allocate(bids, { lots: 12, cap: 5 }, drawnBy("s"));
    expect(awarded.map(({ bid, wonLots }) => [bid.ticket, wonLots])).toEqual([
      ["b", 3],
      ["a", 5],
      ["c", 4],
      ["d", 0],
    ]);
    // 3 × 400 + 5 × 300 + 4 × 200 = 3,500 for 12 lots.
    expect(averagePrice(awarded)).toBe(300);
    expect(cutOffPrice(awarded)).toBe(200);
  });

  it("draws among equal prices without regard to anything but the draw", () => {
    const bids = Array.from({ length: 5 }, (_, nth) => ({ ticket: `T${nth}`, bidder: `B${nth}`, price: 500, lots: 1 + nth }));
    const first = new Map<string, number>();
    const DRAWS = 5_000;
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const [winner] = allocate(bids, { lots: 1, cap: 9 }, drawnBy(`secret ${draw}`));
      expect(winner?.wonLots).toBe(1);
      if (winner) first.set(winner.bid.ticket, (first.get(winner.bid.ticket) ?? 0) + 1);
    }
    // A fair draw gives each 1,000 with a standard deviation of 28.
    for (const { ticket } of bids) expect(Math.abs((first.get(ticket) ?? 0) - DRAWS / bids.length), ticket).toBeLessThan(130);
  });
});

describe("the outcome", () => {
  const awarded = (prices: readonly (readonly [price: number, lots: number, wonLots: number])[]) =>
    prices.map(([price, lots, wonLots], nth) => ({ bid: { ticket: `T${nth}`, bidder: "", price, lots }, wonLots }));

  it.each([
    [[[100_000, 5, 5]] as const, 100_000],
    // 166,666.67 price units are 16.6667: to the cent 16.67.
    [
      [
        [200_000, 2, 2],
        [100_000, 1, 1],
      ] as const,
      166_700,
    ],
    // Exactly half a cent goes up.
    [
      [
        [100_100, 1, 1],
        [100_000, 1, 1],
      ] as const,
      100_100,
    ],
    [[[100_000, 5, 0]] as const, null],
    [[] as const, null],
  ])("averages %j to %s", (bids, average) => expect(averagePrice(awarded(bids))).toBe(average));

  it("makes the lottery's price from the average, at most the most and the minimum without winners", () => {
    const bounds = { minimumPrice: 100_000, mostPrice: 130_000 };
    expect([null, 110_050, 130_000, 130_100].map((average) => lotteryPrice(average, bounds))).toEqual([100_000, 110_050, 130_000, 130_000]);
  });

  it("counts every lot in the histogram once", () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const one = drawCase(seed);
      const all = allocate(one.bids, one, drawnBy("s"));
      const bars = histogramOf(all);
      const sum = (of: (one: { lots: number; wonLots: number }) => number): number => bars.reduce((total, bar) => total + of(bar), 0);
      expect(sum(({ lots }) => lots)).toBe(one.bids.reduce((total, { lots }) => total + lots, 0));
      expect(sum(({ wonLots }) => wonLots)).toBe(all.reduce((total, { wonLots }) => total + wonLots, 0));
      expect(bars.length).toBeLessThanOrEqual(25);
      expect(bars[0]?.lots).toBeGreaterThan(0);
      expect(bars.at(-1)?.lots).toBeGreaterThan(0);
    }
    expect(histogramOf([])).toEqual([]);
  });
});
