/** Tests the lending pool, which pays lenders from what shorts pay and owes dividends of lent shares; and loans of closed and banned accounts. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { taipeiDay } from "#contract/kernel/time.ts";
import { changeRestriction } from "#server/accounts/restriction.ts";
import { query } from "#server/db/database.ts";
import { adjustOrder } from "#server/trading/clearing/corporate-action.ts";
import { place } from "#tests/server/money/fixture.ts";
import { action, units } from "#tests/server/trading/ex-terms.ts";
import { exportOf } from "#tests/support/own-export.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { asks, calm, close, expectCleanBooks, lend, lender, newId, orderOf, pass, read } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => {
  calm(broker);
  broker.venue.setDemands([]);
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

async function pockets(): Promise<Record<string, number>> {
  const rows = await query<{ kind: string; balance: number }>(
    broker.db.kysely,
    "SELECT kind, balance FROM pocket WHERE member_id IS NULL AND currency = 'TWD'",
  );
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
}

/** What the broker's pockets have gained while something happened. */
async function gained(happens: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await pockets();
  await happens();
  const after = await pockets();
  return Object.fromEntries(Object.entries(after).map(([kind, balance]) => [kind, balance - (before[kind] ?? 0)]));
}

/** An ex-event of 3 a share on one order. */
const payDividend = (memberId: number, orderNo: string): Promise<unknown> =>
  broker.sequencer.submit({
    memberIds: [memberId],
    orderNos: [orderNo],
    decide: (batch) => {
      const order = batch.order(memberId, orderNo);
      if (order) adjustOrder(batch, order, action("dividend", { cash: units(3) }, taipeiDay(broker.clock.now)));
    },
  });

describe("the lending pool", () => {
  it("pays lenders what shorts of as many shares pay, and the broker its part of both", async () => {
    const { member, orderNo } = await lender(broker);
    const short = await broker.newMember({ depositCents: 1_000_000_000 });
    const { orderNo: shortNo } = await place(broker, short, { direction: "fall", lots: 3 });
    const moved = await gained(async () => {
      await lend(broker, member, asks(broker, { days: 7 }), orderNo, 3);
      await pass(broker, 2, 110);
      await pass(broker, 5, 90);
    });
    const values = [33_000_000, 33_000_000, 27_000_000, 27_000_000, 27_000_000, 27_000_000, 27_000_000];
    const paid = values.reduce((sum, value) => sum + Math.ceil((value * 0.05) / 365), 0);
    expect((await orderOf(broker, short, shortNo)).lendingCents).toBe(-paid);
    const earned = (await orderOf(broker, member, orderNo)).lendingCents ?? 0;
    // At the highest rate the fee goes through the pool, but for cents of rounding that stay in it.
    expect(moved["lendingPool"]).toBeGreaterThanOrEqual(0);
    expect(moved["lendingPool"]).toBeLessThan(2 * values.length);
    expect(moved["fees"]).toBe(paid - earned - (moved["lendingPool"] ?? 0));
    expect(Math.abs(earned - paid * 0.6)).toBeLessThan(2 * values.length);
  });

  it("owes the dividend of what is lent, the issuer that of the rest, offered lots among it", async () => {
    const { member, orderNo } = await lender(broker);
    await lend(broker, member, asks(broker), orderNo, 2);
    await broker.call("offerShares", member, { requestId: newId(), orderNo, lots: 1, ratePerMillion: 40_000, days: 7 });
    const moved = await gained(() => payDividend(member, orderNo));
    expect(moved).toMatchObject({ issuers: -900_000, lendingPool: -600_000 });
    expect((await orderOf(broker, member, orderNo)).dividendCents).toBe(1_500_000);
  });

  it("is compensated by a short for the dividend", async () => {
    const short = await broker.newMember({ depositCents: 1_000_000_000 });
    const { orderNo } = await place(broker, short, { direction: "fall", lots: 2 });
    const moved = await gained(() => payDividend(short, orderNo));
    expect(moved).toMatchObject({ issuers: 0, lendingPool: 600_000 });
  });
});

describe("an account with a loan of shares", () => {
  it("is closed only after it is back; the loan is exported, and kept as long as its order", async () => {
    const { member, orderNo } = await lender(broker, 2);
    const { lendingNo } = await lend(broker, member, asks(broker, { days: 7 }), orderNo, 2);
    const readOpen = async () => (await broker.call("readClosing", member, {})).open.map(({ what }) => what);
    expect(await readOpen()).toEqual(["positions", "lendings", "money"]);
    await pass(broker, 7);
    await close(broker, member, orderNo, 2);
    const files = await exportOf(broker, member);
    expect(JSON.parse(files.get("lending.json") ?? "[]")).toMatchObject([{ lending_no: lendingNo, status: "completed", lots: 2 }]);
    expect(files.get("lending.csv")?.split("\r\n")[0]).not.toMatch(/(^|,)id(,|$)/);
    expect(await readOpen()).toEqual(["money"]);
  });
  it("keeps its loans when it is banned, and takes its offers back", async () => {
    const { member, orderNo } = await lender(broker);
    const { lendingNo } = await lend(broker, member, asks(broker), orderNo, 2);
    const own = { requestId: newId(), orderNo, lots: 1, ratePerMillion: 40_000, days: 7 } as const;
    const offer = await broker.call("offerShares", member, own);
    const ban = { memberId: member, restriction: "banned", imposed: true, reason: "other", words: "", at: broker.clock.now } as const;
    await broker.db.transaction((tx) => changeRestriction(tx, ban));
    await vi.waitFor(async () => expect((await read(broker, member, offer.lendingNo)).status).toBe("withdrawn"), { timeout: 10_000 });
    expect((await read(broker, member, lendingNo)).status).toBe("inProgress");
    expect((await orderOf(broker, member, orderNo)).onLoanLots).toBe(2);
    await expect(broker.call("offerShares", member, { ...own, requestId: newId() })).rejects.toMatchObject({ code: "ACC_BANNED" });
  });
});
