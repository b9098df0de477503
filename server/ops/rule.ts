/**
 * `node server/ops/rule.ts`: show the rules members trade by. `node server/ops/rule.ts set <part> [board=… kind=… code=… member=…] name=value …`
 * changes or makes one; `drop` with the same words removes an exception. With the server stopped (the embedded database takes one
 * process) or running on PostgreSQL, where it takes effect within seconds.
 */
import process from "node:process";
import { openDatabase } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { DataDirInUse } from "#server/db/lock.ts";
import { BadRule, describeRules, dropRule, readChange, setRule } from "#server/desks/rule/change.ts";

async function run(db: Database, [command = "show", ...words]: readonly string[]): Promise<string> {
  if (command === "show") return describeRules(db.kysely);
  if (command !== "set" && command !== "drop") throw new BadRule(`Say show, set or drop, not ${command}.`);
  const change = await readChange(db.kysely, words);
  await (command === "set" ? setRule(db, change) : dropRule(db, change));
  return describeRules(db.kysely);
}

try {
  const db = await openDatabase({ dataDir: process.env["DATA_DIR"] ?? "./data", databaseUrl: process.env["DATABASE_URL"] });
  try {
    console.log(await run(db, process.argv.slice(2)));
  } finally {
    await db.close();
  }
} catch (error) {
  if (!(error instanceof BadRule) && !(error instanceof DataDirInUse)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
