/** Tests that new issues give nobody money: neither for applying or bidding, nor for buying when they list. */
import { expect, test } from "vitest";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import { Key } from "#server/venue/keyed-random.ts";
import { DailyProcessReader, marketOf } from "#server/venue/simulator/seeded-market.ts";
import { IssueSchedule } from "#server/venue/simulator/issue-schedule.ts";
import { IssueTermsReader, winningRate } from "#server/venue/simulator/issue-terms.ts";
import type { IssueTerms } from "#server/venue/simulator/issue-terms.ts";
import { averageWinningPrice, crowdOf } from "#server/venue/simulator/offering-crowd.ts";

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const ISSUES = 200;
const COMMISSION = 0.001_425;
const taxOf = ({ kind }: IssueTerms): number => (kind === "bond" ? 0 : kind === "fund" ? 0.001 : 0.003);

interface Traded {
  terms: IssueTerms;
  seed: number;
  block: number;
  opens: number[];
  closes: number[];
}

/** Bids as multiples of the minimum, all over the range in which auctions are cut off. */
const BID_PARTS = [1.25, 1.3, 1.35, 1.4];

const calendar = calendarOf("always");
const schedule = new IssueSchedule(calendar);

/** The first 21 sessions of every issue of some seeds. */
function traded(): Traded[] {
  return SEEDS.flatMap((seed) => {
    const { models } = marketOf(seed, "always", ["2330"], { held: [], from: 0, until: ISSUES });
    const reader = new IssueTermsReader(Key.of(seed, "issues"), schedule);
    return models.slice(1).map((model, number): Traded => {
      if (!model) throw new Error("an issue without a model");
      const days = new DailyProcessReader(model, model.listed);
      const sessions = Array.from({ length: 21 }, () => days.next());
      const block = seed * 1_000 + Math.floor(model.listed / 20);
      return {
        terms: reader.read(number),
        seed,
        block,
        opens: sessions.map(({ open }) => open),
        closes: sessions.map(({ close }) => close),
      };
    });
  });
}

/** Mean and t of returns; issues of the same weeks move together, so a block of sessions is one observation. */
function tOf(returns: readonly { block: number; value: number }[]): { n: number; mean: number; t: number } {
  const blocks = new Map<number, number[]>();
  for (const { block, value } of returns) blocks.set(block, [...(blocks.get(block) ?? []), value]);
  const sums = [...blocks.values()].map((values) => ({ n: values.length, sum: values.reduce((a, b) => a + b, 0) }));
  const n = sums.reduce((total, one) => total + one.n, 0);
  const mean = sums.reduce((total, { sum }) => total + sum, 0) / n;
  const variance = sums.reduce((total, one) => total + (one.sum - one.n * mean) ** 2, 0) / n ** 2;
  return { n, mean, t: mean / Math.sqrt(variance) };
}

type Strategy = [name: string, picks: (one: Traded) => boolean, gain: (one: Traded) => number];

const hold =
  (from: number, sessions: number) =>
  ({ opens, closes, terms }: Traded): number => {
    const bought = from === 0 ? (opens[0] ?? 0) : (closes[from - 1] ?? 0);
    const sold = closes[from + sessions - 1] ?? 0;
    return (sold * (1 - COMMISSION - taxOf(terms))) / (bought * (1 + COMMISSION)) - 1;
  };
const all = (): boolean => true;
const openPremium = ({ opens, terms }: Traded): number => (opens[0] ?? 0) / terms.price - 1;
const firstDay = ({ opens, closes }: Traded): number => (closes[0] ?? 0) / (opens[0] ?? 1) - 1;

const STRATEGIES: readonly Strategy[] = [
  ["open, hold 1", all, hold(0, 1)],
  ["open, hold 5", all, hold(0, 5)],
  ["open, hold 20", all, hold(0, 20)],
  ["second session, hold 1", all, hold(1, 1)],
  ["second session, hold 5", all, hold(1, 5)],
  ["second session, hold 19", all, hold(1, 19)],
  ["sixth session, hold 5", all, hold(5, 5)],
  ...(["share", "bond", "fund", "placement"] as const).flatMap((kind): Strategy[] => [
    [`${kind}, hold 5`, ({ terms }) => terms.kind === kind, hold(0, 5)],
    [`${kind}, hold 20`, ({ terms }) => terms.kind === kind, hold(0, 20)],
  ]),
  ["auctioned, hold 5", ({ terms }) => terms.auctioned, hold(0, 5)],
  ["auctioned, hold 20", ({ terms }) => terms.auctioned, hold(0, 20)],
  ["opens above 20 %, hold 5", (one) => openPremium(one) > 0.2, hold(0, 5)],
  ["opens above 5 %, hold 20", (one) => openPremium(one) > 0.05, hold(0, 20)],
  ["opens below its price, hold 5", (one) => openPremium(one) < 0, hold(0, 5)],
  ["opens below its price, hold 20", (one) => openPremium(one) < 0, hold(0, 20)],
  ["rose on day 1, hold 5", (one) => firstDay(one) > 0.02, hold(1, 5)],
  ["rose on day 1, hold 19", (one) => firstDay(one) > 0.02, hold(1, 19)],
  ["fell on day 1, hold 5", (one) => firstDay(one) < -0.02, hold(1, 5)],
  ["fell on day 1, hold 19", (one) => firstDay(one) < -0.02, hold(1, 19)],
  ["cheap, hold 20", ({ terms }) => terms.kind === "share" && terms.price < 30 * PRICE_ONE, hold(0, 20)],
  ["dear, hold 20", ({ terms }) => terms.kind === "share" && terms.price > 80 * PRICE_ONE, hold(0, 20)],
  ["electronics, hold 5", ({ terms }) => terms.category >= "24" && terms.category <= "31", hold(0, 5)],
  ["electronics, hold 20", ({ terms }) => terms.category >= "24" && terms.category <= "31", hold(0, 20)],
  ["biotechnology, hold 20", ({ terms }) => terms.category === "22", hold(0, 20)],
  ["listed board, hold 20", ({ terms }) => terms.board === "listed", hold(0, 20)],
];

