/** Tests the days of options on a real broker: marking, dividends, exercise at expiry, and days the server missed. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { exerciseTaxOf, optionFeeOf, optionTaxOf, premiumWorth } from "#contract/option-terms.ts";
import { OPTION_RULE } from "#tests/support/option-rule.ts";
import { MINUTE_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { OptionRecord } from "#server/records/option.ts";
import { calmMarket, expectCleanBooks, index, INDEX, nextDay, wallet } from "#tests/server/futures/fixture.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { closeOption, expire, openOption, optionPosition, optionTrader, readOptions, series } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => calmMarket(broker));
afterEach(() => expectCleanBooks(broker));
afterAll(() => broker.shut());

const costs = (lots: number, ...prices: number[]): number =>
  prices.reduce((sum, price) => sum + optionFeeOf(lots, OPTION_RULE) + optionTaxOf(price, lots, OPTION_RULE), 0);

describe("days", () => {
  it("mark positions without moving money", async () => {
    const member = await optionTrader(broker);
    const { code } = await series(broker, member, "call", 0, 1);
    const { position } = await openOption(broker, member, code, "buy", 1);
    const money = await wallet(broker, member);
    await nextDay(broker, 20_400);
    const marked = await optionPosition(broker, member, position.positionNo);
    expect(marked.markedTenths).toBeGreaterThan(position.costTenths);
    expect(marked).toMatchObject({ costTenths: position.costTenths, paidCents: position.paidCents });
    expect(await wallet(broker, member)).toBe(money);
    const { held } = await readOptions(broker, member);
    // The same index at the beginning of the day after: nothing is gained but the night.
    expect(Math.abs(held[0]?.gainCents ?? NaN)).toBeLessThan(premiumWorth(200));
  });

  it("mark what was sold and is worth nothing at zero, in rows and facts alike", async () => {
    const member = await optionTrader(broker);
    const { code } = await series(broker, member, "call", 2);
    const { position } = await openOption(broker, member, code, "sell", 1);
    const [row] = await query<OptionRecord>(broker.db.kysely, "SELECT * FROM option_position WHERE position_no = $1", [
      position.positionNo,
    ]);
    await nextDay(broker, 17_000, 0, (row?.expiry_day ?? 0) - broker.venue.feeDay(broker.clock.now));
    const marked = broker.published.flatMap(({ fact }) =>
      fact.type === "option.marked" && fact.position.positionNo === position.positionNo ? [fact.position.markedTenths] : [],
    );
    expect([(await optionPosition(broker, member, position.positionNo)).markedTenths, ...marked]).toEqual([0, 0]);
  });

  it("leave nobody richer or poorer by a dividend: the strike follows the index", async () => {
    const member = await optionTrader(broker);
    const { code, strike } = await series(broker, member, "call", -2, 1);
    const { position } = await openOption(broker, member, code, "buy", 1);
    await nextDay(broker, 20_000, 150);
    const { held } = await readOptions(broker, member);
    expect(held).toMatchObject([{ position: { code, strike: strike - 150 } }]);
    expect(Math.abs(held[0]?.gainCents ?? NaN)).toBeLessThan(premiumWorth(200));
    // The series of the code is another one now: it does not join, and may be sold.
    broker.venue.setExDividend(INDEX, 0);
    index(broker, 20_000, 20_000);
    const { position: other } = await openOption(broker, member, code, "sell", 1);
    expect(other.positionNo).not.toBe(position.positionNo);
    await closeOption(broker, member, position.positionNo, 1);
  });
});

it("days that the server missed lower the strike by the dividends of each, before an expiry and over it", async () => {
  const member = await optionTrader(broker);
  const later = await series(broker, member, "call", 0, 1);
  const near = await series(broker, member, "call", -4);
  const { position: open } = await openOption(broker, member, later.code, "buy", 1);
  const { position: ending, trade: bought } = await openOption(broker, member, near.code, "buy", 1);
  const today = broker.venue.feeDay(broker.clock.now);
  const [row] = await query<OptionRecord>(broker.db.kysely, "SELECT * FROM option_position WHERE position_no = $1", [ending.positionNo]);
  const expiry = row?.expiry_day ?? 0;
  const { exDividends } = broker.venue;
  const lost = { [today]: 500, [expiry]: 40, [expiry + 1]: 30, [expiry + 2]: 500 };
  broker.venue.exDividends = async (_row, after, before) =>
    Object.entries(lost).flatMap(([of, points]) =>
      Number(of) > after && Number(of) < before ? [{ day: Number(of), lost: points * 10_000 }] : [],
    );
  await nextDay(broker, 20_000, 10, expiry + 2 - today);
  broker.venue.exDividends = exDividends;
  expect(await optionPosition(broker, member, open.positionNo)).toMatchObject({ strike: later.strike - 40 - 30 - 10 });
  const ended = await optionPosition(broker, member, ending.positionNo);
  expect(ended).toMatchObject({ status: "settled", strike: near.strike - 40 });
  expect(ended.paidCents).toBe(premiumWorth((20_000 - near.strike + 40) * 10 - bought.price));
});

describe("expiry", () => {
  it("exercises what has value by itself, in cash, for buyer and seller alike", async () => {
    const [buyer, seller] = [await optionTrader(broker), await optionTrader(broker)];
    const { code, strike } = await series(broker, buyer, "call", -4);
    const bought = await openOption(broker, buyer, code, "buy", 2);
    const sold = await openOption(broker, seller, code, "sell", 2);
    const final = 20_500;
    index(broker, final);
    await expire(broker, bought.position.positionNo, final);
    const pays = premiumWorth((final - strike) * 10, 2);
    const charges = optionFeeOf(2, OPTION_RULE) + exerciseTaxOf(final, 2, OPTION_RULE);
    for (const [member, { position, trade: opened }, sign] of [
      [buyer, bought, 1],
      [seller, sold, -1],
    ] as const) {
      const ended = await optionPosition(broker, member, position.positionNo);
      expect(ended).toMatchObject({ status: "settled", lots: 0, paidCents: sign * (pays - premiumWorth(opened.price, 2)) });
      expect(await wallet(broker, member)).toBe(100_000_000 + ended.paidCents - costs(2, opened.price) - charges);
      const { items } = await broker.call("listOptionTrades", member, { cursor: null });
      expect(items[0]).toMatchObject({ cause: "settlement", price: (final - strike) * 10, taxCents: exerciseTaxOf(final, 2, OPTION_RULE) });
    }
    expect(await broker.call("readMember", buyer, {})).toMatchObject({ optionsCents: 0 });
  });

  it("is at the average of the last half hour, as of futures, also for a server that was down then", async () => {
    const member = await optionTrader(broker);
    const { code, strike } = await series(broker, member, "put");
    const { position, trade: sold } = await openOption(broker, member, code, "sell", 1);
    const [row] = await query<OptionRecord>(broker.db.kysely, "SELECT * FROM option_position WHERE position_no = $1", [
      position.positionNo,
    ]);
    const closesAt = row?.expiry_closes_at ?? 0;
    const bar = (minutes: number, level: number) => {
      const price = level * 10_000;
      return { at: closesAt - minutes * MINUTE_MS, open: price, high: price, low: price, close: price, volume: 1 };
    };
    broker.venue.setPastCalls([], { IX0001: [bar(31, 50_000), bar(30, 19_400), bar(15, 19_500), bar(1, 19_801)] });
    // The server is back three days after the expiry, when the index is far above the strike.
    await nextDay(broker, 21_000, 0, (row?.expiry_day ?? 0) - broker.venue.feeDay(broker.clock.now) + 4);
    broker.venue.setPastCalls([], {});
    const final = Math.round((19_400 + 19_500 + 19_801) / 3);
    const ended = await optionPosition(broker, member, position.positionNo);
    expect(ended).toMatchObject({ status: "settled", paidCents: premiumWorth(sold.price) - premiumWorth((strike - final) * 10) });
    expect((await broker.call("listMessages", member, { cursor: null })).items[0]).toMatchObject({
      notice: { about: "optionSettled", values: { code, price: String(final) } },
    });
  });

  it("is at the close of its own day where no minutes are kept of it, not at the latest", async () => {
    const member = await optionTrader(broker);
    const { code, strike } = await series(broker, member, "call");
    const { position, trade: sold } = await openOption(broker, member, code, "sell", 1);
    const [row] = await query<OptionRecord>(broker.db.kysely, "SELECT * FROM option_position WHERE position_no = $1", [
      position.positionNo,
    ]);
    const left = (row?.expiry_day ?? 0) - broker.venue.feeDay(broker.clock.now);
    const expiry = taipeiDay(broker.clock.now) + left;
    const bar = (days: number, level: number) => {
      const close = level * 10_000;
      return { at: taipeiMidnight(expiry + days), open: close, high: close, low: close, close, volume: 1 };
    };
    // The server is back weeks later, when the index has risen far above the strike.
    broker.venue.setPastCalls([], { IX0001: [bar(-1, 19_900), bar(0, 20_130), bar(1, 21_000), bar(20, 21_500)] });
    await nextDay(broker, 21_500, 0, left + 21);
    broker.venue.setPastCalls([], {});
    const ended = await optionPosition(broker, member, position.positionNo);
    expect(ended).toMatchObject({ status: "settled", paidCents: premiumWorth(sold.price) - premiumWorth((20_130 - strike) * 10) });
  });
});
