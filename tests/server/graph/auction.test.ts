/** Tests the lifecycle of an auction on a real broker: every state and transition of its machine, driven by the clock and by what is lost. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AUCTION_EVENTS } from "#contract/auction.ts";
import type { AuctionStatus } from "#contract/auction.ts";
import { advance } from "#machines/advance.ts";
import { auctionMachine } from "#machines/auction.ts";
import { query } from "#server/db/database.ts";
import { announce, AT, expectCleanBooks, newBidder, openAuctionBroker, passHours } from "#tests/server/auctions/fixture.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { nameOf, reachable, transitionPaths } from "./paths.ts";

const events = Object.fromEntries(AUCTION_EVENTS.map((type) => [type, { type }]));

let broker: TestBroker;
beforeAll(async () => {
  broker = await openAuctionBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

/** The moment of the next step from each state. */
const NEXT: Record<string, number> = { notStarted: AT.opens, bidding: AT.closes, closed: AT.opened };
const LOSE = "DELETE FROM auction_sealed USING auction WHERE auction.id = auction_id AND code = $1";
const driven = new Set<string>();

describe("every transition of an auction", () => {
  it.each(transitionPaths(auctionMachine, events))("$name", async ({ edges }) => {
    const member = await newBidder(broker);
    const code = await announce(broker);
    let hours = 0;
    for (const { from, event, to } of edges) {
      if (event === "auction.voided") await query(broker.db.kysely, LOSE, [code]);
      await passHours(broker, (NEXT[from] ?? 0) - hours);
      hours = NEXT[from] ?? 0;
      const { auction } = await broker.call("readAuction", member, { code });
      expect(auction.status).toBe(to);
      expect(auction.outcome === null).toBe(to !== "opened");
      expect(advance(auctionMachine, from as AuctionStatus, event)).toBe(to);
      driven.add(nameOf({ from, event, to }));
    }
  });
});

it("all transitions are covered", () => {
  const { edges, states } = reachable(auctionMachine, events);
  expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
  expect(states).toEqual(["bidding", "closed", "notStarted", "opened", "voided"]);
});
