/** Tests combined margins on a real broker: hedged sellers need less, nobody closes what another position needs, and a debt closes pairs together. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { exerciseCostOf, OPTION_MULTIPLIER, premiumWorth } from "#contract/option-terms.ts";
import { query } from "#server/db/database.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { calmMarket, contract, expectCleanBooks, index, move, trade, wallet } from "#tests/server/futures/fixture.ts";
import { signByHand } from "#tests/support/signature.ts";
import { OPTION_RULE } from "#tests/support/option-rule.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { closeOption, expire, openOption, optionPosition, optionTrader, OWED, readOptions, series } from "./fixture.ts";

const POINT = OPTION_MULTIPLIER * 100;

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => calmMarket(broker));
afterEach(() => expectCleanBooks(broker));
afterAll(() => broker.shut());

/** Leaves so much of what is free in the futures wallet. */
async function keep(member: number, cents: number): Promise<void> {
  const { account } = await readOptions(broker, member);
  await move(broker, member, "securities", account.freeCents - cents);
}

/** Charges a member more than the securities wallet has. */
const charge = (member: number, beyondCents: number): Promise<void> =>
  broker.sequencer.submit({
    memberIds: [member],
    decide: (batch) => {
      const amount = batch.ledger.balance(member, "available") + beyondCents;
      batch.ledger.settle({ memberId: member, kind: "interest", orderNo: null, moves: [] }, [{ to: "interest", amount }]);
      batch.emit(member, { type: "wallet.changed", kind: "transfer", currencies: ["TWD"] });
    },
  });

/** A sold call with a bought one five strikes above it. */
async function spread(member: number) {
  const [near, far] = [await series(broker, member, "call", 0), await series(broker, member, "call", 5)];
  const bought = await openOption(broker, member, far.code, "buy", 1);
  const quoted = await broker.call("quoteOption", member, { series: near.code, side: "sell", lots: 1 });
  const sold = await openOption(broker, member, near.code, "sell", 1);
  const apart = (far.strike - near.strike) * POINT;
  return { bought, sold, quoted, apart, needed: apart + 2 * exerciseCostOf(2 * far.strike, OPTION_RULE) };
}

describe("a spread", () => {
  it("needs what its strikes are apart and its expiry is charged, which is told before, and by position after", async () => {
    const member = await optionTrader(broker);
    const { quoted, bought, sold, apart, needed } = await spread(member);
    expect(quoted).toMatchObject({ marginCents: needed, marginAfterCents: needed, lackingCents: 0 });
    const { account, held } = await readOptions(broker, member);
    expect(account).toMatchObject({ initialCents: needed, maintenanceCents: apart });
    expect(Object.fromEntries(held.map(({ position, marginCents }) => [position.positionNo, marginCents]))).toEqual({
      [bought.position.positionNo]: 0,
      [sold.position.positionNo]: needed,
    });
    expect(account.freeCents).toBe(account.walletCents - needed);
  });

  it("can be opened with what would not do for the sold option alone", async () => {
    const member = await optionTrader(broker, 5_000_000);
    const { code } = await series(broker, member, "call", 0);
    expect(await refusalOf(openOption(broker, member, code, "sell", 1))).toMatchObject({ code: "TRD_CONTRACT_MARGIN", field: "lots" });
    await spread(member);
  });

  it("keeps its bought option while the margin of the sold one alone is lacking, and says so before", async () => {
    const member = await optionTrader(broker);
    const { bought, sold } = await spread(member);
    await keep(member, 100_000);
    const { positionNo } = bought.position;
    const told = await broker.call("quoteCloseOption", member, { positionNo, lots: 1 });
    expect(told.marginCents).toBeGreaterThan(0);
    expect(told.lackingCents).toBeGreaterThan(0);
    const before = await wallet(broker, member);
    expect(await refusalOf(closeOption(broker, member, positionNo, 1))).toMatchObject({ code: "TRD_CONTRACT_MARGIN", field: "lots" });
    expect(await wallet(broker, member)).toBe(before);
    // The sold one first, however little money there is: it frees margin.
    const first = await broker.call("quoteCloseOption", member, { positionNo: sold.position.positionNo, lots: 1 });
    expect(first).toMatchObject({ lackingCents: 0, marginAfterCents: 0 });
    await closeOption(broker, member, sold.position.positionNo, 1);
    await closeOption(broker, member, positionNo, 1);
    expect((await readOptions(broker, member)).account.initialCents).toBe(0);
  });

  it("lets the bought option go once the margin is there, by exactly what was lacking", async () => {
    const member = await optionTrader(broker);
    const { bought } = await spread(member);
    await keep(member, 0);
    const body = { positionNo: bought.position.positionNo, lots: 1 };
    const { lackingCents, marginAfterCents } = await broker.call("quoteCloseOption", member, body);
    await move(broker, member, "futures", lackingCents - 1);
    expect(await refusalOf(closeOption(broker, member, body.positionNo, 1))).toMatchObject({ code: "TRD_CONTRACT_MARGIN" });
    await move(broker, member, "futures", 1);
    await closeOption(broker, member, body.positionNo, 1);
    expect((await readOptions(broker, member)).account).toMatchObject({ initialCents: marginAfterCents, freeCents: 0 });
  });

  it.each([
    ["call", 5, 20_500],
    ["call", 5, 21_500],
    ["call", 1, 23_500],
    ["put", -5, 19_500],
    ["put", -5, 19_499],
    ["put", -1, 17_000],
  ] as const)("of %ss %i strikes apart with just its margin owes nothing for its expiry at %i", async (right, above, final) => {
    const member = await optionTrader(broker);
    const [near, far] = [await series(broker, member, right, 0), await series(broker, member, right, above)];
    await openOption(broker, member, far.code, "buy", 2);
    const { position: sold } = await openOption(broker, member, near.code, "sell", 2);
    await keep(member, 0);
    expect(await wallet(broker, member)).toBe((await readOptions(broker, member)).account.initialCents);
    await expire(broker, sold.positionNo, final);
    expect(await optionPosition(broker, member, sold.positionNo)).toMatchObject({ status: "settled" });
    expect(await wallet(broker, member)).toBeGreaterThanOrEqual(0);
    // Not for a moment either: what was bought pays first.
    expect(await query(broker.db.kysely, OWED, [member])).toEqual([]);
    expect(await readBalances(broker.db.kysely, member)).toMatchObject({ debt: 0 });
  });

  it("is closed whole for a debt, where closing either alone would free nothing", async () => {
    const member = await optionTrader(broker);
    const { bought, sold } = await spread(member);
    await keep(member, 0);
    index(broker, 21_400);
    await broker.tick();
    await charge(member, 50_000);
    await broker.tick();
    await broker.tick();
    for (const { position } of [bought, sold])
      expect(await optionPosition(broker, member, position.positionNo)).toMatchObject({ status: "liquidated" });
    expect(await readBalances(broker.db.kysely, member)).toMatchObject({ debt: 0 });
  });
});

