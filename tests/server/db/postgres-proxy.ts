/** A TCP proxy to PostgreSQL that fails at a chosen statement: cut before or after execution, silent, or session terminated by the database. */
import { createServer, connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { Client } from "pg";
import { occurs } from "#tests/support/server-log.ts";

/** Faults of one statement. With `cutAfter` and `silentAfter` PostgreSQL executes it, but the answer is lost. */
export const FAULTS = ["cutBefore", "cutAfter", "terminated", "silentBefore", "silentAfter"] as const;
export type Fault = (typeof FAULTS)[number];

export interface PostgresProxy {
  /** The address for the server under test. */
  url: string;
  /** Makes the next statement that contains these words fail. Resolves when it has failed. */
  failNext(words: string, fault: Fault): Promise<void>;
  /** Breaks every connection and accepts no new one until `up`. */
  down(): void;
  up(): void;
  /** Keeps every connection, but lets nothing through, and accepts no new one until `up`: as a network that fails without a word. */
  silence(): void;
  /** Breaks the connections of these PostgreSQL backend process ids. */
  cut(pids: readonly number[]): void;
  close(): Promise<void>;
}

interface Line {
  client: Socket;
  server: Socket;
  pid: number;
  silent: boolean;
  /** Neither side is told that the other has closed. */
  apart: boolean;
  /** The next answer is lost with the connection, or silently. */
  losing: "cutAfter" | "silentAfter" | null;
  /** That answer tells of a commit: until then what precedes it in the same message is lost too, and the connection kept. */
  commits: boolean;
}

/** Backend process id of a session, from the `K` message at its start. */
function pidIn(chunk: Buffer): number {
  for (let at = 0; at + 5 <= chunk.length; at += 1 + chunk.readUInt32BE(at + 1)) {
    if (chunk[at] === 0x4b) return chunk.readUInt32BE(at + 5);
  }
  return 0;
}

async function terminate(url: string, pid: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("SELECT pg_terminate_backend($1, 10000)", [pid]);
  await client.end();
}

/** Starts a proxy to the PostgreSQL of an address. */
export async function layPostgresProxy(address: string): Promise<PostgresProxy> {
  const target = new URL(address);
  const lines = new Set<Line>();
  let open = true;
  let armed: { words: string; fault: Fault; done: () => void } | null = null;

  const cut = (line: Line): void => {
    lines.delete(line);
    line.client.destroy();
    line.server.destroy();
  };

  const ask = async (line: Line, chunk: Buffer): Promise<void> => {
    if (line.silent) return;
    const fault = armed && chunk.includes(armed.words) ? armed : null;
    if (!fault) return void line.server.write(chunk);
    armed = null;
    if (fault.fault === "cutBefore") cut(line);
    else if (fault.fault === "silentBefore") line.silent = true;
    else if (fault.fault === "terminated") {
      await terminate(address, line.pid);
      line.server.write(chunk);
    } else {
      line.losing = fault.fault;
      line.commits = chunk.includes("commit");
      line.server.write(chunk);
    }
    fault.done();
  };

  const answer = (line: Line, chunk: Buffer): void => {
    line.pid ||= pidIn(chunk);
    if (line.losing === "cutAfter") return line.commits && !chunk.includes("COMMIT") ? undefined : cut(line);
    if (line.losing === "silentAfter") line.silent = true;
    if (!line.silent) line.client.write(chunk);
  };

  const listener = createServer((client) => {
    if (!open) return void client.destroy();
    const server = connect(Number(target.port || 5432), target.hostname);
    const line: Line = { client, server, pid: 0, silent: false, apart: false, losing: null, commits: false };
    lines.add(line);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on("error", () => line.apart || cut(line));
      socket.on("close", () => line.apart || cut(line));
    }
    let before: Promise<void> = Promise.resolve();
    client.on("data", (chunk: Buffer) => (before = before.then(() => ask(line, chunk))));
    server.on("data", (chunk: Buffer) => answer(line, chunk));
  });
  await new Promise<void>((done) => void listener.listen(0, "127.0.0.1", done));
  const url = new URL(address);
  url.hostname = "127.0.0.1";
  url.port = String((listener.address() as AddressInfo).port);

  return {
    url: url.href,
    failNext: (words, fault) =>
      new Promise((done) => {
        occurs("database");
        armed = { words, fault, done };
      }),
    down: () => {
      occurs("database");
      open = false;
      for (const line of lines) cut(line);
    },
    up: () => {
      open = true;
      for (const line of lines) if (line.apart) cut(line);
    },
    silence: () => {
      occurs("database");
      open = false;
      for (const line of lines) Object.assign(line, { silent: true, apart: true });
    },
    cut: (pids) => {
      occurs("database");
      for (const line of lines) if (pids.includes(line.pid)) cut(line);
    },
    close: async () => {
      for (const line of lines) cut(line);
      await new Promise((done) => listener.close(done));
    },
  };
}
