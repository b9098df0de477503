/** Tests futures on a real broker: orders, marking to market, margin calls, liquidation, dividends, final settlement, and what is refused. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { futuresFeeOf, futuresTaxOf } from "#contract/futures-price.ts";
import { MINUTE_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import type { FuturesRecord } from "#server/records/futures.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import {
  calmMarket,
  contract,
  expectCleanBooks,
  index,
  INDEX,
  move,
  newId,
  nextDay,
  position,
  trade,
  trader,
  TX,
  wallet,
} from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => calmMarket(broker));
afterEach(() => expectCleanBooks(broker));
afterAll(() => broker.shut());

const costs = (lots: number, ...prices: number[]): number =>
  prices.reduce((sum, price) => sum + futuresFeeOf(lots, TX) + futuresTaxOf("TX", price, lots, TX), 0);

describe("an order", () => {
  it("is filled at the quote, closes what is held the other way first, and pays to the cent", async () => {
    const member = await trader(broker);
    const code = await contract(broker, member);
    const { contracts } = await broker.call("readFutures", member, {});
    const quote = contracts.find((one) => one.code === code);
    const bought = await trade(broker, member, "buy", 2, { contract: code });
    expect(bought.trades).toMatchObject([{ side: "buy", lots: 2, price: quote?.ask, gainCents: 0, cause: "member" }]);
    const entry = bought.trades[0]?.price ?? 0;
    index(broker, 20_050);
    const sold = await trade(broker, member, "sell", 3, { contract: code });
    const exit = sold.trades[0]?.price ?? 0;
    expect(sold.trades).toMatchObject([
      { lots: 2, price: exit, gainCents: (exit - entry) * 200 * 2 * 100 },
      { lots: 1, price: exit, gainCents: 0 },
    ]);
    expect(await position(broker, member, bought.position.positionNo)).toMatchObject({ status: "closed", lots: 0, costPoints: 0 });
    expect(sold.position).toMatchObject({ status: "open", lots: -1, costPoints: -exit });
    expect(await wallet(broker, member)).toBe(100_000_000 + (exit - entry) * 40_000 - costs(2, entry, exit) - costs(1, exit));
    await trade(broker, member, "buy", 1, { contract: code });
  });

  it("acts once for one request", async () => {
    const member = await trader(broker);
    const body = { requestId: newId(), contract: await contract(broker, member), side: "buy" as const, lots: 1, price: null };
    const [first, second] = await Promise.all([broker.call("tradeFutures", member, body), broker.call("tradeFutures", member, body)]);
    expect(second).toEqual(first);
    expect((await broker.call("listFuturesTrades", member, { cursor: null })).items).toHaveLength(1);
    await trade(broker, member, "sell", 1);
  });

  it("is refused by each rule in turn", async () => {
    const unsigned = await broker.newMember({ depositCents: 500_000_000 });
    expect(await refusalOf(trade(broker, unsigned, "buy", 1))).toMatchObject({ code: "ACC_AGREEMENT_UNSIGNED" });
    const member = await trader(broker, TX.initialCents);
    const code = await contract(broker, member);
    const refused = async (over: Parameters<typeof trade>[4], lots = 1) =>
      (await refusalOf(trade(broker, member, "buy", lots, { contract: code, ...over }))).code;
    expect(await refused({ contract: "TX-1999-01" })).toBe("GEN_NOT_FOUND");
    expect(await refused({ price: 20_000 })).toBe("TRD_CONTRACT_PRICE");
    expect(await refused({}, 101)).toBe("TRD_CONTRACT_LOTS");
    // The margin of one lot is there, but not its charges.
    expect(await refused({})).toBe("TRD_CONTRACT_MARGIN");
    broker.venue.setFresh(false);
    expect(await refused({})).toBe("TRD_PRICE_STALE");
    broker.venue.setFresh(true);
    broker.venue.setPhase("closingAuction");
    expect(await refused({})).toBe("TRD_NON_TRADING_HOURS");
    broker.venue.setPhase("open");
    index(broker, 22_001);
    expect(await refused({})).toBe("TRD_CONTRACT_NO_QUOTE");
    index(broker, 20_000);
    await broker.db.kysely.updateTable("trader").set({ max_order_cents: 1_000_000 }).where("member_id", "=", member).execute();
    expect(await refused({})).toBe("RSK_ORDER_MAX");
    expect((await broker.call("listFuturesPositions", member, { cursor: null })).items).toEqual([]);
  });

  it("closes without what opening needs", async () => {
    const member = await trader(broker);
    const { position: held } = await trade(broker, member, "buy", 1);
    await broker.db.kysely
      .updateTable("member")
      .set({ restrictions: ["tradeBarred"] })
      .where("id", "=", member)
      .execute();
    expect(await refusalOf(trade(broker, member, "buy", 1))).toMatchObject({ code: "ACC_TRADE_BARRED" });
    await trade(broker, member, "sell", 1);
    expect(await position(broker, member, held.positionNo)).toMatchObject({ status: "closed" });
  });
});

describe("the wallet", () => {
  it("keeps the initial margin, and gains that are not paid", async () => {
    const member = await trader(broker, 50_000_000);
    await trade(broker, member, "buy", 1);
    index(broker, 20_500);
    const { account } = await broker.call("readFutures", member, {});
    expect(account.equityCents).toBeGreaterThan(account.walletCents);
    expect(account.freeCents).toBe(account.walletCents - TX.initialCents);
    expect(await refusalOf(move(broker, member, "securities", account.freeCents + 1))).toMatchObject({ code: "FUND_FUTURES_MARGIN" });
    await move(broker, member, "securities", account.freeCents);
    expect(await wallet(broker, member)).toBe(TX.initialCents);
    await trade(broker, member, "sell", 1);
    await move(broker, member, "securities", await wallet(broker, member));
  });
});

describe("days", () => {
  it("settle gains and losses, together what was gained between the trades", async () => {
    const member = await trader(broker);
    const code = await contract(broker, member);
    const { trades, position: held } = await trade(broker, member, "buy", 1, { contract: code });
    const entry = trades[0]?.price ?? 0;
    const before = await wallet(broker, member);
    await nextDay(broker, 20_100);
    const marked = (await position(broker, member, held.positionNo)).markedPoints;
    expect(await wallet(broker, member)).toBe(before + (marked - entry) * 20_000);
    expect(marked).toBe(20_100);
    await nextDay(broker, 19_900);
    const { trades: closing } = await trade(broker, member, "sell", 1, { contract: code });
    const exit = closing[0]?.price ?? 0;
    expect(await wallet(broker, member)).toBe(before + (exit - entry) * 20_000 - costs(1, exit));
    expect((await position(broker, member, held.positionNo)).paidCents).toBe((exit - entry) * 20_000);
  });

  it("are settled before the index opens, while nothing trades", async () => {
    const member = await trader(broker);
    const { position: held } = await trade(broker, member, "buy", 1, { contract: await contract(broker, member, "TX", 1) });
    broker.venue.setPhase("preOpen");
    broker.venue.set(INDEX, { last: 0, reference: 20_080 });
    await nextDay(broker, 20_080, 0, 1, 0);
    expect(await position(broker, member, held.positionNo)).toMatchObject({
      markedPoints: 20_081,
      paidCents: 20_081 * 20_000 - held.costPoints * 20_000,
    });
    const { contracts, open } = await broker.call("readFutures", member, {});
    expect([open, contracts[0]?.bid, contracts.length]).toEqual([false, null, 18]);
    broker.venue.setPhase("open");
    index(broker, 20_080);
    await trade(broker, member, "sell", 1, { contract: held.code });
  });

  it("leave nobody richer or poorer by a dividend", async () => {
    const [long, short] = [await trader(broker), await trader(broker)];
    const code = await contract(broker, long, "TX", 3);
    await trade(broker, long, "buy", 1, { contract: code });
    await trade(broker, short, "sell", 1, { contract: code });
    await nextDay(broker, 20_000);
    const before = [await wallet(broker, long), await wallet(broker, short)];
    await nextDay(broker, 20_000, 300);
    await nextDay(broker, 19_700);
    // The basis may have moved by a point.
    for (const [nth, member] of [long, short].entries())
      expect(Math.abs((await wallet(broker, member)) - (before[nth] ?? 0))).toBeLessThanOrEqual(20_000);
    await trade(broker, long, "sell", 1, { contract: code });
    await trade(broker, short, "buy", 1, { contract: code });
  });

  it("that the server missed are settled each at its own close, and a call of one of them lasts until the end of the day it is back", async () => {
    const member = await trader(broker, TX.initialCents + 300_000);
    const code = await contract(broker, member, "TX", 2);
    const { position: held } = await trade(broker, member, "buy", 1, { contract: code });
    await nextDay(broker, 19_600);
    expect(await position(broker, member, held.positionNo)).toMatchObject({ status: "called" });
    const { available } = await readBalances(broker.db.kysely, member);
    const today = taipeiDay(broker.clock.now);
    const bar = (days: number, level: number) => {
      const close = level * 10_000;
      return { at: taipeiMidnight(today + days), open: close, high: close, low: close, close, volume: 1 };
    };
    broker.venue.setPastCalls([], { IX0001: [bar(-1, 30_000), bar(0, 19_500), bar(1, 18_000), bar(2, 19_650)] });
    const from = broker.published.length;
    await nextDay(broker, 19_650, 0, 3);
    const marked = broker.published.slice(from).flatMap(({ memberId, fact }) => {
      return memberId === member && fact.type === "futures.marked" ? [fact.position.markedPoints] : [];
    });
    // Each at the close of a day with the basis of that day.
    expect(marked.map((points) => Math.round(points / 50) * 50)).toEqual([19_500, 18_000, 19_650]);
    const { paidCents } = await position(broker, member, held.positionNo);
    expect(paidCents).toBe(((marked.at(-1) ?? 0) - held.costPoints) * 20_000);
    // What one of the days took beyond the wallet was paid by other money, and the next day paid it back into the wallet.
    const after = await readBalances(broker.db.kysely, member);
    expect(after).toMatchObject({ debt: 0 });
    expect(after.available).toBeLessThan(available);
    const [row] = await query<FuturesRecord>(broker.db.kysely, "SELECT * FROM futures_position WHERE position_no = $1", [held.positionNo]);
    if (row?.status === "called") expect(row.called_day).toBe(broker.venue.feeDay(broker.clock.now));
    await broker.tick();
    expect((await position(broker, member, held.positionNo)).status).not.toBe("liquidated");
    broker.venue.setPastCalls([], {});
    await trade(broker, member, "sell", 1, { contract: code });
  });

  it("end at expiry with the average of the last half hour", async () => {
    const member = await trader(broker);
    const code = await contract(broker, member);
    const { position: held, trades } = await trade(broker, member, "sell", 1, { contract: code });
    const before = await wallet(broker, member);
    const [row] = await query<FuturesRecord>(broker.db.kysely, "SELECT * FROM futures_position WHERE position_no = $1", [held.positionNo]);
    const closesAt = row?.expiry_closes_at ?? 0;
    const bar = (minutes: number, level: number) => {
      const price = level * 10_000;
      return { at: closesAt - minutes * MINUTE_MS, open: price, high: price, low: price, close: price, volume: 1 };
    };
    broker.venue.setPastCalls([], { IX0001: [bar(31, 50_000), bar(30, 19_000), bar(15, 19_500), bar(1, 19_801)] });
    const days = (row?.expiry_day ?? 0) - broker.venue.feeDay(broker.clock.now) + 1;
    await nextDay(broker, 20_000, 0, days);
    const ended = await position(broker, member, held.positionNo);
    const final = Math.round((19_000 + 19_500 + 19_801) / 3);
    expect(ended).toMatchObject({ status: "settled", lots: 0, paidCents: ((trades[0]?.price ?? 0) - final) * 20_000 });
    expect(await wallet(broker, member)).toBe(before + ended.paidCents - costs(1, final));
    expect((await broker.call("listMessages", member, { cursor: null })).items[0]).toMatchObject({
      notice: { about: "futuresSettled", values: { code, price: String(final) } },
    });
    broker.venue.setPastCalls([], {});
  });
});

describe("margin", () => {
  /** One lot with its initial margin and no more than its charges. */
  const tight = async () => {
    const member = await trader(broker, TX.initialCents + 300_000);
    const { position: held } = await trade(broker, member, "buy", 1);
    return { member, no: held.positionNo };
  };

  it("is called for below the maintenance margin, and restored by money", async () => {
    const { member, no } = await tight();
    await nextDay(broker, 19_600);
    expect(await position(broker, member, no)).toMatchObject({ status: "called" });
    const { account } = await broker.call("readFutures", member, {});
    expect(account).toMatchObject({ called: true, neededCents: account.initialCents - account.equityCents });
    await move(broker, member, "futures", account.neededCents);
    await broker.tick();
    expect(await position(broker, member, no)).toMatchObject({ status: "open" });
    await trade(broker, member, "sell", 1);
  });

  it("that is not restored within the day is closed at the market", async () => {
    const { member, no } = await tight();
    await nextDay(broker, 19_600);
    await broker.tick();
    expect(await position(broker, member, no)).toMatchObject({ status: "called" });
    await nextDay(broker, 19_600);
    await broker.tick();
    expect(await position(broker, member, no)).toMatchObject({ status: "liquidated", lots: 0 });
    expect((await broker.call("listFuturesTrades", member, { cursor: null })).items[0]).toMatchObject({ cause: "liquidation" });
  });

  it("is all closed at once where a quarter of the initial margin is left", async () => {
    const { member, no } = await tight();
    index(broker, 18_801);
    await broker.tick();
    expect(await position(broker, member, no)).toMatchObject({ status: "open" });
    index(broker, 18_780);
    await broker.tick();
    expect(await position(broker, member, no)).toMatchObject({ status: "liquidated" });
  });

  it("that nothing can be closed for is not tried at every look, but closed once there is a quote", async () => {
    const { member, no } = await tight();
    // A point above the lowest price of the day, where the market's bid would be below it.
    index(broker, 18_001);
    let batches = 0;
    const stop = broker.sequencer.onBatch(() => (batches += 1));
    for (let look = 0; look < 3; look += 1) await broker.tick();
    stop();
    expect(batches).toBe(0);
    expect(await position(broker, member, no)).toMatchObject({ status: "open" });
    index(broker, 18_500);
    await broker.tick();
    expect(await position(broker, member, no)).toMatchObject({ status: "liquidated" });
  });

  it("that a loss exceeds becomes a debt, which the member's other money pays", async () => {
    const { member, no } = await tight();
    await move(broker, member, "securities", (await broker.call("readFutures", member, {})).account.freeCents);
    const { available } = await readBalances(broker.db.kysely, member);
    // A gap over night, beyond any margin.
    await nextDay(broker, 18_000);
    await broker.tick();
    expect(await position(broker, member, no)).toMatchObject({ status: "liquidated" });
    const after = await readBalances(broker.db.kysely, member);
    expect(after).toMatchObject({ futures: 0, debt: 0 });
    expect(after.available).toBeLessThan(available);
    const poor = await trader(broker, TX.initialCents + 300_000, TX.initialCents + 300_000);
    index(broker, 20_000, 20_000);
    await trade(broker, poor, "buy", 1);
    await nextDay(broker, 18_000);
    await broker.tick();
    expect((await readBalances(broker.db.kysely, poor)).debt).toBeLessThan(0);
  });
});

