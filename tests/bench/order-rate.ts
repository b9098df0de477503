/** Benchmark of order throughput over HTTP: each order is a ledger hold, an order row and a fact, committed before the reply. */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { endpoints } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";

interface Ready {
  port: number;
  kind: string;
  callers: { token: string; account: string }[];
  codes: string[];
}

export interface OrderFigure {
  /** `pglite` or `postgres`. */
  kind: string;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  refused: number;
  /** CPU time of the server per order, including an embedded database. */
  cpuMsPerOrder: number;
}

async function cpuMs(server: ChildProcess): Promise<number> {
  const answered = once(server, "message");
  server.send("cpu");
  return ((await answered) as [{ cpuMs: number }])[0].cpuMs;
}

function place(agent: Agent, { port, callers, codes }: Ready, n: number): Promise<number> {
  const body = JSON.stringify({
    requestId: randomUUID(),
    code: codes[(n * 7) % codes.length],
    direction: "rise",
    pricing: "market",
    price: null,
    lots: 1,
  });
  const headers = { ...callers[n % callers.length], "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  return new Promise((done, fail) => {
    const asked = request({ agent, port, method: "POST", path: BASE_PATH + endpoints.placeOrder.path, headers }, (reply) => {
      const parts: Buffer[] = [];
      reply.on("data", (part: Buffer) => void parts.push(part));
      reply.on("end", () => done((JSON.parse(String(Buffer.concat(parts))) as { status: number }).status));
    });
    asked.on("error", fail);
    asked.end(body);
  });
}

/** Places orders over `connections` parallel connections for `forMs`, after warming up for as long. */
export async function measureOrders(connections: number, forMs: number): Promise<OrderFigure> {
  const server = fork(fileURLToPath(new URL("order-server.ts", import.meta.url)), {
    stdio: "inherit",
    execArgv: ["--wasm-tiering-budget=130000000", "--max-semi-space-size=16"],
  });
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  try {
    const [ready] = (await once(server, "message")) as [Ready];
    const measuredFrom = performance.now() + forMs;
    const until = measuredFrom + forMs;
    const times: number[] = [];
    let n = 0;
    let refused = 0;
    const line = async (): Promise<void> => {
      for (let at = performance.now(); at < until; at = performance.now()) {
        n += 1;
        const status = await place(agent, ready, n);
        if (at < measuredFrom) continue;
        times.push(performance.now() - at);
        if (status !== 1) refused += 1;
      }
    };
    const cpuFrom = new Promise<number>((done) => setTimeout(() => void cpuMs(server).then(done), forMs));
    await Promise.all(Array.from({ length: connections }, line));
    const cpu = (await cpuMs(server)) - (await cpuFrom);
    times.sort((a, b) => a - b);
    const quantile = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
    return {
      kind: ready.kind,
      perSecond: (times.length / forMs) * 1000,
      p50Ms: quantile(0.5),
      p99Ms: quantile(0.99),
      refused,
      cpuMsPerOrder: cpu / times.length,
    };
  } finally {
    agent.destroy();
    const ended = once(server, "exit");
    server.disconnect();
    await ended;
  }
}
