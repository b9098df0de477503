/** Tests the ticket's estimates and typed values: worst case by the broker's rules, ticks, limits, shares of the money. */
import { describe, expect, test } from "vitest";
import { epochMs } from "#contract/kernel/time.ts";
import type { SessionPhase, VenueState } from "#contract/instrument.ts";
import { cents, price } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import { STOCK_TERMS } from "#tests/support/terms.ts";
import { blockOf } from "#src/screens/ticket/blocked.ts";
import { FIRST_DRAFT, limitOf, lotsOf, outside, prefilled, priced, settled, stepped, steppedLots } from "#src/screens/ticket/draft.ts";
import type { Draft } from "#src/screens/ticket/draft.ts";
import { estimateOf, mostLots, movedFar, shareOfLots } from "#src/screens/ticket/estimate.ts";
import type { MarketData, Wanted } from "#src/screens/ticket/estimate.ts";

const at = (text: number): Price => price(text * 10_000);
const ladder = { kind: "stock", decimals: 2 } as const;
const limits = { down: at(900), up: at(1_100) };
const market: MarketData = {
  quote: { last: at(1_000), ask: at(1_005), reference: at(1_000) },
  limits,
  depth: {
    bids: [
      [at(1_000), 3],
      [at(995), 4],
    ],
    asks: [
      [at(1_005), 2],
      [at(1_010), 4],
    ],
  },
};
const terms = (but: Partial<Wanted>): Wanted => ({
  terms: STOCK_TERMS,
  maxLots: 499,
  instrument: { kind: "stock", lotShares: 1_000 },
  direction: "rise",
  limit: null,
  lots: 1,
  ...but,
});

describe("an estimate", () => {
  test("of a limit buy is its full value at the limit, and the fee", () => {
    const estimate = estimateOf(terms({ limit: at(1_000), lots: 2 }), market);
    expect(estimate).toEqual({
      valueCents: 200_000_000,
      feeCents: 285_000,
      taxCents: 0,
      collateralCents: 0,
      loanCents: 0,
      neededCents: 200_285_000,
    });
  });

  test("of a market order counts the visible book, and the daily limit beyond it", () => {
    expect(estimateOf(terms({ lots: 3 }), market)?.valueCents).toBe(201_000_000 + 101_000_000);
    expect(estimateOf(terms({ lots: 7 }), market)?.valueCents).toBe(201_000_000 + 404_000_000 + 110_000_000);
    expect(estimateOf(terms({ lots: 1 }), { ...market, depth: null })?.valueCents).toBe(110_000_000);
  });

  test("of a short sale is its part of the collateral, tax and fee", () => {
    const estimate = estimateOf(terms({ direction: "fall", lots: 1 }), market);
    expect(estimate).toEqual({
      valueCents: 100_000_000,
      feeCents: 142_500,
      taxCents: 300_000,
      collateralCents: 90_000_000,
      loanCents: 0,
      neededCents: 90_442_500,
    });
    // At a better price than the book shows, it may trade up to the daily limit.
    expect(estimateOf(terms({ direction: "fall", limit: at(1_050) }), market)?.valueCents).toBe(110_000_000);
  });

  test("without limits is bounded at a tenth above, and null while no price is known", () => {
    const free = terms({ instrument: { kind: "etf", lotShares: 1 } });
    expect(estimateOf(free, { ...market, limits: null, depth: null })?.valueCents).toBe(110_550);
    // Half a ten-millionth of a coin is worth less than a cent, which a purchase pays.
    const coin = terms({ instrument: { kind: "crypto", lotShares: 1 }, lots: 5 });
    expect(estimateOf(coin, { ...market, limits: null, depth: null })?.valueCents).toBe(1);
    expect(estimateOf(free, { quote: null, limits: null, depth: null })).toBeNull();
  });

  test("the maximum is the largest affordable number of lots", () => {
    const most = mostLots(terms({ limit: at(1_000) }), market, 500_000_000);
    expect(most).toBe(4);
    expect(mostLots(terms({ limit: at(1_000) }), market, 1)).toBe(0);
    expect(mostLots(terms({ limit: at(1) }), market, 1e15)).toBe(499);
    expect([25, 50, 75, 100].map((percent) => shareOfLots(most, percent))).toEqual([1, 2, 3, 4]);
    expect(shareOfLots(0, 100)).toBe(0);
  });
});

test("a price that moved more than half a percent needs another review", () => {
  expect(movedFar(at(1_000), at(1_005))).toBe(false);
  expect(movedFar(at(1_000), at(1_005) + 1)).toBe(true);
  expect(movedFar(at(1_000), at(994))).toBe(true);
  expect(movedFar(0, at(994))).toBe(false);
});

