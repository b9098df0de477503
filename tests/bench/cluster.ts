/**
 * Benchmark of several servers: the delay of quotes to clients of one server and of a leader with two followers, and what a forwarded order costs.
 * Needs `DATABASE_URL` and a Redis. Clients and servers share the machine.
 */
import { randomUUID } from "node:crypto";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import type { WebSocket } from "ws";
import { Code, RequestId } from "#contract/kernel/id.ts";
import { startCluster } from "#tests/support/cluster.ts";
import type { Cluster, ClusterServer } from "#tests/support/cluster.ts";
import { createFundedMember } from "#tests/support/funded-member.ts";
import { schemaName } from "#tests/support/run.ts";
import type { Headers } from "#tests/support/server.ts";
import type { BenchOptions } from "./bench.ts";
import { NO_LIMITS, quantile, watch } from "./watcher.ts";
import type { Figure, Table } from "./table.ts";

const LIST = { rows: 40, beatMs: 250 } as const;
const STEPS = [1_000, 2_000, 3_000];
/** Clients that connect at the same time. */
const AT_ONCE = 25;
const SETTLE_MS = 3_000;
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
        return watch(servers[client % servers.length] ?? first, auth, { nth: client, of: rows, ...LIST }, (ms) => delays.push(ms));
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
