/** Three servers on one PostgreSQL schema and one Redis, each started again whenever it ends, as a supervisor does. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { endpoints } from "#contract/endpoints.ts";
import type { Answer, Asked, EndpointName } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import type { Reply } from "#contract/kernel/reply.ts";
import { openDatabase } from "#server/db/database.ts";
import { openNetworkProxy } from "./network-proxy.ts";
import type { NetworkProxy } from "./network-proxy.ts";
import { LATE_MORNING_MS } from "./process.ts";
import { freePort, startRedis } from "./redis.ts";
import { forkServer, occurs } from "./server-log.ts";
import { testMarket } from "./test-universe.ts";
import type { ServerOverrides } from "./test-universe.ts";

const SERVERS = 3;
/** A client waits so long for an answer before it asks another server. */
const PATIENCE_MS = 3_000;
const START_MS = 90_000;

/** Waits for a condition, outside of tests too. @throws when it takes longer than a start of all servers */
async function until(happened: () => Promise<boolean>): Promise<void> {
  const began = performance.now();
  while (!(await happened())) {
    if (performance.now() - began > START_MS) throw new Error("the servers did not settle");
    await wait(50);
  }
}

/** One server; `isLeading` from the moment it serves as the leader. */
export class ClusterServer {
  readonly url: string;
  readonly #start: () => ChildProcess;
  #child: ChildProcess;
  #isOver = false;
  isLeading = false;
  /** How often its process has ended. */
  ends = 0;

  constructor(port: number, config: ServerOverrides) {
    this.url = `http://127.0.0.1:${port}`;
    this.#start = () => {
      const child = forkServer({ ...config, port }, LATE_MORNING_MS);
      child.once("message", () => (this.isLeading = true));
      child.once("exit", () => {
        this.isLeading = false;
        this.ends += 1;
        if (!this.#isOver) this.#child = this.#start();
      });
      return child;
    };
    this.#child = this.#start();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Asks this server. @returns null without an answer that says what became of the call */
  async ask<Name extends EndpointName>(name: Name, body: Asked<Name>, headers: object = {}): Promise<Reply<Answer<Name>> | null> {
    try {
      const answer = await fetch(this.url + BASE_PATH + endpoints[name].path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      return answer.status === 503 ? null : ((await answer.json()) as Reply<Answer<Name>>);
    } catch {
      return null;
    }
  }

  /** The data of an answer. @throws when there is none, or a refusal */
  async read<Name extends EndpointName>(name: Name, body: Asked<Name>, headers: object = {}): Promise<Answer<Name>> {
    const reply = await this.ask(name, body, headers);
    if (reply?.status !== 1) throw new Error(`${name}: ${JSON.stringify(reply)}`);
    return reply.data;
  }

  /** Sends SIGKILL; resolves when the process has ended. It is started again. */
  async kill(): Promise<void> {
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    this.isLeading = false;
    await gone;
  }

  /** Lets the process stand still. */
  pause(): void {
    occurs("silence");
    this.#child.kill("SIGSTOP");
    this.isLeading = false;
  }

  resume(): void {
    this.#child.kill("SIGCONT");
  }

  /** Stops gracefully. It is started again. */
  async stop(): Promise<void> {
    const gone = once(this.#child, "exit");
    this.#child.send("stop");
    await gone;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.kill();
  }

  /** Whether it follows and serves. */
  async isFollowing(): Promise<boolean> {
    const answer = await fetch(`${this.url}/readyz`).catch(() => null);
    return answer?.status === 200 && (await answer.json()).following === true;
  }
}

/** Servers of one database, and who of them leads. */
export interface Servers {
  servers: readonly ClusterServer[];
  leader(): ClusterServer;
  followers(): ClusterServer[];
  /** Resolves when one leads and the others follow. */
  settled(): Promise<void>;
}

export interface Cluster extends Servers {
  /** Between the servers and Redis: cut, no message arrives. */
  redis: Pick<NetworkProxy, "cut" | "restore">;
  end(): Promise<void>;
}

/** Finds out who leads. */
export function serversOf(servers: readonly ClusterServer[]): Servers {
  const find = (): ClusterServer | undefined => servers.find(({ isLeading }) => isLeading);
  const followers = (): ClusterServer[] => servers.filter(({ isLeading }) => !isLeading);
  return {
    servers,
    leader() {
      const leader = find();
      if (!leader) throw new Error("no server leads");
      return leader;
    },
    followers,
    async settled() {
      const isSettled = async (): Promise<boolean> => {
        if (!find()) return false;
        const following = await Promise.all(followers().map((one) => one.isFollowing()));
        return following.length === servers.length - 1 && following.every(Boolean);
      };
      await until(isSettled);
      // Each of them knows where the leader is.
      for (const one of followers()) await until(async () => (await one.ask("startPasskeySignIn", {})) !== null);
    },
  };
}

/** Starts the servers; the schema exists already. */
export async function startCluster(databaseUrl: string, schema: string, over: ServerOverrides = {}): Promise<Cluster> {
  const redis = await startRedis();
  let isCut = false;
  const { hostname, port } = new URL(redis.url);
  const proxy = await openNetworkProxy(Number(port || 6379), hostname);
  const place = { dataDir: null, databaseUrl, databaseSchema: schema, redisUrl: proxy.url.replace("http:", "redis:"), standby: true };
  const market = testMarket({ seed: 1, rate: 50, hours: "always", ...over.venue });
  const config = { ...place, commandsPerSecond: 100_000, ...over, venue: market };
  const ports = [];
  for (let nth = 0; nth < SERVERS; nth += 1) ports.push(await freePort());
  const servers = ports.map((each) => new ClusterServer(each, config));
  return {
    ...serversOf(servers),
    redis: {
      cut() {
        occurs("redis");
        isCut = true;
        proxy.cut();
      },
      restore() {
        // It would break the connections.
        if (isCut) proxy.restore();
        isCut = false;
      },
    },
    async end() {
      for (const server of servers) await server.end();
      await proxy.close();
      await redis.stop();
      const db = await openDatabase({ dataDir: null, databaseUrl, schema, poolSize: 1 });
      await db.kysely.schema.dropSchema(schema).cascade().execute();
      await db.close();
    },
  };
}
