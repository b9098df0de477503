/** Tests where a position can be closed in each phase. */
import { expect, test } from "vitest";
import { closeMarketOf } from "#src/screens/trade/close-market.ts";

const held = { lots: 2, single: 30, wanted: "board", phase: "open", paused: null, reservesFor: null } as const;

test("during the session whole lots and single shares are offered apart", () => {
  expect(closeMarketOf(held)).toMatchObject({ market: "board", mixed: true, why: null, notNow: null });
  expect(closeMarketOf({ ...held, wanted: "odd" })).toMatchObject({ market: "odd", why: "TRD_ODD_LIMIT_ONLY" });
  expect(closeMarketOf({ ...held, lots: 0 })).toMatchObject({ market: "odd", mixed: false });
});

test("after hours only single shares are offered until the fixed price begins, and who has none is told", () => {
  expect(closeMarketOf({ ...held, phase: "oddLot" })).toMatchObject({ market: "odd", mixed: false, notNow: null });
  expect(closeMarketOf({ ...held, phase: "oddLot", single: 0 })).toMatchObject({ market: "odd", notNow: "onlyOdd" });
  expect(closeMarketOf({ ...held, phase: "fixedPrice", single: 0 })).toMatchObject({ market: "fixed", notNow: null });
});

test("while the market is closed only whole lots are reserved, by limit", () => {
  const closed = { ...held, phase: "closed", reservesFor: 4_000 } as const;
  expect(closeMarketOf({ ...closed, wanted: "odd" })).toMatchObject({ market: "board", mixed: false, why: "TRD_AUCTION_LIMIT_ONLY" });
  expect(closeMarketOf({ ...closed, lots: 0 })).toMatchObject({ market: "board", notNow: "onlyLots" });
});
