/** Tests the limits of flash orders, and the keys of the wide detail. */
import { describe, expect, it } from "vitest";
import { price } from "#contract/kernel/money.ts";
import { flashLimit } from "#src/screens/market/flash-sheet.tsx";
import { flashRefusal } from "#src/screens/market/flash-rule.ts";
import { flashIntent } from "#src/screens/market/use-flash.ts";
import type { Circumstances } from "#src/screens/ticket/choices.ts";
import { HOTKEYS, HOTKEY_PICKS, hotkeyOf } from "#src/screens/market/hotkeys.ts";

const CIRCUMSTANCES: Circumstances = {
  instrument: { kind: "stock", shortable: true, dayTradable: true, marginable: true, limitPercent: 10, watch: "none", lotShares: 1_000 },
  rule: { multiples: [1, 2] },
  phase: "open",
  reservesFor: null,
  paused: null,
  free: false,
  margin: true,
  dayTrading: true,
  minor: false,
  held: [],
  remembered: "cash",
};

describe("a flash order", () => {
  const order = { price: price(1_000_000), lots: 2, lotShares: 1_000 };
  const opens = { act: "buy", nothing: null, closes: null, funding: "cash" } as const;
  const closes = { act: "sell", nothing: null, closes: {} as never, funding: "margin" } as const;

  it("is sent up to the member's own amount", () => {
    expect(flashRefusal(order, opens, null, { slideAboveCents: null, sendUpToCents: 20_000_000 })).toBeNull();
    expect(flashRefusal(order, opens, null, { slideAboveCents: null, sendUpToCents: 19_999_999 })).toBe("aboveLimit");
  });

  it("is not sent where the member confirms by a slide, although its own amount allows it", () => {
    expect(flashRefusal(order, opens, null, { slideAboveCents: 19_999_999, sendUpToCents: 100_000_000 })).toBe("aboveSlide");
    expect(flashRefusal(order, closes, 2, { slideAboveCents: 19_999_999, sendUpToCents: 100_000_000 })).toBe("aboveSlide");
    expect(flashRefusal(order, opens, null, { slideAboveCents: 20_000_000, sendUpToCents: 100_000_000 })).toBeNull();
  });

  it("never opens a short, and never sells more than is held", () => {
    const limit = { slideAboveCents: null, sendUpToCents: 100_000_000 };
    expect(flashRefusal(order, { ...opens, act: "short" }, null, limit)).toBe("nothing");
    expect(flashRefusal(order, { ...opens, act: "sell", nothing: "noneToSell" }, null, limit)).toBe("nothing");
    expect(flashRefusal(order, closes, 1, limit)).toBe("tooMany");
    expect(flashRefusal(order, closes, 2, limit)).toBeNull();
  });

  it("never borrows, although margin was chosen last", () => {
    expect(flashRefusal(order, { ...opens, funding: "margin" }, null, { slideAboveCents: null, sendUpToCents: 100_000_000 })).toBe(
      "nothing",
    );
    const circumstances = { ...CIRCUMSTANCES, remembered: "margin" } as const;
    expect(flashIntent("buy", circumstances)).toMatchObject({ act: "buy", kind: "cash", funding: "cash" });
    expect(flashIntent("buy", { ...circumstances, remembered: "dayTrade" })).toMatchObject({ kind: "dayTrade", funding: "cash" });
  });

  it("has an amount in whole NT$", () => {
    expect([flashLimit("500,000"), flashLimit("0"), flashLimit(""), flashLimit("1.5")]).toEqual([50_000_000, null, null, null]);
  });
});

describe("the keys", () => {
  const key = (name: string, more: object = {}) => hotkeyOf({ key: name, code: "", shiftKey: false, ...more });

  it("choose a side, lots, a tick, and a step", () => {
    expect([key("b"), key("S", { shiftKey: true }), key("+", { shiftKey: true }), key("-"), key("Enter"), key("Escape")]).toEqual([
      "buy",
      "sell",
      "tickUp",
      "tickDown",
      "review",
      "back",
    ]);
    expect(key("!", { code: "Digit1", shiftKey: true })).toBe("lots1");
    // The digits alone belong to the chart.
    expect(key("1", { code: "Digit1" })).toBeNull();
  });

  it("never confirm", () => {
    expect(HOTKEYS.map(({ does }) => HOTKEY_PICKS[does].step).filter(Boolean)).toEqual(["review", "back"]);
  });
});
