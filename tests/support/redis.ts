/** A Redis for tests: `REDIS_URL`, or a server of their own where `redis-server` is installed. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { endsWithProcess } from "./ends-with-process.ts";
import { occurs } from "./server-log.ts";

const given = process.env["REDIS_URL"] ?? "";
const binary = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "redis-server"))
  .find((path) => existsSync(path));

export const hasRedis = given !== "" || binary !== undefined;
if (!hasRedis) console.log("Skipped: no REDIS_URL, and no redis-server on PATH.");

export async function freePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  listener.close();
  return port;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Whether a test can have a Redis of its own. */
export const hasOwnRedis = binary !== undefined;

export interface OwnRedis {
  port: number;
  /** It stands still: connections stay open, and nothing is answered. */
  pause(): void;
  resume(): void;
  /** Ends it; `start` begins with an empty one at the same port. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a Redis that keeps nothing. */
export async function startOwnRedis(): Promise<OwnRedis> {
  const port = await freePort();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const spawned = (): ChildProcess => endsWithProcess(spawn(binary ?? "", args, { stdio: "ignore" }), "SIGKILL");
  const answering = async (): Promise<void> => {
    while (!(await answers(port))) await wait(20);
  };
  let child = spawned();
  await answering();
  return {
    port,
    pause() {
      occurs("redis");
      child.kill("SIGSTOP");
    },
    resume: () => void child.kill("SIGCONT"),
    async stop() {
      occurs("redis");
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
    async start() {
      child = spawned();
      await answering();
    },
  };
}

/** Starts a Redis that keeps nothing, or uses the given one. */
export async function startRedis(): Promise<{ url: string; stop: () => Promise<void> }> {
  if (given !== "") return { url: given, stop: async () => undefined };
  const { port, stop } = await startOwnRedis();
  return { url: `redis://127.0.0.1:${port}`, stop };
}
