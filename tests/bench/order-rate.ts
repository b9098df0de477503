/** Benchmark of order throughput over HTTP: members trade over parallel connections; every command is committed before its reply. */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Agent } from "node:http";
import { fileURLToPath } from "node:url";
import { CommandClient, tradeOnce } from "./order-mix.ts";
import type { BenchStock, Caller } from "./order-mix.ts";

interface Ready {
  port: number;
  kind: string;
  callers: Caller[];
  stocks: BenchStock[];
}

export interface OrderFigure {
  /** `pglite` or `postgres`. */
  kind: string;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Commands that were refused, by name and code. */
  refused: Map<string, number>;
  /** CPU time of the server per command, including an embedded database. */
  cpuMsPerCommand: number;
}

async function cpuMs(server: ChildProcess): Promise<number> {
  const answered = once(server, "message");
  server.send("cpu");
  return ((await answered) as [{ cpuMs: number }])[0].cpuMs;
}

/** Trades as so many members over so many connections for `forMs`, after warming up for as long. */
export async function measureOrders(connections: number, members: number, forMs: number): Promise<OrderFigure> {
  const server = fork(fileURLToPath(new URL("order-server.ts", import.meta.url)), [String(members)], {
    stdio: "inherit",
    execArgv: ["--wasm-tiering-budget=130000000", "--max-semi-space-size=16"],
  });
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  try {
    const [{ port, kind, callers, stocks }] = (await once(server, "message")) as [Ready];
    const client = new CommandClient(agent, port);
    const measuredFrom = performance.now() + forMs;
    const until = measuredFrom + forMs;
    let turn = 0;
    const line = async (): Promise<void> => {
      while (performance.now() < until) {
        turn += 1;
        const [caller, stock] = [callers[turn % callers.length], stocks[(turn * 7) % stocks.length]];
        if (caller && stock) await tradeOnce(client, caller, stock);
      }
    };
    const cpuFrom = new Promise<number>((done) =>
      setTimeout(() => {
        client.reset();
        void cpuMs(server).then(done);
      }, forMs),
    );
    await Promise.all(Array.from({ length: connections }, line));
    const cpu = (await cpuMs(server)) - (await cpuFrom);
    const times = client.times.toSorted((a, b) => a - b);
    const quantile = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
    return {
      kind,
      perSecond: (times.length / forMs) * 1000,
      p50Ms: quantile(0.5),
      p99Ms: quantile(0.99),
      refused: client.refused,
      cpuMsPerCommand: cpu / times.length,
    };
  } finally {
    agent.destroy();
    const ended = once(server, "exit");
    server.disconnect();
    await ended;
  }
}
