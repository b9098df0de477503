/** Tests what an order of the ticket does: what is held decides between opening and closing, and a short is never opened by accident. */
import { describe, expect, test } from "vitest";
import { price } from "#contract/kernel/money.ts";
import type { Position } from "#contract/position.ts";
import { positionsOf } from "#contract/position.ts";
import { offeredUnits } from "#src/screens/ticket/closing.ts";
import { FIRST_DRAFT, turned, withLots } from "#src/screens/ticket/draft.ts";
import { firstExit } from "#src/screens/ticket/exits.tsx";
import { SIDES, TRADE_KINDS, intentOf, remembers } from "#src/screens/ticket/intent.ts";
import type { Chosen } from "#src/screens/ticket/intent.ts";
import { closeProblems } from "#src/screens/ticket/problems.ts";
import { leastLots, withDefaultLots } from "#src/screens/ticket/quantity.ts";
import { minutesUntil } from "#src/screens/ticket/square-off.tsx";
import { order } from "#tests/workers/sample.ts";

const CHOSEN: Chosen = { side: "buy", kind: null, funding: "cash", leverage: 1 };
const held = (...but: Parameters<typeof order>[2][]): Position[] =>
  positionsOf(but.map((one, nth) => order("2330", 3, { orderNo: `K${nth}` as never, ...one })));
const intent = (chosen: Partial<Chosen>, positions: readonly Position[] = [], remembered: Parameters<typeof intentOf>[2] = "cash") =>
  intentOf({ ...CHOSEN, ...chosen }, positions, remembered);

const long = { direction: "rise" } as const;
const short = { direction: "fall" } as const;

describe("selling", () => {
  test("closes what is held of the kind, in the funding it was opened with", () => {
    expect(intent({ side: "sell" }, held(long))).toMatchObject({ act: "sell", direction: "rise", kind: "cash", dayTrade: false });
    expect(intent({ side: "sell" }, held({ ...long, funding: "margin" }))).toMatchObject({
      act: "sell",
      kind: "margin",
      funding: "margin",
    });
    const leveraged = intent({ side: "sell" }, held({ ...long, funding: "leverage", leverage: 2 }));
    expect(leveraged).toMatchObject({ act: "sell", kind: "cash", funding: "leverage", closes: { shares: 3_000 } });
  });

  test("of nothing refuses, whatever was chosen last, and never opens a short", () => {
    for (const remembered of ["cash", "margin", "dayTrade"] as const) {
      expect(intent({ side: "sell" }, [], remembered)).toMatchObject({ kind: "cash", nothing: "noneToSell", closes: null });
      expect(intent({ side: "sell" }, held(short), remembered)).toMatchObject({ nothing: "noneToSell" });
    }
    // A day trade is not what the cash chip sells.
    expect(intent({ side: "sell", kind: "cash" }, held({ ...long, dayTrade: true })).nothing).toBe("noneToSell");
  });

  test("by turning a ticket that buys or covers never becomes a short", () => {
    for (const kind of ["short", "dayTrade"] as const) {
      expect(intent(turned({ ...FIRST_DRAFT, kind }, "sell")).nothing).toBe("noneToSell");
      // The key of the side it has changes nothing.
      expect(turned({ ...FIRST_DRAFT, side: "sell", kind }, "sell").kind).toBe(kind);
    }
    expect(turned({ ...FIRST_DRAFT, kind: "margin", lotsTyped: true }, "sell")).toMatchObject({ kind: "margin", lotsTyped: false });
    expect(turned({ ...FIRST_DRAFT, side: "sell", kind: "short" }, "buy").kind).toBe("short");
    const bought = held({ ...long, dayTrade: true });
    expect(intent(turned({ ...FIRST_DRAFT, kind: "dayTrade" }, "sell"), bought)).toMatchObject({ act: "sell", kind: "dayTrade" });
  });

  test("opens a short only by the chip that says so", () => {
    expect(intent({ side: "sell", kind: "short" }, held(long))).toMatchObject({
      act: "short",
      direction: "fall",
      closes: null,
      nothing: null,
    });
    expect(intent({ side: "sell", kind: "dayTrade" })).toMatchObject({ act: "short", direction: "fall", dayTrade: true });
    const shorts = SIDES.flatMap((side) => [null, ...TRADE_KINDS].map((kind) => ({ side, kind }))).filter(
      (chosen) => intent(chosen).act === "short" && intent(chosen).nothing === null,
    );
    expect(shorts).toEqual([
      { side: "sell", kind: "short" },
      { side: "sell", kind: "dayTrade" },
    ]);
  });
});

