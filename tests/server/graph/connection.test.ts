/** Tests the connection lifecycle with a real socket, worker and polls: one path that takes every transition. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { AnyActorRef, AnyMachineSnapshot } from "xstate";
import type * as Connection from "#machines/connection.ts";
import { connectionMachine } from "#machines/connection.ts";
import type * as Link from "#src/streams/worker-link.ts";
import type { FromWorker, RemoteMarketApi, ToWorker } from "#src/streams/worker.ts";
import { connectionEvents, missedBy } from "#tests/machines/connection-events.ts";
import { pathOf } from "#tests/machines/state-graph.ts";
import { openBrowser } from "#tests/server/fault/device.ts";
import { layFaultProxy } from "#tests/server/fault/proxy.ts";
import type { FaultProxy } from "#tests/server/fault/proxy.ts";
import { onPostgres } from "#tests/support/run.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { nameWithoutContext, reachable, coveringPath } from "./paths.ts";

const PATIENCE_MS = 60_000;
const TIMEOUT_MS = 600_000;
/** Longer than a new socket needs to connect. */
const CUT_EVERY_MS = 5_000;
/** A port without a listener. */
const DEAD_PORT = 9;

const progress = vi.hoisted(() => ({
  /** The next event of the path. */
  next: (): string => "",
}));

// A delay expires at once if the path waits for it, otherwise never.
vi.mock("#machines/connection.ts", async (original) => {
  const real = await original<typeof Connection>();
  const soon =
    (...names: string[]) =>
    (): number =>
      names.includes(progress.next()) ? 1 : 3_600_000;
  const delays = {
    connect: soon("connect"),
    silence: soon("silence"),
    untradable: soon("old after polling"),
    untradableAfterSilence: soon("old after silence", "old after disconnect"),
  };
  return { ...real, connectionMachine: real.connectionMachine.provide({ delays }) };
});

let server: TestServer;
let proxy: FaultProxy;
const path = coveringPath(connectionMachine, connectionEvents, { at: 0 }, missedBy);
const seen: { event: string; to: string }[] = [];
progress.next = () => path.edges[seen.length + 1]?.event ?? "";

type ConnectionMessage = Extract<FromWorker, { kind: "connection" }>;
/** Connection events of the worker, queued until the path needs them. */
const reported: ConnectionMessage["event"][] = [];
let deliver: (message: FromWorker) => void = () => undefined;

/** Intercepts the worker's connection events for the test and passes all other messages to the page. */
function interceptPort(port: MessagePort): MessagePort {
  const listeners = new Set<(event: MessageEvent<FromWorker>) => void>();
  deliver = (data) => {
    for (const listener of listeners) listener({ data } as MessageEvent<FromWorker>);
  };
  port.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
    if (data.kind === "connection") reported.push(data.event);
    else deliver(data);
  });
  const intercepted = {
    addEventListener: (_type: string, listener: (event: MessageEvent<FromWorker>) => void) => void listeners.add(listener),
    start: () => port.start(),
    postMessage: (message: ToWorker) => port.postMessage(message),
  };
  return intercepted as unknown as MessagePort;
}

/** Waits until the worker reports an event from now on. */
async function nextReport(event: ConnectionMessage["event"]): Promise<void> {
  reported.length = 0;
  await vi.waitFor(() => expect(reported).toContain(event), { interval: 5, timeout: PATIENCE_MS });
}

const up = (): void => proxy.target(Number(new URL(server.url).port));
function down(): void {
  proxy.target(DEAD_PORT);
  proxy.cutLines();
}

/** Closes the socket, repeatedly while it reconnects by polling, which has to upgrade to a socket first. */
async function cutUntil(event: ConnectionMessage["event"]): Promise<void> {
  const report = nextReport(event);
  proxy.cutLines();
  const again = setInterval(() => proxy.cutLines(), CUT_EVERY_MS);
  await report.finally(() => clearInterval(again));
}

/** How to cause each event. */
const drivers: Partial<Record<ConnectionMessage["event"], () => Promise<void>>> = {
  RECEIVED: async () => {
    up();
    await nextReport("RECEIVED");
  },
  CONNECTED: async () => {
    up();
    await cutUntil("CONNECTED");
  },
  DISCONNECTED: async () => {
    up();
    await nextReport("RECEIVED");
    await cutUntil("DISCONNECTED");
  },
  POLLED: async () => {
    up();
    await nextReport("POLLED");
  },
  POLL_FAILED: async () => {
    down();
    await nextReport("POLL_FAILED");
  },
};

let stop: () => void = () => undefined;

beforeAll(async () => {
  if (onPostgres) return;
  server = await startTestServer();
  proxy = await layFaultProxy({ port: Number(new URL(server.url).port), lateMs: 1_000, kill: async () => undefined });
  const { token, account } = await server.enter();
  openBrowser(proxy.url, { tokend: token, account });
  const link: typeof Link = await import("#src/streams/worker-link.ts");
  const { marketApi: openMarketApi } = await import("#workers/api.ts");
  const { openSocket } = await import("#workers/connection/transport.ts");
  const market = openMarketApi(openSocket);
  link.linkTo(async () => ({ api: market as unknown as RemoteMarketApi, port: interceptPort(market.open()) }));
  const { startMarket, stopMarket } = await import("#src/streams/market.ts");
  stop = stopMarket;
  startMarket({
    onActor: (actor: AnyActorRef) => {
      actor.system.inspect((report) => {
        if (report.type !== "@xstate.snapshot" || report.event.type === "xstate.init") return;
        const snapshot = report.snapshot as AnyMachineSnapshot;
        const event = Object.entries(connectionEvents).find(([, one]) => one.type === report.event.type)?.[0] ?? report.event.type;
        seen.push({ event, to: pathOf(snapshot.value) + missedBy(snapshot) });
      });
    },
  });
  // Without a watched cell the worker sends no frames.
  link.post({ kind: "cells", mount: [1, "2330", 0], unmount: [] });
});
afterAll(async () => {
  if (onPostgres) return;
  stop();
  await proxy.close();
  await server.stop();
});

// Whatever the database is: nothing is written on the way.
it.skipIf(onPostgres)("every transition of the connection is taken", { timeout: TIMEOUT_MS }, async () => {
  for (const [at, { event, to }] of path.edges.entries()) {
    if (event === "ONLINE" || event === "OFFLINE") window.dispatchEvent(new window.Event(event.toLowerCase()));
    const drive = drivers[event as ConnectionMessage["event"]];
    if (drive) {
      await drive();
      deliver({ kind: "connection", event: event as ConnectionMessage["event"], at: Date.now() });
    }
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(at), { interval: 5, timeout: PATIENCE_MS });
    expect(seen[at], `step ${at}`).toEqual({ event, to });
  }
  const taken = new Set(path.edges.map(nameWithoutContext));
  const reachableEdges = reachable(connectionMachine, connectionEvents, { at: 0 }).edges;
  expect(reachableEdges.filter((edge) => !taken.has(edge))).toEqual([]);
});
