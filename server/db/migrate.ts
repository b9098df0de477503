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

/** A migration as a database remembers it. */
interface Applied {
  name: string;
  checksum: string;
}

/** Whether a file has the text, or another edition of the text, that was applied under its name. */
const isSame = ({ name, checksum }: Applied, before: string): boolean => before === checksum || EARLIER_EDITIONS.has(`${name} ${before}`);

async function readFiles(): Promise<(Applied & { sql: string })[]> {
  const names = (await readdir(FOLDER)).filter((name) => /^\d{4}-.+\.sql$/.test(name)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, FOLDER), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/** What of the files is still to be applied. @throws when an applied file has changed since, or is missing: history is never rewritten */
function stillToApply<File extends Applied>(files: readonly File[], applied: readonly Applied[]): File[] {
  const before = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const missing = applied.find(({ name }) => !files.some((file) => file.name === name));
  if (missing) throw new Error(`The database has migration ${missing.name}, which this version does not know: it is older than the data.`);
  return files.filter((file) => {
    const checksum = before.get(file.name);
    if (checksum !== undefined && !isSame(file, checksum)) throw new Error(`Migration ${file.name} was changed after it was applied.`);
    return checksum === undefined;
  });
}

const run = (on: Kysely<Tables>, sql: string, parameters: unknown[] = []) =>
  on.executeQuery<Applied>(CompiledQuery.raw(sql, parameters)).then(({ rows }) => rows);

const APPLIED = "SELECT name, checksum FROM migration";

/** Apply migrations in a transaction: all, or those a backup had. @returns the names of those applied now */
export async function migrateIn(tx: Kysely<Tables>, only?: readonly Applied[]): Promise<string[]> {
  await run(tx, `SELECT pg_advisory_xact_lock(${ADVISORY_KEY})`);
  await run(tx, "CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, checksum text NOT NULL, at bigint NOT NULL)");
  const files = await readFiles();
  if (only) stillToApply(files, only);
  const wanted = files.filter(({ name }) => !only || only.some((one) => one.name === name));
  const now = stillToApply(files, await run(tx, APPLIED)).filter((file) => wanted.includes(file));
  for (const { name, sql, checksum } of now) {
    await run(tx, sql);
    await run(tx, "INSERT INTO migration (name, checksum, at) VALUES ($1, $2, $3)", [name, checksum, Date.now()]);
  }
  return now.map(({ name }) => name);
}

/**
 * Apply every migration that was not applied yet.
 * @returns the names of those applied now
 * @throws when an applied file has changed since, or is missing
 */
export const migrate = (kysely: Kysely<Tables>): Promise<string[]> => kysely.transaction().execute((tx) => migrateIn(tx));

/** Which migrations a database still needs; null when it has none at all, for it is not one of this server. Changes nothing. */
export async function pendingMigrations(kysely: Kysely<Tables>): Promise<string[] | null> {
  const tables = await run(kysely, "SELECT relname AS name FROM pg_class WHERE oid = to_regclass('migration')");
  if (tables.length === 0) return null;
  return stillToApply(await readFiles(), await run(kysely, APPLIED)).map(({ name }) => name);
}
