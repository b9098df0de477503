/** Tests time priority between members at one price in every market: by the time of the price, not by the order number. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RequestId } from "#contract/kernel/id.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

type Direction = "rise" | "fall";

let broker: TestBroker;
let members: number[];

beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  broker.venue.setPhase("open");
  broker.venue.set(0, { bids: [], asks: [], last: 100, reference: 100 });
  await broker.settled();
  members = [await broker.newMember(), await broker.newMember()];
});
afterEach(async () => {
  // The rest of an order expires with its day.
  broker.venue.setPhase("closed");
  await broker.settled();
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const at = (who: number): number => members[who] ?? 0;
const filled = async (who: number, orderNo: OrderNo): Promise<number> =>
  (await broker.call("readOrder", at(who), { orderNo })).order.filledLots;
const amend = (who: number, orderNo: OrderNo, change: { lots?: number; price?: number }) =>
  broker.call("amendOrder", at(who), {
    requestId: RequestId.parse(randomUUID()),
    orderNo,
    lots: change.lots ?? null,
    price: change.price === undefined ? null : change.price * 10_000,
  });

/** A market: how orders come to rest there, and how lots come to them at 100. */
interface Place {
  market: "board" | "odd";
  rest(): void;
  bring(direction: Direction, lots: number): Promise<void> | void;
}

const levels = (direction: Direction, lots: number): { bids?: [number, number][]; asks?: [number, number][] } =>
  direction === "rise" ? { asks: [[100, lots]] } : { bids: [[100, lots]] };

const PLACES: Record<string, Place> = {
  "in continuous trading with the book": {
    market: "board",
    rest: () => undefined,
    bring: (direction, lots) => broker.venue.set(0, levels(direction, lots)),
  },
  "in continuous trading with another member": {
    market: "board",
    rest: () => undefined,
    bring: async (direction, lots) => {
      await broker.place(await broker.newMember(), { direction: direction === "rise" ? "fall" : "rise", price: 100, lots });
    },
  },
  "in a call auction": {
    market: "board",
    rest: () => broker.venue.setPhase("preOpen"),
    bring: (direction, lots) => {
      broker.venue.setCall(0, { ...levels(direction, lots), anchor: 100 });
      broker.venue.call("opening", [0]);
    },
  },
  "in the odd-lot market": {
    market: "odd",
    rest: () => undefined,
    bring: (direction, lots) => {
      broker.venue.setCall(0, { ...levels(direction, lots), anchor: 100 }, true);
      broker.venue.call("odd", [0]);
    },
  },
};

describe.each(Object.entries(PLACES))("%s", (_, { market, rest, bring }) => {
  describe.each(["rise", "fall"] as const)("a %s", (direction) => {
    /** Two members' orders for two lots each, in this order, at the given prices. */
    async function queue(prices: readonly [number, number]): Promise<[OrderNo, OrderNo]> {
      rest();
      const place = (who: number) => broker.place(at(who), { direction, price: prices[who] ?? 0, lots: 2, also: { market } });
      const first = await place(0);
      const second = await place(1);
      return [first.orderNo, second.orderNo];
    }
    /** A price worse than 100. */
    const behind = direction === "rise" ? 99 : 101;

    async function served(orders: readonly [OrderNo, OrderNo], lots: number): Promise<[number, number]> {
      await bring(direction, lots);
      await broker.settled();
      return [await filled(0, orders[0]), await filled(1, orders[1])];
    }

    it("that came earlier is filled before a later one", async () => {
      expect(await served(await queue([100, 100]), 3)).toEqual([2, 1]);
    });

    it("that takes the price of another goes behind it, although its number is lower", async () => {
      const orders = await queue([behind, 100]);
      await amend(0, orders[0], { price: 100 });
      expect(await served(orders, 3)).toEqual([1, 2]);
    });

    it("that changes its price and returns has lost its priority", async () => {
      const orders = await queue([100, 100]);
      await amend(0, orders[0], { price: behind });
      await amend(0, orders[0], { price: 100 });
      expect(await served(orders, 3)).toEqual([1, 2]);
    });

    it("that is reduced keeps its priority", async () => {
      const orders = await queue([100, 100]);
      await amend(0, orders[0], { lots: 1 });
      expect(await served(orders, 2)).toEqual([1, 1]);
    });

    it("with a better price is filled first, regardless of time", async () => {
      const orders = await queue([behind, 100]);
      expect(await served(orders, 3)).toEqual([0, 2]);
    });
  });
});
