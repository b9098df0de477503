/**
 * Benchmark of a noisy member: order latency of another member while one requests the whole instrument list continuously over many
 * connections.
 */
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { endpoints } from "#contract/endpoints.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import type { BenchOptions } from "./bench.ts";
import type { Figure, Table } from "./table.ts";

const LOAD_CONNECTIONS = 64;
const ORDERS = 200;
const QUICK_ORDERS = 60;
const PAUSE_MS = 20;

interface Ready {
  port: number;
  kind: string;
  callers: { token: string; account: string }[];
  codes: string[];
}

/** Makes a call and reads its reply. @returns whether it was accepted */
function call(agent: Agent, { port }: Ready, caller: object, name: EndpointName, asked: object): Promise<boolean> {
  const body = JSON.stringify(asked);
  const headers = { ...caller, "content-type": "application/json", "content-length": Buffer.byteLength(body), "accept-encoding": "gzip" };
  return new Promise((done, fail) => {
    const sent = request({ agent, port, method: "POST", path: BASE_PATH + endpoints[name].path, headers }, (reply) => {
      const parts: Buffer[] = [];
      reply.on("data", (part: Buffer) => void parts.push(part));
      // A refusal is short and uncompressed, the instrument list is not.
      reply.on("end", () => done(reply.headers["content-encoding"] === "gzip" || String(Buffer.concat(parts)).startsWith('{"status":1')));
    });
    sent.on("error", fail);
    sent.end(body);
  });
}

async function orders(ready: Ready, count: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const ticket = { code: ready.codes[(n * 7) % ready.codes.length], direction: "rise", pricing: "market", price: null, lots: 1 };
    const began = performance.now();
    await call(agent, ready, ready.callers[0] ?? {}, "placeOrder", { requestId: randomUUID(), ...ticket });
    times.push(performance.now() - began);
    await wait(PAUSE_MS);
  }
  agent.destroy();
  return times.toSorted((a, b) => a - b);
}

function figures(what: string, times: readonly number[]): Figure[] {
  const quantile = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
  return [
    { what: `${what}: order latency, median`, value: quantile(0.5), unit: "ms" },
    { what: `${what}: order latency, 99th percentile`, value: quantile(0.99), unit: "ms" },
  ];
}

/** Takes half a minute. */
export async function run({ quick }: BenchOptions): Promise<Table[]> {
  const server = fork(fileURLToPath(new URL("order-server.ts", import.meta.url)), ["2"], {
    stdio: "inherit",
    execArgv: ["--wasm-tiering-budget=130000000", "--max-semi-space-size=16"],
  });
  const agent = new Agent({ keepAlive: true, maxSockets: LOAD_CONNECTIONS });
  try {
    const [ready] = (await once(server, "message")) as [Ready];
    const count = quick ? QUICK_ORDERS : ORDERS;
    await orders(ready, count);
    const quiet = await orders(ready, count);
    const answered = { list: 0, refused: 0 };
    const loading = { on: true };
    const load = Array.from({ length: LOAD_CONNECTIONS }, async () => {
      while (loading.on) answered[(await call(agent, ready, ready.callers[1] ?? {}, "listInstruments", {})) ? "list" : "refused"] += 1;
    });
    const loaded = await orders(ready, count);
    loading.on = false;
    await Promise.all(load);
    return [
      {
        title: `One member's orders while another requests the list over ${LOAD_CONNECTIONS} connections, on ${ready.kind}`,
        figures: [
          ...figures("without load", quiet),
          ...figures("with load", loaded),
          { what: "list requests answered", value: answered.list, unit: "" },
          { what: "list requests refused", value: answered.refused, unit: "" },
        ],
      },
    ];
  } finally {
    agent.destroy();
    const ended = once(server, "exit");
    server.disconnect();
    await ended;
  }
}