it("does not trade where what the index loses to dividends is not known: a position would gain or lose it", async () => {
  const member = await trader(broker);
  const code = await contract(broker, member);
  index(broker, 20_000, 20_000);
  broker.venue.setExDividend(INDEX, null);
  await expect(trade(broker, member, "sell", 1, { contract: code })).rejects.toThrow("TRD_CONTRACT_NO_QUOTE");
  expect((await broker.call("readFutures", member, {})).contracts[0]).toMatchObject({ bid: null, ask: null });
  broker.venue.setExDividend(INDEX, 0);
  await trade(broker, member, "sell", 1, { contract: code });
});

it("lists three months in a row and three quarters, each until its last half hour", async () => {
  const member = await trader(broker);
  const { contracts } = await broker.call("readFutures", member, {});
  const months = (product: string) => contracts.filter((one) => one.product === product).map(({ month }) => month);
  expect(
    months("TX")
      .slice(0, 3)
      .map((month) => Number(month.slice(5))),
  ).toEqual(expect.arrayContaining([8, 9]));
  expect(
    months("TX")
      .slice(3)
      .every((month) => ["03", "06", "09", "12"].includes(month.slice(5))),
  ).toBe(true);
  expect([months("MTX"), months("TMF")]).toEqual([months("TX"), months("TX")]);
});
