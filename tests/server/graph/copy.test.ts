/** Tests the lifecycle of following a mentor on a real broker: every state and transition, driven by the member, the mentor and the market. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COPY_FACTS } from "#contract/copy.ts";
import { copyMachine } from "#machines/copy.ts";
import { expectCleanBooks, follower, mentor, newId, passTicks, priced, read } from "#tests/server/copy/fixture.ts";
import type { TestMentor } from "#tests/server/copy/fixture.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { nameOf, reachable, transitionPaths } from "./paths.ts";

const events = Object.fromEntries(COPY_FACTS.map((type) => [type, { type }]));
const paths = transitionPaths(copyMachine, events);

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

interface Life {
  one: TestMentor;
  member: number;
  copyNo: string;
  from: string;
}

/** Sells what was copied: the mentor's sale, or what the stop sells. */
const drivers: Record<string, (life: Life) => Promise<unknown>> = {
  "copy.copied": async ({ one, from }) => {
    if (from === "stopping") {
      broker.venue.setPhase("open");
      broker.venue.set(0, { bids: [[100, 1]], asks: [[101, 100]], last: 100, reference: 100 });
    } else if (from === "paused") {
      const [held] = await broker.db.kysely
        .selectFrom("order")
        .selectAll()
        .where("member_id", "=", one.member)
        .where("status", "=", "holding")
        .execute();
      await broker.close(one.member, held?.order_no as never, { lots: 5 });
    } else await broker.place(one.member, { lots: 10 });
    await passTicks(broker, 1);
  },
  "copy.paused": ({ member, copyNo }) => broker.call("pauseCopy", member, { requestId: newId(), copyNo }),
  "copy.resumed": ({ member, copyNo }) => broker.call("resumeCopy", member, { requestId: newId(), copyNo }),
  "copy.stopping": ({ member, copyNo }) => {
    broker.venue.setPhase("closed");
    return broker.call("stopCopy", member, { requestId: newId(), copyNo, keep: false });
  },
  "copy.stopped": async ({ member, copyNo, from }) => {
    if (from !== "stopping") return broker.call("stopCopy", member, { requestId: newId(), copyNo, keep: true });
    broker.venue.setPhase("open");
    priced(broker, 100);
    await broker.settled();
    return passTicks(broker);
  },
};

const driven = new Set<string>();

describe("every transition of following a mentor", () => {
  it.each(paths)("$name", async ({ edges }) => {
    broker.venue.setPhase("open");
    priced(broker, 100);
    const one = await mentor(broker);
    const { member, copyNo } = await follower(broker, one, { amount: 700_000, stopPercent: 90 });
    // Something lies in copies, so that there is something to sell in every state.
    await broker.place(one.member, { lots: 10 });
    await passTicks(broker);
    let { status } = (await read(broker, member, copyNo)).copy;
    for (const { from, event, to } of edges) {
      expect(status).toBe(from);
      await drivers[event]?.({ one, member, copyNo, from });
      ({ status } = (await read(broker, member, copyNo)).copy);
      expect(status).toBe(to);
      driven.add(nameOf({ from, event, to }));
    }
  });

  it("is covered", () => {
    const { edges, states } = reachable(copyMachine, events);
    expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
    expect(states).toEqual(["following", "paused", "stopped", "stopping"]);
  });
});
