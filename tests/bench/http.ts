/** Benchmark of the HTTP layer: CPU time of a call through ours and through bare Hono, with the same small answer, in turns. */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { endpoints } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import type { BenchOptions } from "./bench.ts";
import type { Table } from "./table.ts";

const CONNECTIONS = 8;
/** Calls of one turn, and turns of each. */
const CALLS = 4_000;
const TURNS = 12;
const QUICK_TURNS = 4;
const BUDGET = 2;
const BODY = JSON.stringify({ group: null, code: "2330" });

type Port = "ours" | "bare";

async function cpuMs(server: ChildProcess): Promise<number> {
  const answered = once(server, "message");
  server.send("cpu");
  return ((await answered) as [{ cpuMs: number }])[0].cpuMs;
}

function call(agent: Agent, port: number): Promise<number> {
  const headers = { token: "t", account: "A1", "content-type": "application/json", "content-length": Buffer.byteLength(BODY) };
  return new Promise((done, fail) => {
    const asked = request(
      { agent, port, host: "127.0.0.1", method: "POST", path: BASE_PATH + endpoints.addWatch.path, headers },
      (reply) => {
        let status = reply.statusCode ?? 0;
        reply.on("data", (part: Buffer) => {
          if (!part.includes('"status":1')) status = 0;
        });
        reply.on("end", () => done(status));
      },
    );
    asked.on("error", fail);
    asked.end(BODY);
  });
}

/** Microseconds of CPU a call. */
async function turn(server: ChildProcess, agent: Agent, port: number): Promise<number> {
  const from = await cpuMs(server);
  let left = CALLS;
  const line = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      if ((await call(agent, port)) !== 200) throw new Error("a call was refused");
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, line));
  return (((await cpuMs(server)) - from) * 1_000) / CALLS;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

export async function run({ quick }: BenchOptions): Promise<Table[]> {
  const server = fork(fileURLToPath(new URL("http-server.ts", import.meta.url)), { stdio: "inherit" });
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  try {
    const [ports] = (await once(server, "message")) as [Record<Port, number>];
    const found: Record<Port, number[]> = { ours: [], bare: [] };
    // The first turn of each compiles.
    for (let nth = 0; nth <= (quick ? QUICK_TURNS : TURNS); nth += 1)
      for (const which of ["ours", "bare"] as const) {
        const us = await turn(server, agent, ports[which]);
        if (nth > 0) found[which].push(us);
      }
    const [ours, bare] = [median(found.ours), median(found.bare)];
    return [
      {
        title: "HTTP layer: a command of a member, session and body checked, handler empty",
        figures: [
          { what: "ours", value: ours, unit: "µs of CPU a call" },
          { what: "bare Hono", value: bare, unit: "µs of CPU a call" },
          { what: "ours / bare Hono", value: ours / bare, unit: "x", budget: BUDGET, row: "HTTP layer over bare Hono" },
        ],
      },
    ];
  } finally {
    agent.destroy();
    server.disconnect();
    await once(server, "exit");
  }
}
