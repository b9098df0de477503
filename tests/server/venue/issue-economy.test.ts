/** Tests that offerings give nobody money: neither for applying, bidding or subscribing, nor for buying what is newly listed. */
import { expect, test } from "vitest";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { Key } from "#server/venue/keyed-random.ts";
import { IssueTermsReader, winningRate } from "#server/venue/simulator/issue-terms.ts";
import { averageWinningPrice, crowdOf } from "#server/venue/simulator/offering-crowd.ts";
import { listedTable } from "./listed-strategies.ts";
import { COMMISSION, ISSUES, SEEDS, SIGNIFICANT, offeringTable, schedule, taxOf, tradedIssues } from "./offering-strategies.ts";
import { tOf } from "./strategy-table.ts";

/** Bids as multiples of the minimum, all over the range in which auctions are cut off. */
const BID_PARTS = [1.25, 1.3, 1.35, 1.4];
test("simple strategies on newly listed issues, and of who takes part in offerings, earn nothing significant", () => {
  const market = tradedIssues();
  const [listed, offered] = [listedTable(market), offeringTable(market)];
  expect(listed.length).toBeGreaterThanOrEqual(30);
  expect(offered.length).toBeGreaterThanOrEqual(30);
  expect(new Set(offered.map(({ group }) => group))).toEqual(new Set(["lottery", "auction", "raise", "placement", "block", "increase"]));
  for (const { group, name, n, t } of [...listed, ...offered]) {
    expect(n, `${group}: ${name}`).toBeGreaterThan(40);
    expect(t, `${group}: ${name}`).toBeLessThan(SIGNIFICANT);
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
