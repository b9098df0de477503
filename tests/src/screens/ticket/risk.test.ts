/** Tests the risks a ticket shows: the liquidation price, the loss at the daily limit, and triggers already reached. */
import { describe, expect, test } from "vitest";
import { cents, price } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import { liquidationAt, worstLoss } from "#src/screens/ticket/estimate.ts";
import type { Wanted } from "#src/screens/ticket/estimate.ts";
import { outcomeOf } from "#src/screens/ticket/outcome.tsx";
import { exitProblem, problemsOf } from "#src/screens/ticket/problems.ts";
import { STOCK_TERMS } from "#tests/support/terms.ts";

const at = (text: number): Price => price(text * 10_000);
const ladder = { kind: "stock", decimals: 2 } as const;
const threefold = { ...STOCK_TERMS, ownPerMillion: 333_334, collateralPerMillion: 333_334, maintenancePerMillion: 166_667 };
const wanted = (but: Partial<Wanted> = {}): Wanted => ({
  terms: STOCK_TERMS,
  maxLots: 499,
  instrument: { kind: "stock", lotShares: 1_000 },
  direction: "rise",
  limit: at(1_000),
  lots: 2,
  ...but,
});

describe("the liquidation price", () => {
  test("is null with own money", () => expect(liquidationAt(wanted(), cents(200_000_000))).toBeNull());

  test("of a long is where half of the own money is left, of a short as far above", () => {
    // Borrowed 1,333,332 of 2,000,000: the maintenance share is 1/6, so (loan / 2,000) / (5/6).
    expect(liquidationAt(wanted({ terms: threefold }), cents(200_000_000))).toBeCloseTo(8_000_000, -3);
    expect(liquidationAt(wanted({ terms: threefold, direction: "fall" }), cents(200_000_000))).toBeCloseTo(11_428_570, -3);
  });
});

test("the worst loss of a day is closing at the adverse limit, after all costs", () => {
  const limits = { down: at(900), up: at(1_100) };
  // 2,000,000 − 1,800,000 + 2,850 + 2,565 + 5,400.
  expect(worstLoss(wanted(), cents(200_000_000), limits)).toEqual({ at: at(900), lossCents: 21_081_500 });
  expect(worstLoss(wanted({ direction: "fall" }), cents(200_000_000), limits)?.at).toBe(at(1_100));
  expect(worstLoss(wanted(), cents(200_000_000), null)).toBeNull();
});

describe("a trigger already reached", () => {
  const exit = (kind: "stop" | "takeProfit" | "trailing", text: number) => [{ kind, price: at(text) }];

  test("is refused before sending", () => {
    expect(exitProblem(exit("stop", 1_050), "rise", at(1_000), ladder)?.code).toBe("TRD_TRIGGER_PASSED");
    expect(exitProblem(exit("stop", 950), "rise", at(1_000), ladder)).toBeNull();
    expect(exitProblem(exit("takeProfit", 950), "rise", at(1_000), ladder)?.code).toBe("TRD_TRIGGER_PASSED");
    expect(exitProblem(exit("stop", 950), "fall", at(1_000), ladder)?.code).toBe("TRD_TRIGGER_PASSED");
    expect(exitProblem(exit("stop", 951.5), "rise", at(1_000), ladder)).toMatchObject({
      code: "TRD_PRICE_OFF_TICK",
      params: { n: "1.00" },
    });
    // A trailing distance need not be on a tick.
    expect(exitProblem(exit("trailing", 7.5), "rise", at(1_000), ladder)).toBeNull();
  });

  test("of a triggered order is compared with the market, its exits with its trigger", () => {
    const known = {
      view: { quote: { last: at(1_000) }, limits: null } as never,
      estimate: null,
      available: 0,
      ladder,
      maxLots: 9,
    };
    const body = { direction: "rise", pricing: "market", price: null, lots: 1 } as const;
    const stop = { kind: "stop", price: at(1_050) } as const;
    expect(problemsOf({ ...body, trigger: stop }, known)).toEqual([]);
    expect(problemsOf({ ...body, trigger: { ...stop, price: at(990) } }, known)).toMatchObject([
      { field: "trigger", code: "TRD_TRIGGER_PASSED" },
    ]);
    expect(problemsOf({ ...body, trigger: stop, exits: exit("stop", 1_020) }, known)).toEqual([]);
    expect(problemsOf({ ...body, trigger: null, lots: 10, exits: [] }, known)).toMatchObject([
      { field: "lots", code: "TRD_LOTS_MAX", params: { n: 9 } },
    ]);
  });
});

test("an order's outcome is one status", () => {
  const order = { status: "pending", trigger: null, filledLots: 0, lots: 2 } as const;
  expect(outcomeOf(order)).toBe("queued");
  expect(outcomeOf({ ...order, trigger: { kind: "stop", price: 1 } })).toBe("waits");
  expect(outcomeOf({ ...order, filledLots: 1 })).toBe("partlyFilled");
  expect(outcomeOf({ ...order, status: "holding", filledLots: 2 })).toBe("filled");
  expect(outcomeOf({ ...order, status: "cancelled" })).toBe("unfilled");
});
