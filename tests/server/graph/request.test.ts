/**
 * Tests the request lifecycle with the app's effects on a real broker, over a connection that is broken, delayed and overtaken where a path
 * needs it.
 */
import { randomUUID } from "node:crypto";
import i18next from "i18next";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createActor, waitFor } from "xstate";
import type { ActorRefFrom, AnyMachineSnapshot, EventObject } from "xstate";
import type { Order } from "#contract/order.ts";
import en from "#locales/en.json";
import { requestMachine } from "#machines/request.ts";
import type * as Hands from "#src/actors/request-effects.ts";
import type * as Storage from "#src/gateway/storage.ts";
import { openBrowser } from "#tests/server/fault/device.ts";
import { requestEvents } from "#tests/machines/request-events.ts";
import { pathOf } from "#tests/machines/state-graph.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { openInterceptingProxy } from "./intercepting-proxy.ts";
import type { InterceptingProxy, InterceptedCall, RawReply } from "./intercepting-proxy.ts";
import { reachable, nameOf, transitionPaths } from "./paths.ts";
import type { Path } from "./paths.ts";

const PATIENCE_MS = 60_000;
/** A delay that a path does not wait for. */
const NEVER_MS = 3_600_000;

type Actor = ActorRefFrom<typeof requestMachine>;

/** A running path. */
interface Life {
  path: Path;
  /** The actor's steps so far: those of the path, and those it takes by itself afterwards. */
  seen: { event: string; to: string }[];
  actor: Actor | null;
  /** A command that was held back. */
  late: InterceptedCall | null;
}

let server: TestServer;
/** A broker whose rate limit refuses every command. */
let strict: TestServer;
let line: InterceptingProxy;
let life: Life;
let withRequestEffects: typeof Hands.withRequestEffects;
let write: typeof Storage.write;

/** The event after those seen, according to the path. */
const wanted = (): string => life.path.edges[life.seen.length]?.event ?? "";
/** The events after that. */
const ahead = (): string[] => life.path.edges.slice(life.seen.length).map(({ event }) => event);

const orderIn = ({ text }: RawReply): Order => {
  const { data } = JSON.parse(text) as { data: Order | { order: Order } };
  return "order" in data ? data.order : data;
};

/** Handles a placed order according to the path. */
async function onPlace(call: InterceptedCall): Promise<RawReply | null> {
  const want = wanted();
  if (want === "send: too frequent") return call.forward({ url: strict.url, ...(await strict.enter()) });
  if (want === "send: failed") {
    await server.call("signOut", {}, session);
    return call.forward();
  }
  const next = ahead().slice(1);
  const asked = next.find((event) => event.startsWith("ask: ") && event !== "ask: unknown" && event !== "ask: threw");
  if (want === "send: unknown" && asked === "ask: not received") {
    life.late = call;
    return null;
  }
  const replied = await call.forward();
  if (want === "send: unknown") return null;
  // The push arrives before the reply.
  if (want === "OUTCOME_RECEIVED") life.actor?.send({ type: "OUTCOME_RECEIVED", answer: orderIn(replied) });
  return replied;
}

async function onAsk(call: InterceptedCall): Promise<RawReply | null> {
  const want = wanted();
  if (want === "ask: unknown") return null;
  const replied = await call.forward();
  if (want === "OUTCOME_RECEIVED") life.actor?.send({ type: "OUTCOME_RECEIVED", answer: orderIn(replied) });
  return replied;
}

let session = { token: "", account: "" };

beforeAll(async () => {
  server = await startTestServer({ commandsPerSecond: 100_000 });
  strict = await startTestServer({ commandsPerSecond: 0 });
  line = await openInterceptingProxy(server.url, (call) => {
    if (call.name === "placeOrder") return onPlace(call);
    return call.name === "askOutcome" ? onAsk(call) : call.forward();
  });
  await i18next.init({ lng: "en", resources: { en: { translation: en } } });
  openBrowser(line.url, {});
  ({ withRequestEffects } = await import("#src/actors/request-effects.ts"));
  ({ write } = await import("#src/gateway/storage.ts"));
});
afterAll(async () => {
  await line.close();
  await strict.stop();
  await server.stop();
});

/** Short name of an actor's event. */
function eventName(event: EventObject & { output?: { kind?: string; problems?: unknown; refusal?: { code: string } } }): string {
  const [, what, id = ""] = /^xstate\.(done|error)\.actor\.(\w+)$/.exec(event.type) ?? [];
  if (what === "error") return `${id}: threw`;
  if (what === "done") {
    const { kind, problems, refusal } = event.output ?? {};
    if (id === "check") return problems ? "check: problems" : "check: valid";
    if (kind === "refused" && refusal?.code === "GEN_TOO_FREQUENT") return "send: too frequent";
    return `${id}: ${kind === "notReceived" ? "not received" : kind}`;
  }
  return Object.entries(requestEvents).find(([, one]) => one.type === event.type)?.[0] ?? event.type;
}

