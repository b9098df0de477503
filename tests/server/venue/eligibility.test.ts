/** Tests trading eligibility: the seed picks a few exceptions, and a new listing has no price limits for its first five trading days. */
import { describe, expect, test } from "vitest";
import { dayLimits, limitsOf } from "#contract/tick.ts";
import { tradingEligibility } from "#server/venue/simulator/trading-eligibility.ts";
import { DailyProcessReader, marketOf } from "#server/venue/simulator/seeded-market.ts";

const market = marketOf(9, "taiwan");
const another = marketOf(10, "taiwan");
const { calendar, referenceData } = market;
const instruments = referenceData.listings.map(({ instrument }) => tradingEligibility(instrument, market.key, calendar));

describe("eligibility", () => {
  test("is equal for equal seeds, differs between seeds, and has few exceptions", () => {
    expect(referenceData.listings.map(({ instrument }) => tradingEligibility(instrument, market.key, calendar))).toEqual(instruments);
    expect(referenceData.listings.map(({ instrument }) => tradingEligibility(instrument, another.key, calendar))).not.toEqual(instruments);
    const stocks = instruments.filter(({ kind }) => kind === "stock");
    expect(stocks.filter(({ dayTradable }) => dayTradable).length).toBeGreaterThan(stocks.length * 0.8);
    expect(stocks.filter(({ marginable }) => marginable).length).toBeGreaterThan(stocks.length * 0.8);
  });

  test("makes new listings not marginable", () => {
    for (const { dayTradable, marginable, listedDay } of instruments) {
      if (listedDay > 0) expect([dayTradable, marginable]).toEqual([false, false]);
    }
    expect(instruments.find(({ code }) => code === "2330")).toMatchObject({ watch: "none", dayTradable: true, marginable: true });
  });
});

test("a new listing has no limits for its first five sessions, and has them from the sixth on", () => {
  const newListings = instruments.filter(({ listedDay }) => listedDay > 0);
  expect(newListings.length).toBeGreaterThan(0);
  for (const { row, kind, limitPercent, listedDay, freeUntil } of newListings) {
    const model = market.models[row];
    if (!model) throw new Error("a new listing without a model");
    const first = calendar.sessionOn(listedDay);
    const reader = new DailyProcessReader(model, first);
    for (let session = first; session < first + 6; session += 1) {
      const { up, reference } = reader.next();
      const unlimited = session < first + 5;
      const at = calendar.opensAt(session);
      expect(up === Number.MAX_SAFE_INTEGER).toBe(unlimited);
      expect(limitsOf({ kind, limitPercent, freeUntil }, reference, at)).toEqual(
        unlimited ? null : dayLimits({ kind, limitPercent }, reference),
      );
    }
  }
});
