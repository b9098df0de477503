/**
 * `npm run simulate -- --seed N --steps M [--primary | --services]` runs the simulation in memory or on the PostgreSQL of DATABASE_URL; the same seed repeats the
 * same run. With `--primary` members also take part in offerings; the secrets of their draws are no part of the seed. With `--services` they
 * follow mentors and run strategies; when the thread of strategies answers is no part of the seed.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { LedgerMismatch, simulate } from "./simulate.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    steps: { type: "string" },
    audit: { type: "string" },
    primary: { type: "boolean" },
    services: { type: "boolean" },
  },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
const steps = Number(values.steps ?? 100_000);
const auditEvery = Number(values.audit ?? 1_000);

const { primary = false, services = false } = values;
if (primary && services) throw new Error("--primary and --services are two simulations");
console.log(`npm run simulate -- --seed ${seed} --steps ${steps}${primary ? " --primary" : ""}${services ? " --services" : ""}`);
const db = await openTestDatabase();
try {
  const report = await simulate({ db, seed, steps, auditEvery, primary, services, note: (said) => console.log(said) });
  console.log(report);
} catch (error) {
  if (!(error instanceof LedgerMismatch)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await db.close();
}
process.exit();
