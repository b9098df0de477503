/**
 * Benchmark of many sockets: 10,000 phones, each with a list, on a leader and two followers of one machine, which they share with the clients, beside
 * 4,000 on one server. What the servers need for them, how late quotes are, and how long it takes until all are back when a follower is killed. Needs `DATABASE_URL` and
 * a Redis.
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import type { WebSocket } from "ws";
import { startCluster } from "#tests/support/cluster.ts";
import type { Cluster, ClusterServer } from "#tests/support/cluster.ts";
import { createFundedMember } from "#tests/support/funded-member.ts";
import { schemaName } from "#tests/support/run.ts";
import type { Headers } from "#tests/support/server.ts";
import type { BenchOptions } from "./bench.ts";
import type { Figure, Table } from "./table.ts";
import { NO_LIMITS, quantile, watch } from "./watcher.ts";

const SOCKETS = 10_000;
/** Three servers are to have so many times the clients of one, at the same delay. */
const TIMES = 2.5;
/** A phone shows about ten rows of a list. */
const LIST = { rows: 10, beatMs: 1_000 } as const;
/** Clients that connect at the same time, one server after the other. */
const AT_ONCE = 30;
const SETTLE_MS = 5_000;
const MB = 1024 * 1024;
/** Of /proc: clock ticks a second, and bytes a page. */
const [TICKS, PAGE] = [100, 4_096];

interface Usage {
  seconds: number;
  bytes: number;
}

/** The CPU time and the resident memory of a process; Linux only. */
function usageOf({ pid }: ClusterServer): Usage {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return { seconds: (Number(fields[11]) + Number(fields[12])) / TICKS, bytes: Number(fields[21]) * PAGE };
}

/** Phones that connect again when their server is gone, to the next one. */
class Phones {
  readonly servers: readonly ClusterServer[];
  readonly #auth: Headers;
  readonly #rows: number;
  readonly #open = new Set<WebSocket>();
  #isOver = false;
  delays: number[] = [];
  cut = 0;

  constructor(servers: readonly ClusterServer[], auth: Headers, rows: number) {
    this.servers = servers;
    this.#auth = auth;
    this.#rows = rows;
  }

  get size(): number {
    return this.#open.size;
  }

  async connect(nth: number, tries = 0): Promise<void> {
    const server = this.servers[(nth + tries) % this.servers.length];
    if (!server || this.#isOver) return;
    try {
      const socket = await watch(server, this.#auth, { nth, of: this.#rows, ...LIST }, (ms) => this.delays.push(ms));
      this.#open.add(socket);
      socket.once("close", () => {
        this.#open.delete(socket);
        if (this.#isOver) return;
        this.cut += 1;
        void this.connect(nth, tries + 1);
      });
    } catch {
      await wait(500);
      await this.connect(nth, tries + 1);
    }
  }

  end(): void {
    this.#isOver = true;
    for (const socket of this.#open) socket.terminate();
  }
}

/** Opens phones. @returns how long it took */
async function open(phones: Phones, count: number): Promise<Figure> {
  const began = performance.now();
  for (let from = 0; from < count; from += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, nth) => phones.connect(from + nth)));
  return { what: "until all show their lists", value: (performance.now() - began) / 1000, unit: "s" };
}

const figuresOf = (usages: readonly [string, Usage, Usage][], forMs: number): Figure[] =>
  usages.flatMap(([name, before, after]) => [
    { what: `${name}, CPU`, value: (100 * (after.seconds - before.seconds)) / (forMs / 1000), unit: "% of a core" },
    { what: `${name}, resident memory`, value: after.bytes / MB, unit: "MB" },
  ]);

/** All phones show their lists for a while. */
async function measureShowing(cluster: Cluster, phones: Phones, forMs: number): Promise<Figure[]> {
  await wait(SETTLE_MS);
  phones.delays = [];
  phones.cut = 0;
  const named = phones.servers.map((server, nth) => [server === cluster.leader() ? "leader" : `follower ${nth}`, server] as const);
  const before = named.map(([, server]) => usageOf(server));
  await wait(forMs);
  const usages = named.map(([name, server], nth): [string, Usage, Usage] => [
    name,
    before[nth] ?? { seconds: 0, bytes: 0 },
    usageOf(server),
  ]);
  const sorted = phones.delays.toSorted((a, b) => a - b);
  return [
    { what: "sockets", value: phones.size, unit: "" },
    { what: "of them cut meanwhile", value: phones.cut, unit: "" },
    { what: "batches each", value: sorted.length / phones.size / (forMs / 1000), unit: "/s" },
    { what: "median delay", value: quantile(sorted, 0.5), unit: "ms" },
    { what: "99 % of delays", value: quantile(sorted, 0.99), unit: "ms" },
    ...figuresOf(usages, forMs),
  ];
}

/** A follower is killed, and its phones go to the other servers. */
async function measureReturn(cluster: Cluster, phones: Phones, count: number): Promise<Figure[]> {
  const [follower] = cluster.followers();
  if (!follower) return [];
  phones.cut = 0;
  const began = performance.now();
  await follower.kill();
  // Until their connections end, nobody is missing.
  while (phones.size === count) await wait(10);
  while (phones.size < count) await wait(50);
  return [
    { what: "phones of a killed follower", value: phones.cut, unit: "" },
    { what: "until all show their lists again", value: (performance.now() - began) / 1000, unit: "s" },
  ];
}

export async function run({ quick }: BenchOptions): Promise<Table[]> {
  const databaseUrl = process.env["DATABASE_URL"];
  if (databaseUrl === undefined) throw new Error("npm run bench sockets needs DATABASE_URL");
  const [schema, forMs, count] = [schemaName(), quick ? 5_000 : 20_000, quick ? 1_000 : SOCKETS];
  const credentials = await createFundedMember({ dataDir: null, databaseUrl, databaseSchema: schema });
  const cluster = await startCluster(databaseUrl, schema, { limits: NO_LIMITS, venue: { rate: 400, codes: undefined } });
  try {
    await cluster.settled();
    const leader = cluster.leader();
    const auth = await leader.read("signIn", credentials);
    const rows = (await leader.read("listInstruments", {}, auth)).instruments.length;
    const alone = new Phones([leader], auth, rows);
    const single = [await open(alone, count / TIMES), ...(await measureShowing(cluster, alone, forMs))];
    alone.end();
    await wait(SETTLE_MS);
    const phones = new Phones(cluster.servers, auth, rows);
    const together = [await open(phones, count), ...(await measureShowing(cluster, phones, forMs))];
    const again = await measureReturn(cluster, phones, count);
    phones.end();
    return [
      { title: `${count / TIMES} sockets of one server`, figures: single },
      { title: `${count} sockets of a leader and two followers`, figures: [...together, ...again] },
    ];
  } finally {
    await cluster.end();
  }
}
