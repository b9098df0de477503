/** Tests options on a real broker: the chain, buyers and sellers, margin shared with futures, calls and liquidation. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { exerciseTaxOf, optionFeeOf, optionTaxOf, premiumWorth, sellerMargin } from "#contract/option-terms.ts";
import { OPTION_RULE } from "#tests/support/option-rule.ts";
import { query } from "#server/db/database.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { calmMarket, expectCleanBooks, index, move, newId, nextDay, trade, wallet } from "#tests/server/futures/fixture.ts";
import { signByHand } from "#tests/support/signature.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { closeOption, expire, openOption, optionPosition, optionTrader, readOptions, series } from "./fixture.ts";

/** The initial margin of a large future. */
const TX_MARGIN = 32_200_000;

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => calmMarket(broker));
afterEach(() => expectCleanBooks(broker));
afterAll(() => broker.shut());

const costs = (lots: number, ...prices: number[]): number =>
  prices.reduce((sum, price) => sum + optionFeeOf(lots, OPTION_RULE) + optionTaxOf(price, lots, OPTION_RULE), 0);

describe("the chain", () => {
  it("lists five expiries, and strikes around the index with calls and puts at prices that rise and fall with them", async () => {
    const member = await optionTrader(broker, 0);
    const { expiries, month, chain, index: level } = await readOptions(broker, member);
    expect(expiries).toHaveLength(5);
    expect(expiries.map(({ days }) => days).toSorted((a, b) => a - b)).toEqual(expiries.map(({ days }) => days));
    expect(month).toBe(expiries[0]?.month);
    expect(level).toBe(200_000_000);
    expect(chain).toHaveLength(31);
    expect(chain[15]?.strike).toBe(20_000);
    for (const [at, { strike, call, put }] of chain.entries()) {
      expect(call.code).toBe(`TXO-${month}-C-${strike}`);
      expect(put.code).toBe(`TXO-${month}-P-${strike}`);
      const next = chain[at + 1];
      if (!next) continue;
      expect(next.call.mark ?? 0).toBeLessThan(call.mark ?? 0);
      expect(next.put.mark ?? 0).toBeGreaterThan(put.mark ?? 0);
    }
    expect(await refusalOf(readOptions(broker, member, "1999-01"))).toMatchObject({ code: "GEN_NOT_FOUND", field: "month" });
  });

  it("is empty, of every month, while the index is not known", async () => {
    const member = await optionTrader(broker, 0);
    const { month } = await readOptions(broker, member);
    index(broker, 0, 0);
    const unknown = { index: null, expiries: [], month: null, chain: [] };
    expect(await readOptions(broker, member)).toMatchObject(unknown);
    expect(await readOptions(broker, member, month)).toMatchObject(unknown);
  });

  it("has no quotes where the future has none, but marks", async () => {
    const member = await optionTrader(broker, 0);
    index(broker, 22_001);
    const { chain } = await readOptions(broker, member);
    expect(chain.every(({ call, put }) => call.ask === null && call.bid === null && put.ask === null && call.mark !== null)).toBe(true);
  });
});

