/** Bring the database forward: plain SQL files in order, each applied once, in a transaction, and remembered with its checksum. */
import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { CompiledQuery } from "kysely";
import type { Kysely } from "kysely";
import type { Tables } from "./schema.ts";

const FOLDER = new URL("./migrations/", import.meta.url);
/** Released texts that were replaced under the same name: databases begun with one open, and a later migration makes them equal. */
const EARLIER_EDITIONS = new Set(["0011-trade.sql a8c326dd22da904902582aa02d31e5b005b3f4b297530a720273022e199f9bf0"]);
/** Any number will do, as long as every process of this house takes the same one. */
const ADVISORY_KEY = 20_330;

/**
 * Apply every migration that was not applied yet.
 * @returns the names of those applied now
 * @throws when an applied file has changed since, or is missing: history is never rewritten
 */
export async function migrate(kysely: Kysely<Tables>): Promise<string[]> {
  const files = (await readdir(FOLDER)).filter((name) => /^\d{4}-.+\.sql$/.test(name)).toSorted();
  return kysely.transaction().execute(async (tx) => {
    const run = (sql: string, parameters: unknown[] = []) =>
      tx.executeQuery<{ name: string; checksum: string }>(CompiledQuery.raw(sql, parameters));
    await run(`SELECT pg_advisory_xact_lock(${ADVISORY_KEY})`);
    await run("CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, checksum text NOT NULL, at bigint NOT NULL)");
    const applied = new Map((await run("SELECT name, checksum FROM migration")).rows.map((row) => [row.name, row.checksum]));
    const missing = [...applied.keys()].find((name) => !files.includes(name));
    if (missing) throw new Error(`The database has migration ${missing}, which this version does not know: it is older than the data.`);
    const now: string[] = [];
    for (const name of files) {
      const sql = await readFile(new URL(name, FOLDER), "utf8");
      const checksum = createHash("sha256").update(sql).digest("hex");
      const before = applied.get(name);
      if (before === checksum || EARLIER_EDITIONS.has(`${name} ${before}`)) continue;
      if (before !== undefined) throw new Error(`Migration ${name} was changed after it was applied.`);
      await run(sql);
      await run("INSERT INTO migration (name, checksum, at) VALUES ($1, $2, $3)", [name, checksum, Date.now()]);
      now.push(name);
    }
    return now;
  });
}
