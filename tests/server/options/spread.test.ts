/** Tests what an order is told to make of a spread: the most that can be lost and gained, against what expiries at every level then pay. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { exerciseCostOf, OPTION_MULTIPLIER, premiumWorth } from "#contract/option-terms.ts";
import { calmMarket, expectCleanBooks, index } from "#tests/server/futures/fixture.ts";
import { OPTION_RULE } from "#tests/support/option-rule.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { expire, openOption, optionPosition, optionTrader, series } from "./fixture.ts";

const POINT = OPTION_MULTIPLIER * 100;

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => calmMarket(broker));
afterEach(() => expectCleanBooks(broker));
afterAll(() => broker.shut());

const quote = (member: number, code: string, side: "buy" | "sell", lots = 1) =>
  broker.call("quoteOption", member, { series: code, side, lots });

/** Opens two legs, the second after its spread was told; with what was told, and what the first one was charged. */
async function spread(
  member: number,
  right: "call" | "put",
  first: readonly [number, "buy" | "sell"],
  second: readonly [number, "buy" | "sell"],
) {
  const [one, two] = [await series(broker, member, right, first[0]), await series(broker, member, right, second[0])];
  const begun = await openOption(broker, member, one.code, first[1], 2);
  const told = await quote(member, two.code, second[1], 2);
  const done = await openOption(broker, member, two.code, second[1], 2);
  const charged = begun.trade.feeCents + begun.trade.taxCents;
  return { one, two, begun, done, told, charged, nos: [begun.position.positionNo, done.position.positionNo] as const };
}

describe("a spread that is told", () => {
  it("of a sold call covered by a bought one loses what the strikes are apart and the charges, less the premiums", async () => {
    const member = await optionTrader(broker);
    const { one, two, begun, told } = await spread(member, "call", [5, "buy"], [0, "sell"]);
    const premiums = premiumWorth(told.price - begun.trade.price, 2);
    const charges = told.feeCents + told.taxCents;
    expect(told.spread).toEqual({
      legs: [
        { right: "call", strike: two.strike, lots: -2, costTenths: -2 * told.price },
        { right: "call", strike: one.strike, lots: 2, costTenths: 2 * begun.trade.price },
      ],
      mostLossCents: 2 * (one.strike - two.strike) * POINT + 4 * exerciseCostOf(2 * one.strike, OPTION_RULE) + charges - premiums,
      mostGainCents: premiums - charges,
    });
  });

  it.each([
    ["call", [5, "buy"], [0, "sell"], [19_000, 20_001, 20_501, 23_000]],
    ["call", [5, "sell"], [0, "buy"], [19_000, 20_001, 20_501, 23_000]],
    ["put", [-5, "buy"], [0, "sell"], [20_500, 19_999, 19_499, 15_000]],
    ["put", [-5, "sell"], [0, "buy"], [20_500, 19_999, 19_499, 15_000]],
  ] as const)("of %ss, %j and then %j, pays no less and no more at any expiry", async (right, first, second, finals) => {
    const results: number[] = [];
    let most = { loss: 0, gain: 0 };
    for (const final of finals) {
      calmMarket(broker);
      const member = await optionTrader(broker);
      const { told, charged, nos } = await spread(member, right, first, second);
      most = { loss: told.spread?.mostLossCents ?? NaN, gain: told.spread?.mostGainCents ?? NaN };
      await expire(broker, nos[0], final);
      const ended = await Promise.all(nos.map((no) => optionPosition(broker, member, no)));
      const paid = ended.reduce((sum, { paidCents, feeCents, taxCents }) => sum + paidCents - feeCents - taxCents, charged);
      expect(paid).toBeGreaterThanOrEqual(-most.loss);
      expect(paid).toBeLessThanOrEqual(most.gain);
      results.push(paid);
    }
    // Some expiry comes within the tax of a distant level.
    expect(Math.min(...results) + most.loss).toBeLessThan(20_000);
    expect(most.gain - Math.max(...results)).toBeLessThan(20_000);
  });
});

it("where the charges of expiry are more than a point pays, the most is lost a little below the lower strike", async () => {
  index(broker, 30_000, 30_000);
  const member = await optionTrader(broker);
  const { one, told, charged, nos } = await spread(member, "put", [-5, "buy"], [0, "sell"]);
  expect(exerciseCostOf(one.strike, OPTION_RULE)).toBeGreaterThan(POINT);
  await expire(broker, nos[0], one.strike - 2);
  const ended = await Promise.all(nos.map((no) => optionPosition(broker, member, no)));
  const paid = ended.reduce((sum, { paidCents, feeCents, taxCents }) => sum + paidCents - feeCents - taxCents, charged);
  expect(paid).toBe(-(told.spread?.mostLossCents ?? NaN));
});

it("strikes too far apart to save margin limit the loss nevertheless", async () => {
  const member = await optionTrader(broker);
  const [near, far] = [await series(broker, member, "call", 0, 2), await series(broker, member, "call", 15, 2)];
  await openOption(broker, member, far.code, "buy", 2);
  const told = await quote(member, near.code, "sell", 2);
  expect((await openOption(broker, member, near.code, "sell", 1)).position.lots).toBe(-1);
  expect((await broker.call("readOptions", member, { month: null })).pairs).toEqual([]);
  const apart = 2 * (far.strike - near.strike) * POINT;
  expect(told.spread?.mostLossCents).toBeLessThan(apart);
  expect(told.spread?.mostLossCents).toBeGreaterThan(apart - premiumWorth(told.price, 2));
  // One of the two is used, and one is left.
  expect((await quote(member, near.code, "sell", 1)).spread?.legs).toMatchObject([{ lots: -2 }, { lots: 2 }]);
  expect((await quote(member, near.code, "sell", 2)).spread).toBe(null);
});

describe("no spread is told", () => {
  it("where some lots are covered by nothing, of another right, of the same side, and alone", async () => {
    const member = await optionTrader(broker);
    const [near, far] = [await series(broker, member, "call", 0), await series(broker, member, "call", 5)];
    const put = await series(broker, member, "put", -5);
    expect((await quote(member, near.code, "sell")).spread).toBe(null);
    const { position } = await openOption(broker, member, far.code, "buy", 1);
    expect((await quote(member, near.code, "sell", 2)).spread).toBe(null);
    expect((await quote(member, near.code, "buy")).spread).toBe(null);
    expect((await quote(member, put.code, "sell")).spread).toBe(null);
    expect((await quote(member, near.code, "sell")).spread).not.toBe(null);
    await openOption(broker, member, near.code, "sell", 1);
    // Of a position that an order joins, all lots count.
    expect((await quote(member, near.code, "sell")).spread).toBe(null);
    expect((await broker.call("quoteCloseOption", member, { positionNo: position.positionNo, lots: 1 })).spread).toBe(null);
  });
});