describe("a buyer", () => {
  it("pays the premium, fee and tax, has the value counted, and gets the bid for closing", async () => {
    const member = await optionTrader(broker);
    const { code, ask, mark } = await series(broker, member, "call", 3);
    const quoted = await broker.call("quoteOption", member, { series: code, side: "buy", lots: 2 });
    const { trade: bought, position } = await openOption(broker, member, code, "buy", 2);
    expect(bought).toMatchObject({ side: "buy", lots: 2, price: ask, cause: "member", gainCents: 0 });
    const entry = bought.price;
    expect(quoted).toMatchObject({ price: entry, mark, premiumCents: premiumWorth(entry, 2), marginCents: 0, lackingCents: 0 });
    expect(await wallet(broker, member)).toBe(100_000_000 - premiumWorth(entry, 2) - costs(2, entry));
    const overview = await broker.call("readMember", member, {});
    expect(overview).toMatchObject({ openFutures: 0, openOptions: 1 });
    expect(overview.futuresWalletCents).toBe(await wallet(broker, member));
    expect(overview.optionsCents).toBe(premiumWorth(mark ?? 0, 2));
    expect(overview.totalCents).toBe(overview.availableCents + overview.walletsCents + overview.optionsCents);
    expect(overview.optionsTodayCents).toBe(premiumWorth((mark ?? 0) - entry, 2) - costs(2, entry));
    expect(overview.todayProfitCents).toBe(overview.optionsTodayCents);
    // One more of the same series joins the position; half is closed, then the rest.
    await openOption(broker, member, code, "buy", 1);
    expect(await optionPosition(broker, member, position.positionNo)).toMatchObject({ lots: 3, costTenths: 3 * entry, status: "open" });
    index(broker, 20_400);
    const { trade: sold } = await closeOption(broker, member, position.positionNo, 2);
    expect(sold).toMatchObject({ side: "sell", gainCents: premiumWorth(sold.price - entry, 2) });
    expect(sold.price).toBeGreaterThan(entry);
    const { position: ended } = await closeOption(broker, member, position.positionNo, 1);
    expect(ended).toMatchObject({ status: "closed", lots: 0, costTenths: 0, paidCents: premiumWorth(sold.price - entry, 3) });
    expect(await wallet(broker, member)).toBe(100_000_000 + ended.paidCents - ended.feeCents - ended.taxCents);
    expect(await refusalOf(closeOption(broker, member, position.positionNo, 1))).toMatchObject({ code: "TRD_ALREADY_CLOSED" });
  });

  it("acts once for one request", async () => {
    const member = await optionTrader(broker);
    const { code } = await series(broker, member, "put");
    const requestId = newId();
    const [first, second] = await Promise.all([1, 2].map(() => openOption(broker, member, code, "buy", 1, { requestId })));
    expect(second).toEqual(first);
    expect((await broker.call("listOptionTrades", member, { cursor: null })).items).toHaveLength(1);
  });

  it("cannot lose more than the premium, whatever the index does", async () => {
    const member = await optionTrader(broker, 5_000_000);
    const { code } = await series(broker, member, "put", -5);
    const { position } = await openOption(broker, member, code, "buy", 1);
    const left = await wallet(broker, member);
    index(broker, 21_900);
    await broker.tick();
    expect(await optionPosition(broker, member, position.positionNo)).toMatchObject({ status: "open" });
    await expire(broker, position.positionNo, 21_900);
    expect(await wallet(broker, member)).toBe(left);
    expect(await optionPosition(broker, member, position.positionNo)).toMatchObject({ status: "expired", lots: 0 });
  });

  it("cannot lose by an exercise either: its charges end where what it pays does", async () => {
    index(broker, 27_000, 27_000);
    const member = await optionTrader(broker);
    const { code, strike } = await series(broker, member, "call");
    const { position } = await openOption(broker, member, code, "buy", 1);
    const left = await wallet(broker, member);
    const point = premiumWorth(10);
    expect(optionFeeOf(1, OPTION_RULE) + exerciseTaxOf(strike + 1, 1, OPTION_RULE)).toBeGreaterThan(point);
    index(broker, strike + 1);
    await expire(broker, position.positionNo, strike + 1);
    expect(await wallet(broker, member)).toBe(left);
    const { items } = await broker.call("listOptionTrades", member, { cursor: null });
    const taxCents = exerciseTaxOf(strike + 1, 1, OPTION_RULE);
    expect(items[0]).toMatchObject({ cause: "settlement", price: 10, taxCents, feeCents: point - taxCents });
  });
});

