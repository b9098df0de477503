/** Tests the lifecycle of an option position on a real broker: every state and transition, driven by the member, the market and the days. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OPTION_FACTS } from "#contract/option.ts";
import { optionPositionMachine } from "#machines/option-position.ts";
import { expectCleanBooks, index, move, nextDay } from "#tests/server/futures/fixture.ts";
import { closeOption, expire, openOption, optionPosition, optionTrader, series } from "#tests/server/options/fixture.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { nameOf, reachable, transitionPaths } from "./paths.ts";

const events = Object.fromEntries(OPTION_FACTS.map((type) => [type, { type }]));
const paths = transitionPaths(optionPositionMachine, events);
/** Below the maintenance margin of six sold puts, and above a quarter of the initial one. */
const CALLED_AT = 19_000;

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
  from: string;
}

const levelIn = (from: string): number => (from === "called" ? CALLED_AT : 20_000);

const drivers: Record<string, (life: Life) => Promise<unknown>> = {
  "option.changed": ({ member, positionNo }) => closeOption(broker, member, positionNo, 1),
  "option.marked": ({ from }) => {
    // Before the market opens nothing is closed for a call that was not met.
    broker.venue.setPhase("closed");
    return nextDay(broker, levelIn(from));
  },
  "option.called": () => nextDay(broker, CALLED_AT),
  "option.restored": async ({ member }) => {
    await move(broker, member, "futures", 100_000_000);
    await broker.tick();
  },
  "option.closed": async ({ member, positionNo }) => {
    const { lots } = await optionPosition(broker, member, positionNo);
    await closeOption(broker, member, positionNo, Math.abs(lots));
  },
  "option.liquidated": async () => {
    index(broker, 17_000, 18_800);
    await broker.tick();
  },
  "option.settled": ({ positionNo, from }) => expire(broker, positionNo, Math.min(19_900, levelIn(from))),
  "option.expired": ({ positionNo }) => expire(broker, positionNo, 20_400),
};

const driven = new Set<string>();

describe("every transition of an option position", () => {
  it.each(paths)("$name", async ({ edges }) => {
    broker.venue.setPhase("open");
    index(broker, 20_000, 20_000);
    const member = await optionTrader(broker, 6 * 9_500_000);
    const { code } = await series(broker, member, "put", 0, 1);
    const { positionNo } = (await openOption(broker, member, code, "sell", 6)).position;
    let { status } = await optionPosition(broker, member, positionNo);
    for (const { from, event, to } of edges) {
      expect(status).toBe(from);
      await drivers[event]?.({ member, positionNo, from });
      ({ status } = await optionPosition(broker, member, positionNo));
      expect(status, nameOf({ from, event, to })).toBe(to);
      driven.add(nameOf({ from, event, to }));
    }
  });

  it("is covered", () => {
    const { edges, states } = reachable(optionPositionMachine, events);
    expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
    expect(states).toEqual(["called", "closed", "expired", "liquidated", "open", "settled"]);
  });
});
