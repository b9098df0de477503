/** Tests that a session that ended on another server, unseen by a look that is under way, does not keep its socket. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { io } from "socket.io-client";
import type { Socket } from "socket.io-client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import { openSessions } from "#server/api/session-store.ts";
import type { SessionStore } from "#server/api/session-store.ts";
import { recheckOf } from "#server/cluster/recheck.ts";
import type { Database } from "#server/db/database.ts";
import { DEMO_MEMBER, seed } from "#server/ops/seed.ts";
import { createSocket } from "#server/realtime/socket-server.ts";
import type { SocketServer } from "#server/realtime/socket-server.ts";
import { stubVenue } from "#tests/support/stub-venue.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

const SOON = { timeout: 10_000, interval: 5 };
const { account } = DEMO_MEMBER;
let db: Database;
/** The sessions as another server knows them: what ends there is not told here. */
let elsewhere: SessionStore;
let memberId: number;
let socketServer: SocketServer;
let url: string;
let sockets: Socket[];
/** Looks at one session, and what one of them waits for. */
let looks: number;
let held: Promise<void> | null;

beforeEach(async () => {
  db = await openTestDatabase();
  await seed(db, Date.now(), true);
  ({ id: memberId } = await db.kysely.selectFrom("member").select("id").where("account", "=", account).executeTakeFirstOrThrow());
  elsewhere = openSessions(db);
  [sockets, looks, held] = [[], 0, null];
  const own = openSessions(db);
  const alive: SessionStore["alive"] = async (caller) => {
    const isAlive = await own.alive(caller);
    looks += 1;
    await held;
    return isAlive;
  };
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  socketServer = createSocket({ server, venue: stubVenue(1), sessions: { ...own, alive }, log: pino({ level: "silent" }) });
});
afterEach(async () => {
  for (const socket of sockets) socket.close();
  await socketServer.stop();
  await db.close();
});

/** Signs in and opens a socket. */
async function open(): Promise<{ socket: Socket; token: string }> {
  const { token } = await elsewhere.open(memberId, "test");
  const before = looks;
  const socket = io(url, { path: SOCKET_PATH, transports: ["websocket"], auth: { token, account }, reconnection: false, forceNew: true });
  sockets.push(socket);
  await vi.waitUntil(() => socket.connected && looks > before, SOON);
  return { socket, token };
}

async function end(token: string): Promise<void> {
  const caller = await elsewhere.find(token, account);
  await elsewhere.revoke(caller?.sessionHash ?? "");
}

test("a session that ends after a look has passed it is found by the look that was asked for meanwhile", async () => {
  const [ended, other] = [await open(), await open()];
  const recheck = recheckOf(socketServer);
  const { promise, resolve: free } = Promise.withResolvers<void>();
  [looks, held] = [0, promise];
  recheck.unlessSince(0);
  await vi.waitUntil(() => looks === 1, SOON);
  await end(ended.token);
  recheck.now();
  free();
  await vi.waitUntil(() => !ended.socket.connected, SOON);
  expect(other.socket.connected).toBe(true);
});

test("a look that is asked for within the time since the last one is left out", async () => {
  const { socket, token } = await open();
  const recheck = recheckOf(socketServer);
  looks = 0;
  recheck.now();
  await vi.waitUntil(() => looks === 1, SOON);
  await new Promise(setImmediate);
  await end(token);
  recheck.unlessSince(60_000);
  await new Promise((done) => setTimeout(done, 200));
  expect([looks, socket.connected]).toEqual([1, true]);
  recheck.now();
  await vi.waitUntil(() => !socket.connected, SOON);
});
