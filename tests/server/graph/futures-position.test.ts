/** Tests the lifecycle of a futures position on a real broker: every state and transition, driven by the member, the market and the days. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FUTURES_FACTS } from "#contract/futures.ts";
import { futuresPositionMachine } from "#machines/futures-position.ts";
import { query } from "#server/db/database.ts";
import type { FuturesRecord } from "#server/records/futures.ts";
import { contract, expectCleanBooks, index, move, nextDay, position, trade, trader, TX } from "#tests/server/futures/fixture.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { nameOf, reachable, transitionPaths } from "./paths.ts";

const events = Object.fromEntries(FUTURES_FACTS.map((type) => [type, { type }]));
const paths = transitionPaths(futuresPositionMachine, events);
/** Below the maintenance margin of six lots, and above a quarter of the initial one. */
const CALLED_AT = 19_580;

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
  positionNo: string;
  code: string;
  from: string;
}

const levelIn = (from: string): number => (from === "called" ? CALLED_AT : 20_000);

const drivers: Record<string, (life: Life) => Promise<unknown>> = {
  "futures.changed": ({ member, code }) => trade(broker, member, "sell", 1, { contract: code }),
  "futures.marked": ({ from }) => {
    // Before the market opens nothing is closed for a call that was not met.
    broker.venue.setPhase("closed");
    return nextDay(broker, levelIn(from));
  },
  "futures.called": () => nextDay(broker, CALLED_AT),
  "futures.restored": async ({ member }) => {
    await move(broker, member, "futures", 60_000_000);
    await broker.tick();
  },
  "futures.closed": async ({ member, code, positionNo }) => {
    const { lots } = await position(broker, member, positionNo);
    await trade(broker, member, "sell", lots, { contract: code });
  },
  "futures.liquidated": async () => {
    index(broker, 18_200);
    await broker.tick();
  },
  "futures.settled": async ({ positionNo, from }) => {
    const [row] = await query<FuturesRecord>(broker.db.kysely, "SELECT * FROM futures_position WHERE position_no = $1", [positionNo]);
    await nextDay(broker, levelIn(from), 0, (row?.expiry_day ?? 0) + 1 - broker.venue.feeDay(broker.clock.now));
  },
};

const driven = new Set<string>();

describe("every transition of a futures position", () => {
  it.each(paths)("$name", async ({ edges }) => {
    broker.venue.setPhase("open");
    index(broker, 20_000, 20_000);
    const member = await trader(broker, 6 * TX.initialCents + 3_000_000);
    const code = await contract(broker, member, "TX", 1);
    const { positionNo } = (await trade(broker, member, "buy", 6, { contract: code })).position;
    let { status } = await position(broker, member, positionNo);
    for (const { from, event, to } of edges) {
      expect(status).toBe(from);
      await drivers[event]?.({ member, positionNo, code, from });
      ({ status } = await position(broker, member, positionNo));
      expect(status, nameOf({ from, event, to })).toBe(to);
      driven.add(nameOf({ from, event, to }));
    }
  });

  it("is covered", () => {
    const { edges, states } = reachable(futuresPositionMachine, events);
    expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
    expect(states).toEqual(["called", "closed", "liquidated", "open", "settled"]);
  });
});
