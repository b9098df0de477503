/**
 * Tests that standbys take over: of three servers on one PostgreSQL database the leader is killed, stopped, cut off from the database
 * and shut down under load. Clients repeat what was not acknowledged, on whichever server answers. `TEST_SIZE=full` does it 20 times.
 */
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import type { Answer, Asked, EndpointName } from "#contract/endpoints.ts";
import { Code, RequestId } from "#contract/kernel/id.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import type { Reply } from "#contract/kernel/reply.ts";
import { openDatabase, query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { createFundedMember } from "#tests/support/funded-member.ts";
import { LATE_MORNING_MS } from "#tests/support/process.ts";
import { schemaName } from "#tests/support/run.ts";
import type { Headers } from "#tests/support/server.ts";
import { forkServer, occurs } from "#tests/support/server-log.ts";
import { sized } from "#tests/support/size.ts";
import { testMarket } from "#tests/support/test-universe.ts";
import { layPostgresProxy } from "./db/postgres-proxy.ts";
import type { PostgresProxy } from "./db/postgres-proxy.ts";

const address = process.env["DATABASE_URL"] ?? "";
const SERVERS = 3;
const CLIENTS = 4;
/** A client waits so long for an answer before it asks another server. */
const PATIENCE_MS = 2_000;
/** How often each fault is caused. */
const FAULTS = { kill: sized(2, 20), stop: sized(1, 10), cut: sized(1, 5), shutDown: sized(1, 5) };
type Fault = keyof typeof FAULTS;

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  listener.close();
  return port;
}

/** A server that is started again whenever it ends, as a supervisor does. */
class Supervised {
  readonly port: number;
  readonly #proxy: PostgresProxy;
  readonly #schema: string;
  #child: ChildProcess;
  #isOver = false;
  /** Times that it began to serve. */
  served = 0;
  isServing = false;

  constructor(port: number, proxy: PostgresProxy, schema: string) {
    this.port = port;
    this.#proxy = proxy;
    this.#schema = schema;
    this.#child = this.#start();
  }

