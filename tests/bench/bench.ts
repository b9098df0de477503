/**
 * `npm run bench`: runs the benches of the budget table, or those named behind it, and prints their tables against the budgets.
 * Words behind it: names of benches; `quick` for short looks; a number of minutes for those that last (`npm run bench soak 60`).
 */
import process from "node:process";
import { summary, written } from "./table.ts";
import type { Table } from "./table.ts";

/** What was asked of a bench. */
export interface Asked {
  /** A short look: less sure figures in a fraction of the time. */
  quick: boolean;
  /** How long a bench lasts that measures growth; undefined for its usual time. */
  minutes?: number | undefined;
}

/** What a bench file exports. */
interface Bench {
  run: (asked: Asked) => Promise<Table[]>;
}

const USUAL = ["size", "candle", "search", "server", "members", "flood", "fresh", "tap", "list", "heap"];
/** Only when named: the one lasts an hour, the other wants the machine for itself. */
const NAMED = ["soak", "history"];

const words = process.argv.slice(2).map((word) => word.replace(/^-+/, ""));
const numbers = words.filter((word) => /^[\d.]+$/.test(word));
const asked: Asked = { quick: words.includes("quick"), minutes: numbers.length > 0 ? Number(numbers[0]) : undefined };
const names = words.filter((word) => word !== "quick" && !numbers.includes(word));
const unknown = names.filter((name) => ![...USUAL, ...NAMED].includes(name));
if (unknown.length > 0) throw new Error(`no bench called ${unknown.join(", ")}; there are ${[...USUAL, ...NAMED].join(", ")}`);

const tables: Table[] = [];
for (const name of names.length > 0 ? names : USUAL) {
  console.log(`\n── ${name}`);
  const { run } = (await import(new URL(`${name}.ts`, import.meta.url).href)) as Bench;
  for (const table of await run(asked)) {
    tables.push(table);
    console.log(`\n${written(table)}`);
  }
}
console.log(`\n── together\n\n${written(summary(tables))}`);
// Whoever was measured may keep a line open: nothing is left to wait for.
process.exit(0);