describe("typed values", () => {
  const draft = (but: Partial<Draft>): Draft => ({ ...FIRST_DRAFT, ...but });

  test("are filled in once and never changed by a live price", () => {
    const first = prefilled(FIRST_DRAFT, ladder, at(1_000));
    expect(first.priceText).toBe("1000.00");
    expect(prefilled(first, ladder, at(1_050))).toBe(first);
    expect(prefilled(FIRST_DRAFT, ladder, 0).priceText).toBeNull();
  });

  test("off a tick are rounded to it, remembering what was typed", () => {
    expect(settled(draft({ priceText: "1001.2" }), ladder)).toMatchObject({ priceText: "1000.00", snappedFrom: "1001.2" });
    expect(settled(draft({ priceText: "1005" }), ladder)).toMatchObject({ priceText: "1005.00", snappedFrom: null });
    expect(settled(draft({ priceText: "abc" }), ladder)).toMatchObject({ priceText: "abc" });
  });

  test("step by ticks, across tick-size bands", () => {
    expect(stepped(draft({ priceText: "1000" }), ladder, -1, 1, 0).priceText).toBe("999.00");
    expect(stepped(draft({ priceText: "999" }), ladder, 1, 2, 0).priceText).toBe("1005.00");
    expect(stepped(draft({ priceText: "" }), ladder, 1, 1, at(500)).priceText).toBe("500.00");
  });

  test("parse as a price or lots, or null", () => {
    expect([limitOf(draft({ priceText: "1,000.5" })), limitOf(draft({ priceText: "0" })), limitOf(draft({ priceText: "x" }))]).toEqual([
      10_005_000,
      null,
      null,
    ]);
    expect([lotsOf(draft({ lotsText: "12" })), lotsOf(draft({ lotsText: "1.5" })), lotsOf(draft({ lotsText: "" }))]).toEqual([
      12,
      null,
      null,
    ]);
    expect(steppedLots(draft({ lotsText: "1" }), -1, 1, 499).lotsText).toBe("1");
    expect(steppedLots(draft({ lotsText: "498" }), 1, 10, 499).lotsText).toBe("499");
  });

  test("a picked level makes it a limit order; a price outside the daily limits is detected", () => {
    expect(priced(draft({ pricing: "market" }), ladder, at(1_010))).toMatchObject({ pricing: "limit", priceText: "1010.00" });
    expect([outside(at(899), limits), outside(at(900), limits), outside(at(1_101), limits), outside(null, limits)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });
});

describe("a blocked order", () => {
  const instrument = { tradable: true } as Parameters<typeof blockOf>[2];

  test("has the reasons in the broker's order, without guesses", () => {
    const facts = {
      identity: "verified" as const,
      restrictions: [],
      fundPassword: false,
      agreements: [],
      cards: 0,
      debtCents: cents(0),
      loanCents: cents(0),
      minor: false,
      slowedUntil: null,
    };
    const inPhase = (phase: SessionPhase, endsAt: number | null = null): VenueState => ({
      universe: "",
      phase,
      phaseEndsAt: endsAt === null ? null : epochMs(endsAt),
      opensAt: epochMs(0),
      closesAt: epochMs(1_000),
      simulated: true,
    });
    const code = (...of: Parameters<typeof blockOf>) => blockOf(...of)?.code;
    expect(code("trade", { ...facts, identity: "unverified" }, instrument, inPhase("closed"))).toBe("ACC_REALNAME_REQUIRED");
    expect(code("trade", { ...facts, identity: "underReview" }, instrument, inPhase("open"))).toBe("ACC_REALNAME_PENDING");
    expect(code("trade", { ...facts, restrictions: ["tradeBarred"] }, instrument, inPhase("open"))).toBe("ACC_TRADE_BARRED");
    expect(code("close", { ...facts, restrictions: ["tradeBarred"] }, instrument, inPhase("open"))).toBeUndefined();
    expect(code("trade", facts, { ...instrument, tradable: false } as typeof instrument, inPhase("closed"))).toBe("TRD_NOT_TRADABLE");
    expect(code("trade", facts, { ...instrument, tradesFrom: 2 } as typeof instrument, inPhase("closed"), 1)).toBe("TRD_NOT_LISTED");
    expect(code("trade", facts, { ...instrument, tradesFrom: 2 } as typeof instrument, inPhase("open"), 2)).toBeUndefined();
    expect(code("trade", facts, instrument, inPhase("closed"))).toBe("TRD_NON_TRADING_HOURS");
    // The next session is known: the order is reserved for it. A break in the day is none.
    expect(code("trade", facts, instrument, inPhase("closed", 4_000))).toBeUndefined();
    expect(code("trade", facts, instrument, inPhase("closed", 1_040))).toBe("TRD_NON_TRADING_HOURS");
    expect(blockOf("trade", facts, instrument, inPhase("open"))).toBeNull();
    expect(blockOf("trade", null, null, null)).toBeNull();
    const ends = { ...instrument, tradesUntil: 2 } as typeof instrument;
    expect(blockOf("trade", facts, ends, inPhase("open"), 1)).toBeNull();
    expect(blockOf("trade", facts, ends, inPhase("open"), 2)?.code).toBe("TRD_NOT_TRADABLE");
  });
});
