/** A client of the benchmarks of several servers: a socket that shows a list and measures how late its quotes are. */
import { once } from "node:events";
import { WebSocket } from "ws";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import type { View } from "#contract/kernel/push.ts";
import { LIMITS } from "#server/kernel/limits.ts";
import { LATE_MORNING_MS } from "#tests/support/process.ts";
import type { Headers } from "#tests/support/server.ts";

const MANY = 1_000_000;
/** Limits of a server all of whose clients are one member at one address. */
export const NO_LIMITS = {
  ...LIMITS,
  socketsPerSession: MANY,
  socketsPerMember: MANY,
  socketsPerAddress: MANY,
  connectionsPerAddress: MANY,
  readsPerMember: { points: MANY, seconds: 1 },
  readsPerAddress: { points: MANY, seconds: 1 },
};

/** A part of sorted values; 0 for none. */
export const quantile = (sorted: readonly number[], part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;

/** What a client shows: so many rows of the market's, other ones for each client. */
export interface Shown {
  nth: number;
  of: number;
  rows: number;
  beatMs: View["beatMs"];
}

/** Opens a client that shows a list; `noted` is told the delay of each batch, from the moment the server wrote it. */
export async function watch({ url }: { url: string }, auth: Headers, shown: Shown, noted: (ms: number) => void): Promise<WebSocket> {
  const rows = Array.from({ length: shown.rows }, (_, at) => (shown.nth * 37 + at * 41) % shown.of);
  const view: View = { rows, ranks: [], channels: {}, beatMs: shown.beatMs, all: false };
  const isShown = Promise.withResolvers<void>();
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
    else if (head.startsWith("430")) isShown.resolve();
  });
  // A killed server resets its connections.
  socket.on("error", () => undefined);
  socket.once("close", () => isShown.reject(new Error("the server is gone")));
  await Promise.all([once(socket, "open"), isShown.promise]);
  return socket;
}