describe("other pairs", () => {
  it("a call and a put sold need the margin of one, the other premium and C", async () => {
    const member = await optionTrader(broker);
    const [call, put] = [await series(broker, member, "call", 0), await series(broker, member, "put", 0)];
    await openOption(broker, member, call.code, "sell", 2);
    const { account: first } = await readOptions(broker, member);
    const told = await broker.call("quoteOption", member, { series: put.code, side: "sell", lots: 2 });
    await openOption(broker, member, put.code, "sell", 2);
    const { account } = await readOptions(broker, member);
    const [small, large] = [call.mark ?? 0, put.mark ?? 0].toSorted((a, b) => a - b);
    const alone = premiumWorth(large ?? 0, 2) + 2 * OPTION_RULE.initialACents;
    expect(account.initialCents).toBe(alone + premiumWorth(small ?? 0, 2) + 2 * OPTION_RULE.initialCCents);
    expect(told).toMatchObject({ marginAfterCents: account.initialCents, marginCents: account.initialCents - first.initialCents });
  });

  it("a future covers a call of its month, and stays while the call alone lacks margin", async () => {
    const member = await optionTrader(broker);
    await signByHand(broker, member, "futures");
    const { month } = await readOptions(broker, member);
    const named = await contract(broker, member, "MTX");
    expect(named).toBe(`MTX-${month}`);
    await trade(broker, member, "buy", 1, { contract: named });
    const future = (await readOptions(broker, member)).account.initialCents;
    const { code, mark } = await series(broker, member, "call", 0);
    await openOption(broker, member, code, "sell", 1);
    expect((await readOptions(broker, member)).account.initialCents).toBe(future + premiumWorth(mark ?? 0));
    await keep(member, 0);
    const told = await broker.call("quoteFutures", member, { contract: named, side: "sell", lots: 1 });
    const alone = premiumWorth(mark ?? 0) + OPTION_RULE.initialACents;
    expect(told).toMatchObject({ marginAfterCents: alone, marginCents: OPTION_RULE.initialACents - future });
    expect(await refusalOf(trade(broker, member, "sell", 1, { contract: named }))).toMatchObject({
      code: "TRD_CONTRACT_MARGIN",
      field: "lots",
    });
    await move(broker, member, "futures", told.lackingCents);
    await trade(broker, member, "sell", 1, { contract: named });
    expect((await readOptions(broker, member)).account).toMatchObject({ initialCents: alone, equityCents: alone });
    // A micro future covers nothing.
    const other = await optionTrader(broker);
    await signByHand(broker, other, "futures");
    await trade(broker, other, "buy", 5, { contract: await contract(broker, other, "TMF") });
    const told2 = await broker.call("quoteOption", other, { series: code, side: "sell", lots: 1 });
    expect(told2.marginCents).toBe(alone);
  });

  it("what is quoted of a position of another member, or of none, is not found", async () => {
    const [member, other] = [await optionTrader(broker), await optionTrader(broker)];
    const { bought } = await spread(member);
    const body = { positionNo: bought.position.positionNo, lots: 1 };
    expect(await refusalOf(broker.call("quoteCloseOption", other, body))).toMatchObject({ code: "GEN_NOT_FOUND", field: "positionNo" });
    expect(await refusalOf(broker.call("quoteFutures", member, { contract: "TX-1999-01", side: "buy", lots: 1 }))).toMatchObject({
      code: "GEN_NOT_FOUND",
    });
  });
});
