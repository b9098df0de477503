/** Tests the session machine: restored, signed out after one second, or expired after two with storage cleared. */
import { describe, expect, test, vi } from "vitest";
import { createActor, fromPromise } from "xstate";
import { EXPIRE_MS, LEAVE_MS, sessionMachine } from "#machines/session.ts";
import type { Restored } from "#machines/session.ts";
import { sessionEvents } from "./session-events.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

describe("session", () => {
  test("accepts exactly the listed events in every reachable state", () => {
    expect(transitionTable(sessionMachine, sessionEvents, undefined)).toEqual({
      restoring: {
        "restore: alive": "signedIn",
        "restore: none": "signedOut",
        "restore: unreachable": "signedIn",
        "restore: threw": "signedOut",
        EXPIRED: "expired",
        SIGNED_IN: "signedIn",
        SIGNED_IN_ELSEWHERE: "signedIn",
        LEFT_ELSEWHERE: "signedOut",
      },
      signedOut: { SIGNED_IN: "signedIn", SIGNED_IN_ELSEWHERE: "signedIn" },
      signedIn: {
        EXIT: "leaving",
        EXPIRED: "expired",
        LEFT_ELSEWHERE: "signedOut",
        SIGNED_IN_ELSEWHERE: "signedIn",
        RETURNED: "signedIn",
      },
      leaving: { "1 s": "signedOut", SIGNED_IN_ELSEWHERE: "signedIn" },
      expired: { "2 s": "signedOut", SIGNED_IN_ELSEWHERE: "signedIn" },
    });
  });

  test("reaches every declared state", () => {
    expect(declaredStates(sessionMachine).toSorted()).toEqual(
      Object.keys(transitionTable(sessionMachine, sessionEvents, undefined)).toSorted(),
    );
  });
});

async function startSignedIn() {
  const done: string[] = [];
  const machine = sessionMachine.provide({
    actors: { restore: fromPromise<Restored>(() => Promise.resolve({ kind: "alive", account: "demo" })) },
    actions: {
      revoke: () => void done.push("revoke"),
      forgetSession: () => void done.push("forget"),
      clearExceptRemembered: () => void done.push("clear"),
      goToSignIn: () => void done.push("go"),
    },
  });
  const actor = createActor(machine).start();
  await vi.advanceTimersByTimeAsync(0);
  return { actor, done };
}

describe("a running session", () => {
  test("revokes and forgets the session at once on sign-out and navigates after a second", async () => {
    vi.useFakeTimers();
    const { actor, done } = await startSignedIn();
    actor.send({ type: "EXIT" });
    expect(done).toEqual(["revoke", "forget"]);
    await vi.advanceTimersByTimeAsync(LEAVE_MS - 1);
    expect(done).toEqual(["revoke", "forget"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(done).toEqual(["revoke", "forget", "go"]);
    expect(actor.getSnapshot().context).toEqual({ account: null, returnTo: null, reason: "left" });
    vi.useRealTimers();
  });

  test("logs out once after several 401s and remembers the first route until it is used", async () => {
    vi.useFakeTimers();
    const { actor, done } = await startSignedIn();
    actor.send({ type: "EXPIRED", route: "/trade/index", why: "ACC_SESSION_EXPIRED" });
    actor.send({ type: "EXPIRED", route: "/login/login", why: "ACC_SESSION_EXPIRED" });
    await vi.advanceTimersByTimeAsync(EXPIRE_MS - 1);
    expect(done).toEqual([]);
    await vi.advanceTimersByTimeAsync(EXPIRE_MS);
    expect(done).toEqual(["clear", "go"]);
    expect(actor.getSnapshot().context).toEqual({ account: null, returnTo: "/trade/index", reason: "ACC_SESSION_EXPIRED" });
    actor.send({ type: "SIGNED_IN", account: "demo" });
    expect(actor.getSnapshot().context).toEqual({ account: "demo", returnTo: "/trade/index", reason: null });
    actor.send({ type: "RETURNED" });
    expect(actor.getSnapshot().context.returnTo).toBeNull();
    vi.useRealTimers();
  });

  test("keeps the session of a sign-in from another tab during expiry", async () => {
    vi.useFakeTimers();
    const { actor, done } = await startSignedIn();
    actor.send({ type: "EXPIRED", route: "/trade/index", why: "ACC_SESSION_EXPIRED" });
    actor.send({ type: "SIGNED_IN_ELSEWHERE", account: "other" });
    await vi.advanceTimersByTimeAsync(EXPIRE_MS * 2);
    expect(done).toEqual([]);
    expect(actor.getSnapshot().context).toEqual({ account: "other", returnTo: null, reason: null });
    vi.useRealTimers();
  });

  test("does not wait for the restore result when signing in", async () => {
    vi.useFakeTimers();
    let answer: (restored: Restored) => void = () => undefined;
    const late = fromPromise<Restored>(() => new Promise((resolve) => (answer = resolve)));
    const actor = createActor(sessionMachine.provide({ actors: { restore: late } })).start();
    actor.send({ type: "SIGNED_IN", account: "demo" });
    answer({ kind: "none" });
    await vi.advanceTimersByTimeAsync(0);
    expect(actor.getSnapshot().value).toBe("signedIn");
    expect(actor.getSnapshot().context.account).toBe("demo");
    vi.useRealTimers();
  });
});
