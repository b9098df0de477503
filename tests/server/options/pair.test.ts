/** Tests the closing of two positions as one order on a real broker: both legs or neither, at the quotes, once, and without what closing them one by one would need. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { optionPairEndpoints } from "#contract/option-pair.ts";
import { formatPremium } from "#contract/premium.ts";
import { premiumWorth } from "#contract/option-terms.ts";
import { query } from "#server/db/database.ts";
import { calmMarket, expectCleanBooks, index, move, newId, wallet } from "#tests/server/futures/fixture.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { closeOption, closePair, openOption, optionPosition, optionTrader, OWED, readOptions, series } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => calmMarket(broker));
afterEach(() => expectCleanBooks(broker));
afterAll(() => broker.shut());

/** Lots of a call sold, with a call bought so many strikes away. */
async function spread(member: number, lots = 1, above = 5): Promise<{ sold: string; bought: string }> {
  const [near, far] = [await series(broker, member, "call", 0), await series(broker, member, "call", above)];
  const { position: bought } = await openOption(broker, member, far.code, "buy", lots);
  const { position: sold } = await openOption(broker, member, near.code, "sell", lots);
  return { sold: sold.positionNo, bought: bought.positionNo };
}

/** Leaves nothing in the futures wallet that may leave it. */
async function strip(member: number): Promise<void> {
  await move(broker, member, "securities", (await readOptions(broker, member)).account.freeCents);
}

const trades = async (member: number) => (await broker.call("listOptionTrades", member, { cursor: null })).items;
const quote = (member: number, [positionNo, otherNo]: readonly [string, string], lots: number) =>
  broker.call("quoteOptionPair", member, { positionNo, otherNo, lots });

