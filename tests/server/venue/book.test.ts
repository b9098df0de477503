/**
 * Tests the displayed book: five levels on valid ticks, matched level by level; what was taken stays taken until the market has
 * refilled it.
 */
import { afterAll, describe, expect, test } from "vitest";
import { price } from "#contract/kernel/money.ts";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { dayLimits, onTick } from "#contract/tick.ts";
import { DisplayedBook } from "#server/venue/simulator/displayed-book.ts";
import { nextLevel } from "#server/venue/simulator/price-ladder.ts";
import { MarketState } from "#server/venue/simulator/market-state.ts";
import { marketOf } from "#server/venue/simulator/seeded-market.ts";
import type { Want } from "#server/venue/matching/book-sweep.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";

const AT = Date.parse("2026-11-20T10:14:30+08:00");
const venue = openVenue({ seed: 9, rate: 400, hours: "taiwan", now: () => AT });
const row = venue.instrument("2330")?.row ?? 0;
const want = (side: Want["side"], lots: number, limit: number | null = null): Want => ({
  row,
  side,
  lots,
  limit: limit === null ? null : price(limit),
});

afterAll(() => venue.stop());

describe("the book", () => {
  test("has levels on ticks, best first, all distinct", () => {
    for (const { row: any, kind, limitPercent } of venue.instruments) {
      const { bids, asks } = venue.depth(any);
      const { reference, bid, ask } = venue.quote(any);
      if (kind === "index") {
        expect([bids, asks]).toEqual([[], []]);
        continue;
      }
      const limits = dayLimits({ kind, limitPercent }, reference);
      const ordered = (side: readonly [number, number][], sign: 1 | -1): boolean =>
        side.every(([level], nth) => nth === 0 || Math.sign(level - (side[nth - 1]?.[0] ?? 0)) === sign);
      const real = [...bids, ...asks].every(
        ([level, lots]) => lots > 0 && onTick(kind, level) && (!limits || (level >= limits.down && level <= limits.up)),
      );
      const best = bid === (bids[0]?.[0] ?? 0) && ask === (asks[0]?.[0] ?? 0);
      expect([ordered(bids, -1), ordered(asks, 1), real, best], `row ${any}`).toEqual([true, true, true, true]);
    }
  });

  test("is empty on one side once it is locked at a price limit, not with the first trades there", () => {
    const market = marketOf(9, "taiwan");
    const state = new MarketState(market);
    state.advance(market.calendar.at(AT), AT);
    const book = new DisplayedBook(state);
    const model = market.models[row];
    if (!model) throw new Error("no such row");
    const { up, down } = state.limits(row);
    const trade = (price: number, byAuction = false): unknown => {
      const { session, minute } = state;
      const side = state.quotes.trade(row, model, price, { up, down }, { session, minute, nth: 0, byAuction });
      const { bid, ask } = book.best(row);
      return [side, bid, ask];
    };
    const [belowUp, aboveDown] = [nextLevel(model.kind, up, -1), nextLevel(model.kind, down, 1)];
    // Two trades only take from what is offered there: who waits to sell at the limit has not been passed.
    expect([trade(up), trade(up)]).toEqual([
      [1, belowUp, up],
      [1, belowUp, up],
    ]);
    expect(trade(up)).toEqual([1, up, 0]);
    const [locked, behind] = [book.lotsAt(row, "bids", up), book.lotsAt(row, "bids", belowUp)];
    expect([book.side(row, "asks"), locked > 4 * behind]).toEqual([[], true]);
    expect(trade(up)).toEqual([-1, up, 0]);
    expect(trade(belowUp)).toEqual([-1, belowUp, up]);
    expect([trade(down), trade(down), trade(down), trade(down)]).toEqual([
      [-1, down, aboveDown],
      [-1, down, aboveDown],
      [-1, 0, down],
      [1, 0, down],
    ]);
    // An auction at the limit leaves nothing on the other side.
    expect([trade(belowUp), trade(up, true)]).toMatchObject([{}, [0, up, 0]]);
  });
});

