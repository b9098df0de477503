/**
 * Benchmark of 1,000 members: order latency while 2,000 quotes per second are streamed to all of them, and the time until all have
 * reconnected after a disconnect.
 */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { WebSocket } from "ws";
import { endpoints } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import type { View } from "#contract/kernel/push.ts";
import type { BenchOptions } from "./bench.ts";
import type { Table } from "./table.ts";

const MEMBERS = 1_000;
const QUICK_MEMBERS = 100;
/** Quote updates per second. */
const RATE = 2_000;
const ORDERS = 500;
const QUICK_ORDERS = 100;
/** Pause between a reply and the next order: normal use, not a stress test. */
const PAUSE_MS = 20;
const CODES = 50;

interface Ready {
  port: number;
  kind: string;
  callers: { token: string; account: string }[];
  codes: string[];
}

interface Cost {
  cpuMs: number;
  rss: number;
}

async function costOf(server: ChildProcess): Promise<Cost> {
  const answered = once(server, "message");
  server.send("cpu");
  return ((await answered) as [Cost])[0];
}

const viewOf = (client: number, rows: number): View => ({
  rows: Array.from({ length: CODES }, (_, at) => (client * 37 + at * 41) % rows),
  ranks: [],
  channels: {},
  beatMs: 250,
  all: false,
});

/** Connects a member like the app. Resolves when the snapshot of their view has arrived. */
async function connect({ port, callers, codes }: Ready, client: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${SOCKET_PATH}/?EIO=4&transport=websocket`, { perMessageDeflate: false });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.on("error", reject);
  socket.on("message", (data: Buffer) => {
    const head = data.subarray(0, 4).toString();
    if (head === "2") socket.send("3");
    else if (head.startsWith("0{")) socket.send(`40${JSON.stringify(callers[client % callers.length])}`);
    else if (head.startsWith("40{")) socket.send(`420${JSON.stringify(["view", viewOf(client, codes.length)])}`);
    else if (head.startsWith("430")) resolve();
  });
  await promise;
  return socket;
}

/** Places an order. @returns the duration of the call, or null when it was refused */
function place(agent: Agent, { port, callers, codes }: Ready, n: number): Promise<number | null> {
  const ticket = { code: codes[(n * 7) % codes.length], direction: "rise", pricing: "market", price: null, lots: 1 };
  const body = JSON.stringify({ requestId: randomUUID(), ...ticket });
  const headers = { ...callers[n % callers.length], "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const began = performance.now();
  return new Promise((done, fail) => {
    const asked = request({ agent, port, method: "POST", path: BASE_PATH + endpoints.placeOrder.path, headers }, (reply) => {
      const parts: Buffer[] = [];
      reply.on("data", (part: Buffer) => void parts.push(part));
      reply.on("end", () => {
        const { status } = JSON.parse(String(Buffer.concat(parts))) as { status: number };
        done(status === 1 ? performance.now() - began : null);
      });
    });
    asked.on("error", fail);
    asked.end(body);
  });
}

/** Places orders one after the other while quotes are streamed. */
async function trade(ready: Ready, count: number): Promise<Table["figures"]> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  let refused = 0;
  for (let n = 0; n < count; n += 1) {
    const took = await place(agent, ready, n);
    if (took === null) refused += 1;
    else times.push(took);
    await wait(PAUSE_MS);
  }
  agent.destroy();
  times.sort((a, b) => a - b);
  const quantile = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return [
    { what: "order round trip, median", value: quantile(0.5), unit: "ms" },
    { what: "order round trip, 99th percentile", value: quantile(0.99), unit: "ms" },
    { what: "refused", value: refused, unit: "" },
  ];
}

/** Disconnects all members at once and waits until they are back. */
async function reconnectAll(server: ChildProcess, ready: Ready, sockets: readonly WebSocket[]): Promise<Table["figures"]> {
  const gone = sockets.map((socket) => once(socket, "close"));
  for (const socket of sockets) socket.terminate();
  await Promise.all(gone);
  const before = await costOf(server);
  const began = performance.now();
  const back = await Promise.all(sockets.map((_, client) => connect(ready, client)));
  const tookMs = performance.now() - began;
  const after = await costOf(server);
  for (const socket of back) socket.terminate();
  return [
    { what: "all disconnected at once -> all up to date again", value: tookMs, unit: "ms" },
    { what: "CPU of the server per reconnect", value: (after.cpuMs - before.cpuMs) / sockets.length, unit: "ms" },
    { what: "memory of the server afterwards", value: after.rss / 1024 / 1024, unit: "MB" },
  ];
}

/** Takes about two minutes, mostly to create the members. */
export async function run({ quick }: BenchOptions): Promise<Table[]> {
  const members = quick ? QUICK_MEMBERS : MEMBERS;
  const path = fileURLToPath(new URL("order-server.ts", import.meta.url));
  const server = fork(path, [String(members), String(RATE)], {
    stdio: "inherit",
    execArgv: ["--wasm-tiering-budget=130000000", "--max-semi-space-size=16"],
  });
  try {
    const [ready] = (await once(server, "message")) as [Ready];
    const load = loadavg()[0] ?? 0;
    const sockets = await Promise.all(Array.from({ length: members }, (_, client) => connect(ready, client)));
    const connected = await costOf(server);
    const began = performance.now();
    const traded = await trade(ready, quick ? QUICK_ORDERS : ORDERS);
    const tradedAt = await costOf(server);
    const share = (tradedAt.cpuMs - connected.cpuMs) / (performance.now() - began);
    const reconnects = await reconnectAll(server, ready, sockets);
    return [
      {
        title: `${members} connected members, ${RATE} updates/s, on ${ready.kind}`,
        figures: [
          { what: "load average before", value: load, unit: "" },
          ...traded,
          { what: "CPU of the server meanwhile", value: share * 100, unit: "% of a core" },
          ...reconnects,
        ],
      },
    ];
  } finally {
    const ended = once(server, "exit");
    server.disconnect();
    await ended;
  }
}
