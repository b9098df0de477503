/** Tests the wallets: transfers, balances in every currency, and the ledger lines behind each of them. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Answer, Body } from "#contract/endpoints.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { BROKER_SIDES, POCKETS } from "#contract/wallet.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { BROKER_POCKETS, MEMBER_POCKETS } from "#server/ledger/pocket.ts";
import { refusalOf } from "#tests/support/trading.ts";
import { openCurrencyBroker } from "./fixture.ts";
import type { CurrencyBroker } from "./fixture.ts";

const DEPOSIT = 1_000_000_000;
let broker: CurrencyBroker;
let member: number;
beforeAll(async () => {
  broker = await openCurrencyBroker();
});
beforeEach(async () => {
  member = await broker.newMember();
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const move = (over: Partial<Body<"transferFunds">> = {}): Promise<Answer<"transferFunds">> =>
  broker.call("transferFunds", member, {
    requestId: RequestId.parse(randomUUID()),
    currency: "TWD",
    from: "securities",
    to: "futures",
    amount: 100_000,
    ...over,
  });
const buyUsd = async (amount: number): Promise<void> => {
  const quote = await broker.call("quoteConversion", member, { from: "TWD", to: "USD", side: "buy", amount });
  await broker.call("acceptConversion", member, { requestId: RequestId.parse(randomUUID()), quoteId: quote.quoteId });
};
const pocketsOf = async (currency: string): Promise<Record<string, number>> => {
  const { balances } = await broker.call("readWallets", member, {});
  const found = balances.find((one) => one.currency === currency);
  return Object.fromEntries(found?.pockets.map(({ pocket, balanceCents }) => [pocket, balanceCents]) ?? []);
};
const lines = (pocket: (typeof POCKETS)[number], currency: "TWD" | "USD", cursor: string | null = null) =>
  broker.call("listPocketEntries", member, { pocket, currency, cursor });

describe("a transfer", () => {
  it("moves money between wallets of one currency, once", async () => {
    const requestId = RequestId.parse(randomUUID());
    const answer = await move({ requestId });
    expect(answer).toMatchObject({ amountCents: 100_000, fromCents: DEPOSIT - 100_000, toCents: 100_000 });
    expect(await move({ requestId })).toEqual(answer);
    expect(await pocketsOf("TWD")).toMatchObject({ available: DEPOSIT - 100_000, futures: 100_000, profit: 0 });
    await move({ from: "futures", to: "profit", amount: 40_000 });
    await move({ from: "profit", to: "securities", amount: 40_000 });
    expect(await pocketsOf("TWD")).toMatchObject({ available: DEPOSIT - 60_000, futures: 60_000, profit: 0 });
    expect(broker.published.at(-1)?.fact).toMatchObject({ type: "wallet.changed", kind: "transfer", currencies: ["TWD"] });
  });

  it("of another currency too, and never more than is there", async () => {
    await buyUsd(5_000);
    await move({ currency: "USD", amount: 5_000 });
    expect(await pocketsOf("USD")).toMatchObject({ available: 0, futures: 5_000 });
    expect(await refusalOf(move({ currency: "USD", amount: 1 }))).toEqual({
      code: "FUND_TRANSFER_INSUFFICIENT",
      params: {},
      field: "amount",
    });
    expect(await refusalOf(move({ amount: DEPOSIT }))).toMatchObject({ code: "FUND_TRANSFER_INSUFFICIENT" });
    expect(await refusalOf(move({ to: "securities" }))).toMatchObject({ code: "GEN_PARAM_ERROR", field: "to" });
  });

  it("needs a verified identity", async () => {
    member = await broker.newMember({ identity: "unverified" });
    expect(await refusalOf(move())).toMatchObject({ code: "ACC_REALNAME_REQUIRED" });
  });

  it("by two devices at once takes the same money once", async () => {
    const both = await Promise.allSettled([move({ amount: 600_000_000 }), move({ amount: 600_000_000 })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await pocketsOf("TWD")).toMatchObject({ available: DEPOSIT - 600_000_000, futures: 600_000_000 });
  });
});

describe("the wallets", () => {
  it("are listed in every currency, with their value in TWD where there is a price", async () => {
    await buyUsd(10_000);
    const { balances } = await broker.call("readWallets", member, {});
    expect(balances.map(({ currency }) => currency)).toEqual(["TWD", "USD", "CNY", "HKD", "THB", "JPY", "VND", "MYR", "KRW"]);
    expect(balances.find(({ currency }) => currency === "USD")).toMatchObject({
      totalCents: 10_000,
      homeCents: 315_000,
      midTenMillionths: 315_000_000,
    });
    expect(balances.find(({ currency }) => currency === "JPY")).toMatchObject({ totalCents: 0, midTenMillionths: 2_050_000 });
    expect(balances.find(({ currency }) => currency === "HKD")).toMatchObject({ totalCents: 0, homeCents: null, midTenMillionths: null });
  });

  it("add up to the overview, whatever pockets they lie in", async () => {
    broker.venue.set(0, { bids: [[100, 400]], asks: [[100, 400]], last: 100, reference: 100 });
    await buyUsd(10_000);
    await move({ currency: "USD", amount: 1_000 });
    await move({ to: "profit" });
    await broker.place(member, { lots: 1, price: 90 });
    const { balances } = await broker.call("readWallets", member, {});
    const { totalCents } = await broker.call("readMember", member, {});
    expect(balances.reduce((sum, { homeCents }) => sum + (homeCents ?? 0), 0)).toBe(totalCents);
    expect(await pocketsOf("TWD")).toMatchObject({ held: 9_012_800 });
  });
});

describe("every balance", () => {
  it("can be followed to its ledger lines: newest first, each with the balance after it, paged without a gap", async () => {
    for (let n = 1; n <= 60; n += 1) await move({ amount: n });
    const first = await lines("futures", "TWD");
    const second = await lines("futures", "TWD", first.next);
    const all = [...first.items, ...second.items];
    expect([first.items.length, second.items.length, second.next]).toEqual([50, 10, null]);
    expect(all.map(({ amountCents }) => amountCents)).toEqual(Array.from({ length: 60 }, (_, n) => 60 - n));
    all.forEach(({ balanceCents, amountCents }, n) => expect(balanceCents - amountCents).toBe(all[n + 1]?.balanceCents ?? 0));
    expect(all[0]?.balanceCents).toBe((await pocketsOf("TWD"))["futures"]);
  });

  it("of a pocket that does not exist yet has none, and a foreign cursor is refused", async () => {
    expect(await lines("available", "USD")).toEqual({ items: [], next: null });
    expect(await refusalOf(lines("available", "TWD", "F1.1"))).toMatchObject({ code: "GEN_PARAM_ERROR", field: "cursor" });
    expect(await refusalOf(lines("available", "TWD", "F000000000001.x"))).toMatchObject({ code: "GEN_PARAM_ERROR", field: "cursor" });
  });
});

describe("every movement", () => {
  it("can be followed to all its lines, which sum to zero in each currency", async () => {
    await buyUsd(10_000);
    const { items } = await broker.call("listFlows", member, { kinds: ["conversion"], from: null, until: null, cursor: null });
    const flow = await broker.call("readFlow", member, { flowNo: items[0]?.flowNo ?? "" });
    expect(flow.lines.map(({ currency, pocket, broker: side, balanceCents }) => [currency, pocket ?? side, balanceCents])).toEqual([
      ["TWD", "available", DEPOSIT - 315_948],
      ["TWD", "conversion", null],
      ["USD", "conversion", null],
      ["USD", "available", 10_000],
    ]);
    for (const currency of ["TWD", "USD"])
      expect(flow.lines.filter((line) => line.currency === currency).reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(0);
  });

  it("is its member's alone", async () => {
    await buyUsd(100);
    const { items } = await broker.call("listFlows", member, { kinds: null, from: null, until: null, cursor: null });
    const other = await broker.newMember();
    for (const { flowNo } of items)
      expect(await refusalOf(broker.call("readFlow", other, { flowNo }))).toMatchObject({ code: "GEN_NOT_FOUND" });
    expect(await refusalOf(broker.call("readFlow", member, { flowNo: "F999999999999" }))).toMatchObject({ code: "GEN_NOT_FOUND" });
  });
});

it("the contract names the pockets as the ledger does", () => {
  expect([...POCKETS].toSorted()).toEqual([...MEMBER_POCKETS].toSorted());
  expect([...BROKER_SIDES].toSorted()).toEqual([...BROKER_POCKETS].toSorted());
});
