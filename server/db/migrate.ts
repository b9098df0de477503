/** Applies migrations: plain SQL files in order, each once, in one transaction, recorded with its checksum. */
import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { CompiledQuery } from "kysely";
import type { Kysely } from "kysely";
import type { Tables } from "./schema.ts";

const FOLDER = new URL("./migrations/", import.meta.url);
/** Released migrations whose text was later replaced under the same name: databases with the earlier text still open, and a later migration aligns them. */
const EARLIER_EDITIONS = new Set(["0011-trade.sql a8c326dd22da904902582aa02d31e5b005b3f4b297530a720273022e199f9bf0"]);
/** Arbitrary, but the same in every process. */
const ADVISORY_KEY = 20_330;

/** A migration as recorded in the database. */
interface Applied {
  name: string;
  checksum: string;
}

/** Thrown when a later version has migrated the database. */
export class DataOfLaterVersion extends Error {
  override readonly name = "DataOfLaterVersion";

  constructor(migration: string) {
    super(`The database has migration ${migration}, which this version does not know: the program is older than the data.`);
  }
}

/** Tells whether a file has the applied text, or is a known replacement of it. */
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

/** The files not applied yet. @throws when an applied file was changed or is missing: released migrations are immutable */
function pendingFiles<File extends Applied>(files: readonly File[], applied: readonly Applied[]): File[] {
  const before = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const missing = applied.find(({ name }) => !files.some((file) => file.name === name));
  if (missing) throw new DataOfLaterVersion(missing.name);
  return files.filter((file) => {
    const checksum = before.get(file.name);
    if (checksum !== undefined && !isSame(file, checksum)) throw new Error(`Migration ${file.name} was changed after it was applied.`);
    return checksum === undefined;
  });
}

const run = (on: Kysely<Tables>, sql: string, parameters: unknown[] = []) =>
  on.executeQuery<Applied>(CompiledQuery.raw(sql, parameters)).then(({ rows }) => rows);

const APPLIED = "SELECT name, checksum FROM migration";

/** Applies migrations in a transaction: all, or only those a backup had. @returns the names of those applied now */
export async function migrateIn(tx: Kysely<Tables>, only?: readonly Applied[]): Promise<string[]> {
  await run(tx, `SELECT pg_advisory_xact_lock(${ADVISORY_KEY})`);
  await run(tx, "CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, checksum text NOT NULL, at bigint NOT NULL)");
  const files = await readFiles();
  if (only) pendingFiles(files, only);
  const wanted = files.filter(({ name }) => !only || only.some((one) => one.name === name));
  const now = pendingFiles(files, await run(tx, APPLIED)).filter((file) => wanted.includes(file));
  for (const { name, sql, checksum } of now) {
    await run(tx, sql);
    await run(tx, "INSERT INTO migration (name, checksum, at) VALUES ($1, $2, $3)", [name, checksum, Date.now()]);
  }
  return now.map(({ name }) => name);
}

/**
 * Applies every pending migration.
 * @returns the names of those applied now
 * @throws when an applied file was changed or is missing
 */
export const migrate = (kysely: Kysely<Tables>): Promise<string[]> => kysely.transaction().execute((tx) => migrateIn(tx));

/** The migrations a database still needs; null when it has no migration table, so is not a database of this server. Read only. */
export async function pendingMigrations(kysely: Kysely<Tables>): Promise<string[] | null> {
  const tables = await run(kysely, "SELECT relname AS name FROM pg_class WHERE oid = to_regclass('migration')");
  if (tables.length === 0) return null;
  return pendingFiles(await readFiles(), await run(kysely, APPLIED)).map(({ name }) => name);
}
