/** `npm run bench`: runs the benches, or those named behind it, and prints their tables against the budgets. */
import { written } from "./table.ts";
import type { Table } from "./table.ts";

/** What a bench file exports. */
interface Bench {
  run: () => Promise<Table[]>;
}

const NAMES = ["size", "server", "list"];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) throw new Error(`no bench called ${unknown.join(", ")}; there are ${NAMES.join(", ")}`);

for (const name of NAMES.filter((one) => asked.length === 0 || asked.includes(one))) {
  console.log(`\n── ${name}`);
  const { run } = (await import(new URL(`${name}.ts`, import.meta.url).href)) as Bench;
  for (const table of await run()) console.log(`\n${written(table)}`);
}
