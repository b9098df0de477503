/** Benchmark of the quote fan-out to 1,000 clients: CPU time of our socket against plain `ws` with the same batches, in one run. */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { WebSocket } from "ws";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import type { View } from "#contract/kernel/push.ts";

const ROWS = 2_000;
const CODES = 50;
const SETTLE_MS = 2_000;

export interface FanOutFigure {
  /** Share of one core. */
  cpu: number;
  framesPerSecond: number;
  bytesPerClientSecond: number;
}

interface Tally {
  frames: number;
  bytes: number;
}

const viewOf = (client: number): View => ({
  rows: Array.from({ length: CODES }, (_, at) => (client * 37 + at * 41) % ROWS),
  ranks: [],
  channels: {},
  beatMs: 250,
  all: false,
});

/** A client that implements only the necessary part of the protocol: socket.io's text frames, or plain JSON. */
async function connect(way: "ours" | "ws", port: number, client: number, tally: Tally): Promise<WebSocket> {
  const tail = way === "ours" ? "/?EIO=4&transport=websocket" : "";
  const socket = new WebSocket(`ws://127.0.0.1:${port}${SOCKET_PATH}${tail}`, { perMessageDeflate: false });
  socket.on("message", (data: Buffer) => {
    tally.frames += 1;
    tally.bytes += data.length;
    if (way === "ws") return;
    const text = data.length < 200 ? data.toString() : "";
    if (text === "2") socket.send("3");
    else if (text.startsWith("0{")) socket.send(`40${JSON.stringify({ token: "bench", account: "bench" })}`);
    else if (text.startsWith("40{")) socket.send(`420${JSON.stringify(["view", viewOf(client)])}`);
  });
  await once(socket, "open");
  if (way === "ws") socket.send(JSON.stringify(viewOf(client)));
  return socket;
}

async function ask(server: ChildProcess): Promise<number> {
  const answered = once(server, "message");
  server.send("cpu");
  const [{ cpuMs }] = (await answered) as [{ cpuMs: number }];
  return cpuMs;
}

/** Measures one transport: `clients` connections that watch fifty instruments each, at `rate` market updates per second. */
export async function measureFanOut(way: "ours" | "ws", clients: number, rate: number, forMs: number): Promise<FanOutFigure> {
  const path = fileURLToPath(new URL("fan-out-server.ts", import.meta.url));
  const server = fork(path, [way, String(rate)], { stdio: "inherit" });
  try {
    const [{ port }] = (await once(server, "message")) as [{ port: number }];
    const tally: Tally = { frames: 0, bytes: 0 };
    const sockets: WebSocket[] = [];
    for (let client = 0; client < clients; client += 1) sockets.push(await connect(way, port, client, tally));
    await wait(SETTLE_MS);
    await ask(server);
    Object.assign(tally, { frames: 0, bytes: 0 });
    await wait(forMs);
    const cpuMs = await ask(server);
    const seconds = forMs / 1000;
    const figure = { cpu: cpuMs / forMs, framesPerSecond: tally.frames / seconds, bytesPerClientSecond: tally.bytes / seconds / clients };
    for (const socket of sockets) socket.terminate();
    return figure;
  } finally {
    server.kill();
  }
}
