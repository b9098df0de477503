/** Tests the lifecycle of a securities loan on a real broker: every state and transition, driven by the member and the days. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LENDING_FACTS } from "#contract/lending.ts";
import { advance } from "#machines/advance.ts";
import { lendingMachine } from "#machines/lending.ts";
import { asks, expectCleanBooks, lender, newId, orderOf, pass, read } from "#tests/server/lending/fixture.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { nameOf, reachable, transitionPaths } from "./paths.ts";

const events = Object.fromEntries(LENDING_FACTS.map((type) => [type, { type }]));
const paths = transitionPaths(lendingMachine, events);

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
  lendingNo: string;
  from: string;
}

const drivers: Record<string, (life: Life) => Promise<unknown>> = {
  "lending.lent": async () => {
    asks(broker);
    await pass(broker, 1);
    broker.venue.setDemands([]);
  },
  "lending.withdrawn": ({ member, lendingNo }) => broker.call("withdrawLendingOffer", member, { requestId: newId(), lendingNo }),
  "lending.accrued": () => pass(broker, 1),
  "lending.recalled": ({ member, lendingNo }) => broker.call("recallShares", member, { requestId: newId(), lendingNo }),
  "lending.returned": ({ from }) => pass(broker, from === "recalled" ? 3 : 30),
};

const driven = new Set<string>();

describe("every transition of a loan of shares", () => {
  it.each(paths)("$name", async ({ edges }) => {
    const { member, orderNo } = await lender(broker);
    broker.venue.setDemands([]);
    const { lendingNo } = await broker.call("offerShares", member, {
      requestId: newId(),
      orderNo,
      lots: 2,
      ratePerMillion: 10_000,
      days: 30,
    });
    let status = (await read(broker, member, lendingNo)).status;
    for (const { from, event, to } of edges) {
      expect(status).toBe(from);
      await drivers[event]?.({ member, lendingNo, from });
      status = (await read(broker, member, lendingNo)).status;
      expect(status).toBe(to);
      const open = to === "completed" || to === "withdrawn" ? undefined : 2;
      expect((await orderOf(broker, member, orderNo)).onLoanLots).toBe(open);
      driven.add(nameOf({ from, event, to }));
    }
  });

  it("is covered", () => {
    const { edges, states } = reachable(lendingMachine, events);
    expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
    expect(states).toEqual(["completed", "inProgress", "offered", "recalled", "withdrawn"]);
  });

  it("forbids what the machine forbids", async () => {
    const { member, orderNo } = await lender(broker);
    const { lendingNo } = await broker.call("offerShares", member, {
      requestId: newId(),
      orderNo,
      lots: 2,
      ratePerMillion: 10_000,
      days: 30,
    });
    expect(advance(lendingMachine, "offered", "lending.recalled")).toBeNull();
    await expect(broker.call("recallShares", member, { requestId: newId(), lendingNo })).rejects.toMatchObject({
      code: "TRD_LEND_NOT_LENT",
    });
    await broker.call("withdrawLendingOffer", member, { requestId: newId(), lendingNo });
    await expect(broker.call("withdrawLendingOffer", member, { requestId: newId(), lendingNo })).rejects.toMatchObject({
      code: "TRD_LEND_NOT_OFFERED",
    });
  });
});
