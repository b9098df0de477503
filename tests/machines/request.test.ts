/** Tests the request machine: one submit sends once, and an unknown outcome is only ever queried, never resent. */
import { describe, expect, test, vi } from "vitest";
import { createActor, fromPromise } from "xstate";
import { COOL_DOWN_MS, REVIEW_GUARD_MS, requestMachine } from "#machines/request.ts";
import type { Asking, Checked, Sent } from "#machines/request.ts";
import { requestEvents } from "./request-events.ts";
import { declaredStates, pathOf, transitionTable } from "./state-graph.ts";

const submitted = {
  "send: accepted": "accepted",
  "send: refused": "refused",
  "send: too frequent": "coolingDown",
  "send: failed": "failed",
  "send: unknown": "unknown",
  "send: threw": "unknown",
  OUTCOME_RECEIVED: "accepted",
};

const rest = {
  editing: { SUBMIT: "validating", EDIT: "editing" },
  submitting: submitted,
  accepted: { RESET: "editing" },
  refused: { EDIT: "editing", SUBMIT: "validating" },
  coolingDown: { "3 s": "editing" },
  failed: { EDIT: "editing", SUBMIT: "validating" },
  unknown: { "2 s": "asking", ASK_NOW: "asking", OUTCOME_RECEIVED: "accepted" },
  asking: {
    "ask: accepted": "accepted",
    "ask: not received": "notReceived",
    "ask: unknown": "unknown",
    "ask: threw": "unknown",
    OUTCOME_RECEIVED: "accepted",
  },
  notReceived: { SEND_AGAIN: "submitting", EDIT: "editing", OUTCOME_RECEIVED: "accepted" },
};

describe("request", () => {
  test("accepts exactly the listed events in every reachable state, with a review", () => {
    expect(transitionTable(requestMachine, requestEvents, { reviews: true })).toEqual({
      ...rest,
      validating: { "check: problems": "editing", "check: valid": "reviewing.guarded", "check: threw": "failed" },
      "reviewing.guarded": { "350 ms": "reviewing.ready", EDIT: "editing", REVIEW_AGAIN: "reviewing.guarded" },
      "reviewing.ready": { CONFIRM: "submitting", EDIT: "editing", REVIEW_AGAIN: "reviewing.guarded" },
    });
  });

  test("accepts exactly the listed events in every reachable state, without a review", () => {
    const table = transitionTable(requestMachine, requestEvents, { reviews: false });
    expect(table).toEqual({
      ...rest,
      validating: { "check: problems": "editing", "check: valid": "submitting", "check: threw": "failed" },
    });
  });

  test("reaches every declared state", () => {
    const reached = Object.keys(transitionTable(requestMachine, requestEvents, { reviews: true }));
    expect(declaredStates(requestMachine).toSorted()).toEqual(reached.toSorted());
  });

  test("starts an unresolved command from before a reload with a query, never with a send", () => {
    const actor = createActor(requestMachine, { input: { reviews: false, unresolved: { requestId: "one", body: {} } } });
    expect(pathOf(actor.getSnapshot().value)).toBe("asking");
    expect(actor.getSnapshot().context.requestId).toBe("one");
  });
});

function startRequest(send: () => Promise<Sent>, ask: () => Promise<Asking> = () => Promise.resolve({ kind: "unknown" })) {
  let count = 0;
  const ids: string[] = [];
  const machine = requestMachine.provide({
    actors: {
      check: fromPromise<Checked, { values: unknown }>(async ({ input }) => ({
        problems: null,
        body: input.values,
        requestId: `id-${++count}`,
      })),
      send: fromPromise<Sent, { requestId: string; body: unknown }>(async ({ input }) => {
        ids.push(input.requestId);
        return send();
      }),
      ask: fromPromise<Asking, { requestId: string }>(ask),
    },
  });
  return { actor: createActor(machine, { input: { reviews: true } }).start(), ids };
}

describe("a running request", () => {
  test("sends once when Review and Confirm are double tapped", async () => {
    vi.useFakeTimers();
    try {
      const { actor, ids } = startRequest(() => new Promise(() => undefined));
      actor.send({ type: "SUBMIT", values: {} });
      actor.send({ type: "SUBMIT", values: {} });
      actor.send({ type: "CONFIRM" });
      await vi.advanceTimersByTimeAsync(0);
      actor.send({ type: "CONFIRM" });
      await vi.advanceTimersByTimeAsync(REVIEW_GUARD_MS - 1);
      actor.send({ type: "CONFIRM" });
      expect(ids).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      actor.send({ type: "CONFIRM" });
      actor.send({ type: "CONFIRM" });
      actor.send({ type: "SUBMIT", values: {} });
      await vi.advanceTimersByTimeAsync(COOL_DOWN_MS * 10);
      expect(ids).toEqual(["id-1"]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("resends a command that never arrived with the same requestId", async () => {
    vi.useFakeTimers();
    try {
      const outcomes: Sent[] = [{ kind: "unknown" }, { kind: "accepted", answer: 7 }];
      const { actor, ids } = startRequest(
        () => Promise.resolve(outcomes.shift() ?? { kind: "failed" }),
        () => Promise.resolve({ kind: "notReceived" }),
      );
      actor.send({ type: "SUBMIT", values: {} });
      await vi.advanceTimersByTimeAsync(REVIEW_GUARD_MS);
      actor.send({ type: "CONFIRM" });
      await vi.advanceTimersByTimeAsync(0);
      expect(pathOf(actor.getSnapshot().value)).toBe("unknown");
      actor.send({ type: "SUBMIT", values: {} });
      await vi.advanceTimersByTimeAsync(2_000);
      expect(pathOf(actor.getSnapshot().value)).toBe("notReceived");
      actor.send({ type: "SEND_AGAIN" });
      await vi.advanceTimersByTimeAsync(0);
      expect(ids).toEqual(["id-1", "id-1"]);
      expect(actor.getSnapshot().context.answer).toBe(7);
    } finally {
      vi.useRealTimers();
    }
  });

  test("gives a form changed after a refusal a new requestId", async () => {
    vi.useFakeTimers();
    try {
      const refused: Sent = { kind: "refused", refusal: { code: "FUND_AVAILABLE_INSUFFICIENT", params: {}, field: "lots", msg: "" } };
      const { actor, ids } = startRequest(() => Promise.resolve(refused));
      for (const lots of [2, 1]) {
        actor.send({ type: "SUBMIT", values: { lots } });
        await vi.advanceTimersByTimeAsync(REVIEW_GUARD_MS);
        actor.send({ type: "CONFIRM" });
        await vi.advanceTimersByTimeAsync(0);
        expect(actor.getSnapshot().context.refusal?.field).toBe("lots");
      }
      expect(ids).toEqual(["id-1", "id-2"]);
    } finally {
      vi.useRealTimers();
    }
  });
});