  #start(): ChildProcess {
    const place = { dataDir: null, databaseUrl: this.#proxy.url, databaseSchema: this.#schema, port: this.port };
    const config = { ...place, standby: true, commandsPerSecond: 100_000, venue: testMarket({ seed: 1, rate: 50, hours: "always" }) };
    const child = forkServer(config, LATE_MORNING_MS);
    child.once("message", () => {
      this.served += 1;
      this.isServing = true;
    });
    child.once("exit", () => {
      this.isServing = false;
      if (!this.#isOver) this.#child = this.#start();
    });
    return child;
  }

  /** Causes a fault. @returns a function that ends it, and resolves when the server of the fault has ended */
  fail(fault: Fault): () => Promise<void> {
    const child = this.#child;
    const gone = once(child, "exit");
    if (fault === "stop") occurs("silence");
    if (fault === "kill") child.kill("SIGKILL");
    else if (fault === "stop") child.kill("SIGSTOP");
    else if (fault === "cut") this.#proxy.silence();
    else child.send("stop");
    return async () => {
      child.kill("SIGCONT");
      this.#proxy.up();
      await gone;
    };
  }

  async end(): Promise<void> {
    this.#isOver = true;
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await gone;
    await this.#proxy.close();
  }
}

describe.runIf(address !== "")("standbys", () => {
  const schema = schemaName();
  const openConfigured = () => openDatabase({ dataDir: null, databaseUrl: address, schema });
  const servers: Supervised[] = [];
  const acknowledged = new Map<string, string>();
  const sent = new Set<string>();
  const resumedAfter: { fault: Fault; ms: number }[] = [];
  let headers: Headers = { token: "", account: "" };
  const over = new AbortController();

  /** Asks a server. @returns null without an answer that says what became of the call */
  async function ask<Name extends EndpointName>(port: number, name: Name, body: Asked<Name>): Promise<Reply<Answer<Name>> | null> {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${BASE_PATH}${endpoints[name].path}`, {
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

  /** Calls whichever server answers, again and again with the same body. */
  async function call<Name extends EndpointName>(name: Name, body: Asked<Name>): Promise<Reply<Answer<Name>>> {
    for (let turn = 0; ; turn += 1) {
      const server = servers.find(({ isServing }) => isServing) ?? servers[turn % SERVERS];
      // Every third time another one is asked, which may be the previous leader.
      const asked = turn % 3 === 2 ? servers[turn % SERVERS] : server;
      const reply = asked ? await ask(asked.port, name, body) : null;
      if (reply) return reply;
      await wait(20);
    }
  }

  async function trade(): Promise<void> {
    while (!over.signal.aborted) {
      const requestId = RequestId.parse(randomUUID());
      sent.add(requestId);
      const ticket = { requestId, code: Code.parse("2330"), direction: "rise" as const, pricing: "market" as const, price: null, lots: 1 };
      const reply = await call("placeOrder", ticket);
      // Right after the start of a market there may be no price yet.
      if (reply.status === 1) acknowledged.set(requestId, reply.data.orderNo);
      await wait(10);
    }
  }

  const serving = (): Supervised | undefined => servers.find(({ isServing }) => isServing);
  async function until(what: () => boolean): Promise<void> {
    while (!what()) await wait(5);
  }

  /** Causes a fault of the leader and waits until another one acknowledges orders, with the failed one back as a standby. */
  async function takeOver(fault: Fault): Promise<void> {
    await until(() => serving() !== undefined);
    const leader = serving();
    if (!leader) throw new Error("no server serves");
    const served = acknowledged.size;
    await until(() => acknowledged.size > served + 5);
    const end = leader.fail(fault);
    leader.isServing = false;
    const began = performance.now();
    await until(() => serving() !== undefined);
    const known = acknowledged.size;
    await until(() => acknowledged.size > known);
    resumedAfter.push({ fault, ms: Math.round(performance.now() - began) });
    await end();
    await wait(500);
  }

  beforeAll(async () => {
    const credentials = await createFundedMember({ dataDir: null, databaseUrl: address, databaseSchema: schema });
    for (let nth = 0; nth < SERVERS; nth += 1) servers.push(new Supervised(await freePort(), await layPostgresProxy(address), schema));
    const signedIn = await call("signIn", credentials);
    if (signedIn.status !== 1) throw new Error("the member could not sign in");
    headers = signedIn.data;
    const clients = Promise.all(Array.from({ length: CLIENTS }, trade));
    for (const [fault, times] of Object.entries(FAULTS)) for (let time = 0; time < times; time += 1) await takeOver(fault as Fault);
    over.abort();
    await clients;
  }, 1_800_000);

  afterAll(async () => {
    for (const server of servers) await server.end();
    const db = await openConfigured();
    await db.kysely.schema.dropSchema(schema).cascade().execute();
    await db.close();
    console.log(resumedAfter.map(({ fault, ms }) => `${fault} ${ms} ms`).join(", "));
  });

  it("each followed a leader that failed", () => {
    const faults = Object.values(FAULTS).reduce((sum, times) => sum + times, 0);
    expect(resumedAfter).toHaveLength(faults);
    expect(servers.reduce((sum, { served }) => sum + served, 0)).toBe(faults + 1);
    expect(acknowledged.size).toBeGreaterThan(faults * 5);
  });

  it("have the market's past once they lead, which they had open before", async () => {
    const reply = await call("readCandles", { code: Code.parse("2330"), period: "day", before: null, limit: 10 });
    expect(reply.status === 1 ? reply.data.bars.length : reply).toBeGreaterThan(0);
    expect(await call("readProfile", { code: Code.parse("2330") })).toMatchObject({ status: 1 });
  });

  it("answer busy, and that they are not ready, while another one serves", async () => {
    const waiting = servers.filter(({ isServing }) => !isServing);
    expect(waiting).toHaveLength(SERVERS - 1);
    for (const { port } of waiting) {
      // One that was started again may still be loading.
      const ready = await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/readyz`), { timeout: 60_000, interval: 100 });
      expect([ready.status, await ready.json()]).toEqual([503, { standby: true }]);
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    }
  });

  it("lose nothing that was acknowledged, do nothing twice, and leave the books right", async () => {
    const db = await openConfigured();
    try {
      const orders = await query<{ request_id: string; order_no: string }>(
        db.kysely,
        `SELECT request_id, order_no FROM "order" JOIN member ON member.id = member_id WHERE account = $1`,
        [headers.account],
      );
      const byRequest = new Map(orders.map(({ request_id, order_no }) => [request_id, order_no]));
      expect(byRequest.size).toBe(orders.length);
      for (const [requestId, orderNo] of acknowledged) expect(byRequest.get(requestId)).toBe(orderNo);
      for (const { request_id } of orders) expect(sent).toContain(request_id);
      const facts = await query(db.kysely, "SELECT member_id FROM fact GROUP BY member_id HAVING max(n) <> count(*) OR min(n) <> 1");
      expect(facts).toEqual([]);
      expect((await auditBooks(db.kysely)).differences).toEqual([]);
    } finally {
      await db.close();
    }
  });
});
