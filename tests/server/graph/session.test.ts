/**
 * Tests the session lifecycle with the app's effects on a real broker: signed in and out here and in other tabs, and ended by the broker.
 */
import i18next from "i18next";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import en from "#locales/en.json";
import { sessionMachine } from "#machines/session.ts";
import type { Step } from "#src/actors/inspect.ts";
import type * as SessionModule from "#src/actors/session.ts";
import type * as ApiModule from "#src/gateway/api.ts";
import type * as StorageModule from "#src/gateway/storage.ts";
import { openBrowser } from "#tests/server/fault/device.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { sessionEvents } from "#tests/machines/session-events.ts";
import { openInterceptingProxy } from "./intercepting-proxy.ts";
import type { InterceptingProxy } from "./intercepting-proxy.ts";
import { reachable, nameOf, transitionPaths } from "./paths.ts";
import type { Path } from "./paths.ts";

const PATIENCE_MS = 60_000;

// The held reply is released when the test has done its steps, however slow the machine is, and never given up before.
vi.mock("#contract/kernel/endpoint.ts", async (load) => ({ ...(await load<object>()), CALL_TIMEOUT_MS: 60_000 }));

/** Transitions that the app's effects never cause. */
const UNREACHED = ["restoring -- restore: threw -> signedOut"];
// API calls return failures and never throw.

let server: TestServer;
let line: InterceptingProxy;
/** Releases the held query for the stored session at the end of the path. */
let release: (() => void) | null = null;
let holding = false;
let cutting = false;

beforeAll(async () => {
  server = await startTestServer();
  line = await openInterceptingProxy(server.url, async (call) => {
    if (call.name === "restoreSession" && holding) await new Promise<void>((done) => (release = done));
    return cutting ? null : call.forward();
  });
  await i18next.init({ lng: "en", resources: { en: { translation: en } } });
});
afterAll(async () => {
  await line.close();
  await server.stop();
});
beforeEach(() => {
  holding = false;
  cutting = false;
});

/** A page with the app's session actor, started with the stored session. */
interface Page {
  session: typeof SessionModule;
  api: typeof ApiModule;
  storage: typeof StorageModule;
  steps: Step[];
}

async function openPage(stored: Record<string, string>): Promise<Page> {
  vi.resetModules();
  openBrowser(line.url, stored);
  const { watchSteps } = await import("#src/actors/inspect.ts");
  const session = await import("#src/actors/session.ts");
  const api = await import("#src/gateway/api.ts");
  const storage = await import("#src/gateway/storage.ts");
  // What the first call would load: loading it again on a busy machine may last longer than a held call may wait.
  await Promise.all([(await import("#src/gateway/endpoints.ts")).allEndpoints(), import("#src/gateway/http.ts")]);
  const steps: Step[] = [];
  watchSteps((step) => {
    if (step.machine === "session" && step.event !== "xstate.init") steps.push(step);
  });
  session.startSession();
  return { session, api, storage, steps };
}

/** Changes the storage like another tab and notifies this one. */
function elsewhere(change: () => void): void {
  change();
  window.dispatchEvent(Object.assign(new window.Event("storage"), { key: "tokend", storageArea: window.localStorage }));
}

/** Short name of a step. */
function eventName({ event, payload }: Step): string {
  const { output } = (payload ?? {}) as { output?: { kind?: string } };
  if (event === "xstate.done.actor.restore") return `restore: ${output?.kind}`;
  return Object.entries(sessionEvents).find(([, one]) => one.type === event)?.[0] ?? event;
}

/** How to cause each event; delays and replies come by themselves. */
const drivers: Record<string, (page: Page, session: { token: string; account: string }) => Promise<unknown> | void> = {
  SIGNED_IN: async ({ session, api }) => {
    const outcome = await api.call("signIn", server.credentials);
    if (!outcome.ok) throw new Error("not signed in");
    session.enterSession(outcome.data);
  },
  EXIT: ({ session }) => session.leaveSession(),
  // The broker revokes the session, and the next call reports it.
  EXPIRED: async ({ api }, { token, account }) => {
    await server.call("signOut", {}, { token, account });
    await api.call("readMember", {});
  },
  LEFT_ELSEWHERE: () => elsewhere(() => window.localStorage.removeItem("tokend")),
  SIGNED_IN_ELSEWHERE: async () => {
    const { token, account } = await server.enter();
    elsewhere(() => {
      window.localStorage.setItem("account", account);
      window.localStorage.setItem("tokend", token);
    });
  },
  RETURNED: ({ session }) => session.forgetReturn(),
};

const driven = new Set<string>();

async function live({ edges }: Path): Promise<void> {
  const first = edges[0]?.event ?? "";
  const session = await server.enter();
  const stored = first === "restore: none" ? {} : { account: session.account, tokend: session.token };
  cutting = first === "restore: unreachable";
  // These events happen before the broker has replied.
  holding = !first.startsWith("restore: ");
  const page = await openPage(stored);
  if (holding) await vi.waitFor(() => expect(release).not.toBeNull(), { timeout: PATIENCE_MS });
  for (const [at, edge] of edges.entries()) {
    if (at > 0) cutting = false;
    const { tokend, account } = { tokend: page.storage.read("tokend") ?? "", account: page.storage.read("account") ?? "" };
    if (page.steps.length === at) await drivers[edge.event]?.(page, { token: tokend, account });
    await vi.waitFor(() => expect(page.steps.length).toBeGreaterThan(at), { interval: 5, timeout: PATIENCE_MS });
    const step = page.steps[at];
    expect(step && { from: edge.from, event: eventName(step), to: step.state }).toEqual(edge);
    driven.add(nameOf(edge));
  }
  const state = edges.at(-1)?.to;
  holding = false;
  cutting = false;
  if (state === "signedIn") {
    // A signed-in member has a session that the broker knows.
    const alive = await page.api.call("restoreSession", {});
    expect(alive.ok).toBe(true);
  }
  if (state === "leaving") expect(page.storage.read("tokend")).toBeNull();
  release?.();
  release = null;
}

describe("every transition of a session", () => {
  it.each(transitionPaths(sessionMachine, sessionEvents).filter(({ edges }) => !edges.some((one) => UNREACHED.includes(nameOf(one)))))(
    "$name",
    live,
  );
});

it("all transitions except the named ones are covered", () => {
  const { edges } = reachable(sessionMachine, sessionEvents);
  expect(edges.filter((edge) => !driven.has(edge))).toEqual(UNREACHED);
});
