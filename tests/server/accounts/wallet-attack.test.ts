/** Tests that conversions and transfers give nobody money they do not have: round trips, debts, orders, limits, numbers at the edge. */
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Answer, Body } from "#contract/endpoints.ts";
import { conversionEndpoints } from "#contract/conversion.ts";
import { walletEndpoints } from "#contract/wallet.ts";
import type { Currency } from "#contract/kernel/currency.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { valueAccounts } from "#server/trading/clearing/account-value.ts";
import { refusalOf } from "#tests/support/trading.ts";
import { openCurrencyBroker } from "./fixture.ts";
import type { CurrencyBroker } from "./fixture.ts";

let broker: CurrencyBroker;
let member: number;
beforeEach(async () => {
  broker = await openCurrencyBroker();
  broker.venue.set(0, { bids: [[100, 900]], asks: [[100, 900]], last: 100, reference: 100 });
  member = await broker.newMember({ depositCents: 20_000_000 });
});
afterEach(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const id = () => RequestId.parse(randomUUID());
const ask = (over: Partial<Body<"quoteConversion">>): Promise<Answer<"quoteConversion">> =>
  broker.call("quoteConversion", member, { from: "TWD", to: "USD", side: "sell", amount: 1_000_000, ...over });
async function convert(over: Partial<Body<"quoteConversion">>): Promise<Answer<"acceptConversion">> {
  const { quoteId } = await ask(over);
  return broker.call("acceptConversion", member, { requestId: id(), quoteId });
}
const transfer = (over: Partial<Body<"transferFunds">>): Promise<Answer<"transferFunds">> =>
  broker.call("transferFunds", member, { requestId: id(), currency: "TWD", from: "securities", to: "futures", amount: 1_000_000, ...over });
const has = async (currency: Currency = "TWD") => readBalances(broker.db.kysely, member, currency);
async function worth(): Promise<number> {
  const [account] = await valueAccounts(broker.db.kysely, broker.venue, member, broker.clock.now);
  return account?.totalCents ?? 0;
}

describe("a round trip", () => {
  it("costs money, however small the parts and whichever currencies it passes", async () => {
    const before = (await has()).available;
    for (const side of ["sell", "buy"] as const) {
      for (const amount of [1, 3, 31, 33, 1_000, 999_999]) {
        const there = await convert({ from: "TWD", to: "JPY", side, amount }).catch(() => null);
        if (there) await convert({ from: "JPY", to: "TWD", side: "sell", amount: there.toCents }).catch(() => null);
      }
    }
    for (const [from, to] of [
      ["TWD", "USD"],
      ["USD", "JPY"],
      ["JPY", "VND"],
      ["VND", "KRW"],
      ["KRW", "TWD"],
    ] as const) {
      const amount = from === "TWD" ? 1_000_000 : (await has(from)).available;
      await convert({ from, to, side: "sell", amount });
    }
    expect((await has()).available).toBeLessThan(before);
    // At unchanged mid rates the account loses the spread and the roundings, never gains.
    expect(await worth()).toBeLessThan(before);
  });
});

describe("money in another currency or wallet", () => {
  it("buys nothing: orders and shorts need TWD in the securities wallet", async () => {
    await convert({ amount: 8_000_000 });
    await transfer({ amount: 8_000_000 });
    expect(await refusalOf(broker.place(member, { lots: 1 }))).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT" });
    expect(await refusalOf(broker.place(member, { lots: 1, direction: "fall" }))).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT" });
    await transfer({ from: "futures", to: "securities", amount: 8_000_000 });
    expect(await broker.place(member, { lots: 1 })).toMatchObject({ status: "holding" });
  });

  it("that is held for an order can be neither transferred nor converted", async () => {
    broker.venue.set(0, { bids: [[98, 900]], asks: [[102, 900]] });
    const resting = await broker.place(member, { lots: 1, price: 99 });
    expect(resting.status).toBe("pending");
    const { available } = await has();
    expect(await refusalOf(transfer({ amount: available + 1 }))).toMatchObject({ code: "FUND_TRANSFER_INSUFFICIENT" });
    expect(await refusalOf(ask({ amount: available + 1 }))).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT" });
    // Everything goes out at once with an order that needs it: one of them is refused.
    const quote = await ask({ amount: available });
    const acts = [
      broker.call("acceptConversion", member, { requestId: id(), quoteId: quote.quoteId }),
      transfer({ amount: available }),
      broker.place(member, { lots: 1, price: 99 }),
    ];
    expect((await Promise.allSettled(acts)).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  });

  it("pays a debt wherever it was moved to", async () => {
    await convert({ amount: 4_000_000 });
    await transfer({ amount: 4_000_000 });
    await broker.place(member, { direction: "fall", lots: 1 });
    const { available } = await has();
    await transfer({ to: "profit", amount: available });
    const sold = (await ask({ from: "USD", to: "TWD", amount: (await has("USD")).available })).toCents;
    expect(sold).toBeGreaterThan(3_900_000);
    broker.venue.set(0, { bids: [[300, 900]], asks: [[300, 900]], last: 300, reference: 300 });
    await broker.settled();
    const { items } = await broker.call("listMessages", member, { cursor: null });
    const debts = items.flatMap((message) => (message.kind === "debt" ? [message.debt] : []));
    // The whole loss and its costs beyond the short's own collateral, less what each of the three places had.
    const incurredCents = 11_042_700;
    const owedCents = incurredCents - available - 4_000_000 - sold;
    expect(owedCents).toBeGreaterThan(0);
    expect(debts).toEqual([{ incurredCents, cancelled: [], owedCents }]);
    expect(await has()).toMatchObject({ available: 0, profit: 0, futures: 0, held: 0, collateral: 0, debt: -owedCents });
    expect((await has("USD")).available).toBe(0);
    const repaid = await sql<{ cents: string }>`SELECT sum(amount) AS cents FROM entry JOIN pocket ON pocket.id = pocket_id
      JOIN ledger_tx ON ledger_tx.id = tx_id WHERE pocket.member_id = ${member} AND pocket.kind = 'debt' AND ledger_tx.kind = 'repay'`.execute(
      broker.db.kysely,
    );
    expect(Number(repaid.rows[0]?.cents)).toBe(incurredCents - owedCents);
  });
});

describe("amounts at the edge", () => {
  it("are refused by the form: negative, none, parts of a cent, unsafe", () => {
    const quote = { from: "TWD", to: "USD", side: "sell" };
    const move = { requestId: randomUUID(), currency: "TWD", from: "securities", to: "futures" };
    for (const amount of [0, -1, 1.5, 2 ** 53, 1e300, Number.NaN, Number.POSITIVE_INFINITY, "5", null]) {
      expect(conversionEndpoints.quoteConversion.body.safeParse({ ...quote, amount }).success).toBe(false);
      expect(walletEndpoints.transferFunds.body.safeParse({ ...move, amount }).success).toBe(false);
    }
  });

  it("are refused where nobody has so much, in every pair", async () => {
    const priced = ["TWD", "USD", "JPY", "CNY", "VND", "KRW"] as const;
    const refused = new Set<string>();
    for (const from of priced) {
      for (const to of priced.filter((one) => one !== from)) {
        for (const side of ["sell", "buy"] as const) {
          broker.clock.now += 1_000;
          refused.add((await refusalOf(ask({ from, to, side, amount: 10_000_000_000_000 }))).code);
        }
      }
    }
    expect([...refused].toSorted()).toEqual(["FUND_BALANCE_INSUFFICIENT", "VAL_AMOUNT_EMPTY"]);
  });

  it("of a transfer to the same wallet is refused", async () => {
    expect(await refusalOf(transfer({ to: "securities" }))).toMatchObject({ code: "GEN_PARAM_ERROR", field: "to" });
  });
});

describe("a replay", () => {
  it("of a transfer with another amount, or of a conversion with another quote, is refused", async () => {
    const requestId = id();
    await transfer({ requestId });
    expect(await refusalOf(transfer({ requestId, amount: 2_000_000 }))).toMatchObject({ code: "GEN_REQUEST_REUSED" });
    const accepting = id();
    const first = await ask({});
    await broker.call("acceptConversion", member, { requestId: accepting, quoteId: first.quoteId });
    const second = await ask({});
    const reused = { requestId: accepting, quoteId: second.quoteId };
    expect(await refusalOf(broker.call("acceptConversion", member, reused))).toMatchObject({ code: "GEN_REQUEST_REUSED" });
    expect((await has()).futures).toBe(1_000_000);
  });
});
