/**
 * Server process of the fan-out benchmark, separate so that its CPU time can be measured: our socket, or the same batches over plain `ws`.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { pino } from "pino";
import { WebSocketServer } from "ws";
import type { Account } from "#contract/kernel/id.ts";
import { SOCKET_PATH, View } from "#contract/kernel/push.ts";
import { LIMITS } from "#server/kernel/limits.ts";
import { createSocket } from "#server/realtime/socket-server.ts";
import { createFanOut } from "#server/realtime/fan-out.ts";
import { stubVenue } from "#tests/support/stub-venue.ts";

const [way = "ours", rate = "400"] = process.argv.slice(2);
const ROWS = 2_000;
const FEED_MS = 10;

const venue = stubVenue(ROWS);
const server = createServer();

if (way === "ours") {
  const caller = { memberId: 1, account: "bench" as Account, sessionHash: "bench" };
  const sessions = {
    find: async () => caller,
    holds: () => true,
    alive: async () => true,
    whyEnded: async () => "ACC_SESSION_EXPIRED" as const,
    onEnd: () => () => undefined,
  };
  const many = { socketsPerSession: Infinity, socketsPerMember: Infinity, socketsPerAddress: Infinity, connectionsPerAddress: Infinity };
  createSocket({ server, venue, sessions, log: pino({ level: "silent" }), limits: { ...LIMITS, ...many } });
} else {
  const fanOut = createFanOut(venue);
  new WebSocketServer({ server, path: SOCKET_PATH, perMessageDeflate: false }).on("connection", (socket) => {
    const viewer = fanOut.join({
      writable: () => socket.bufferedAmount === 0,
      quotes: (numbers) => socket.send(`[${numbers}]`),
      ranks: (ranks) => socket.send(JSON.stringify(ranks)),
      channel: (channel, json) => socket.send(`["${channel}",${json}]`),
    });
    socket.on("message", (text: Buffer) => socket.send(JSON.stringify(fanOut.show(viewer, View.parse(JSON.parse(text.toString()))))));
    socket.on("close", () => fanOut.leave(viewer));
  });
}

let next = 7;
let owed = 0;
setInterval(() => {
  owed += (Number(rate) * FEED_MS) / 1000;
  const rows = new Set<number>();
  for (; owed >= 1; owed -= 1) {
    next = Math.imul(next, 1_664_525) + 1_013_904_223;
    rows.add((next >>> 12) % ROWS);
  }
  venue.move([...rows]);
}, FEED_MS);

let since = process.cpuUsage();
process.on("message", () => {
  const used = process.cpuUsage(since);
  since = process.cpuUsage();
  process.send?.({ cpuMs: (used.user + used.system) / 1000 });
});
process.on("disconnect", () => process.exit());
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
