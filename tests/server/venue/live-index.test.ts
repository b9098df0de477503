/** Tests what an index counts of its shares' trades: their prices at the ends of minutes, and between them no trade a tick aside. */
import { expect, test } from "vitest";
import { tickSize } from "#contract/tick.ts";
import { basketsOf, levelOf } from "#server/venue/simulator/index-basket.ts";
import { MarketState } from "#server/venue/simulator/market-state.ts";
import { marketOf } from "#server/venue/simulator/seeded-market.ts";

const MINUTES = 120;

test("an index ends every minute at its shares' last prices, and no trade a tick aside moves it", () => {
  const market = marketOf(1, "taiwan", ["2330", "IX0028"]);
  const { calendar } = market;
  const rowOf = (code: string): number => market.referenceData.listings.findIndex(({ instrument }) => instrument.code === code);
  const [share, index] = [rowOf("2330"), rowOf("IX0028")];
  const baskets = basketsOf(market);
  const basket = baskets.indices.find(({ row }) => row === index);
  if (!basket) throw new Error("no index");
  const state = new MarketState(market);
  const session = calendar.anchor + 4;
  const advance = (minute: number, second: number): void => {
    const at = calendar.opensAt(session) + minute * calendar.minuteMs + second * 1000;
    state.advance(calendar.at(at), at);
    state.print(share, second * 1000, at);
    state.indices.publish(minute, at);
  };
  const levelAt = (price: number): number => levelOf(basket, price * (baskets.shares[share] ?? 0) * (state.dayOf(share)?.shares ?? 1));
  const found = { aside: 0, beyond: 0 };
  for (let minute = 0; minute < MINUTES; minute += 1) {
    advance(minute, 0);
    const settled = minute === 0 ? (state.last[share] ?? 0) : (state.path(share)?.mark(minute) ?? 0);
    for (let second = 1; second < 60; second += 1) {
      advance(minute, second);
      if ((state.printed[share] ?? 0) === (state.trades.count[share] ?? 0)) continue;
      const aside = Math.abs((state.last[share] ?? 0) - settled);
      const level = state.last[index] ?? 0;
      if (aside <= tickSize("stock", settled)) expect(level, `${minute}:${second}`).toBe(levelAt(settled));
      // More than a tick away a part of the rest counts.
      else expect(Math.abs(level - levelAt(settled)) < Math.abs(levelAt(state.last[share] ?? 0) - levelAt(settled)) / 2).toBe(true);
      found[aside === 0 ? "aside" : aside <= tickSize("stock", settled) ? "aside" : "beyond"] += aside === 0 ? 0 : 1;
    }
    advance(minute, 59.9);
    expect(state.last[index], String(minute)).toBe(levelAt(state.last[share] ?? 0));
  }
  expect(found.aside).toBeGreaterThan(100);
});
