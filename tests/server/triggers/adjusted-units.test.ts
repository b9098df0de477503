/** Tests unit conversion on an ex-event: the shares keep their value, and lots stay lots where they remain whole. */
import { describe, expect, it } from "vitest";
import { worth } from "#contract/kernel/money.ts";
import { adjustUnits } from "#server/trading/clearing/corporate-action.ts";
import { EVENTS, MILLION, action } from "#tests/server/trading/ex-terms.ts";

describe("the conversion of units", () => {
  it.each(EVENTS)("by %s keeps their value", (_, kind, terms) => {
    const event = action(kind, terms, 20_000);
    for (const lotShares of [1000, 1]) {
      for (const [filled, closed] of [
        [1, 0],
        [3, 0],
        [5, 2],
        [7, 3],
        [10, 9],
        [499, 1],
      ] as const) {
        const outcome = adjustUnits({ filled_lots: filled, closed_lots: closed, lot_shares: lotShares }, event);
        const shares = (filled - closed) * lotShares;
        const after = worth(event.reference, outcome.open * outcome.lotShares) + outcome.cashCents;
        // The reference price is rounded to a ten-thousandth: half of that per share, and a cent for each rounding of the test itself.
        expect(Math.abs(after - worth(event.closeBefore, shares))).toBeLessThanOrEqual(2 + shares * 0.005 * 5);
      }
    }
  });

  it("keeps whole lots where possible, otherwise converts to odd lots", () => {
    const split = action("split", { freeMillionths: 3 * MILLION }, 1);
    expect(adjustUnits({ filled_lots: 5, closed_lots: 2, lot_shares: 1000 }, split)).toMatchObject({
      open: 12,
      closed: 8,
      lotShares: 1000,
    });
    const free = action("stockDividend", { freeMillionths: 100_000 }, 1);
    expect(adjustUnits({ filled_lots: 10, closed_lots: 0, lot_shares: 1000 }, free)).toMatchObject({
      open: 11,
      closed: 0,
      lotShares: 1000,
    });
    expect(adjustUnits({ filled_lots: 3, closed_lots: 0, lot_shares: 1000 }, free)).toMatchObject({ open: 3300, closed: 0, lotShares: 1 });
    expect(adjustUnits({ filled_lots: 7, closed_lots: 2, lot_shares: 1 }, free)).toMatchObject({
      open: 5,
      closed: 2,
      lotShares: 1,
      cashCents: 4545,
    });
  });
});
