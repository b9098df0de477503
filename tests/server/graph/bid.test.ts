/** Tests the lifecycle of a bid on a real broker: every state and transition of its machine, driven by the member, the clock and the crowd. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BID_FACTS } from "#contract/bid.ts";
import type { BidStatus } from "#contract/bid.ts";
import type { Code } from "#contract/kernel/id.ts";
import { HOUR_MS } from "#contract/kernel/time.ts";
import { advance } from "#machines/advance.ts";
import { bidMachine } from "#machines/bid.ts";
import { query } from "#server/db/database.ts";
import {
  announce,
  AT,
  bid,
  bidNow,
  crowdAt,
  expectCleanBooks,
  factsOf,
  newBidder,
  openAuctionBroker,
  passHours,
  pay,
  RICH,
} from "#tests/server/auctions/fixture.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { nameOf, reachable, transitionPaths } from "./paths.ts";

const events = Object.fromEntries(BID_FACTS.map((type) => [type, { type }]));

let broker: TestBroker;
beforeAll(async () => {
  broker = await openAuctionBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

interface Life {
  member: number;
  bidNo: string;
  code: Code;
}

/** After the opening nothing is due by itself; each driver makes its own moment come. */
const POSTPONE = `UPDATE bid SET refunds_at = $2, payable_until = $2, due_at = $2 WHERE bid_no = $1`;
const POSTPONE_ALLOTMENT = "UPDATE auction SET allotted_at = $2 WHERE code = $1";
const NEVER = Number.MAX_SAFE_INTEGER;

async function open({ bidNo, code }: Life): Promise<void> {
  await query(broker.db.kysely, POSTPONE_ALLOTMENT, [code, NEVER]);
  await passHours(broker, AT.opened - AT.opens);
  await query(broker.db.kysely, POSTPONE, [bidNo, NEVER]);
}

async function due(bidNo: string, column: "refunds_at" | "payable_until"): Promise<void> {
  await query(broker.db.kysely, `UPDATE bid SET ${column} = $2, due_at = $2 WHERE bid_no = $1`, [bidNo, broker.clock.now]);
  await passHours(broker, 0);
}

const drivers: Record<string, (life: Life) => Promise<unknown>> = {
  "bid.won": open,
  "bid.lost": open,
  "bid.voided": async (life) => {
    await query(broker.db.kysely, "DELETE FROM auction_sealed USING auction WHERE auction.id = auction_id AND code = $1", [life.code]);
    await open(life);
  },
  "bid.refunded": ({ bidNo }) => due(bidNo, "refunds_at"),
  "bid.reminded": async ({ bidNo }) => {
    const { now } = broker.clock;
    await query(broker.db.kysely, "UPDATE bid SET opened_at = $2, payable_until = $3, due_at = $4 WHERE bid_no = $1", [
      bidNo,
      now - HOUR_MS,
      now + HOUR_MS,
      now,
    ]);
    await passHours(broker, 0);
    await query(broker.db.kysely, POSTPONE, [bidNo, NEVER]);
  },
  "bid.paid": ({ member, bidNo }) => pay(broker, member, bidNo),
  "bid.forfeited": ({ bidNo }) => due(bidNo, "payable_until"),
  "bid.allotted": async ({ code, bidNo }) => {
    await query(broker.db.kysely, POSTPONE_ALLOTMENT, [code, broker.clock.now]);
    await query(broker.db.kysely, "UPDATE bid SET due_at = $2 WHERE bid_no = $1", [bidNo, broker.clock.now]);
    await passHours(broker, 0);
  },
};

const driven = new Set<string>();

describe("every transition of a bid", () => {
  it.each(transitionPaths(bidMachine, events))("$name", async ({ edges }) => {
    const does = (event: string): boolean => edges.some((edge) => edge.event === event);
    // A winner gets 3 of 4 lots, a loser none. Who forfeits has nothing but the deposit and the fee.
    const code = await announce(broker, { crowd: crowdAt(560_000, does("bid.lost") ? 500 : 197) });
    const member = await newBidder(broker, does("bid.forfeited") ? 11_040_000 : RICH);
    await passHours(broker, AT.opens);
    const { bidNo } = await bid(broker, member, code);
    for (const { from, event, to } of edges) {
      await drivers[event]?.({ member, bidNo, code });
      expect((await bidNow(broker, member, bidNo)).status).toBe(to);
      expect(advance(bidMachine, from as BidStatus, event)).toBe(to);
      driven.add(nameOf({ from, event, to }));
    }
    expect(factsOf(broker, member)).toEqual(["bid.placed", ...edges.map(({ event }) => event)]);
  });
});

it("all transitions are covered", () => {
  const { edges, states } = reachable(bidMachine, events);
  expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
  expect(states).toEqual(["forfeited", "lost", "paid", "placed", "voided", "won"]);
});
