/** A few stocks are set apart by the seed; a newcomer's first five trading days have no limits. */
import { describe, expect, test } from "vitest";
import { dayLimits, limitsOf } from "#contract/tick.ts";
import { taipeiMidnight } from "#contract/kernel/time.ts";
import { eligible } from "#server/venue/eligibility.ts";
import { Diary, marketOf } from "#server/venue/market.ts";

const market = marketOf(9, "taiwan");
const another = marketOf(10, "taiwan");
const { calendar, universe } = market;
const instruments = universe.listings.map(({ instrument }) => eligible(instrument, market.key, calendar));

describe("eligibility", () => {
  test("is the same for a seed, another for another, and few are set apart", () => {
    expect(universe.listings.map(({ instrument }) => eligible(instrument, market.key, calendar))).toEqual(instruments);
    expect(universe.listings.map(({ instrument }) => eligible(instrument, another.key, calendar))).not.toEqual(instruments);
    const stocks = instruments.filter(({ kind }) => kind === "stock");
    for (const watch of ["attention", "disposition"] as const) {
      const count = stocks.filter((one) => one.watch === watch).length;
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThan(stocks.length / 25);
    }
    expect(stocks.filter(({ dayTradable }) => dayTradable).length).toBeGreaterThan(stocks.length * 0.8);
    expect(stocks.filter(({ marginable }) => marginable).length).toBeGreaterThan(stocks.length * 0.8);
  });

  test("what is under disposition is traded in cash only, and a newcomer not on margin", () => {
    for (const { watch, dayTradable, marginable, shortable, listedDay } of instruments) {
      if (watch === "disposition") expect([dayTradable, marginable, shortable]).toEqual([false, false, false]);
      if (listedDay > 0) expect([dayTradable, marginable]).toEqual([false, false]);
    }
    expect(instruments.find(({ code }) => code === "2330")).toMatchObject({ watch: "none", dayTradable: true, marginable: true });
  });
});

test("a newcomer's first five sessions have no limits, and the sixth has", () => {
  const newcomers = instruments.filter(({ listedDay }) => listedDay > 0);
  expect(newcomers.length).toBeGreaterThan(0);
  for (const { row, kind, limitPercent, listedDay, freeBefore } of newcomers) {
    const who = market.walkers[row];
    if (!who) throw new Error("a newcomer has a walk");
    const first = calendar.sessionOn(listedDay);
    const diary = new Diary(who, first);
    for (let session = first; session < first + 6; session += 1) {
      const { up, reference } = diary.next();
      const free = session < first + 5;
      const at = taipeiMidnight(calendar.dayOf(session));
      expect(up === Number.MAX_SAFE_INTEGER).toBe(free);
      expect(limitsOf({ kind, limitPercent, freeBefore }, reference, at)).toEqual(
        free ? null : dayLimits({ kind, limitPercent }, reference),
      );
    }
  }
});