describe("a seller", () => {
  it("gets the premium, and keeps it and the exchange's margin in the wallet", async () => {
    const member = await optionTrader(broker);
    const { code, strike, bid, mark } = await series(broker, member, "call", 5);
    await openOption(broker, member, code, "sell", 2);
    const { account, held } = await readOptions(broker, member);
    const margin = sellerMargin("call", strike, mark ?? 0, 20_000, 2, OPTION_RULE);
    const money = 100_000_000 + premiumWorth(bid ?? 0, 2) - costs(2, bid ?? 0);
    expect(account).toMatchObject({
      walletCents: money,
      equityCents: money,
      ...margin,
      shortCents: premiumWorth(mark ?? 0, 2),
      longCents: 0,
    });
    expect(account.freeCents).toBe(money - margin.initialCents);
    expect(held).toMatchObject([{ marginCents: margin.initialCents, mark, position: { lots: -2 } }]);
    // What it gains while the index falls is not paid yet, so it cannot leave.
    index(broker, 19_500);
    const fallen = (await readOptions(broker, member)).account;
    expect(fallen.initialCents).toBeLessThan(margin.initialCents);
    expect(fallen.freeCents).toBe(money - fallen.initialCents - (premiumWorth(bid ?? 0, 2) - fallen.shortCents));
    expect(await refusalOf(move(broker, member, "securities", fallen.freeCents + 1))).toMatchObject({ code: "FUND_FUTURES_MARGIN" });
    expect((await broker.call("readFutures", member, {})).account).toMatchObject({
      initialCents: fallen.initialCents,
      freeCents: fallen.freeCents,
    });
  });

  it("shares the wallet with futures: neither takes the other's margin", async () => {
    const member = await optionTrader(broker, TX_MARGIN + 3_000_000);
    await signByHand(broker, member, "futures");
    const { code } = await series(broker, member, "put");
    await openOption(broker, member, code, "sell", 1);
    expect(await refusalOf(trade(broker, member, "buy", 1))).toMatchObject({ code: "TRD_CONTRACT_MARGIN" });
    await move(broker, member, "futures", 20_000_000);
    await trade(broker, member, "buy", 1);
    // One wallet has one risk indicator, which counts what the sold option would cost.
    const { riskPercent, equityCents, initialCents } = (await readOptions(broker, member)).account;
    expect((await broker.call("readFutures", member, {})).account.riskPercent).toBe(riskPercent);
    expect(riskPercent).not.toBe(Math.floor((equityCents * 100) / initialCents));
    const next = await series(broker, member, "put", -1);
    expect(await refusalOf(openOption(broker, member, next.code, "sell", 2))).toMatchObject({ code: "TRD_CONTRACT_MARGIN", field: "lots" });
  });

  it("is called below the maintenance margin, and restored by money", async () => {
    const member = await optionTrader(broker, 20_000_000);
    const { code } = await series(broker, member, "call", 0, 1);
    const { position } = await openOption(broker, member, code, "sell", 2);
    await nextDay(broker, 21_200);
    expect(await optionPosition(broker, member, position.positionNo)).toMatchObject({ status: "called" });
    const { account } = await readOptions(broker, member);
    expect(account).toMatchObject({ called: true, neededCents: account.initialCents - account.equityCents });
    expect(account.neededCents).toBeGreaterThan(0);
    await move(broker, member, "futures", account.neededCents);
    await broker.tick();
    expect(await optionPosition(broker, member, position.positionNo)).toMatchObject({ status: "open" });
  });

  it("who does not answer a call within the day is closed at the market, futures too", async () => {
    const member = await optionTrader(broker, 46_000_000);
    await signByHand(broker, member, "futures");
    const contract = await trade(broker, member, "sell", 1);
    const { code } = await series(broker, member, "call", 0, 1);
    const { position } = await openOption(broker, member, code, "sell", 1);
    await nextDay(broker, 21_000);
    expect(await optionPosition(broker, member, position.positionNo)).toMatchObject({ status: "called" });
    await nextDay(broker, 21_000);
    await broker.tick();
    expect(await optionPosition(broker, member, position.positionNo)).toMatchObject({ status: "liquidated", lots: 0 });
    const { items } = await broker.call("listFuturesPositions", member, { cursor: null });
    expect(items.find((one) => one.positionNo === contract.position.positionNo)).toMatchObject({ status: "liquidated" });
    const told = await query(broker.db.kysely, "SELECT 1 FROM fact WHERE member_id = $1 AND body::text LIKE '%futuresLiquidated%'", [
      member,
    ]);
    expect(told).toHaveLength(1);
  });

  it("is closed at once where a quarter of the margins is left, and what the wallet lacks is a debt", async () => {
    const member = await optionTrader(broker, 9_500_000, 9_500_000);
    const { code } = await series(broker, member, "put", 0, 1);
    const { position } = await openOption(broker, member, code, "sell", 1);
    // Overnight it has moved further than a day's limits allow.
    await nextDay(broker, 18_050, 0, 1, 16_900);
    await broker.tick();
    const ended = await optionPosition(broker, member, position.positionNo);
    expect(ended).toMatchObject({ status: "liquidated" });
    const left = 9_500_000 + ended.paidCents - ended.feeCents - ended.taxCents;
    expect(left).toBeLessThan(0);
    expect(await readBalances(broker.db.kysely, member)).toMatchObject({ futures: 0, available: 0, debt: left });
  });

  it("whose options would cost more than the wallet has, while nothing can be closed, cannot withdraw what is lacking", async () => {
    const member = await optionTrader(broker, 9_500_000);
    const withdrawable = async () => (await broker.call("readWithdrawing", member, {})).facts.withdrawableCents;
    const { code } = await series(broker, member, "put", 0, 1);
    const { position } = await openOption(broker, member, code, "sell", 1);
    const { available } = await readBalances(broker.db.kysely, member);
    expect(await withdrawable()).toBe(available);
    // Beyond the day's limits of the future there is no quote.
    index(broker, 17_000);
    await broker.tick();
    expect(await optionPosition(broker, member, position.positionNo)).toMatchObject({ status: "open" });
    const { account } = await readOptions(broker, member);
    expect(account).toMatchObject({ called: false, neededCents: account.shortCents - account.walletCents });
    expect(account.neededCents).toBeGreaterThan(0);
    expect(await withdrawable()).toBe(available - account.neededCents);
  });

  it("is kept from liquidation by the value of what is bought beside it", async () => {
    const member = await optionTrader(broker, 30_000_000);
    const sold = await series(broker, member, "put", 0, 1);
    const bought = await series(broker, member, "put", -1, 1);
    const { position } = await openOption(broker, member, sold.code, "sell", 2);
    await openOption(broker, member, bought.code, "buy", 2);
    index(broker, 18_050);
    await broker.tick();
    expect(await optionPosition(broker, member, position.positionNo)).toMatchObject({ status: "open" });
    const { account } = await readOptions(broker, member);
    expect(account.riskPercent).toBeGreaterThan(25);
  });
});