describe("a pair", () => {
  it("is told with its lots and its margin, and not once it is closed", async () => {
    const member = await optionTrader(broker);
    const { sold, bought } = await spread(member, 3);
    await closeOption(broker, member, sold, 1);
    const { pairs, account } = await readOptions(broker, member);
    expect(pairs).toEqual([{ positionNo: sold, otherNo: bought, lots: 2, marginCents: account.initialCents }]);
    await closePair(broker, member, [sold, bought], 2);
    expect(await readOptions(broker, member)).toMatchObject({ pairs: [], held: [{ position: { positionNo: bought, lots: 1 } }] });
  });

  it("closes both legs at the quotes, each with its own fee and tax, as two trades that name each other", async () => {
    const member = await optionTrader(broker);
    const { sold, bought } = await spread(member);
    index(broker, 20_300);
    const { held } = await readOptions(broker, member);
    const closeOf = (no: string): number => held.find(({ position }) => position.positionNo === no)?.close ?? NaN;
    const told = await quote(member, [sold, bought], 1);
    expect(told).toMatchObject({ net: closeOf(bought) - closeOf(sold), marginAfterCents: 0, lackingCents: 0 });
    const before = await wallet(broker, member);
    const answer = await closePair(broker, member, [sold, bought], 1);
    expect(answer.positions).toMatchObject([
      { positionNo: sold, status: "closed", lots: 0 },
      { positionNo: bought, status: "closed", lots: 0 },
    ]);
    const [first, second] = answer.trades;
    expect(answer.trades).toMatchObject([
      { positionNo: sold, side: "buy", price: closeOf(sold), cause: "member", withNo: second?.tradeNo },
      { positionNo: bought, side: "sell", price: closeOf(bought), cause: "member", withNo: first?.tradeNo },
    ]);
    expect(told.legs).toMatchObject(
      answer.trades.map(({ positionNo, side, price, feeCents, taxCents }) => ({ positionNo, side, price, feeCents, taxCents })),
    );
    const charges = told.legs.reduce((sum, { feeCents, taxCents }) => sum + feeCents + taxCents, 0);
    expect(charges).toBeGreaterThan(5_000);
    expect(await wallet(broker, member)).toBe(before + premiumWorth(told.net) - charges);
    // One by one in the list, newest first; what was opened alone names nothing.
    const nos = new Set([first?.tradeNo, second?.tradeNo]);
    expect((await trades(member)).map(({ tradeNo, withNo }) => [nos.has(tradeNo), withNo !== null])).toEqual([
      [true, true],
      [true, true],
      [false, false],
      [false, false],
    ]);
    const { items } = await broker.call("listMessages", member, { cursor: null });
    expect(
      items
        .flatMap(({ notice }) => (notice ? [notice.about] : []))
        .slice(0, 2)
        .toSorted(),
    ).toEqual(["optionBought", "optionSold"]);
  });

  it("is closed with a wallet that can close neither leg alone, and owes nothing for a moment", async () => {
    const member = await optionTrader(broker);
    const { sold, bought } = await spread(member);
    await strip(member);
    index(broker, 20_800);
    for (const no of [sold, bought])
      expect(await refusalOf(closeOption(broker, member, no, 1))).toMatchObject({ code: "TRD_CONTRACT_MARGIN", field: "lots" });
    const told = await quote(member, [sold, bought], 1);
    const before = await wallet(broker, member);
    expect(told).toMatchObject({ lackingCents: 0, marginCents: -before });
    await closePair(broker, member, [sold, bought], 1);
    expect(await wallet(broker, member)).toBeGreaterThan(0);
    expect(await query(broker.db.kysely, OWED, [member])).toEqual([]);
  });

  it("of two sold options is bought back whole, or by exactly what is lacking not at all", async () => {
    const member = await optionTrader(broker);
    const [call, put] = [await series(broker, member, "call", 0), await series(broker, member, "put", 0)];
    const { position: one } = await openOption(broker, member, call.code, "sell", 2);
    const { position: two } = await openOption(broker, member, put.code, "sell", 2);
    const { pairs } = await readOptions(broker, member);
    const nos = [one.positionNo, two.positionNo] as const;
    expect(pairs).toMatchObject([{ lots: 2 }]);
    expect(new Set([pairs[0]?.positionNo, pairs[0]?.otherNo])).toEqual(new Set(nos));
    // Nothing is liquidated in the meantime: a call of another month gains as much.
    await openOption(broker, member, (await series(broker, member, "call", 0, 1)).code, "buy", 3);
    await strip(member);
    // The index rises so far that the margin does not pay for the call.
    index(broker, 23_000, 22_000);
    const told = await quote(member, nos, 2);
    const has = await wallet(broker, member);
    const costs = told.legs.reduce((sum, { premiumCents, feeCents, taxCents }) => sum + premiumCents + feeCents + taxCents, 0);
    expect(told.lackingCents).toBe(Math.max(0, costs - has));
    expect(told.lackingCents).toBeGreaterThan(0);
    await move(broker, member, "futures", told.lackingCents - 1);
    expect(await refusalOf(closePair(broker, member, nos, 2))).toMatchObject({ code: "TRD_CONTRACT_MARGIN", field: "lots" });
    expect(await trades(member)).toHaveLength(3);
    await move(broker, member, "futures", 1);
    await closePair(broker, member, nos, 2);
    expect(await wallet(broker, member)).toBe(0);
    expect(await query(broker.db.kysely, OWED, [member])).toEqual([]);
  });

  it("of two bought options owes nothing for a moment where one of them brings less than its fee", async () => {
    const member = await optionTrader(broker);
    const nos: string[] = [];
    for (const above of [15, 0]) {
      const { code } = await series(broker, member, "call", above);
      nos.push((await openOption(broker, member, code, "buy", 1)).position.positionNo);
    }
    await strip(member);
    expect(await wallet(broker, member)).toBe(0);
    const [first = "", second = ""] = nos;
    const bid = async () => (await readOptions(broker, member)).held.find(({ position }) => position.positionNo === first)?.close ?? 0;
    for (let level = 20_000; (await bid()) >= 5; level -= 25) index(broker, level);
    const told = await quote(member, [first, second], 1);
    expect(told.legs[0]?.premiumCents).toBeLessThan(told.legs[0]?.feeCents ?? 0);
    const { trades: done } = await closePair(broker, member, [first, second], 1);
    // Told as they were named, whichever is traded first.
    expect(done.map(({ positionNo }) => positionNo)).toEqual(nos);
    expect(await query(broker.db.kysely, OWED, [member])).toEqual([]);
  });

  it("is closed once, however often it is asked for under one number", async () => {
    const member = await optionTrader(broker);
    const { sold, bought } = await spread(member, 2);
    const requestId = newId();
    const first = await closePair(broker, member, [sold, bought], 1, { requestId });
    expect(await closePair(broker, member, [sold, bought], 1, { requestId })).toEqual(first);
    expect(await trades(member)).toHaveLength(4);
    expect(await optionPosition(broker, member, sold)).toMatchObject({ lots: -1 });
    expect(await refusalOf(closePair(broker, member, [sold, bought], 2, { requestId }))).toMatchObject({ code: "GEN_REQUEST_REUSED" });
  });
});