/** The form's values at submission: valid, unless the path needs a refusal. */
function typed(): object {
  const [, check, ...rest] = ahead();
  const refusedThere = rest.find((event) => event.startsWith("send: ")) === "send: refused";
  return {
    code: refusedThere ? "IX0001" : "0050",
    direction: "rise",
    pricing: "market",
    price: null,
    lots: check === "check: problems" ? 0 : 1,
  };
}

/** Performs a step of the member or a push; actor results and delays come by themselves. */
async function act(event: string): Promise<void> {
  const { actor } = life;
  if (!actor) return;
  if (event === "SUBMIT") {
    actor.send({ type: "SUBMIT", values: typed() });
  } else if (event === "OUTCOME_RECEIVED") {
    if (actor.getSnapshot().matches("submitting") || actor.getSnapshot().matches("asking")) return;
    // Whether it was late or its reply was lost, the order exists in the end.
    if (life.late) await life.late.forward();
    const requestId = actor.getSnapshot().context.requestId ?? "";
    const reply = await server.call("askOutcome", { requestId }, session);
    actor.send({ type: "OUTCOME_RECEIVED", answer: reply.status === 1 ? reply.data.order : null });
  } else if (event === event.toUpperCase() && !/\d/.test(event)) {
    actor.send({ type: event } as Parameters<Actor["send"]>[0]);
  }
}

/** Starts the actor. A delay expires at once if the path waits for it, otherwise never. */
function begin(): Actor {
  const fail = (at: string, want = wanted()): void => {
    if (want === at) throw new Error("the effect failed");
  };
  /** The event after the current step, which is not among those seen yet. */
  const afterThis = (): string => life.path.edges[life.seen.length + 1]?.event ?? "";
  const options = {
    check: () => {
      // In the step that starts it, or later.
      fail("check: threw", afterThis());
      fail("check: threw");
      return [];
    },
    onAccepted: () => {
      fail("send: threw");
      fail("ask: threw");
    },
  };
  const soon = (event: string) => (): number => (afterThis() === event ? 1 : NEVER_MS);
  const machine = withRequestEffects("placeOrder", () => options).provide({
    delays: { reviewGuard: soon("350 ms"), coolDown: soon("3 s"), askAgain: soon("2 s") },
  });
  const actor: Actor = createActor(machine, { input: { reviews: true } });
  actor.system.inspect((said) => {
    if (said.type !== "@xstate.snapshot" || said.actorRef !== actor || said.event.type === "xstate.init") return;
    life.seen.push({ event: eventName(said.event), to: pathOf((said.snapshot as AnyMachineSnapshot).value) });
  });
  return actor;
}

const driven = new Set<string>();
const ordersOf = async (requestId: string): Promise<number> => {
  const rows = await server.db.kysely.selectFrom("order").select("order_no").where("request_id", "=", requestId).execute();
  return rows.length;
};

async function live(path: Path): Promise<void> {
  session = await server.enter();
  write("account", session.account as never);
  write("tokend", session.token);
  life = { path, seen: [], actor: null, late: null };
  const actor = begin();
  life.actor = actor;
  actor.start();
  for (const [at, edge] of path.edges.entries()) {
    if (life.seen.length === at) await act(edge.event);
    await vi.waitFor(() => expect(life.seen.length).toBeGreaterThan(at), { interval: 5, timeout: PATIENCE_MS });
    expect(life.seen[at]).toEqual({ event: edge.event, to: edge.to });
    driven.add(nameOf(edge));
  }
  // A command is executed at most once, and accepted only if it was executed.
  const { requestId, answer } = actor.getSnapshot().context;
  if (requestId !== null && actor.getSnapshot().matches("accepted")) {
    expect(await ordersOf(requestId)).toBe(1);
    expect((answer as Order).requestId).toBe(requestId);
  }
  if (requestId !== null && (actor.getSnapshot().matches("refused") || actor.getSnapshot().matches("coolingDown"))) {
    expect(await ordersOf(requestId)).toBe(0);
  }
  actor.stop();
}

describe("every transition of a request", () => {
  it.each(transitionPaths(requestMachine, requestEvents, { reviews: true }))("$name", live);
});

it("all transitions are covered", () => {
  const { edges, states } = reachable(requestMachine, requestEvents, { reviews: true });
  expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
  expect(states).toHaveLength(12);
});

it("a command of an earlier page is queried, never sent", async () => {
  session = await server.enter();
  write("account", session.account as never);
  write("tokend", session.token);
  const requestId = randomUUID();
  life = { path: { name: "", edges: [] }, seen: [], actor: null, late: null };
  const actor = createActor(
    withRequestEffects("placeOrder", () => ({})),
    { input: { reviews: true, unresolved: { requestId, body: {} } } },
  ).start();
  await waitFor(actor, (snapshot) => snapshot.matches("notReceived"), { timeout: PATIENCE_MS });
  expect(await ordersOf(requestId)).toBe(0);
  actor.stop();
});
