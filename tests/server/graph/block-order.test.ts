/** Tests the block purchase lifecycle on a real broker: every state and transition, driven by the member, the clock, the operator and the market. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BLOCK_ORDER_FACTS } from "#contract/block-order.ts";
import type { BlockOrderStatus } from "#contract/block-order.ts";
import { advance } from "#machines/advance.ts";
import { blockOrderMachine } from "#machines/block-order.ts";
import { query } from "#server/db/database.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { becomes, buy, expectCleanBooks, newId, offerOf, pass } from "#tests/server/blocks/fixture.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { nameOf, reachable, transitionPaths } from "./paths.ts";

const events = Object.fromEntries(BLOCK_ORDER_FACTS.map((type) => [type, { type }]));
const paths = transitionPaths(blockOrderMachine, events);

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

interface Life {
  member: number;
  blockNo: string;
  from: string;
}

const drivers: Record<string, (life: Life) => Promise<unknown>> = {
  "blockOrder.reviewed": async () => pass(broker, 4),
  "blockOrder.settled": async () => pass(broker, 11),
  "blockOrder.rejected": ({ blockNo }) =>
    query(broker.db.kysely, "INSERT INTO review_verdict (kind, subject, verdict, at) VALUES ('block', $1, 'rejected', 0)", [blockNo]),
  "blockOrder.cancelled": async ({ member, blockNo, from }) => {
    if (from === "pending") return broker.call("cancelBlock", member, { requestId: newId(), blockNo });
    broker.venue.set(0, { last: 105 });
    return pass(broker, 11);
  },
};

const NEED = 40 * 9_980_000 + 568_800;
const RICH = 1_000_000_000;

/** Where the money is in each status. */
const MONEY: Record<BlockOrderStatus, { available: number; held: number }> = {
  pending: { available: RICH - NEED, held: NEED },
  review: { available: RICH - NEED, held: NEED },
  holding: { available: RICH - NEED, held: 0 },
  rejected: { available: RICH, held: 0 },
  cancelled: { available: RICH, held: 0 },
};

const driven = new Set<string>();

describe("every transition of a block purchase", () => {
  it.each(paths)("$name", async ({ edges }) => {
    broker.venue.set(0, { last: 100 });
    const member = await broker.newMember();
    const offer = offerOf(broker);
    broker.venue.setBlocks([offer]);
    // Below the amount that is reviewed, the purchase settles from `pending`.
    const reviewed = edges.some(({ event }) => event === "blockOrder.reviewed");
    if (!reviewed) {
      await query(broker.db.kysely, "INSERT INTO rule (part, member_id, body) VALUES ('block', $1, '{\"reviewCents\": 900000000}')", [
        member,
      ]);
      await broker.sequencer.rules.reload(broker.db.kysely);
    }
    const { blockNo } = await buy(broker, member, offer.offerId, { shares: 40_000 });
    for (const { from, event, to } of edges) {
      await drivers[event]?.({ member, blockNo, from });
      await becomes(broker, member, blockNo, to as BlockOrderStatus);
      expect(advance(blockOrderMachine, from as BlockOrderStatus, event)).toBe(to);
      const { available, held } = await readBalances(broker.db.kysely, member);
      expect({ available, held }).toEqual(MONEY[to as BlockOrderStatus]);
      driven.add(nameOf({ from, event, to }));
    }
  });
});

it("all transitions are covered", () => {
  const { edges, states } = reachable(blockOrderMachine, events);
  expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
  expect(states).toEqual(["cancelled", "holding", "pending", "rejected", "review"]);
});
