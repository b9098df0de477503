/** Benchmark of starts: the venue alone and a whole server, with the usual market and with nine copies of its listings. */
import { fork } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { BenchOptions } from "./bench.ts";
import { Samples } from "./samples.ts";
import type { Table } from "./table.ts";

const COPIES = 9;
const ROUNDS = 3;
const BUDGET = 2;

interface Start {
  rows: number;
  cpu: number;
  seconds: number;
}

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Starts once, in a process of its own. */
async function start(what: "venue" | "server", copies: number): Promise<Start> {
  const child = fork(pathOf("boot-start.ts"), [what], {
    stdio: "inherit",
    execArgv: ["--import", pathOf("many-hook.ts")],
    env: { ...process.env, BENCH_COPIES: String(copies) },
  });
  const ended = once(child, "exit");
  const [report] = (await Promise.race([once(child, "message"), ended.then(([code]) => Promise.reject(new Error(`exit ${code}`)))])) as [
    Start,
  ];
  await ended;
  return report;
}

async function table(what: "venue" | "server", title: string, rounds: number): Promise<Table> {
  const samples = new Samples();
  const rows = new Map<number, number>();
  for (let nth = 0; nth < rounds; nth += 1)
    for (const copies of [1, COPIES]) {
      const begun = await start(what, copies);
      rows.set(copies, begun.rows);
      samples.note(`cpu ${copies}`, begun.cpu);
      samples.note(`seconds ${copies}`, begun.seconds);
    }
  const figures = [...rows].flatMap(([copies, count]) => [
    { what: `${count} instruments`, value: samples.of(`cpu ${copies}`), unit: "s of CPU" },
    { what: "until it is there", value: samples.of(`seconds ${copies}`), unit: "s" },
  ]);
  const times = (rows.get(COPIES) ?? 0) / (rows.get(1) ?? 1);
  const ratio = { what: `${times.toFixed(1)} times the instruments`, value: samples.ratio(`cpu ${COPIES}`, "cpu 1"), unit: "x of CPU" };
  return { title, figures: [...figures, what === "server" ? { ...ratio, budget: BUDGET, row: "start" } : ratio] };
}

export async function run({ quick }: BenchOptions): Promise<Table[]> {
  const rounds = quick ? 1 : ROUNDS;
  return [
    await table("venue", "Opening the sandbox exchange around the clock at 14:20", rounds),
    await table("server", "Starting a server with it, on a database with its tables", rounds),
  ];
}
