/** Fixture of tests of block trades: a seller's offer on the fake venue, a purchase, and waiting for its status. */
import { randomUUID } from "node:crypto";
import { expect, vi } from "vitest";
import type { BlockOrder, BlockOrderStatus } from "#contract/block-order.ts";
import type { Body } from "#contract/endpoints.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { DAY_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import type { BlockListing } from "#server/venue/venue.ts";
import type { TestBroker } from "#tests/support/trading.ts";

export const newId = () => RequestId.parse(randomUUID());

type Offer = Omit<BlockListing, "left">;
let made = 0;

/** An offer of 50,000 shares of 2330 at 99.80, where the market pays 100. */
export function offerOf(broker: TestBroker, over: Partial<Offer> = {}): Offer {
  made += 1;
  const { now } = broker.clock;
  const times = { opensAt: now, closesAt: now + 3_600_000, unlocksAt: now + DAY_MS };
  return { offerId: `offer-${made}`, row: 0, price: 998_000, shares: 50_000, ...times, ...over };
}

export function buy(broker: TestBroker, member: number, offerId: string, over: Partial<Body<"buyBlock">> = {}) {
  return broker.call("buyBlock", member, { requestId: newId(), offerId, shares: 10_000, ...over });
}

/** Lets seconds pass. */
export function pass(broker: TestBroker, seconds: number): void {
  broker.clock.now += seconds * SECOND_MS;
}

/** Waits until a purchase has this status. */
export function becomes(broker: TestBroker, member: number, blockNo: string, status: BlockOrderStatus): Promise<BlockOrder> {
  return vi.waitFor(
    async () => {
      const { items } = await broker.call("listBlocks", member, { cursor: null });
      const found = items.find((one) => one.blockNo === blockNo);
      expect(found?.status).toBe(status);
      if (!found) throw new Error(`no purchase ${blockNo}`);
      return found;
    },
    { timeout: 30_000, interval: 20 },
  );
}

export async function expectCleanBooks(broker: TestBroker): Promise<void> {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
}
