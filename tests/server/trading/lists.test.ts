/** Tests paged lists, the running balance of the cash ledger, and the account overview. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CashEntry } from "#contract/cash-ledger.ts";
import type { Order } from "#contract/order.ts";
import { maskName } from "#server/accounts/mask-name.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;
const PLACED = 60;

beforeAll(async () => {
  broker = await openTestBroker();
  member = await broker.newMember({ depositCents: 100_000_000_000 });
  broker.venue.set(0, { bids: [[99.5, 90]], asks: [[100, 90]] });
  await Promise.all(Array.from({ length: PLACED }, (_, at) => broker.place(member, at % 2 === 0 ? {} : { price: 95 })));
});
afterAll(() => broker.shut());

async function all<Item>(read: (cursor: string | null) => Promise<{ items: Item[]; next: string | null }>): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: Item[]; next: string | null } = await read(cursor);
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return items;
}

describe("lists", () => {
  it("page through orders newest first, by status", async () => {
    const orders = await all<Order>((cursor) => broker.call("listOrders", member, { statuses: ["pending", "holding"], cursor }));
    expect(orders).toHaveLength(PLACED);
    const numbers = orders.map(({ orderNo }) => orderNo);
    expect(numbers).toEqual(numbers.toSorted().toReversed());
    expect((await broker.call("listOrders", member, { statuses: ["pending"], cursor: null })).items).toHaveLength(PLACED / 2);
    expect((await broker.call("listPositions", member, {})).positions).toHaveLength(PLACED / 2);
  });

  it("page through cash entries with consistent balances", async () => {
    const flows = (
      await all<CashEntry>((cursor) => broker.call("listFlows", member, { kinds: null, from: null, until: null, cursor }))
    ).toReversed();
    expect(flows[0]).toMatchObject({ kind: "deposit", balanceCents: 100_000_000_000, orderNo: null });
    let available = 0;
    for (const flow of flows) {
      available += flow.availableCents;
      expect(flow.balanceCents).toBe(available);
      expect(flow.amountCents).toBe(flow.availableCents + flow.frozenCents);
    }
    const { availableCents, frozenCents } = await broker.call("readMember", member, {});
    expect(available).toBe(availableCents);
    expect(flows.reduce((sum, flow) => sum + flow.frozenCents, 0)).toBe(frozenCents);
    const fees = await all<CashEntry>((cursor) => broker.call("listFlows", member, { kinds: ["fee"], from: null, until: null, cursor }));
    expect(fees).toHaveLength(PLACED / 2);
  });

  it("refuse a cursor that is not from a page", async () => {
    const asked = broker.call("listFlows", member, { kinds: null, from: null, until: null, cursor: "'; drop table" });
    expect(await refusalOf(asked)).toMatchObject({ code: "GEN_PARAM_ERROR", field: "cursor" });
  });

  it("contain only the member's own data", async () => {
    const other = await broker.newMember({ depositCents: 0 });
    expect((await broker.call("listOrders", other, { statuses: ["pending", "holding"], cursor: null })).items).toEqual([]);
    expect((await broker.call("listFlows", other, { kinds: null, from: null, until: null, cursor: null })).items).toEqual([]);
    expect(await broker.call("factsSince", other, { after: 0 })).toEqual({ facts: [], newest: 0 });
  });
});

describe("the overview", () => {
  it("adds up, and separates earlier positions from today's", async () => {
    const one = await broker.newMember();
    broker.venue.set(1, { bids: [[99.5, 90]], asks: [[100, 90]], last: 100, reference: 100 });
    const rise = await broker.place(one, { code: "2603" });
    const fall = await broker.place(one, { code: "2603", direction: "fall" });
    broker.venue.set(1, { last: 103, reference: 102 });
    const today = await broker.call("readMember", one, {});
    expect(today.totalCents).toBe(today.availableCents + today.frozenCents + today.positionsCents);
    expect(today.totalCents).toBe(1_000_000_000 + today.currentProfitCents);
    expect(today.todayProfitCents).toBe(today.currentProfitCents);
    broker.clock.now += 86_400_000;
    const tomorrow = await broker.call("readMember", one, {});
    // One lot up 1.00 from the reference, and one lot short of the same.
    expect(tomorrow.todayProfitCents).toBe(0);
    expect(tomorrow.todayRealisedCents).toBe(0);
    await broker.close(one, rise.orderNo);
    const closed = await broker.call("readMember", one, {});
    expect(closed.todayProfitCents).toBe(closed.realisedCents - 100_000);
    expect(closed.todayRealisedCents).toBe(closed.realisedCents);
    broker.clock.now += 86_400_000;
    expect((await broker.call("readMember", one, {})).todayRealisedCents).toBe(0);
    broker.clock.now -= 86_400_000;
    expect(closed.name).toBe("王*明");
    expect(fall.status).toBe("holding");
    broker.clock.now -= 86_400_000;
  });

  it("masks the middle of a name", () => {
    expect(["王", "王明", "王小明", "歐陽小明"].map(maskName)).toEqual(["王", "王*", "王*明", "歐**明"]);
  });
});
