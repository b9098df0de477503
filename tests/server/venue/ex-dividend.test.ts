/** Tests what an index lost to dividends on days that have passed: the same as it said on each of them. */
import { expect, test } from "vitest";
import { IndexHistory } from "#server/venue/history/index-history.ts";
import { DailyBarCache } from "#server/venue/simulator/daily-bar-cache.ts";
import { MarketState } from "#server/venue/simulator/market-state.ts";
import { marketOf } from "#server/venue/simulator/seeded-market.ts";
import { feeDayOf } from "#server/venue/calendar/trading-calendar.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";

test("the losses of past days are those that the index began its days with, and only of the days asked for", () => {
  const market = marketOf(11, "taiwan", sampleUniverse(12, "IX0001"));
  const { calendar } = market;
  const index = market.referenceData.listings.findIndex(({ instrument }) => instrument.code === "IX0001");
  const state = new MarketState(market);
  // The summer after the anchor, when most dividends are paid.
  const from = calendar.sessionOn(Date.UTC(2027, 5, 25) / 86_400_000);
  const until = from + 25;
  const told: { day: number; lost: number }[] = [];
  for (let session = from; session <= until; session += 1) {
    const opens = calendar.opensAt(session);
    state.advance(calendar.at(opens), opens);
    const lost = state.indices.exDividend(index);
    if (lost > 0) told.push({ day: feeDayOf(calendar, session), lost });
  }
  expect(told.length).toBeGreaterThan(5);
  const history = new IndexHistory(market, new DailyBarCache(market));
  const all = history.exDividends(index, feeDayOf(calendar, from) - 1, feeDayOf(calendar, until) + 1);
  expect(all).toEqual(told);
  const [first, ...rest] = told;
  const last = rest.at(-1);
  expect(history.exDividends(index, first?.day ?? 0, last?.day ?? 0)).toEqual(rest.slice(0, -1));
});
