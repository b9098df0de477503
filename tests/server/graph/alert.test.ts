/** Tests the alert lifecycle on a real broker: every state and transition of its machine, driven by market and member. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ALERT_FACTS } from "#contract/alert.ts";
import { Code, RequestId } from "#contract/kernel/id.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { alertMachine } from "#machines/alert.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { reachable, nameOf, transitionPaths } from "./paths.ts";

const events = Object.fromEntries(ALERT_FACTS.map((type) => [type, { type }]));
const ROW = 0;

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  await broker.shut();
});

interface Life {
  member: number;
  id: RequestId;
}

const drivers: Record<string, (life: Life) => Promise<unknown> | void> = {
  "alert.fired": () => broker.venue.set(ROW, { last: 106 }),
  "alert.withdrawn": ({ member, id }) => broker.call("withdrawAlert", member, { id }),
};

async function statusOf({ id }: Life): Promise<string> {
  const { status } = await broker.db.kysely.selectFrom("alert").select("status").where("id", "=", id).executeTakeFirstOrThrow();
  return status;
}

const driven = new Set<string>();

describe("every transition of an alert", () => {
  it.each(transitionPaths(alertMachine, events))("$name", async ({ edges }) => {
    broker.venue.set(ROW, { last: 100, bids: [[99.5, 10]], asks: [[100.5, 10]] });
    const life: Life = { member: await broker.newMember(), id: RequestId.parse(randomUUID()) };
    await broker.call("setAlert", life.member, { id: life.id, code: Code.parse("2330"), kind: "above", level: 105 * PRICE_ONE });
    for (const edge of edges) {
      expect(await statusOf(life)).toBe(edge.from);
      await drivers[edge.event]?.(life);
      await vi.waitFor(async () => expect(await statusOf(life)).toBe(edge.to), { timeout: 30_000 });
      driven.add(nameOf(edge));
    }
    // A final status never changes.
    const end = await statusOf(life);
    for (const drive of Object.values(drivers)) await drive(life);
    await broker.settled();
    expect(await statusOf(life)).toBe(end);
    const { alerts } = await broker.call("listAlerts", life.member, {});
    expect(alerts.map(({ status }) => status)).toEqual(end === "fired" ? ["fired"] : []);
    const { facts } = await broker.call("factsSince", life.member, { after: 0 });
    expect(facts.map(({ type }) => type)).toEqual(end === "fired" ? ["alert.fired"] : []);
  });
});

it("all transitions are covered", () => {
  const { edges, states } = reachable(alertMachine, events);
  expect([...driven].toSorted()).toEqual(edges);
  expect(states).toEqual(["fired", "waiting", "withdrawn"]);
});
