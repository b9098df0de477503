/** The histogram of bids as it is drawn, and the moments at which an auction is read again. */
import { describe, expect, it } from "vitest";
import { price } from "#contract/kernel/money.ts";
import { barRows } from "#src/screens/home/bid-bars.ts";
import { auctionsIn, nextTurn } from "#src/screens/quote/auction-clock.ts";
import { auctionOf } from "#tests/support/auction.ts";

const bar = (from: number, lots: number, wonLots: number) => ({ from: price(from), lots, wonLots });
const own = (at: number, lots: number) => ({ price: price(at), lots });

describe("the rows of a histogram", () => {
  it("begin with the highest price, and say where the member's lots lie and where winning ends", () => {
    const rows = barRows([bar(100, 40, 0), bar(200, 20, 5), bar(300, 10, 10)], [own(299, 3), own(200, 1), own(300, 2)], 250);
    expect(rows).toEqual([
      { from: 300, lots: 10, wonLots: 10, own: 2, won: 0.25, lost: 0, isCutOff: false },
      { from: 200, lots: 20, wonLots: 5, own: 4, won: 0.125, lost: 0.375, isCutOff: true },
      { from: 100, lots: 40, wonLots: 0, own: 0, won: 0, lost: 1, isCutOff: false },
    ]);
  });

  it("are few enough for a phone, and lose no lot", () => {
    const bars = Array.from({ length: 25 }, (_, nth) => bar(100 * nth, nth + 1, nth > 12 ? nth + 1 : 0));
    const rows = barRows(bars, [own(2_400, 7)], 1_300);
    expect(rows).toHaveLength(13);
    expect(rows[0]).toMatchObject({ from: 2_400, own: 7 });
    expect(rows.reduce((sum, { lots }) => sum + lots, 0)).toBe(325);
    expect(rows.reduce((sum, { wonLots }) => sum + wonLots, 0)).toBe(325 - 91);
    expect(rows.filter(({ isCutOff }) => isCutOff)).toMatchObject([{ from: 1_200 }]);
  });

  it("begin at prices that could be bid, and lose no lot of a bar between two of them", () => {
    const rows = barRows([bar(400_000, 5, 0), bar(400_200, 0, 0), bar(400_400, 7, 2), bar(402_000, 1, 1)], [own(400_500, 2)], 400_500);
    expect(rows.map(({ from, lots, wonLots, own: mine }) => [from, lots, wonLots, mine])).toEqual([
      [402_000, 1, 1, 0],
      [400_500, 7, 2, 2],
      [400_000, 5, 0, 0],
    ]);
  });

  it("are none without bids", () => {
    expect(barRows([], [], null)).toEqual([]);
  });
});

describe("the clock of auctions", () => {
  const auction = auctionOf({ status: "notStarted", opensAt: 1_000, closesAt: 2_000, opensBidsAt: 3_000 });

  it("moves an auction from view to view by itself, but never tells an outcome", () => {
    const seen = [999, 1_000, 2_000, 3_000].map((now) =>
      (["bidding", "notStarted", "closed"] as const).filter((view) => auctionsIn([auction], view, now).length > 0),
    );
    expect(seen).toEqual([["notStarted"], ["bidding"], ["closed"], ["closed"]]);
    expect(auctionsIn([auctionOf({ status: "voided" })], "closed", 0)).toHaveLength(1);
  });

  it("turns at each of its moments, asks again while an opening is late, and rests when it is over", () => {
    expect([999, 1_000, 2_000].map((now) => nextTurn([auction], now))).toEqual([1_000, 2_000, 3_000]);
    expect(nextTurn([auction], 3_000)).toBeGreaterThan(3_000);
    expect(nextTurn([auction], 3_000)).toBeLessThan(10_000);
    expect(nextTurn([auctionOf({ status: "opened" }), auctionOf({ status: "voided" })], 0)).toBeNull();
  });
});
