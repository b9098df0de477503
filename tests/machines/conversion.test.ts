/** Tests the conversion machine: a quote is accepted once, only while its time runs, and an unknown outcome is only ever queried. */
import { describe, expect, test, vi } from "vitest";
import { createActor, fromPromise } from "xstate";
import { conversionMachine } from "#machines/conversion.ts";
import type { AcceptAnswer, QuoteAnswer } from "#machines/conversion.ts";
import { conversionEvents } from "./conversion-events.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

describe("conversion", () => {
  test("accepts exactly the listed events in every reachable state", () => {
    expect(transitionTable(conversionMachine, conversionEvents, undefined)).toEqual({
      editing: { ASK: "asked" },
      asked: {
        EDIT: "editing",
        "quote: quoted": "quoted",
        "quote: refused": "editing",
        "quote: failed": "editing",
        "quote: threw": "editing",
      },
      quoted: { ACCEPT: "accepting", ASK_AGAIN: "asked", EDIT: "editing", "15 s": "expired" },
      expired: { ASK_AGAIN: "asked", EDIT: "editing" },
      accepting: {
        "accept: done": "done",
        "accept: expired": "expired",
        "accept: refused": "editing",
        "accept: unknown": "unknown.querying",
        "accept: threw": "unknown.querying",
      },
      "unknown.querying": {
        "outcome: done": "done",
        "outcome: not received": "expired",
        "outcome: unknown": "unknown.waiting",
        "outcome: threw": "unknown.waiting",
      },
      "unknown.waiting": { ASK_NOW: "unknown.querying", "2 s": "unknown.querying" },
      done: { EDIT: "editing" },
    });
  });

  test("reaches every declared state", () => {
    const reached = Object.keys(transitionTable(conversionMachine, conversionEvents, undefined));
    expect(declaredStates(conversionMachine).toSorted()).toEqual(reached.toSorted());
  });

  test("ends a quote after its own lifetime, and accepts nothing afterwards", async () => {
    vi.useFakeTimers();
    const accepted = vi.fn<() => Promise<AcceptAnswer>>();
    const actor = createActor(
      conversionMachine.provide({
        actors: {
          askQuote: fromPromise<QuoteAnswer, { terms: unknown }>(() =>
            Promise.resolve({ kind: "quoted", quote: { quoteId: "q", lifetimeMs: 7_000 } }),
          ),
          accept: fromPromise<AcceptAnswer, { requestId: string; quoteId: string }>(accepted),
        },
      }),
    ).start();
    actor.send({ type: "ASK", terms: {} });
    await vi.advanceTimersByTimeAsync(6_999);
    expect(actor.getSnapshot().value).toBe("quoted");
    await vi.advanceTimersByTimeAsync(1);
    expect(actor.getSnapshot().value).toBe("expired");
    actor.send({ type: "ACCEPT", requestId: "late" });
    expect(accepted).not.toHaveBeenCalled();
    actor.stop();
    vi.useRealTimers();
  });
});
