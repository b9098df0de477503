/**
 * Tests the conversion lifecycle with the app's effects on a real broker: every transition, over a connection that loses questions and
 * replies where a path needs it.
 */
import { randomUUID } from "node:crypto";
import i18next from "i18next";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createActor } from "xstate";
import type { ActorRefFrom, AnyMachineSnapshot, EventObject } from "xstate";
import en from "#locales/en.json";
import { conversionMachine } from "#machines/conversion.ts";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import type * as Effects from "#src/actors/conversion.ts";
import type * as Storage from "#src/gateway/storage.ts";
import { openBrowser } from "#tests/server/fault/device.ts";
import { conversionEvents } from "#tests/machines/conversion-events.ts";
import { pathOf } from "#tests/machines/state-graph.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { openInterceptingProxy } from "./intercepting-proxy.ts";
import type { InterceptingProxy, InterceptedCall, RawReply } from "./intercepting-proxy.ts";
import { nameOf, reachable, transitionPaths } from "./paths.ts";
import type { Path } from "./paths.ts";

const PATIENCE_MS = 60_000;
/** A delay that a path does not wait for. */
const NEVER_MS = 3_600_000;

type Actor = ActorRefFrom<typeof conversionMachine>;

let server: TestServer;
let line: InterceptingProxy;
let effects: typeof Effects;
let write: typeof Storage.write;
let session = { token: "", account: "" };
let life: { path: Path; seen: { event: string; to: string }[]; actor: Actor | null };

const ahead = (): string[] => life.path.edges.slice(life.seen.length).map(({ event }) => event);
/** The event that the running effect has to end with. */
const wanted = (): string => ahead()[0] ?? "";

/** Handles an acceptance according to the path. */
async function onAccept(call: InterceptedCall): Promise<RawReply | null> {
  const [want = "", then = ""] = ahead();
  if (want === "accept: expired")
    await query(server.db.kysely, "UPDATE conversion_quote SET expires_at = 0 WHERE id = $1", [call.body["quoteId"]]);
  if (want === "accept: refused")
    await query(server.db.kysely, "UPDATE member SET identity = 'underReview' WHERE account = $1", [session.account]);
  // The question is lost, so that the broker never receives it.
  if (want === "accept: unknown" && then === "outcome: not received") return null;
  const replied = await call.forward();
  return want === "accept: unknown" ? null : replied;
}

beforeAll(async () => {
  server = await startTestServer({ commandsPerSecond: 100_000 });
  await query(server.db.kysely, `UPDATE rule SET body = body || '{"hourlyCents": 100000000000}' WHERE part = 'conversion'`);
  line = await openInterceptingProxy(server.url, (call) => {
    if (call.name === "quoteConversion") return wanted() === "quote: failed" ? Promise.resolve(null) : call.forward();
    if (call.name === "acceptConversion") return onAccept(call);
    if (call.name === "askOutcome" && wanted() === "outcome: unknown") return Promise.resolve(null);
    return call.forward();
  });
  await i18next.init({ lng: "en", resources: { en: { translation: en } } });
  openBrowser(line.url, {});
  effects = await import("#src/actors/conversion.ts");
  ({ write } = await import("#src/gateway/storage.ts"));
});
afterAll(async () => {
  expect((await auditBooks(server.db.kysely)).differences).toEqual([]);
  await line.close();
  await server.stop();
});

const PREFIX: Record<string, string> = { askQuote: "quote", accept: "accept", askOutcome: "outcome" };

function eventName(event: EventObject & { output?: { kind?: string } }): string {
  const [, what, id = ""] = /^xstate\.(done|error)\.actor\.(\w+)$/.exec(event.type) ?? [];
  if (what === "error") return `${PREFIX[id]}: threw`;
  if (what === "done") return `${PREFIX[id]}: ${event.output?.kind === "notReceived" ? "not received" : event.output?.kind}`;
  return Object.entries(conversionEvents).find(([, one]) => one.type === event.type)?.[0] ?? event.type;
}

/** Without a price for the same currency twice there is no quote. */
const termsOf = (event: string | undefined) => ({
  from: "TWD" as const,
  to: event === "quote: refused" ? ("TWD" as const) : ("USD" as const),
  side: "sell" as const,
  amount: 100_000,
});

async function act(event: string): Promise<void> {
  const { actor } = life;
  if (event === "ASK") actor?.send({ type: "ASK", terms: termsOf(ahead()[1]) });
  else if (event === "ACCEPT") actor?.send({ type: "ACCEPT", requestId: randomUUID() });
  else if (/^[A-Z_]+$/.test(event)) actor?.send({ type: event } as Parameters<Actor["send"]>[0]);
}

/** The machine with its effects; a delay ends at once if the path waits for it, otherwise never, and an effect fails where it has to. */
function begin(): Actor {
  const soon = (event: string) => (): number => (life.path.edges[life.seen.length + 1]?.event === event ? 1 : NEVER_MS);
  const real = effects.withConversionEffects();
  const machine = real.provide({ delays: { lifetime: soon("15 s"), outcomeAgain: soon("2 s") } });
  const actor: Actor = createActor(machine);
  actor.system.inspect((said) => {
    if (said.type !== "@xstate.snapshot" || said.actorRef !== actor || said.event.type === "xstate.init") return;
    life.seen.push({ event: eventName(said.event), to: pathOf((said.snapshot as AnyMachineSnapshot).value) });
  });
  return actor;
}

const driven = new Set<string>();
/** A thrown effect is a fault of the device, such as a full disk; the unit test of the machine covers it. */
const isCaused = ({ edges }: Path): boolean => !edges.some(({ event }) => event.endsWith(": threw"));
const paths = transitionPaths(conversionMachine, conversionEvents).filter(isCaused);

async function live(path: Path): Promise<void> {
  await query(server.db.kysely, "UPDATE member SET identity = 'verified'");
  session = await server.enter();
  write("account", session.account as never);
  write("tokend", session.token);
  const count = async (): Promise<number> => (await query(server.db.kysely, "SELECT FROM conversion")).length;
  const before = await count();
  life = { path, seen: [], actor: null };
  const actor = begin();
  life.actor = actor;
  actor.start();
  for (const [at, edge] of path.edges.entries()) {
    if (life.seen.length === at) await act(edge.event);
    await vi.waitFor(() => expect(life.seen.length).toBeGreaterThan(at), { interval: 5, timeout: PATIENCE_MS });
    expect(life.seen[at]).toEqual({ event: edge.event, to: edge.to });
    driven.add(nameOf(edge));
  }
  const done = path.edges.some(({ to }) => to === "done");
  // It is done exactly if money was exchanged, and then once; an acceptance whose reply was lost was exchanged as well.
  const lost =
    path.edges.some(({ event }) => event === "accept: unknown") && !path.edges.some(({ event }) => event === "outcome: not received");
  expect((await count()) - before).toBe(done || lost ? 1 : 0);
  actor.stop();
}

describe("every transition of a conversion", () => {
  it.each(paths)("$name", live);
});

it("all transitions that a broker or a connection can cause are covered", () => {
  const { edges, states } = reachable(conversionMachine, conversionEvents);
  expect(edges.filter((edge) => !driven.has(edge) && !edge.includes(": threw"))).toEqual([]);
  expect(states).toHaveLength(8);
});
