/** Tests the rules of the strategies on days whose prices are told. */
import { describe, expect, it } from "vitest";
import type { Strategy } from "#contract/strategy.ts";
import { wantedAfter } from "#server/accounts/strategies/backtest.ts";
import { DayView, marketDays } from "#server/accounts/strategies/market-days.ts";
import type { MarketDays } from "#server/accounts/strategies/market-days.ts";
import { startRule } from "#server/accounts/strategies/rules.ts";
import { randomFrom } from "#tests/server/simulation/random.ts";
import { taipeiMidnight } from "#contract/kernel/time.ts";
import { daysOf, ONE, seriesOf, walk } from "./past.ts";

const flat = (count: number, price = 30): number[] => Array.from({ length: count }, () => price);
const line = (count: number, from: number, step: number): number[] => Array.from({ length: count }, (_, nth) => from + nth * step);
const wanted = (strategy: Strategy, days: MarketDays, code: string | null = "0056") =>
  Object.fromEntries(wantedAfter(days, { strategy, code }));

describe("a rule", () => {
  it("crosses: all while the short average is above the long one", () => {
    expect(wanted("cross", daysOf(seriesOf("0056", line(40, 20, 0.1))))).toEqual({ "0056": 1_000 });
    expect(wanted("cross", daysOf(seriesOf("0056", line(40, 30, -0.1))))).toEqual({});
    expect(wanted("cross", daysOf(seriesOf("0056", line(39, 20, 0.1))))).toEqual({});
  });

  it("breaks out above the highest of twenty days, and leaves below the lowest of ten", () => {
    const before = [...flat(20), 31];
    expect(wanted("breakout", daysOf(seriesOf("0056", before)))).toEqual({ "0056": 1_000 });
    expect(wanted("breakout", daysOf(seriesOf("0056", flat(21))))).toEqual({});
    // At the lowest it stays, below it leaves.
    expect(wanted("breakout", daysOf(seriesOf("0056", [...before, 30])))).toEqual({ "0056": 1_000 });
    expect(wanted("breakout", daysOf(seriesOf("0056", [...before, 29.99])))).toEqual({});
  });

  it("buys what has fallen too much, and sells when it has recovered", () => {
    const fallen = line(15, 30, -0.1);
    expect(wanted("reversion", daysOf(seriesOf("0056", fallen)))).toEqual({ "0056": 1_000 });
    const low = fallen.at(-1) ?? 0;
    expect(wanted("reversion", daysOf(seriesOf("0056", [...fallen, ...line(5, low + 0.1, 0.1)])))).toEqual({ "0056": 1_000 });
    expect(wanted("reversion", daysOf(seriesOf("0056", [...fallen, ...line(9, low + 0.1, 0.1)])))).toEqual({});
  });

  it.each([
    [30, 500],
    [29.45, 500],
    [29.35, 600],
    [30.65, 400],
    [25, 1_000],
    [40, 0],
  ])("holds by the grid at %d: %d thousandths", (last, perMille) => {
    expect(wanted("grid", daysOf(seriesOf("0056", [...flat(59), last])))).toEqual({ "0056": perMille });
  });

  it("holds less of what swings more", () => {
    const swing = (percent: number) => Array.from({ length: 21 }, (_, day) => 30 * (1 + (day % 2 === 0 ? 0 : percent / 100)));
    expect(wanted("volatility", daysOf(seriesOf("0056", swing(0))))).toEqual({ "0056": 1_000 });
    // One percent a day is nearly 16 percent a year: 0.1 / 0.158 is 0.63.
    expect(wanted("volatility", daysOf(seriesOf("0056", swing(1))))).toEqual({ "0056": 600 });
    expect(wanted("volatility", daysOf(seriesOf("0056", swing(4))))).toEqual({ "0056": 100 });
  });

  it("rotates into the three strongest, on the first day of a month only, and never into what fell", () => {
    const count = 150;
    const rising = (step: number, code: string) => seriesOf(code, line(count, 20, step));
    const days = daysOf(rising(0.01, "0056"), rising(0.04, "2884"), rising(-0.02, "2002"), rising(0.03, "2883"), rising(0.02, "2409"));
    expect(wanted("rotation", days, null)).toEqual({ "2884": 333, "2883": 333, "2409": 333 });
    expect(wanted("rotation", daysOf(rising(-0.02, "2002"), rising(0.01, "0056")), null)).toEqual({ "0056": 333 });
    // The month of the last day began earlier: what turns within it changes nothing.
    const last = days.at.length - 1;
    const turned = {
      ...days,
      series: days.series.map((one) => ({ ...one, close: one.close.map((close, day) => (day === last ? ONE : close)) })),
    };
    expect(wanted("rotation", turned, null)).toEqual(wanted("rotation", days, null));
  });

  it("learns what days have in common, and nothing where they have nothing", () => {
    const random = randomFrom(7);
    const count = 600;
    // A rise is followed by a rise, a fall by a fall, four times of five.
    let price = 30;
    let up = true;
    const trending = Array.from({ length: count }, () => {
      up = random.once(5) ? !up : up;
      price *= up ? 1.01 : 0.99;
      return price;
    });
    const learnedFrom = (closes: number[]) => {
      const rule = startRule("learned", "0056");
      const days = daysOf(seriesOf("0056", closes), seriesOf("2884", walk(random, count)));
      const view = new DayView(days);
      for (const _ of days.at) {
        view.advance();
        rule.decide(view);
      }
      return rule.report?.() ?? { weights: [], said: { rises: 0, right: 0 } };
    };
    const trend = learnedFrom(trending);
    expect(trend.weights).toHaveLength(5);
    expect(trend.weights[0]).toBeGreaterThan(300);
    expect(trend.said.rises).toBeGreaterThan(50);
    expect(trend.said.right / trend.said.rises).toBeGreaterThan(0.7);
    const noise = learnedFrom(walk(random, count));
    expect(Math.abs(noise.weights[0] ?? 0)).toBeLessThan(200);
  });
});

describe("past days", () => {
  it("restate what was paid before an ex-date", () => {
    const day = (nth: number) => taipeiMidnight(20_000 + nth);
    const bar = (nth: number, close: number) => [day(nth), close * ONE, close * ONE, close * ONE, close * ONE, 10];
    const action = { at: day(2), closeBefore: 30 * ONE, reference: 27 * ONE };
    const days = marketDays([{ code: "0056", bars: [bar(0, 40), bar(1, 30), bar(2, 27)].flat(), actions: [action as never] }]);
    expect(days.series[0]?.close).toEqual([36 * ONE, 27 * ONE, 27 * ONE]);
  });

  it("bring instruments that do not trade on the same days onto the same days", () => {
    const bar = (nth: number) => [taipeiMidnight(20_000 + nth), 1, 3, 1, 2, 10];
    const days = marketDays([
      { code: "0056", bars: [bar(0), bar(1)].flat(), actions: [] },
      { code: "2884", bars: [bar(1), bar(2)].flat(), actions: [] },
    ]);
    expect(days.at).toHaveLength(3);
    expect(days.series.map(({ close }) => close)).toEqual([
      [2, 2, 0],
      [0, 2, 2],
    ]);
    const view = new DayView(days);
    view.advance();
    view.advance();
    expect(view.closes("2884", 1)).toEqual([2]);
    // It did not trade on both days.
    expect(view.closes("2884", 2)).toEqual([]);
    expect(view.closes("0056", 2)).toEqual([2, 2]);
    expect(view.closes("0056", 3)).toEqual([]);
  });
});
