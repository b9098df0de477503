/** Tests back-tests: exact amounts by hand, and that nothing of the future is used or could be. */
import { describe, expect, it } from "vitest";
import { CURVE_STRIDE, STRATEGIES, STRATEGY_CODES } from "#contract/strategy.ts";
import { backtest, testRule, wantedAfter } from "#server/accounts/strategies/backtest.ts";
import type { BacktestOrder } from "#server/accounts/strategies/backtest.ts";
import type { MarketDays } from "#server/accounts/strategies/market-days.ts";
import type { Rule } from "#server/accounts/strategies/rules.ts";
import { randomFrom } from "#tests/server/simulation/random.ts";
import { daysOf, FUND, ONE, seriesOf, walk } from "./past.ts";

const ALL = STRATEGY_CODES.map((code) => ({ ...FUND, code }));
const order = (over: Partial<BacktestOrder> = {}): BacktestOrder => ({
  strategy: "cross",
  code: "0056",
  amountCents: 10_000_000,
  warmUpDays: 0,
  instruments: [FUND],
  ...over,
});
/** Wants all from the first close on. */
const always: Rule = { decide: () => new Map([["0056", 1_000]]) };

describe("a back-test", () => {
  it("buys at the next opening one tick worse, sells so, and charges fees and tax", () => {
    // Wanted at the close of the first day: bought at 30.01, the second day's opening and a tick. Sold at 32.99.
    const days = daysOf(seriesOf("0056", [30, 31, 33, 33]));
    const closes = [1, 1, 0];
    const rule: Rule = { decide: () => new Map([["0056", (closes.shift() ?? 0) * 1_000]]) };
    const result = testRule(rule, days, order());
    // 3 lots: 90,030 and the fee 128.29, 128. Sold: 98,970, fee 141.03, 141, tax 98.97, 98.
    expect(result.trades.map(({ side, lots, price, costCents }) => [side, lots, price, costCents])).toEqual([
      ["sell", 3, 32.99 * ONE, 23_900],
      ["buy", 3, 30.01 * ONE, 12_800],
    ]);
    expect(result.profitCents).toBe(9_897_000 - 23_900 - 9_003_000 - 12_800);
    expect(result).toMatchObject({ costCents: 36_700, sales: 1, gains: 1 });
    const curve = Array.from({ length: 4 }, (_, day) => result.curve[day * CURVE_STRIDE + 1]);
    const bought = 10_000_000 - 9_003_000 - 12_800;
    expect(curve).toEqual([10_000_000, bought + 9_300_000, bought + 9_900_000, 10_000_000 + result.profitCents]);
  });

  it("compares with having held from the first day on", () => {
    const days = daysOf(seriesOf("0056", [30, 31, 33, 24, 30]));
    const { heldProfitCents, heldDrawdownPerMillion, drawdownPerMillion, profitCents } = testRule(
      { decide: () => new Map() },
      days,
      order(),
    );
    expect([profitCents, drawdownPerMillion]).toEqual([0, 0]);
    // 3 lots at 30.01 and a fee of NT$128, worth 30 at the end.
    expect(heldProfitCents).toBe(-3_000 - 12_800);
    const high = 10_000_000 - 9_003_000 - 12_800 + 9_900_000;
    expect(heldDrawdownPerMillion).toBe(Math.round((2_700_000 / high) * 1_000_000));
  });

  it("trades nothing on a day with a single price, and does so the day after", () => {
    const days = daysOf(seriesOf("0056", [30, 33, 33, 33]));
    const [series] = days.series;
    if (series) series.high[1] = series.low[1] = series.open[1] = 33 * ONE;
    const { trades } = testRule(always, days, order());
    expect(trades.map(({ at, price }) => [at, price])).toEqual([[days.at[2], 33.01 * ONE]]);
  });

  it("buys less than a lot never, and never with what was won", () => {
    const days = daysOf(seriesOf("0056", [30, 31, 60, 61, 62]));
    expect(testRule(always, days, order({ amountCents: 3_000_000 })).trades).toEqual([]);
    const wants = [1_000, 0, 1_000, 1_000];
    const again: Rule = { decide: () => new Map([["0056", wants.shift() ?? 0]]) };
    const { trades } = testRule(again, days, order());
    // The three lots doubled; of the amount alone one lot is bought.
    expect(trades.toReversed().map(({ side, lots }) => [side, lots])).toEqual([
      ["buy", 3],
      ["sell", 3],
      ["buy", 1],
    ]);
  });

  it("loses with a rule that would win on its own day's closes", () => {
    // Holds over each day that rises: who could trade at that day's opening would win every time.
    const closes = walk(randomFrom(3), 500);
    const days = daysOf(seriesOf("0056", closes));
    let day = 0;
    const rising: Rule = {
      decide: () => {
        const rises = (closes[day] ?? 0) > (closes[day - 1] ?? 0);
        day += 1;
        return new Map([["0056", rises ? 1_000 : 0]]);
      },
    };
    const won = closes.reduce((sum, close, nth) => sum + Math.max(0, close - (closes[nth - 1] ?? close)), 0);
    expect(won * 1_000 * 100).toBeGreaterThan(10_000_000);
    expect(testRule(rising, days, order()).profitCents).toBeLessThan(0);
  });

  it.each(STRATEGIES)("%s decides the same whatever comes after", (strategy) => {
    const count = 620;
    const cut = 560;
    const paths = STRATEGY_CODES.map((_, nth) => walk(randomFrom(nth + 1), count));
    const market = (after: (close: number, nth: number) => number): MarketDays =>
      daysOf(
        ...STRATEGY_CODES.map((code, nth) =>
          seriesOf(
            code,
            (paths[nth] ?? []).map((close, day) => (day <= cut ? close : after(close, nth))),
          ),
        ),
      );
    const code = strategy === "rotation" ? null : "0056";
    const asked = order({ strategy, code, amountCents: 100_000_000, warmUpDays: 270, instruments: ALL });
    const results = [market((close) => close), market((close) => close * 2), market((_close, nth) => 5 + nth)].map((days) =>
      backtest(days, asked),
    );
    const upTo = ({ curve }: { curve: number[] }) => curve.slice(0, (cut + 1 - 270) * CURVE_STRIDE);
    for (const result of results) expect(upTo(result)).toEqual(upTo(results[0] ?? result));
    expect(new Set(results.map(({ heldProfitCents }) => heldProfitCents)).size).toBe(3);
    // Something was decided at all.
    expect(new Set(upTo(results[0] ?? { curve: [] }).filter((_, nth) => nth % CURVE_STRIDE === 1)).size).toBeGreaterThan(20);
  });

  it.each(STRATEGIES)("%s wants of a run what its back-test would carry out next", (strategy) => {
    const count = 400;
    const paths = STRATEGY_CODES.map((code, nth) => seriesOf(code, walk(randomFrom(nth + 20), count)));
    const days = daysOf(...paths);
    const code = strategy === "rotation" ? null : "0056";
    const asked = order({ strategy, code, amountCents: 100_000_000, instruments: ALL });
    const part = (end: number): MarketDays => ({
      at: days.at.slice(0, end),
      series: days.series.map((one) => ({ ...one, ...cutTo(one, end) })),
    });
    let bought = 0;
    for (const until of [280, 300, 310, 320, 330, 340, 350, 370, 399]) {
      const wanted = wantedAfter(part(until), asked);
      const { trades } = backtest(part(until + 1), { ...asked, warmUpDays: until });
      const codes = trades.map((trade) => trade.code as string).toSorted();
      expect(codes).toEqual([...wanted].flatMap(([traded, perMille]) => (perMille > 0 ? [traded] : [])).toSorted());
      bought += codes.length;
    }
    expect(bought).toBeGreaterThan(0);
  });
});

type Series = MarketDays["series"][number];
const cutTo = ({ open, high, low, close, volume }: Series, end: number): Omit<Series, "code"> => ({
  open: open.slice(0, end),
  high: high.slice(0, end),
  low: low.slice(0, end),
  close: close.slice(0, end),
  volume: volume.slice(0, end),
});
