/** Tests the detail's helpers: book levels, order eligibility, and arrow key navigation. */
import { describe, expect, it } from "vitest";
import type { Instrument } from "#contract/instrument.ts";
import { flowOf, levelsOf } from "#src/screens/market/depth-level.ts";
import { neighbour } from "#src/screens/market/wide-list.tsx";
import { orderBlockOf } from "#src/screens/market/order-eligibility.ts";

describe("the book", () => {
  it("has five levels a side, relative to the largest of both", () => {
    const book = { bids: [[100, 50] as [number, number]], asks: [[110, 200] as [number, number], [120, 100] as [number, number]] };
    expect(levelsOf(book, "bids")[0]).toEqual({ price: 100, lots: 50, part: 0.25 });
    expect(levelsOf(book, "bids")[1]).toEqual({ price: 0, lots: 0, part: 0 });
    expect(levelsOf(book, "asks").map(({ part }) => part)).toEqual([1, 0.5, 0, 0, 0]);
    expect(levelsOf({ bids: [], asks: [] }, "asks")).toHaveLength(5);
  });
});

describe("order eligibility", () => {
  const stock = { tradable: true, tradesFrom: 0 };
  it("gives the most permanent reason first", () => {
    expect(orderBlockOf({ tradable: false, tradesFrom: 2 }, "closed", false, 1)).toBe("notTradable");
    expect(orderBlockOf({ tradable: true, tradesFrom: 2 }, "closed", false, 1)).toBe("notListed");
    expect(orderBlockOf({ tradable: true, tradesFrom: 0, tradesUntil: 2 }, "closed", false, 2)).toBe("ended");
    expect(orderBlockOf(stock, "halted", false)).toBe("halted");
    expect(orderBlockOf(stock, "closed", false)).toBe("closed");
    expect(orderBlockOf(stock, "open", false)).toBe("notLive");
  });

  it("takes orders of a closed market where they are reserved for its next session", () => {
    expect(orderBlockOf(stock, "closed", true, 1, true)).toBeNull();
    expect(orderBlockOf(stock, "closed", false, 1, true)).toBe("notLive");
  });

  it("is unrestricted while the market is open and prices are live", () => {
    expect(orderBlockOf(stock, "open", true)).toBeNull();
    expect(orderBlockOf({ tradable: true, tradesFrom: 2, tradesUntil: 3 }, "open", true, 2)).toBeNull();
    expect(orderBlockOf(stock, null, true)).toBe("notLive");
  });

  it.each(["preOpen", "closingAuction", "fixedPrice"] as const)("is unrestricted in a phase that accepts orders: %s", (phase) => {
    expect(orderBlockOf(stock, phase, true)).toBeNull();
  });
});

describe("arrow keys in the list", () => {
  const list = ["1101", "2330", "2317"].map((code) => ({ code }) as Instrument);
  it("choose the neighbour, stop at the ends, and enter the list from outside", () => {
    expect(neighbour(list, "2330", 1)?.code).toBe("2317");
    expect(neighbour(list, "2330", -1)?.code).toBe("1101");
    expect(neighbour(list, "2317", 1)).toBeNull();
    expect(neighbour(list, "1101", -1)).toBeNull();
    expect(neighbour(list, "9999", 1)?.code).toBe("1101");
    expect(neighbour([], "2330", 1)).toBeNull();
  });
});

describe("the day's volume by side", () => {
  it("is given in lots and in percentages that add up to one hundred", () => {
    expect(flowOf({ atBid: 1_000, atAsk: 2_000 })).toEqual({ atBid: "1,000 (33%)", atAsk: "2,000 (67%)", part: 1 / 3 });
    expect(flowOf({ atBid: 5, atAsk: 3 }).atBid).toBe("5 (63%)");
    expect(flowOf({ atBid: 5, atAsk: 3 }).atAsk).toBe("3 (37%)");
  });

  it("is empty before the first trade", () => {
    expect(flowOf({ atBid: 0, atAsk: 0 })).toEqual({ atBid: "--", atAsk: "--", part: null });
  });
});
