/** Tests the inspection of running machines: every step is reported while there is a listener, nothing otherwise, and never a secret. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import { afterEach, describe, expect, test, vi } from "vitest";
import { createActor, fromPromise, waitFor } from "xstate";
import type { InspectionEvent } from "xstate";
import { requestMachine } from "#machines/request.ts";
import type { Checked, Sent } from "#machines/request.ts";
import { runningNow, watchSteps } from "#src/actors/inspect.ts";
import { registerActor } from "#src/actors/registry.ts";
import type { Step } from "#src/actors/inspect.ts";
import { withoutSecrets } from "#src/actors/inspector.ts";
import { HIDDEN, redacted } from "#src/actors/redact.ts";
import { remove, write } from "#src/gateway/storage.ts";

const SECRETS = {
  idNumber: "A123456789",
  password: "kuroshio-demo",
  guaranteeCode: "888888",
  fundPassword: "135790",
  token: "tok-4711-secret",
};

/** A sign-in as the form sends it, answered with a session. */
function signingIn() {
  const { token, ...typed } = SECRETS;
  const machine = requestMachine.provide({
    actors: {
      check: fromPromise<Checked, { values: unknown }>(async ({ input }) => ({ problems: null, body: input.values, requestId: "one" })),
      send: fromPromise<Sent, { requestId: string; body: unknown }>(async () => ({ kind: "accepted", answer: { token, account: "KS1" } })),
    },
  });
  const actor = registerActor(createActor(machine, { id: "signIn", input: { reviews: false } })).start();
  return { actor, submit: () => actor.send({ type: "SUBMIT", values: typed }) };
}

afterEach(() => remove("tokend"));

test("reports every step of a running machine with its state", async () => {
  const steps: Step[] = [];
  const { actor, submit } = signingIn();
  const stop = watchSteps((step) => steps.push(step));
  submit();
  await waitFor(actor, (snapshot) => snapshot.matches("accepted"));
  stop();
  expect(steps.map(({ machine, name, event, state }) => [machine, name, event, state])).toEqual([
    ["request", "signIn", "SUBMIT", "validating"],
    ["request", "signIn", "xstate.done.actor.check", "submitting"],
    ["request", "signIn", "xstate.done.actor.send", "accepted"],
  ]);
  expect(steps[0]?.payload).toMatchObject({ values: { idNumber: HIDDEN, password: HIDDEN, guaranteeCode: HIDDEN, fundPassword: HIDDEN } });
  const text = JSON.stringify(steps);
  for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
});

test("reports actors started later, and nothing after it has stopped", async () => {
  const steps: Step[] = [];
  const stop = watchSteps((step) => steps.push(step));
  const { actor, submit } = signingIn();
  expect(runningNow().some((one) => one.machine === "request" && one.actor === actor.sessionId && one.state === "editing")).toBe(true);
  submit();
  await waitFor(actor, (snapshot) => snapshot.matches("accepted"));
  const reported = steps.length;
  expect(reported).toBeGreaterThan(0);
  stop();
  actor.send({ type: "RESET" });
  expect(steps).toHaveLength(reported);
});

test("adds no observer to any actor without a listener", () => {
  const { actor, submit } = signingIn();
  const inspecting = vi.spyOn(actor.system, "inspect");
  submit();
  expect(inspecting).not.toHaveBeenCalled();
  const stop = watchSteps(() => undefined);
  expect(inspecting).toHaveBeenCalledOnce();
  stop();
});

describe("a secret", () => {
  test("is hidden by the name of its field, however deep", () => {
    expect(redacted({ headers: { token: "x" }, list: [{ newPassword: "y", lots: 3 }], FundPassword: 1, tokend: null })).toEqual({
      headers: { token: HIDDEN },
      list: [{ newPassword: HIDDEN, lots: 3 }],
      FundPassword: HIDDEN,
      tokend: null,
    });
  });

  test("is hidden in a text: an ID number, and the token of this session", () => {
    write("tokend", SECRETS.token);
    expect(redacted(`of A123456789 with ${SECRETS.token}`)).toBe(`of ${HIDDEN} with ${HIDDEN}`);
    expect(redacted(new Error(`401 for ${SECRETS.token}`))).toBe(`401 for ${HIDDEN}`);
  });

  test("leaves other values alone", () => {
    const order = { code: "2330", lots: 5, price: 10_000_000, orderNo: "K202601020001", requestId: "0e1c9a52-3b6c-4a0c-9f57-6a5b2f8f1d11" };
    expect(redacted({ order })).toEqual({ order });
  });

  test("never reaches the inspector: not in an event, a context or an output", () => {
    const base = { rootId: "x", sessionId: "x", createdAt: "", id: "", _version: "" };
    const snapshot = { status: "done", output: { token: SECRETS.token }, error: undefined, context: { values: SECRETS } };
    const events = [
      { ...base, type: "@xstate.event" as const, sourceId: undefined, event: { type: "SUBMIT", values: SECRETS } },
      { ...base, type: "@xstate.snapshot" as const, event: { type: "SUBMIT", values: SECRETS }, snapshot: snapshot as never },
      { ...base, type: "@xstate.actor" as const, name: "x", definition: undefined, parentId: undefined, snapshot: snapshot as never },
    ];
    const text = JSON.stringify(events.map((one) => withoutSecrets(one)));
    for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
    expect(text).toContain("SUBMIT");
  });
});

test("XState reports steps as the inspected event type", () => {
  const types: InspectionEvent["type"][] = [];
  const actor = createActor(requestMachine, { input: { reviews: false } });
  actor.system.inspect(({ type }) => types.push(type));
  actor.start();
  expect(types).toContain("@xstate.snapshot");
  actor.stop();
});
