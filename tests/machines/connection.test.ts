/** Tests the connection machine: stale within two seconds of silence, untradable after five, live again with the first message. */
import { describe, expect, test, vi } from "vitest";
import { createActor } from "xstate";
import { UNTRADABLE_MS, connectionMachine } from "#machines/connection.ts";
import { connectionEvents, missedBy } from "./connection-events.ts";
import { declaredStates, pathOf, transitionTable } from "./state-graph.ts";

const stale = { OFFLINE: "offline", RECEIVED: "live", DISCONNECTED: "polling.old" };
const polling = { OFFLINE: "offline", RECEIVED: "live", POLLED: "polling.fresh" };

describe("connection", () => {
  const table = transitionTable(connectionMachine, connectionEvents, { at: 0 }, missedBy);

  test("accepts exactly the listed events in every state", () => {
    expect(table).toMatchObject({
      connecting: { OFFLINE: "offline", RECEIVED: "live", DISCONNECTED: "polling.old", connect: "polling.old" },
      live: { OFFLINE: "offline", RECEIVED: "live", DISCONNECTED: "polling.waiting", silence: "stale.recent" },
      "stale.recent": { ...stale, "old after silence": "stale.old" },
      "stale.old": { ...stale, POLLED: "polling.fresh", POLL_FAILED: "stale.old missed once" },
      "stale.old missed twice": { RECEIVED: "live", POLLED: "polling.fresh", POLL_FAILED: "offline missed twice" },
      "polling.old missed twice": { RECEIVED: "live", POLLED: "polling.fresh", POLL_FAILED: "offline missed twice" },
      "polling.waiting": { ...polling, "old after disconnect": "polling.old", POLL_FAILED: "polling.waiting missed once" },
      "polling.fresh": { ...polling, "old after polling": "polling.old", POLL_FAILED: "polling.fresh missed once" },
      "polling.old": { ...polling, POLL_FAILED: "polling.old missed once" },
      offline: { ONLINE: "connecting", CONNECTED: "connecting", RECEIVED: "live", POLLED: "polling.fresh" },
    });
  });

  test("reaches every declared state", () => {
    const reached = new Set(Object.keys(table).map((state) => state.replace(/ missed (?:once|twice)$/, "")));
    expect(declaredStates(connectionMachine).toSorted()).toEqual([...reached].toSorted());
  });
});

describe("a running connection", () => {
  test("goes from silence to stale, then to untradable, then back to live", async () => {
    vi.useFakeTimers();
    const actor = createActor(connectionMachine, { input: { at: 0 } }).start();
    expect(actor.getSnapshot().hasTag("tradable")).toBe(false);
    actor.send({ type: "RECEIVED", at: 10 });
    await vi.advanceTimersByTimeAsync(1_799);
    actor.send({ type: "RECEIVED", at: 1_809 });
    await vi.advanceTimersByTimeAsync(1_799);
    expect(actor.getSnapshot().value).toBe("live");
    await vi.advanceTimersByTimeAsync(1);
    expect(actor.getSnapshot().hasTag("stale")).toBe(true);
    expect(actor.getSnapshot().hasTag("tradable")).toBe(true);
    await vi.advanceTimersByTimeAsync(3_199);
    expect(actor.getSnapshot().hasTag("tradable")).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(actor.getSnapshot().hasTag("tradable")).toBe(false);
    actor.send({ type: "RECEIVED", at: 7_000 });
    expect(actor.getSnapshot().value).toBe("live");
    expect(actor.getSnapshot().context).toEqual({ receivedAt: 7_000, since: 7_000, misses: 0 });
    vi.useRealTimers();
  });

  test("is offline when a socket stays open and silent while polls fail", () => {
    vi.useFakeTimers();
    const actor = createActor(connectionMachine, { input: { at: 0 } }).start();
    actor.send({ type: "RECEIVED", at: 1 });
    vi.advanceTimersByTime(UNTRADABLE_MS);
    expect(pathOf(actor.getSnapshot().value)).toBe("stale.old");
    for (const at of [6_000, 7_000, 8_000]) actor.send({ type: "POLL_FAILED", at });
    expect(pathOf(actor.getSnapshot().value)).toBe("offline");
    actor.send({ type: "RECEIVED", at: 9_000 });
    expect(actor.getSnapshot().context).toEqual({ receivedAt: 9_000, since: 9_000, misses: 0 });
    actor.stop();
    vi.useRealTimers();
  });

  test("is offline after three consecutive failed polls; a successful one resets the count", () => {
    const actor = createActor(connectionMachine, { input: { at: 0 } }).start();
    actor.send({ type: "RECEIVED", at: 1 });
    actor.send({ type: "DISCONNECTED", at: 2 });
    expect(pathOf(actor.getSnapshot().value)).toBe("polling.waiting");
    actor.send({ type: "POLL_FAILED", at: 3 });
    actor.send({ type: "POLLED", at: 4 });
    actor.send({ type: "POLL_FAILED", at: 5 });
    actor.send({ type: "POLL_FAILED", at: 6 });
    expect(pathOf(actor.getSnapshot().value)).toBe("polling.fresh");
    actor.send({ type: "POLL_FAILED", at: 7 });
    expect(pathOf(actor.getSnapshot().value)).toBe("offline");
    expect(actor.getSnapshot().context.receivedAt).toBe(4);
    actor.stop();
  });
});
