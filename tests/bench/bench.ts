/**
 * `npm run bench`: runs all usual benchmarks, or those named as arguments, and prints the results against the budgets. Arguments: names of
 * benchmarks; `quick` for short runs; a number of minutes for benchmarks of growth (`npm run bench soak 60`).
 */
import process from "node:process";
import { summary, formatTable } from "./table.ts";
import type { Table } from "./table.ts";

/** Options of a benchmark. */
export interface BenchOptions {
  /** Measures for a fraction of the time, with less precise results. */
  quick: boolean;
  /** Duration of a benchmark that measures growth; undefined for its default. */
  minutes?: number | undefined;
}

/** The exports of a benchmark file. */
interface Bench {
  run: (asked: BenchOptions) => Promise<Table[]>;
}

const USUAL = [
  "size",
  "candle",
  "search",
  "draw",
  "copy",
  "strategy",
  "http",
  "server",
  "members",
  "noisy-member",
  "contracts",
  "stale-mark",
  "tap-latency",
  "stories",
  "list",
  "workspace",
  "heap",
];
/** Run only when named: `soak` takes an hour, `history`, `orders` and `boot` need an idle machine, `sealed` asks thousands of times, `cluster` and `sockets` need PostgreSQL and Redis. */
const NAMED = ["soak", "history", "orders", "sealed", "boot", "cluster", "sockets"];

const words = process.argv.slice(2).map((word) => word.replace(/^-+/, ""));
const numbers = words.filter((word) => /^[\d.]+$/.test(word));
const asked: BenchOptions = { quick: words.includes("quick"), minutes: numbers.length > 0 ? Number(numbers[0]) : undefined };
const names = words.filter((word) => word !== "quick" && !numbers.includes(word));
const unknown = names.filter((name) => ![...USUAL, ...NAMED].includes(name));
if (unknown.length > 0) throw new Error(`unknown benchmark ${unknown.join(", ")}; known: ${[...USUAL, ...NAMED].join(", ")}`);

const tables: Table[] = [];
for (const name of names.length > 0 ? names : USUAL) {
  console.log(`\n── ${name}`);
  const { run } = (await import(new URL(`${name}.ts`, import.meta.url).href)) as Bench;
  for (const table of await run(asked)) {
    tables.push(table);
    console.log(`\n${formatTable(table)}`);
  }
}
console.log(`\n── summary\n\n${formatTable(summary(tables))}`);
// A measured process may keep a connection open.
process.exit(0);
