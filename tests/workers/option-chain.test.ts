/** Tests the worker's chain of options: the broker's quotes at the index it was read at, moved with the index, and only what changes. */
import { expect, it } from "vitest";
import { NARROW_SPREAD, WIDE_SPREAD, pricedLevel } from "#contract/futures-price.ts";
import { forwardOf, optionQuote } from "#contract/option-price.ts";
import { formatPremium } from "#contract/premium.ts";
import { optionChainApi, SERIES_FIELDS, seriesTexts } from "#workers/option-chain.ts";
import type { ChainSeries, PricedChain } from "#workers/option-chain.ts";

const INDEX = 231_500_000;
const DAYS_LEFT = 30;
const SMILE = { level: 0.19, lean: -0.1, curve: 0.5 };
const seriesAt = (strike: number, right: "call" | "put", quoted = true): ChainSeries => ({
  code: `TXO-2026-12-${right === "call" ? "C" : "P"}-${strike}`,
  right,
  strike,
  quoted,
});
const chainOf = (...series: ChainSeries[]): PricedChain => ({
  ...pricedLevel(INDEX, WIDE_SPREAD),
  followsIndex: true,
  index: INDEX,
  forward: Math.round(forwardOf(INDEX, DAYS_LEFT) * 10_000),
  days: 20.5,
  smile: SMILE,
  series,
});
const textAt = (update: readonly string[], nth: number, field: (typeof SERIES_FIELDS)[number]): string | undefined =>
  update[nth * (SERIES_FIELDS.length + 1) + 1 + SERIES_FIELDS.indexOf(field)];

it("prices a series as the broker does, at the level of the moment", () => {
  const series = seriesAt(23_200, "call");
  const chain = chainOf(series);
  for (const level of [INDEX, INDEX + 1_234_500, INDEX - 3_000_000]) {
    const input = { right: "call" as const, strike: 23_200, forward: forwardOf(level, DAYS_LEFT), days: 20.5, smile: SMILE };
    const { bid, ask, mark } = optionQuote(input, chain);
    expect(seriesTexts(chain, series, level).slice(0, 3)).toEqual([bid ?? 0, ask, mark].map(formatPremium));
  }
});

it("stays at what was read where the future does not follow the index, with the spread that was read", () => {
  const series = seriesAt(23_200, "call");
  const chain = { ...chainOf(series), ...pricedLevel(INDEX, NARROW_SPREAD), followsIndex: false };
  const texts = seriesTexts(chain, series, INDEX);
  expect(seriesTexts(chain, series, INDEX - 3_000_000)).toEqual(texts);
  const [narrow, wide] = [texts, seriesTexts(chainOf(series), series, INDEX)].map(([bid = "", ask = ""]) => Number(ask) - Number(bid));
  expect(narrow).toBeGreaterThan(0);
  expect(narrow).toBeLessThan((wide ?? 0) / 4);
});

it("shows no quote where the broker has none, but what it is worth; and Greeks with their sign", () => {
  const [bid, ask, mark, volatility, delta, gamma, theta, vega] = seriesTexts(chainOf(), seriesAt(23_100, "put", false), INDEX);
  expect([bid, ask]).toEqual(["--", "--"]);
  expect(mark).toMatch(/^\d{2,4}(\.\d)?$/);
  expect(volatility).toMatch(/^1\d\.\d%$/);
  expect(delta).toMatch(/^−0\.4\d$/);
  expect(gamma).toMatch(/^0\.000\d\d$/);
  expect(theta).toMatch(/^−\d+\.\d$/);
  expect(vega).toMatch(/^\d+\.\d$/);
  // Far below its strike a call has no delta, and no sign of one.
  expect(seriesTexts(chainOf(), seriesAt(60_000, "call"), INDEX).slice(4)).toEqual(["0.00", "0.00000", "0.0", "0.0"]);
});

it("tells only what has changed, and everything of another chain", () => {
  const api = optionChainApi();
  expect(api.price(INDEX)).toEqual([]);
  const [near, far] = [seriesAt(23_200, "call"), seriesAt(60_000, "call")];
  api.use(chainOf(near, far));
  const first = api.price(INDEX);
  expect([first[0], first[SERIES_FIELDS.length + 1]]).toEqual([near.code, far.code]);
  expect(api.price(INDEX)).toEqual([]);
  const moved = api.price(INDEX + 20_000);
  expect(moved).toHaveLength(SERIES_FIELDS.length + 1);
  expect(moved[0]).toBe(near.code);
  expect(Number(textAt(moved, 0, "mark")?.replaceAll(",", ""))).toBeGreaterThan(Number(textAt(first, 0, "mark")?.replaceAll(",", "")));
  // The same chain read again tells nothing; another month does.
  api.use(chainOf(near, far));
  expect(api.price(INDEX + 20_000)).toEqual([]);
  api.use(chainOf(far, near));
  expect(api.price(INDEX + 20_000)).toHaveLength(2 * (SERIES_FIELDS.length + 1));
});
