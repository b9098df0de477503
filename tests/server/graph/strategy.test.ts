/** Tests the lifecycle of a strategy's run on a real broker: every state and transition, driven by the member, the clock and the market. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STRATEGY_FACTS } from "#contract/strategy.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { strategyMachine } from "#machines/strategy.ts";
import {
  expectCleanBooks,
  FALLING,
  investor,
  newId,
  nextDay,
  openStrategyBroker,
  past,
  passTicks,
  priced,
  read,
  RISING,
  start,
} from "#tests/server/strategy/fixture.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { nameOf, reachable, transitionPaths } from "./paths.ts";

const events = Object.fromEntries(STRATEGY_FACTS.map((type) => [type, { type }]));
const paths = transitionPaths(strategyMachine, events);

let broker: TestBroker;
beforeAll(async () => {
  broker = await openStrategyBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

interface Life {
  member: number;
  runNo: string;
  from: string;
}

const drivers: Record<string, (life: Life) => Promise<unknown>> = {
  "strategy.decided": () => nextDay(broker, FALLING),
  "strategy.paused": ({ member, runNo }) => broker.call("pauseStrategy", member, { requestId: newId(), runNo }),
  // What it wants then is decided after the reply.
  "strategy.resumed": ({ member, runNo }) => broker.call("resumeStrategy", member, { requestId: newId(), runNo }),
  "strategy.stopping": ({ member, runNo }) => {
    broker.venue.setPhase("closed");
    return broker.call("stopStrategy", member, { requestId: newId(), runNo, keep: false });
  },
  // One lot is taken, the rest stays in the market.
  "strategy.sold": async () => {
    broker.venue.setPhase("open");
    broker.venue.set(0, { bids: [[30, 1]], asks: [[31, 100]], last: 30, reference: 30 });
    await passTicks(broker);
  },
  "strategy.stopped": async ({ member, runNo, from }) => {
    if (from !== "stopping") return broker.call("stopStrategy", member, { requestId: newId(), runNo, keep: true });
    broker.venue.setPhase("open");
    priced(broker, 30);
    await broker.settled();
    return passTicks(broker);
  },
};

const driven = new Set<string>();

describe("every transition of a strategy's run", () => {
  it.each(paths)("$name", async ({ edges }) => {
    broker.clock.now += DAY_MS;
    broker.venue.setPhase("open");
    priced(broker, 30);
    past(broker, RISING);
    const member = await investor(broker);
    const { runNo } = await start(broker, member, { stopPercent: 90 });
    // It holds something, so that there is something to sell in every state.
    await passTicks(broker);
    let { status } = (await read(broker, member, runNo)).run;
    for (const { from, event, to } of edges) {
      expect(status).toBe(from);
      await drivers[event]?.({ member, runNo, from });
      const { run } = await read(broker, member, runNo);
      ({ status } = run);
      expect(status).toBe(to);
      const told = broker.published.filter(({ memberId, fact }) => memberId === member && fact.type === event);
      expect(told.length).toBeGreaterThan(0);
      driven.add(nameOf({ from, event, to }));
    }
  });

  it("is covered", () => {
    const { edges, states } = reachable(strategyMachine, events);
    expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
    expect(states).toEqual(["paused", "running", "stopped", "stopping"]);
  });
});