describe("a plan", () => {
  const { asks, bids } = venue.depth(row);
  const sum = (levels: readonly [number, number][]): number => levels.reduce((total, [, lots]) => total + lots, 0);

  test("takes level after level at market and explains each price", () => {
    const first = asks[0]?.[1] ?? 0;
    const plan = venue.plan(want("buy", first + 1));
    expect(plan).toEqual([
      { price: asks[0]?.[0], lots: first, level: 1, best: asks[0]?.[0] },
      { price: asks[1]?.[0], lots: 1, level: 2, best: asks[0]?.[0] },
    ]);
  });

  test("stops at the limit price, on either side", () => {
    expect(venue.plan(want("buy", 1, (asks[0]?.[0] ?? 0) - 1))).toEqual([]);
    const limited = venue.plan(want("buy", 1_000_000, asks[2]?.[0] ?? 0));
    expect(limited.map((one) => one.level)).toEqual([1, 2, 3]);
    expect(limited.reduce((total, one) => total + one.lots, 0)).toBe(sum(asks.slice(0, 3)));
    expect(venue.plan(want("sell", 1_000_000, bids[1]?.[0] ?? 0)).map((one) => one.price)).toEqual([bids[0]?.[0], bids[1]?.[0]]);
  });

  test("gives at most what is displayed, and changes nothing", () => {
    expect(venue.plan(want("buy", 1_000_000)).reduce((total, one) => total + one.lots, 0)).toBe(sum(asks));
    expect(venue.depth(row).asks).toEqual(asks);
  });

  test("is gone from the book once consumed", () => {
    const other = openVenue({ seed: 9, rate: 400, hours: "taiwan", now: () => AT });
    const lots = (asks[0]?.[1] ?? 0) + 2;
    const plan = other.plan(want("buy", lots));
    const { seq } = other.quote(row);
    other.consume(want("buy", lots), plan);
    expect(other.quote(row).seq).toBe(seq + 1);
    expect(other.quote(row).ask).toBe(asks[1]?.[0]);
    const left = other.depth(row);
    expect(left.bids).toEqual(bids);
    expect(left.asks).toEqual([[asks[1]?.[0], (asks[1]?.[1] ?? 0) - 2], ...asks.slice(2)]);
    other.consume(want("buy", 1_000_000), other.plan(want("buy", 1_000_000)));
    expect(other.depth(row).asks).toEqual([]);
    expect(other.quote(row).ask).toBe(0);
    expect(other.plan(want("buy", 1))).toEqual([]);
  });

  test("is refilled little by little as the market moves on", () => {
    const market = marketOf(9, "taiwan");
    const state = new MarketState(market);
    state.advance(market.calendar.at(AT), AT);
    const book = new DisplayedBook(state);
    const [best] = book.side(row, "asks");
    const [ask, lots] = best ?? [0, 0];
    book.consume(want("buy", 1_000_000), book.plan(want("buy", 1_000_000)));
    const shownAfter = (minutes: number): number => {
      state.touch(row, AT + minutes * MINUTE_MS);
      book.prune();
      return book.lotsAt(row, "asks", ask);
    };
    expect([lots > 20, shownAfter(0)]).toEqual([true, 0]);
    const soon = shownAfter(2);
    const later = shownAfter(20);
    expect(soon).toBeGreaterThan(0);
    expect(soon).toBeLessThan(lots * 0.75);
    expect(later).toBeGreaterThan(soon);
  });

  test("stands at the same quotes while trades alternate between them, and shows lots that belong to the price", () => {
    const market = marketOf(9, "taiwan");
    const state = new MarketState(market);
    state.advance(market.calendar.at(AT), AT);
    const book = new DisplayedBook(state);
    const { bid, ask } = book.best(row);
    const moment = { session: state.session, minute: state.minute, nth: 0, byAuction: false };
    const model = market.models[row];
    if (!model) throw new Error("no such row");
    const sides = [bid, ask, bid, bid, ask].map((at) => state.quotes.trade(row, model, at, state.limits(row), moment));
    expect([sides, book.best(row)]).toEqual([[-1, 1, -1, -1, 1], { bid, ask }]);
    const before = book.lotsAt(row, "bids", bid);
    state.quotes.trade(row, model, ask + (ask - bid), state.limits(row), moment);
    expect(book.best(row)).toEqual({ bid: ask, ask: ask + (ask - bid) });
    // What was the best bid is now a deeper level of the same lots, scaled alike for all deeper levels.
    expect(book.lotsAt(row, "bids", bid) / before).toBeCloseTo(1.2 / 0.9, 1);
    expect([book.lotsAt(row, "bids", ask + 1), book.lotsAt(row, "asks", bid)]).toEqual([0, 0]);
  });
});
