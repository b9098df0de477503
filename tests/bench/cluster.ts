/**
 * Benchmark of several servers: the delay of quotes to clients of one server and of a leader with two followers, and what a forwarded order costs.
 * Needs `DATABASE_URL` and a Redis. Clients and servers share the machine.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { WebSocket } from "ws";
import { Code, RequestId } from "#contract/kernel/id.ts";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import type { View } from "#contract/kernel/push.ts";
import { LIMITS } from "#server/kernel/limits.ts";
import { startCluster } from "#tests/support/cluster.ts";
import type { Cluster, ClusterServer } from "#tests/support/cluster.ts";
import { createFundedMember } from "#tests/support/funded-member.ts";
import { LATE_MORNING_MS } from "#tests/support/process.ts";
import { schemaName } from "#tests/support/run.ts";
import type { Headers } from "#tests/support/server.ts";
import type { BenchOptions } from "./bench.ts";
import type { Figure, Table } from "./table.ts";

const ROWS = 40;
const STEPS = [1_000, 2_000, 3_000];
/** Clients that connect at the same time. */
const AT_ONCE = 25;
const SETTLE_MS = 3_000;
const MANY = 1_000_000;
const NO_LIMITS = {
  ...LIMITS,
  socketsPerSession: MANY,
  socketsPerMember: MANY,
  socketsPerAddress: MANY,
  connectionsPerAddress: MANY,
  readsPerMember: { points: MANY, seconds: 1 },
  readsPerAddress: { points: MANY, seconds: 1 },
};

const quantile = (sorted: readonly number[], part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;

/** Opens a client that shows a list; `noted` is told the delay of each batch, from the moment the server wrote it. */
async function watch({ url }: ClusterServer, auth: Headers, nth: number, rows: number, noted: (ms: number) => void): Promise<WebSocket> {
  const view: View = {
    rows: Array.from({ length: ROWS }, (_, at) => (nth * 37 + at * 41) % rows),
    ranks: [],
    channels: {},
    beatMs: 250,
    all: false,
  };
  const shown = Promise.withResolvers<void>();
  const socket = new WebSocket(`${url.replace("http", "ws")}${SOCKET_PATH}/?EIO=4&transport=websocket`, { perMessageDeflate: false });
  socket.on("message", (data: Buffer) => {
    const head = data.subarray(0, 60).toString();
    const [, at] = /^42\["quotes",\[\d+,(\d+)/.exec(head) ?? [];
    if (at !== undefined) noted(Date.now() + LATE_MORNING_MS - Number(at));
    else if (head === "2") socket.send("3");
    else if (head.startsWith("0{")) socket.send(`40${JSON.stringify(auth)}`);
    else if (head.startsWith("40{")) socket.send(`420${JSON.stringify(["view", view])}`);
    // All clients are one member, who may ask for so many views a second.
    else if (head.startsWith('430[{"refused"')) setTimeout(() => socket.send(`420${JSON.stringify(["view", view])}`), 1_000);
    else if (head.startsWith("430")) shown.resolve();
  });
  await once(socket, "open");
  await shown.promise;
  return socket;
}

/** The delay of batches, and how many each client gets, with more and more clients. */
async function measureDelay(servers: readonly ClusterServer[], auth: Headers, forMs: number): Promise<Figure[]> {
  const [first] = servers;
  if (!first) return [];
  const rows = (await first.read("listInstruments", {}, auth)).instruments.length;
  const sockets: WebSocket[] = [];
  const figures: Figure[] = [];
  let delays: number[] = [];
  for (const clients of STEPS) {
    while (sockets.length < clients) {
      const opening = Array.from({ length: AT_ONCE }, (_, nth) => {
        const client = sockets.length + nth;
        return watch(servers[client % servers.length] ?? first, auth, client, rows, (ms) => delays.push(ms));
      });
      sockets.push(...(await Promise.all(opening)));
    }
    await wait(SETTLE_MS);
    delays = [];
    await wait(forMs);
    const sorted = delays.toSorted((a, b) => a - b);
    figures.push(
      { what: `${clients} clients, median delay`, value: quantile(sorted, 0.5), unit: "ms" },
      { what: `${clients} clients, 99 % of delays`, value: quantile(sorted, 0.99), unit: "ms" },
      { what: `${clients} clients, batches each`, value: sorted.length / clients / (forMs / 1000), unit: "/s" },
    );
    console.log(
      figures
        .slice(-3)
        .map(({ what, value, unit }) => `${what} ${value.toFixed(1)} ${unit}`)
        .join(", "),
    );
  }
  for (const socket of sockets) socket.terminate();
  return figures;
}

/** Places orders through a server, so many at a time. @returns orders a second and the median time in milliseconds */
async function measureOrders(server: ClusterServer, auth: Headers, atOnce: number, forMs: number): Promise<{ rate: number; ms: number }> {
  const times: number[] = [];
  const until = performance.now() + forMs;
  const ticket = { code: Code.parse("2330"), direction: "rise" as const, pricing: "market" as const, price: null, lots: 1 };
  const client = async (): Promise<void> => {
    while (performance.now() < until) {
      const began = performance.now();
      await server.read("placeOrder", { requestId: RequestId.parse(randomUUID()), ...ticket }, auth);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return {
    rate: times.length / (forMs / 1000),
    ms: quantile(
      times.toSorted((a, b) => a - b),
      0.5,
    ),
  };
}

async function measureForwarding(cluster: Cluster, auth: Headers, forMs: number): Promise<Table> {
  const [follower] = cluster.followers();
  const figures: Figure[] = [];
  for (const atOnce of [1, 16]) {
    // Twice, in turns: the first run of each warms it up.
    for (let turn = 0; turn < 2; turn += 1) {
      const direct = await measureOrders(cluster.leader(), auth, atOnce, forMs);
      const forwarded = await measureOrders(follower ?? cluster.leader(), auth, atOnce, forMs);
      if (turn === 0) continue;
      for (const [where, { rate, ms }] of [
        ["at the leader", direct],
        ["through a follower", forwarded],
      ] as const)
        figures.push(
          { what: `${atOnce} at once ${where}`, value: rate, unit: "orders/s" },
          { what: `${atOnce} at once ${where}, median`, value: ms, unit: "ms" },
        );
      console.log(
        `${atOnce} at once: ${direct.rate.toFixed(0)}/s ${direct.ms.toFixed(1)} ms, forwarded ${forwarded.rate.toFixed(0)}/s ${forwarded.ms.toFixed(1)} ms`,
      );
    }
  }
  return { title: "orders at the leader and through a follower", figures };
}

export async function run({ quick }: BenchOptions): Promise<Table[]> {
  const databaseUrl = process.env["DATABASE_URL"];
  if (databaseUrl === undefined) throw new Error("npm run bench cluster needs DATABASE_URL");
  const [schema, forMs] = [schemaName(), quick ? 3_000 : 10_000];
  const credentials = await createFundedMember({ dataDir: null, databaseUrl, databaseSchema: schema });
  const cluster = await startCluster(databaseUrl, schema, { limits: NO_LIMITS, venue: { rate: 400, codes: undefined } });
  try {
    await cluster.settled();
    const auth = await cluster.leader().read("signIn", credentials);
    const orders = await measureForwarding(cluster, auth, forMs);
    const one = { title: "clients of one server", figures: await measureDelay([cluster.leader()], auth, forMs) };
    const three = { title: "clients of a leader and two followers", figures: await measureDelay(cluster.servers, auth, forMs) };
    return [orders, one, three];
  } finally {
    await cluster.end();
  }
}
