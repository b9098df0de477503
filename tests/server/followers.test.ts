/** Tests that followers serve what the leader does: the same market, members' facts in order, and commands, whatever fails in between. */
import { randomUUID } from "node:crypto";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { io } from "socket.io-client";
import type { Socket } from "socket.io-client";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import type { Fact } from "#contract/fact.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { Code, RequestId } from "#contract/kernel/id.ts";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import type { ServerEvents } from "#contract/kernel/push.ts";
import { openDatabase, query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { startCluster } from "#tests/support/cluster.ts";
import type { Cluster, ClusterServer } from "#tests/support/cluster.ts";
import { createFundedMember } from "#tests/support/funded-member.ts";
import { hasRedis } from "#tests/support/redis.ts";
import { schemaName } from "#tests/support/run.ts";
import type { Headers } from "#tests/support/server.ts";
import { sized } from "#tests/support/size.ts";

const address = process.env["DATABASE_URL"] ?? "";
const SOON = { timeout: 20_000, interval: 20 };

describe.runIf(address !== "" && hasRedis)("followers", () => {
  const schema = schemaName();
  let cluster: Cluster;
  let headers: Headers;
  const sockets: Socket<ServerEvents>[] = [];

  /** Opens a socket at a server, and collects the facts it brings. */
  async function open({ url }: ClusterServer, auth: Headers = headers): Promise<{ socket: Socket<ServerEvents>; facts: Fact[] }> {
    const socket: Socket<ServerEvents> = io(url, { path: SOCKET_PATH, transports: ["websocket"], auth, reconnection: false });
    const facts: Fact[] = [];
    socket.on("fact", (fact) => facts.push(fact));
    sockets.push(socket);
    await vi.waitUntil(() => socket.connected, SOON);
    return { socket, facts };
  }

  const numbers = (facts: readonly Fact[]): number[] => facts.map(({ n }) => n);
  const newest = async (): Promise<number> => (await cluster.leader().read("factsSince", { after: 2_147_483_647 }, headers)).newest;
  const upTo = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, nth) => from + 1 + nth);

  /** Buys through a server, again with the same id until the outcome is known. @returns the order's number */
  async function buy(next: () => ClusterServer, requestId: string, lots = 1): Promise<string> {
    const ticket = { code: Code.parse("2330"), direction: "rise" as const, pricing: "market" as const, price: null, lots };
    for (;;) {
      const reply = await next().ask("placeOrder", { requestId: RequestId.parse(requestId), ...ticket }, headers);
      if (reply?.status === 1) return reply.data.orderNo;
      if (reply) throw new Error(JSON.stringify(reply));
      await wait(20);
    }
  }

  beforeAll(async () => {
    const credentials = await createFundedMember({ dataDir: null, databaseUrl: address, databaseSchema: schema });
    cluster = await startCluster(address, schema);
    await cluster.settled();
    const [follower] = cluster.followers();
    // Through a follower: a new session is valid on every server.
    headers = await (follower ?? cluster.leader()).read("signIn", credentials);
  }, 120_000);
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
    cluster.redis.restore();
  });
  afterAll(() => cluster.end());

  it("show what members take out of the leader's book", async () => {
    const [one] = cluster.followers();
    if (!one) throw new Error("nobody follows");
    const { instruments } = await one.read("listInstruments", {}, headers);
    const row = instruments.findIndex(({ code }) => code === "2330");
    const view = { rows: [row], ranks: [], channels: { depth: row }, beatMs: 250 as const, all: false };
    /** A quote and its book without the numbers that each server counts for itself, and when it was. */
    const shown = async (server: ClusterServer) => {
      const { quotes, channels, at } = await server.read("readView", view, headers);
      const { depth } = channels;
      return { slot: Math.floor(at / 50), shown: JSON.stringify([quotes.slice(2), depth && { ...depth, seq: 0 }]) };
    };
    const compared: boolean[] = [];
    for (let turn = 0; turn < sized(20, 200); turn += 1) {
      await buy(() => one, randomUUID(), 3);
      // Two slots later, and both in the same slot.
      await wait(100);
      const [theirs, own] = await Promise.all([shown(one), shown(cluster.leader())]);
      if (theirs.slot === own.slot) compared.push(theirs.shown === own.shown);
    }
    expect(compared.length).toBeGreaterThan(5);
    expect(compared.filter((isSame) => !isSame)).toEqual([]);
  });

  it("answer themselves what a member has, as soon as the leader has acknowledged it", async () => {
    const [one] = cluster.followers();
    if (!one) throw new Error("nobody follows");
    for (let turn = 0; turn < sized(10, 100); turn += 1) {
      const orderNo = await buy(() => cluster.leader(), randomUUID());
      const { items } = await one.read("listOrders", { statuses: ["pending", "holding"], cursor: null }, headers);
      expect(items[0]?.orderNo).toBe(orderNo);
      const ask = async (server: ClusterServer) => [
        await server.read("readOrder", { orderNo }, headers),
        await server.read("listPositions", {}, headers),
        await server.read("listConditions", { orderNo }, headers),
        (await server.read("readWallets", {}, headers)).balances.map(({ pockets, totalCents }) => [pockets, totalCents]),
      ];
      expect(await ask(one)).toEqual(await ask(cluster.leader()));
    }
  });

  it("pass on each fact once and in order, also while Redis is gone and when it is back", async () => {
    const at = await newest();
    const opened = await Promise.all(cluster.servers.map((server) => open(server)));
    for (const isUp of [true, false, true]) {
      if (isUp) cluster.redis.restore();
      else cluster.redis.cut();
      for (let nth = 0; nth < 5; nth += 1) await buy(() => cluster.servers[nth % 3] ?? cluster.leader(), randomUUID());
      const wanted = upTo(at, await newest());
      for (const { facts } of opened) await vi.waitFor(() => expect(numbers(facts)).toEqual(wanted), SOON);
    }
  });

  it("end the sockets of a session that was signed out on another server", async () => {
    const [one, other] = cluster.followers();
    if (!one || !other) throw new Error("two follow");
    const sessions = await Promise.all(
      [one, other].map((server) => server.read("signIn", { idNumber: "C100000003", password: "rich-member", guaranteeCode: "888888" })),
    );
    for (const [nth, session] of sessions.entries()) {
      const { socket } = await open(one, session);
      let why = "";
      socket.on("expired", (code) => (why = code));
      // Long before sessions are looked up again by themselves.
      await (nth === 0 ? other : cluster.leader()).read("signOut", {}, session);
      await vi.waitFor(() => expect([why, socket.connected]).toEqual(["ACC_SESSION_EXPIRED", false]), { timeout: 5_000, interval: 20 });
    }
  });

  it("lose no order and do none twice when the leader is killed, and go on with every member's facts", async () => {
    const acknowledged = new Map<string, string>();
    const at = await newest();
    for (let time = 0; time < sized(1, 20); time += 1) {
      const leader = cluster.leader();
      const followers = cluster.followers();
      const [one] = followers;
      if (!one) throw new Error("nobody follows");
      const before = acknowledged.size;
      const over = new AbortController();
      const clients = Array.from({ length: 4 }, async (_, client) => {
        for (let turn = 0; !over.signal.aborted; turn += 1) {
          const requestId = randomUUID();
          let tries = client + turn;
          acknowledged.set(requestId, await buy(() => cluster.servers[(tries += 1) % 3] ?? one, requestId));
        }
      });
      await vi.waitUntil(() => acknowledged.size > before + 10, SOON);
      await leader.kill();
      const began = performance.now();
      // What a member has is read while nobody leads; the follower that is elected may be closing its port.
      const read = await Promise.all(followers.map((follower) => follower.ask("listPositions", {}, headers)));
      expect(read.flatMap((reply) => (reply?.status === 1 ? reply.data.positions : []))).not.toEqual([]);
      await vi.waitUntil(() => cluster.servers.some(({ isLeading }) => isLeading), SOON);
      const known = acknowledged.size;
      await vi.waitUntil(() => acknowledged.size > known, SOON);
      console.log(`orders resumed ${Math.round(performance.now() - began)} ms after the kill`);
      await vi.waitUntil(() => acknowledged.size > known + 10, SOON);
      over.abort();
      await Promise.all(clients);
      await cluster.settled();
    }
    // A follower of now, asked from the start.
    const [one] = cluster.followers();
    const { facts } = (await one?.read("factsSince", { after: at }, headers)) ?? { facts: [] };
    expect(numbers(facts)).toEqual(upTo(at, at + facts.length));
    const db = await openDatabase({ dataDir: null, databaseUrl: address, schema, existing: true, poolSize: 1 });
    try {
      const orders = await query<{ request_id: string; order_no: string }>(db.kysely, 'SELECT request_id, order_no FROM "order"');
      const byRequest = new Map(orders.map(({ request_id, order_no }) => [request_id, order_no]));
      expect(byRequest.size).toBe(orders.length);
      for (const [requestId, orderNo] of acknowledged) expect(byRequest.get(requestId)).toBe(orderNo);
      expect((await auditBooks(db.kysely)).differences).toEqual([]);
    } finally {
      await db.close();
    }
  }, 300_000);

  it("keep the sockets of a follower when the leader is killed, with every fact", async () => {
    const at = await newest();
    const [one, other] = cluster.followers();
    if (!one || !other) throw new Error("two follow");
    const opened = await Promise.all([open(one), open(other)]);
    await buy(() => one, randomUUID());
    await cluster.leader().kill();
    const requestId = randomUUID();
    await buy(() => one, requestId);
    await cluster.settled();
    const kept = opened.filter(({ socket }) => socket.connected);
    expect(kept).toHaveLength(1);
    const wanted = upTo(at, await newest());
    for (const { facts } of kept) await vi.waitFor(() => expect(numbers(facts)).toEqual(wanted), SOON);
  }, 120_000);

  it("answer a call that hangs at a leader that stands still once another one leads", async () => {
    const old = cluster.leader();
    const isReplaced = (): boolean => cluster.servers.some((each) => each !== old && each.isLeading);
    const followers = cluster.followers();
    old.pause();
    try {
      // Its own time limit is over long after the election.
      await wait(4_000);
      const hanging = followers.map(async ({ url }) => {
        const answer = await fetch(url + BASE_PATH + endpoints.readRules.path, { method: "POST", headers: { ...headers }, body: "{}" });
        return { status: answer.status, at: performance.now() };
      });
      const answers = Promise.allSettled(hanging);
      await vi.waitUntil(isReplaced, { timeout: 60_000, interval: 20 });
      const began = performance.now();
      // The one that is elected may end the connection with its port.
      const answered = (await answers).flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
      expect(answered.length).toBeGreaterThan(0);
      for (const { status, at } of answered) expect([status, at - began < 2_000]).toEqual([503, true]);
    } finally {
      old.resume();
    }
    await cluster.settled();
  }, 180_000);
});