describe("buying", () => {
  test("opens in the kind chosen last", () => {
    expect(intent({})).toMatchObject({ act: "buy", direction: "rise", funding: "cash", dayTrade: false });
    expect(intent({}, [], "margin")).toMatchObject({ act: "buy", kind: "margin", funding: "margin" });
    expect(intent({}, held(long), "dayTrade")).toMatchObject({ act: "buy", dayTrade: true, closes: null });
    expect(intent({ kind: "cash", funding: "margin" })).toMatchObject({ funding: "cash" });
    expect(intent({ kind: "cash", funding: "leverage", leverage: 3 })).toMatchObject({ funding: "leverage", leverage: 3 });
  });

  test("buys a short back unless the member chooses to open", () => {
    expect(intent({}, held(short))).toMatchObject({ act: "cover", direction: "fall", kind: "short" });
    expect(intent({ kind: "cash" }, held(short))).toMatchObject({ act: "buy", closes: null });
    expect(intent({ kind: "short" })).toMatchObject({ nothing: "noneToCover" });
  });

  test("the opposite side of an open day trade offsets it", () => {
    expect(intent({}, held({ ...short, dayTrade: true }))).toMatchObject({ act: "cover", kind: "dayTrade", dayTrade: true });
    expect(intent({ side: "sell" }, held({ ...long, dayTrade: true }))).toMatchObject({ act: "sell", kind: "dayTrade", dayTrade: true });
  });
});

test("a short is not remembered as the kind to start with", () => {
  expect(TRADE_KINDS.map(remembers)).toEqual(["cash", "margin", null, "dayTrade"]);
});

describe("the quantity", () => {
  const [mixed] = held(long, { ...long, lotShares: 1, filledLots: 30, lots: 30 }, { ...long, status: "readyToClose", closingLots: 3 });
  if (!mixed) throw new Error("nothing is held");

  test("that can be closed is whole lots, or single shares, without what is being closed", () => {
    expect([offeredUnits(mixed.orders, "board", 1_000), offeredUnits(mixed.orders, "odd", 1_000)]).toEqual([3, 30]);
  });

  test("more than held is refused at the lots, and is no new order", () => {
    expect(
      closeProblems({ shares: 4_000, price: null }, { view: null, ladder: { kind: "stock", decimals: 2 }, mostShares: 3_000 }),
    ).toMatchObject([{ field: "shares", code: "TRD_SELL_EXCEEDS" }]);
    expect(
      closeProblems({ shares: 3_000, price: null }, { view: null, ladder: { kind: "stock", decimals: 2 }, mostShares: 3_000 }),
    ).toEqual([]);
  });

  test("starts at what is accepted: the least worth the broker's minimum, or all that is held", () => {
    // NT$ 1,000 at 228.50 are five shares; one lot is worth more.
    expect(leastLots(100_000, price(2_285_000), 1)).toBe(5);
    expect(leastLots(100_000, price(2_285_000), 1_000)).toBe(1);
    expect(leastLots(100_000, price(5_000), 1_000)).toBe(2);
    expect(leastLots(100_000, null, 1)).toBe(1);
    expect(withDefaultLots(FIRST_DRAFT, { closable: null, least: 5 }).lotsText).toBe("5");
    expect(withDefaultLots(FIRST_DRAFT, { closable: 3, least: 5 }).lotsText).toBe("3");
    expect(withDefaultLots(withLots(FIRST_DRAFT, ""), { closable: 3, least: 5 }).lotsText).toBe("");
  });
});

test("an exit order starts with a price on the right side, never empty", () => {
  const ladder = { kind: "stock", decimals: 2 } as const;
  expect(firstExit("stop", "rise", 10_000_000, ladder)).toBe("950.00");
  expect(firstExit("takeProfit", "rise", 10_000_000, ladder)).toBe("1050.00");
  expect(firstExit("stop", "fall", 10_000_000, ladder)).toBe("1050.00");
  expect(firstExit("trailing", "rise", 10_000_000, ladder)).toBe("50.00");
});

test("the square-off is counted in whole minutes", () => {
  expect([minutesUntil(120_000, 0), minutesUntil(120_001, 0), minutesUntil(0, 5)]).toEqual([2, 3, 0]);
});
