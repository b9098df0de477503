/** Benchmark of starts: the venue alone and a whole server, with the usual market and with nine times its instruments. */
import { fork } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { BenchOptions } from "./bench.ts";
import { median } from "./samples.ts";
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
  const usual: Start[] = [];
  const many: Start[] = [];
  for (let nth = 0; nth < rounds; nth += 1) {
    usual.push(await start(what, 1));
    many.push(await start(what, COPIES));
  }
  const cpuOf = (starts: readonly Start[]): number => median(starts.map(({ cpu }) => cpu));
  const figures = [usual, many].flatMap((starts) => [
    { what: `${starts[0]?.rows} instruments`, value: cpuOf(starts), unit: "s of CPU" },
    { what: "until it is there", value: median(starts.map(({ seconds }) => seconds)), unit: "s" },
  ]);
  const ratio = { what: "ratio", value: cpuOf(many) / cpuOf(usual), unit: "x of CPU" };
  return { title, figures: [...figures, what === "server" ? { ...ratio, budget: BUDGET } : ratio] };
}

export async function run({ quick }: BenchOptions): Promise<Table[]> {
  const rounds = quick ? 1 : ROUNDS;
  return [
    await table("venue", "Opening the sandbox exchange around the clock at 14:20", rounds),
    await table("server", "Starting a server with it, on a database with its tables", rounds),
  ];
}
