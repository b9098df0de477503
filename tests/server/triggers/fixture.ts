/** Fixture for tests of exit orders: a broker with a controllable market, and readers of its orders and exits. */
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { Answer } from "#contract/endpoints.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import type { RequestId } from "#contract/kernel/id.ts";
import { PlaceOrderBody } from "#contract/order.ts";
import type { Order, Trigger, TriggerKind } from "#contract/order.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { uuid } from "#tests/support/uuid.ts";

export const units = (price: number): number => Math.round(price * 10_000);
export const exit = (kind: TriggerKind, price: number): Trigger => ({ kind, price: units(price) });

export interface Fixture {
  readonly broker: TestBroker;
  /** A new member per test. */
  readonly member: number;
  /** A quiet market at 100 with deep levels on both sides. */
  calm(row?: number): void;
  /** Trades one lot at a price, with the book around it. */
  print(price: number, row?: number): void;
  /** Places an order; prices in ten-thousandths, as in the contract. */
  place(over?: { exits?: readonly Trigger[]; trigger?: Trigger } & Record<string, unknown>): Promise<Answer<"placeOrder">>;
  set(orderNo: OrderNo, exits: Trigger[], requestId?: RequestId): Promise<Answer<"setConditions">>;
  list(orderNo?: OrderNo | null): Promise<Answer<"listConditions">["conditions"]>;
  read(orderNo: OrderNo): Promise<Order>;
  /** The types of the member's facts so far. */
  factTypes(): string[];
  /** Restarts the broker, with another venue if one is given. */
  restart(venue?: TestBroker["venue"]): Promise<void>;
}

/** Opens the fixture for a test file; it registers its own hooks. */
export function openFixture(): Fixture {
  let broker: TestBroker;
  let member: number;
  const calm: Fixture["calm"] = (row = 0) => broker.venue.set(row, { bids: [[99.5, 400]], asks: [[100, 400]], last: 100, reference: 100 });
  beforeAll(async () => {
    broker = await openTestBroker();
  });
  beforeEach(async () => {
    broker.venue.setPhase("open");
    broker.venue.setFresh(true);
    for (const row of [0, 1, 2, 3, 4, 6]) calm(row);
    await broker.settled();
    member = await broker.newMember();
    broker.published.length = 0;
  });
  afterAll(async () => {
    expect(broker.faults).toEqual([]);
    expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
    await broker.shut();
  });
  return {
    get broker() {
      return broker;
    },
    get member() {
      return member;
    },
    calm,
    print(price, row = 0) {
      const volume = broker.venue.quote(row).volume + 1;
      broker.venue.set(row, { last: price, volume, bids: [[price, 400]], asks: [[price + 0.5, 400]] });
    },
    place: (over = {}) =>
      broker.call(
        "placeOrder",
        member,
        PlaceOrderBody.parse({ requestId: uuid(), code: "2330", direction: "rise", pricing: "market", price: null, lots: 3, ...over }),
      ),
    set: (orderNo, exits, requestId = uuid()) => broker.call("setConditions", member, { requestId, orderNo, exits }),
    list: async (orderNo = null) => (await broker.call("listConditions", member, { orderNo })).conditions,
    read: async (orderNo) => (await broker.call("readOrder", member, { orderNo })).order,
    factTypes: () => broker.published.filter((one) => one.memberId === member).map(({ fact }) => fact.type),
    async restart(venue = broker.venue) {
      await broker.stop();
      await broker.settled();
      expect(broker.faults).toEqual([]);
      broker = await openTestBroker({ db: broker.db, venue, clock: broker.clock });
    },
  };
}
