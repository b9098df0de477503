/** Tests that a member can reconcile futures and options with the ledger: every movement names its series, the wallet after it, and in its lines premium, fee and tax. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CashEntry } from "#contract/cash-ledger.ts";
import { premiumWorth } from "#contract/option-terms.ts";
import { formatPremium } from "#contract/premium.ts";
import { calmMarket, contract, expectCleanBooks, nextDay, position, trade, wallet } from "#tests/server/futures/fixture.ts";
import { signByHand } from "#tests/support/signature.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { closeOption, expire, openOption, optionPosition, optionTrader, series } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
  calmMarket(broker);
});
afterAll(() => broker.shut());

const flowsOf = async (member: number, kinds: CashEntry["kind"][] | null = null): Promise<CashEntry[]> =>
  (await broker.call("listFlows", member, { kinds, from: null, until: null, cursor: null })).items;

it("every premium, fee, tax, marking and settlement is told with its series", async () => {
  const member = await optionTrader(broker);
  await signByHand(broker, member, "futures");
  const transfers = await flowsOf(member, ["transfer"]);
  expect(transfers).toMatchObject([{ series: null, futuresWalletCents: 100_000_000 }]);
  const future = await contract(broker, member, "TX", 1);
  const [call, put] = [await series(broker, member, "call", 2), await series(broker, member, "put", -3)];
  const { position: held } = await trade(broker, member, "buy", 1, { contract: future });
  const { position: bought } = await openOption(broker, member, call.code, "buy", 3);
  const { position: sold, trade: sale } = await openOption(broker, member, put.code, "sell", 1);
  // Premium, fee and tax are lines of the movement.
  const [newest] = await flowsOf(member, ["optionTrade"]);
  const movement = await broker.call("readFlow", member, { flowNo: newest?.flowNo ?? "" });
  expect(movement).toMatchObject({ series: put.code, kind: "optionTrade" });
  const line = (broker: string) => movement.lines.find((one) => one.broker === broker)?.amountCents;
  expect([line("optionsClearing"), line("fees"), line("tax")]).toEqual([0 - premiumWorth(sale.price), sale.feeCents, sale.taxCents]);
  await closeOption(broker, member, bought.positionNo, 1);
  await nextDay(broker, 20_300);
  await trade(broker, member, "sell", 1, { contract: future });
  await expire(broker, sold.positionNo, 20_450);
  const flows = await flowsOf(member, ["optionTrade", "futuresTrade", "futuresMark"]);
  expect(flows.every(({ series: of, futuresWalletCents }) => of !== null && futuresWalletCents !== null)).toBe(true);
  expect(flows[0]?.futuresWalletCents).toBe(await wallet(broker, member));
  const sum = (code: string): number =>
    flows.filter(({ series: of }) => of === code).reduce((all, { amountCents }) => all + amountCents, 0);
  for (const [code, one] of [
    [future, await position(broker, member, held.positionNo)],
    [call.code, await optionPosition(broker, member, bought.positionNo)],
    [put.code, await optionPosition(broker, member, sold.positionNo)],
  ] as const)
    expect([code, sum(code)]).toEqual([code, one.paidCents - one.feeCents - one.taxCents]);
  // The lines of the wallet name it too.
  const { items } = await broker.call("listPocketEntries", member, { currency: "TWD", pocket: "futures", cursor: null });
  expect(new Set(items.map(({ series: of }) => of))).toEqual(new Set([null, future, call.code, put.code]));
  await expectCleanBooks(broker);
});

it("every trade is told in the inbox, once an order, and counts as unread", async () => {
  const member = await optionTrader(broker);
  await signByHand(broker, member, "futures");
  const inbox = async () =>
    (await broker.call("listMessages", member, { cursor: null })).items.flatMap(({ notice, read }) =>
      notice ? [{ ...notice, read }] : [],
    );
  const before = (await broker.call("readMember", member, {})).unread;
  const { code } = await series(broker, member, "call", 0, 2);
  const { trade: bought, position: held } = await openOption(broker, member, code, "buy", 2);
  const { trade: sold } = await closeOption(broker, member, held.positionNo, 1);
  const future = await contract(broker, member, "TMF", 2);
  await trade(broker, member, "buy", 1, { contract: future });
  // It closes one lot and opens two: one order, one message.
  const { trades } = await trade(broker, member, "sell", 3, { contract: future });
  expect(trades).toHaveLength(2);
  const told = { read: false };
  expect((await inbox()).slice(0, 4)).toMatchObject([
    { ...told, about: "futuresSold", values: { code: future, lots: "3" } },
    { ...told, about: "futuresBought", values: { code: future, lots: "1" } },
    { ...told, about: "optionSold", values: { code, lots: "1", price: formatPremium(sold.price) } },
    { ...told, about: "optionBought", values: { code, lots: "2", price: formatPremium(bought.price) } },
  ]);
  expect((await broker.call("readMember", member, {})).unread).toBe(before + 4);
  // What was refused is not told.
  await refusalOf(openOption(broker, member, code, "buy", 10_000));
  expect((await broker.call("readMember", member, {})).unread).toBe(before + 4);
  await expectCleanBooks(broker);
});
