/** Tests the voucher lifecycle on a real broker: every state and transition of its machine, driven by orders and the clock. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { VOUCHER_FACTS } from "#contract/voucher.ts";
import { OrderNo } from "#contract/kernel/id.ts";
import { advance } from "#machines/advance.ts";
import { voucherMachine } from "#machines/voucher.ts";
import { expireDueVouchers } from "#server/accounts/reward-clock.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { brokersPart, expectCleanBooks, giveVoucher, voucherNow } from "#tests/server/reward/fixture.ts";
import { reachable, nameOf, transitionPaths } from "./paths.ts";

const events = Object.fromEntries(VOUCHER_FACTS.map((type) => [type, { type }]));
const paths = transitionPaths(voucherMachine, events);

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => broker.venue.set(0, { bids: [[99, 100]], asks: [[100, 100]], last: 100, reference: 100 }));
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

interface Life {
  member: number;
  voucherNo: string;
  orderNo: string;
}

const drivers: Record<string, (life: Life) => Promise<unknown>> = {
  "voucher.reserved": async (life) => {
    life.orderNo = (await broker.place(life.member, { price: 95 })).orderNo;
  },
  "voucher.returned": ({ member, orderNo }) => broker.cancel(member, OrderNo.parse(orderNo)),
  "voucher.used": async () => {
    broker.venue.set(0, { bids: [[94, 100]], asks: [[95, 100]], last: 95 });
    await broker.settled();
  },
  "voucher.expired": async ({ member, voucherNo }) => {
    broker.clock.now = (await voucherNow(broker, member, voucherNo)).expiresAt;
    await expireDueVouchers({ db: broker.db, sequencer: broker.sequencer, now: () => broker.clock.now });
  },
};

const driven = new Set<string>();

describe("every transition of a voucher", () => {
  it.each(paths)("$name", async ({ edges }) => {
    const member = await broker.newMember();
    const { voucherNo } = await giveVoucher(broker, member);
    const life = { member, voucherNo, orderNo: "" };
    for (const { from, event, to } of edges) {
      await drivers[event]?.(life);
      expect(await voucherNow(broker, member, voucherNo)).toMatchObject({ status: to, paidCents: to === "used" ? 2_000 : 0 });
      expect(advance(voucherMachine, from, event)).toBe(to);
      expect((await brokersPart(broker, [member])).vouchers).toBe(to === "used" ? 2_000 : 0);
      driven.add(nameOf({ from, event, to }));
    }
  });
});

it("all transitions are covered", () => {
  const { edges, states } = reachable(voucherMachine, events);
  expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
  expect(states).toEqual(["available", "expired", "reserved", "used"]);
});