describe("a limit of both together", () => {
  it("fills at the net of the quotes or better, and at a tenth beyond it neither leg", async () => {
    const member = await optionTrader(broker);
    const { sold, bought } = await spread(member);
    const { net } = await quote(member, [sold, bought], 1);
    expect(net).toBeLessThan(0);
    const before = await wallet(broker, member);
    expect(await refusalOf(closePair(broker, member, [sold, bought], 1, { price: net + 1 }))).toMatchObject({
      code: "TRD_OPTION_NET_PAID",
      params: { n: formatPremium(-net) },
      field: "price",
    });
    expect(await wallet(broker, member)).toBe(before);
    for (const no of [sold, bought]) expect(await optionPosition(broker, member, no)).toMatchObject({ status: "open" });
    const { trades: done } = await closePair(broker, member, [sold, bought], 1, { price: net });
    expect(done.reduce((sum, { side, price }) => sum + (side === "sell" ? price : -price), 0)).toBe(net);
  });

  it("tells what is received where that is below it", async () => {
    const member = await optionTrader(broker);
    const [near, far] = [await series(broker, member, "call", 0), await series(broker, member, "call", 5)];
    const nos: string[] = [];
    for (const { code } of [near, far]) nos.push((await openOption(broker, member, code, "buy", 1)).position.positionNo);
    const [first = "", second = ""] = nos;
    const { net } = await quote(member, [first, second], 1);
    expect(net).toBeGreaterThan(0);
    expect(await refusalOf(closePair(broker, member, [first, second], 1, { price: net + 1 }))).toMatchObject({
      code: "TRD_OPTION_NET_RECEIVED",
      params: { n: formatPremium(net) },
    });
    await closePair(broker, member, [first, second], 1, { price: 0 });
  });
});

it("no order takes whatever the quotes become", () => {
  const named = { requestId: newId(), positionNo: "O1", otherNo: "O2", lots: 1 };
  const { body } = optionPairEndpoints.closeOptionPair;
  expect(body.safeParse({ ...named, price: -1 }).success).toBe(true);
  for (const price of [null, undefined, 0.5])
    expect(body.safeParse({ ...named, price }).error?.issues).toMatchObject([{ path: ["price"], message: "VAL_LIMIT_PRICE_POSITIVE" }]);
});

describe("both legs are refused", () => {
  it("for more lots than the smaller one has, for one position twice, and for what is another's or has ended", async () => {
    const [member, other] = [await optionTrader(broker), await optionTrader(broker)];
    const { sold, bought } = await spread(member, 2);
    const { sold: theirs } = await spread(other);
    await closeOption(broker, member, sold, 1);
    expect(await refusalOf(closePair(broker, member, [sold, bought], 2))).toMatchObject({
      code: "TRD_CLOSE_EXCEEDS",
      params: { n: "1" },
      field: "lots",
    });
    expect(await refusalOf(closePair(broker, member, [sold, sold], 1))).toMatchObject({ code: "GEN_NOT_FOUND", field: "otherNo" });
    expect(await refusalOf(quote(member, [sold, sold], 1))).toMatchObject({ code: "GEN_NOT_FOUND", field: "otherNo" });
    for (const no of [theirs, "O999999999"]) {
      expect(await refusalOf(closePair(broker, member, [sold, no], 1))).toMatchObject({ code: "GEN_NOT_FOUND", field: "otherNo" });
      expect(await refusalOf(quote(member, [sold, no], 1))).toMatchObject({ code: "GEN_NOT_FOUND", field: "otherNo" });
    }
    await closeOption(broker, member, bought, 2);
    expect(await refusalOf(closePair(broker, member, [sold, bought], 1))).toMatchObject({ code: "TRD_ALREADY_CLOSED", field: "otherNo" });
    expect(await optionPosition(broker, member, sold)).toMatchObject({ lots: -1 });
  });

  it("while nothing trades, and where nobody buys one of them: the other stays too", async () => {
    const member = await optionTrader(broker);
    const { sold, bought } = await spread(member, 1, 15);
    broker.venue.setPhase("closed");
    expect(await refusalOf(closePair(broker, member, [sold, bought], 1))).toMatchObject({ code: "TRD_NON_TRADING_HOURS" });
    broker.venue.setPhase("open");
    index(broker, 18_000);
    expect((await readOptions(broker, member)).held.find(({ position }) => position.positionNo === bought)).toMatchObject({ close: null });
    expect(await refusalOf(closePair(broker, member, [sold, bought], 1))).toMatchObject({ code: "TRD_CONTRACT_NO_QUOTE" });
    expect(await optionPosition(broker, member, sold)).toMatchObject({ status: "open", lots: -1 });
  });
});
