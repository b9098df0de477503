/** Tests conversions on the broker: quotes and their life, refusals at their fields, the ledger, limits, and races with orders. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Answer, Body } from "#contract/endpoints.ts";
import type { Currency } from "#contract/kernel/currency.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { refusalOf } from "#tests/support/trading.ts";
import { openCurrencyBroker } from "./fixture.ts";
import type { CurrencyBroker } from "./fixture.ts";

const DEPOSIT = 1_000_000_000;
const START = Date.UTC(2026, 6, 1, 2, 0, 0);
let broker: CurrencyBroker;
let member: number;
beforeAll(async () => {
  broker = await openCurrencyBroker();
});
beforeEach(async () => {
  broker.clock.now = START;
  broker.quote("USD", 31.5);
  member = await broker.newMember();
});
afterEach(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
});
afterAll(() => broker.shut());

type Quote = Answer<"quoteConversion">;
const ask = (over: Partial<Body<"quoteConversion">> = {}, id = member): Promise<Quote> =>
  broker.call("quoteConversion", id, { from: "TWD", to: "USD", side: "sell", amount: 3_150_000, ...over });
const accept = (quote: Pick<Quote, "quoteId">, requestId: string = randomUUID(), id = member): Promise<Answer<"acceptConversion">> =>
  broker.call("acceptConversion", id, { requestId: RequestId.parse(requestId), quoteId: quote.quoteId });
const has = async (currency: Currency, id = member): Promise<number> => (await readBalances(broker.db.kysely, id, currency)).available;

describe("a quote", () => {
  it("is the mid rate less the spread of the rule, locked for fifteen seconds", async () => {
    const quote = await ask();
    expect(quote).toMatchObject({
      from: "TWD",
      to: "USD",
      fromCents: 3_150_000,
      toCents: 99_700,
      spreadPerMillion: 3_000,
      rounding: "0.000000",
      rate: { base: "USD", counter: "TWD", mid: "31.5000", rate: "31.5947" },
      quotedAt: START,
      expiresAt: START + 15_000,
    });
    expect(await ask({ from: "TWD", to: "JPY", side: "buy", amount: 100_000 })).toMatchObject({ toCents: 100_000, fromCents: 20_562 });
  });

  it("moves no money, and is exchanged exactly as quoted when it is accepted", async () => {
    const quote = await ask();
    expect([await has("TWD"), await has("USD")]).toEqual([DEPOSIT, 0]);
    broker.clock.now += 15_000;
    expect(await accept(quote)).toEqual({
      conversionId: quote.quoteId,
      from: "TWD",
      to: "USD",
      fromCents: quote.fromCents,
      toCents: quote.toCents,
      rate: quote.rate,
      at: broker.clock.now,
    });
    expect([await has("TWD"), await has("USD")]).toEqual([DEPOSIT - quote.fromCents, quote.toCents]);
    expect(broker.published.at(-1)).toMatchObject({
      memberId: member,
      fact: { type: "wallet.changed", kind: "conversion", currencies: ["TWD", "USD"] },
    });
  });

  it("expires, and is replaced by the next one: a member has one", async () => {
    const first = await ask();
    const second = await ask({ amount: 6_300_000 });
    expect(await refusalOf(accept(first))).toMatchObject({ code: "CUR_QUOTE_EXPIRED" });
    broker.clock.now += 15_001;
    expect(await refusalOf(accept(second))).toMatchObject({ code: "CUR_QUOTE_EXPIRED" });
    const rows = await query(broker.db.kysely, "SELECT id FROM conversion_quote WHERE member_id = $1", [member]);
    expect(rows).toEqual([{ id: second.quoteId }]);
    expect(await has("USD")).toBe(0);
  });

  it("belongs to its member", async () => {
    const other = await broker.newMember();
    const quote = await ask();
    expect(await refusalOf(accept(quote, randomUUID(), other))).toMatchObject({ code: "CUR_QUOTE_EXPIRED" });
  });

  it("is accepted once: the same request gets the same answer, another is refused", async () => {
    const quote = await ask();
    const requestId = randomUUID();
    const [one, same] = await Promise.all([accept(quote, requestId), accept(quote, requestId)]);
    expect(same).toEqual(one);
    broker.clock.now += 60_000;
    expect(await accept(quote, requestId)).toEqual(one);
    expect(await refusalOf(accept(quote))).toMatchObject({ code: "CUR_QUOTE_USED" });
    expect(await has("USD")).toBe(quote.toCents);
  });

  it("accepted by two devices at once is exchanged once", async () => {
    const quote = await ask();
    const both = await Promise.allSettled([accept(quote), accept(quote)]);
    expect(both).toMatchObject([{ status: "fulfilled" }, { status: "rejected", reason: { code: "FUND_OP_IN_PROGRESS" } }]);
    // A second one that fails in the database would undo all members' commands of its batch, which is reported.
    expect(broker.faults).toEqual([]);
    expect(await has("USD")).toBe(quote.toCents);
  });

  it("is refused when the mid rate moved by more than half the spread, in either direction", async () => {
    for (const mid of [31.56, 31.44]) {
      broker.quote("USD", 31.5);
      const quote = await ask();
      broker.quote("USD", mid);
      expect(await refusalOf(accept(quote))).toMatchObject({ code: "CUR_QUOTE_MOVED" });
    }
    broker.quote("USD", 31.5);
    const quote = await ask();
    broker.quote("USD", 31.54);
    expect(await accept(quote)).toMatchObject({ toCents: quote.toCents });
  });

  it("has a spread of at least three deviations of fifteen seconds", async () => {
    for (let n = 1; n <= 40; n += 1) {
      broker.clock.now += 15_000;
      broker.quote("USD", 31.5 * (n % 2 === 0 ? 1 : 1.01));
    }
    // Every fifteen seconds it moves by 1 per cent: three of them are 3 per cent.
    const { spreadPerMillion } = await ask({ amount: 3_150_000 });
    expect(spreadPerMillion).toBeGreaterThan(29_000);
    expect(spreadPerMillion).toBeLessThan(31_000);
    const later = await ask({ from: "USD", to: "JPY", side: "buy", amount: 1 }).catch((error: unknown) => error);
    expect(later).toMatchObject({ code: "FUND_BALANCE_INSUFFICIENT" });
    // Ten quiet minutes later it is the rule's again.
    for (let n = 1; n <= 41; n += 1) {
      broker.clock.now += 15_000;
      broker.quote("USD", 31.5);
    }
    expect((await ask()).spreadPerMillion).toBe(3_000);
  });
});

describe("a conversion is refused at its field", () => {
  it("for the same currency, one without a price, one that is closed, too little and too much", async () => {
    expect(await refusalOf(ask({ to: "TWD" }))).toEqual({ code: "CUR_SAME", params: {}, field: "to" });
    expect(await refusalOf(ask({ to: "MYR" }))).toEqual({ code: "CUR_NOT_OPEN", params: {}, field: "to" });
    expect(await refusalOf(ask({ from: "MYR" }))).toEqual({ code: "CUR_NOT_OPEN", params: {}, field: "from" });
    expect(await refusalOf(ask({ from: "VND", to: "USD", amount: 1 }))).toEqual({ code: "VAL_AMOUNT_EMPTY", params: {}, field: "amount" });
    expect(await refusalOf(ask({ amount: DEPOSIT + 1 }))).toMatchObject({ code: "FUND_BALANCE_INSUFFICIENT", field: "amount" });
    expect(await refusalOf(ask({ from: "USD", to: "TWD", amount: 100 }))).toMatchObject({ code: "FUND_BALANCE_INSUFFICIENT" });
    await query(broker.db.kysely, `UPDATE rule SET body = body || '{"closed": ["USD"]}' WHERE part = 'conversion'`);
    await broker.sequencer.rules.reload(broker.db.kysely);
    expect(await refusalOf(ask())).toMatchObject({ code: "CUR_NOT_OPEN", field: "to" });
    await query(broker.db.kysely, `UPDATE rule SET body = body || '{"closed": []}' WHERE part = 'conversion'`);
    await broker.sequencer.rules.reload(broker.db.kysely);
  });

  it("without a fresh market", async () => {
    const quote = await ask();
    broker.venue.setFresh(false);
    expect(await refusalOf(ask())).toMatchObject({ code: "CUR_NOT_OPEN" });
    expect(await refusalOf(accept(quote))).toMatchObject({ code: "CUR_NOT_OPEN" });
    broker.venue.setFresh(true);
  });

  it("beyond the limit of an hour, counted by what was converted within it", async () => {
    const rich = await broker.newMember({ depositCents: 1_000_000_000 });
    const big = { amount: 200_000_000 };
    await accept(await ask(big, rich), randomUUID(), rich);
    expect(await refusalOf(ask(big, rich))).toEqual({ code: "CUR_HOURLY_MAX", params: { n: "3,000,000.00" }, field: "amount" });
    const rest = await ask({ amount: 100_000_000 }, rich);
    await accept(rest, randomUUID(), rich);
    expect(await refusalOf(ask({ amount: 100 }, rich))).toMatchObject({ code: "CUR_HOURLY_MAX" });
    broker.clock.now += 3_600_000;
    await accept(await ask(big, rich), randomUUID(), rich);
  });

  it("to members whose identity is not verified", async () => {
    const unverified = await broker.newMember({ identity: "unverified" });
    expect(await refusalOf(ask({}, unverified))).toMatchObject({ code: "ACC_REALNAME_REQUIRED" });
    const pending = await broker.newMember({ identity: "underReview" });
    expect(await refusalOf(ask({}, pending))).toMatchObject({ code: "ACC_REALNAME_PENDING" });
    await query(broker.db.kysely, "UPDATE member SET identity = 'rejected' WHERE id = $1", [member]);
    expect(await refusalOf(ask())).toMatchObject({ code: "ACC_REALNAME_REJECTED" });
  });
});

describe("the broker's position", () => {
  it("moves by what members exchange, in each currency, and keeps the spread", async () => {
    const position = async (): Promise<Map<string, number>> => {
      const rows = await query<{ currency: string; balance: number }>(
        broker.db.kysely,
        "SELECT currency, balance FROM pocket WHERE member_id IS NULL AND kind = 'conversion'",
      );
      return new Map(rows.map(({ currency, balance }) => [currency, balance]));
    };
    const before = await position();
    const there = await ask({ amount: 31_500_000 });
    await accept(there);
    const back = await ask({ from: "USD", to: "TWD", amount: there.toCents });
    await accept(back);
    const after = await position();
    expect(after.get("USD")).toBe(before.get("USD"));
    expect((after.get("TWD") ?? 0) - (before.get("TWD") ?? 0)).toBe(31_500_000 - back.toCents);
    expect(31_500_000 - back.toCents).toBe(DEPOSIT - (await has("TWD")));
    expect(31_500_000 - back.toCents).toBeGreaterThan(0);
  });
});

describe("conversions and orders at once", () => {
  it("never spend the same money twice, whichever is first", async () => {
    broker.venue.set(0, { bids: [[100, 400]], asks: [[100, 400]], last: 100, reference: 100 });
    for (let n = 0; n < 8; n += 1) {
      const id = await broker.newMember({ depositCents: 12_000_000 });
      const quote = await ask({ amount: 6_300_000 }, id);
      const order = (): Promise<unknown> => broker.place(id, { lots: 1, price: 100 });
      const both = n % 2 === 0 ? [order(), accept(quote, randomUUID(), id)] : [accept(quote, randomUUID(), id), order()];
      const done = await Promise.allSettled(both);
      expect(done.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
      const refused = done.find((one) => one.status === "rejected");
      expect(refused?.reason).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT" });
      expect(await has("USD", id)).toBe(n % 2 === 0 ? 0 : quote.toCents);
    }
  });

  it("lets what was bought back pay an order at once", async () => {
    broker.venue.set(0, { bids: [[100, 400]], asks: [[100, 400]], last: 100, reference: 100 });
    const id = await broker.newMember({ depositCents: 12_000_000 });
    await accept(await ask({ amount: 11_900_000 }, id), randomUUID(), id);
    expect(await refusalOf(broker.place(id, { lots: 1, price: 100 }))).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT" });
    const back = await ask({ from: "USD", to: "TWD", amount: await has("USD", id) }, id);
    const [, order] = await Promise.all([accept(back, randomUUID(), id), broker.place(id, { lots: 1, price: 100 })]);
    expect(order).toMatchObject({ status: "holding" });
  });
});