test("thirty simple strategies on newly listed issues earn nothing significant", () => {
  const market = traded();
  const table = STRATEGIES.map(([name, picks, gain]) => ({
    name,
    ...tOf(market.filter(picks).map((one) => ({ block: one.block, value: gain(one) }))),
  }));
  if (process.env["ISSUE_TABLE"])
    for (const { name, n, mean, t } of table) console.log(`${name} | ${n} | ${(100 * mean).toFixed(2)} % | ${t.toFixed(2)}`);
  expect(table.length).toBeGreaterThanOrEqual(30);
  for (const { name, n, t } of table) {
    expect(n, name).toBeGreaterThan(40);
    expect(t, name).toBeLessThan(2);
  }
  // The first price is plausible: near the worth that was drawn, not at the underwriting price.
  const shares = market.filter(({ terms }) => terms.kind === "share" && !terms.auctioned);
  const away = shares.map(({ opens, terms }) => Math.abs(Math.log((opens[0] ?? 0) / terms.fair)));
  expect(away.toSorted((a, b) => a - b)[Math.floor(away.length * 0.95)]).toBeLessThan(0.12);
});

test("an application, a bid or a subscription is worth about its costs, whatever the premium", () => {
  const lotteries: { block: number; value: number; gain: number; rate: number }[] = [];
  const raised: { block: number; value: number }[] = [];
  const bids: { block: number; part: number; value: number }[] = [];
  for (const seed of SEEDS) {
    const key = Key.of(seed, "issues");
    const reader = new IssueTermsReader(key, schedule);
    for (let number = 0; number < 4 * ISSUES; number += 1) {
      const terms = reader.read(number);
      const crowd = crowdOf(terms, key);
      const block = seed * 10_000 + number;
      const sold = terms.fair * (1 - COMMISSION - taxOf(terms));
      if (terms.kind === "fund" || terms.kind === "placement") {
        raised.push({ block, value: sold / terms.price - 1 });
        continue;
      }
      if (terms.auctioned) {
        const all = crowd.bids();
        expect(all.map(({ price }) => price)).toEqual(all.map(({ price }) => price).toSorted((a, b) => b - a));
        let left = terms.auctionLots;
        const last = all.find(({ lots }) => (left -= lots) <= 0)?.price ?? terms.minimumPrice;
        for (const part of BID_PARTS) {
          const bid = terms.minimumPrice * part;
          if (bid > last) bids.push({ block, part, value: (sold - bid * 1.04) / bid });
        }
        expect(averageWinningPrice(terms, all)).toBeLessThanOrEqual(terms.price);
        continue;
      }
      const applied = crowd.applications(terms.price);
      const rate = Math.min(1, terms.lots / applied);
      const gain = ((sold - terms.price) * 1000) / PRICE_ONE;
      lotteries.push({ block, value: rate * (gain - 50) - 20, gain, rate });
    }
  }
  const lottery = tOf(lotteries);
  expect(Math.abs(lottery.mean)).toBeLessThan(20);
  expect(lottery.t).toBeLessThan(2);
  // The better the premium, the less likely to win.
  const best = lotteries.filter(({ gain }) => gain > 8_000);
  const least = lotteries.filter(({ gain }) => gain < 2_000);
  const rateOf = (some: typeof lotteries): number => some.reduce((sum, { rate }) => sum + rate, 0) / some.length;
  expect(rateOf(best)).toBeLessThan(rateOf(least) / 2);
  expect(tOf(raised).t).toBeLessThan(2);
  const won = BID_PARTS.map((part) => tOf(bids.filter((one) => one.part === part)));
  if (process.env["ISSUE_TABLE"]) console.log(lottery, tOf(raised), won);
  for (const { n, t, mean } of won) {
    expect(n).toBeGreaterThan(100);
    expect(t).toBeLessThan(2);
    // The price of a win is about its worth.
    expect(mean).toBeGreaterThan(-0.12);
  }
});

test("a placement is expected to be worth no more than it costs to buy and to sell", () => {
  const worth: number[] = [];
  for (const seed of SEEDS) {
    const reader = new IssueTermsReader(Key.of(seed, "issues"), schedule);
    for (let number = 0; number < ISSUES; number += 1) {
      const terms = reader.read(number);
      if (terms.kind === "placement") worth.push((terms.expected * (1 - COMMISSION - taxOf(terms))) / terms.price);
    }
  }
  expect(worth.length).toBeGreaterThan(50);
  expect(Math.max(...worth)).toBeLessThanOrEqual(1);
  // Nor is it a bad bargain.
  expect(Math.min(...worth)).toBeGreaterThan(0.999);
});

test("a price without any premium finds few takers", () => {
  const key = Key.of(1, "issues");
  const terms = new IssueTermsReader(key, schedule).read(0);
  const crowd = crowdOf(terms, key);
  expect(winningRate(terms, terms.expected)).toBe(Infinity);
  expect(crowd.applications(terms.expected)).toBeLessThanOrEqual(terms.lots);
  expect(crowd.applications(terms.price)).toBeGreaterThan(terms.lots);
  expect(crowd.applications(terms.price * 0.9)).toBeGreaterThan(crowd.applications(terms.price));
});
