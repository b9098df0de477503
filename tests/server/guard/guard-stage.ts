/** A house whose member's orders are guarded, for tests: a market that prints what it is told, and what is read of orders and conditions. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { Answer } from "#contract/endpoints.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { PlaceOrderBody } from "#contract/order.ts";
import type { Order, Trigger, TriggerKind } from "#contract/order.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { openHouse } from "#tests/support/trading.ts";
import type { House } from "#tests/support/trading.ts";

export const units = (price: number): number => Math.round(price * 10_000);
export const uuid = (): RequestId => RequestId.parse(randomUUID());
export const exit = (kind: TriggerKind, price: number): Trigger => ({ kind, price: units(price) });

export interface Stage {
  readonly house: House;
  /** Another one for every test. */
  readonly member: number;
  /** A quiet market at 100 with plenty on both sides. */
  calm(row?: number): void;
  /** Somebody trades a lot at a price, with the book around it. */
  print(price: number, row?: number): void;
  /** Place an order; prices in ten-thousandths as the contract has them. */
  place(over?: { exits?: readonly Trigger[]; trigger?: Trigger } & Record<string, unknown>): Promise<Answer<"placeOrder">>;
  set(orderNo: OrderNo, exits: Trigger[], requestId?: RequestId): Promise<Answer<"setConditions">>;
  list(orderNo?: OrderNo | null): Promise<Answer<"listConditions">["conditions"]>;
  read(orderNo: OrderNo): Promise<Order>;
  /** The member's facts so far, by type. */
  told(): string[];
  /** Let another server take over, with a market of its own if one is given. */
  restart(venue?: House["venue"]): Promise<void>;
}

/** Set a stage for the tests of a file; its hooks are theirs. */
export function guardStage(): Stage {
  let house: House;
  let member: number;
  const calm: Stage["calm"] = (row = 0) => house.venue.set(row, { bids: [[99.5, 400]], asks: [[100, 400]], last: 100, reference: 100 });
  beforeAll(async () => {
    house = await openHouse();
  });
  beforeEach(async () => {
    house.venue.setPhase("open");
    house.venue.setFresh(true);
    for (const row of [0, 1, 2, 3, 4, 6]) calm(row);
    await house.settled();
    member = await house.newMember();
    house.published.length = 0;
  });
  afterAll(async () => {
    expect(house.faults).toEqual([]);
    expect((await auditBooks(house.db.kysely)).differences).toEqual([]);
    await house.shut();
  });
  return {
    get house() {
      return house;
    },
    get member() {
      return member;
    },
    calm,
    print(price, row = 0) {
      const volume = house.venue.quote(row).volume + 1;
      house.venue.set(row, { last: price, volume, bids: [[price, 400]], asks: [[price + 0.5, 400]] });
    },
    place: (over = {}) =>
      house.call(
        "placeOrder",
        member,
        PlaceOrderBody.parse({ requestId: uuid(), code: "2330", direction: "rise", pricing: "market", price: null, lots: 3, ...over }),
      ),
    set: (orderNo, exits, requestId = uuid()) => house.call("setConditions", member, { requestId, orderNo, exits }),
    list: async (orderNo = null) => (await house.call("listConditions", member, { orderNo })).conditions,
    read: async (orderNo) => (await house.call("readOrder", member, { orderNo })).order,
    told: () => house.published.filter((one) => one.memberId === member).map(({ fact }) => fact.type),
    async restart(venue = house.venue) {
      house.stop();
      await house.settled();
      expect(house.faults).toEqual([]);
      house = await openHouse({ db: house.db, venue, clock: house.clock });
    },
  };
}
