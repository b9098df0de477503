/** Builds a migrated, empty PGlite database as a file and as a data folder, once per PGlite version and set of migrations. */
import { createHash, randomUUID } from "node:crypto";
import { cpSync, existsSync, linkSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { Kysely, PostgresDialect } from "kysely";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { openDatabase } from "#server/db/database.ts";
import { migrate } from "#server/db/migrate.ts";
import type { Tables } from "#server/db/schema.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const CACHE = join(ROOT, ".cache");
const MIGRATIONS = join(ROOT, "server", "db", "migrations");
const PREFIX = "pglite-migrated-";
const FOLDER_PREFIX = "data-folder-";
const STALE_MS = 3_600_000;

function keyOf(): string {
  const hash = createHash("sha256");
  hash.update(readFileSync(join(ROOT, "node_modules", "@electric-sql", "pglite", "package.json")));
  for (const name of readdirSync(MIGRATIONS).toSorted()) hash.update(name).update(readFileSync(join(MIGRATIONS, name)));
  return hash.digest("hex").slice(0, 16);
}

/** Wraps PGlite on this thread as the connection pool that the migrations expect. */
function poolOf(pg: PGlite): PostgresPool {
  const query = async (sql: string, parameters: readonly unknown[]) => {
    const result = parameters.length > 0 ? await pg.query(sql, [...parameters]) : (await pg.exec(sql)).at(-1);
    return { rows: result?.rows ?? [], rowCount: result?.affectedRows ?? 0, command: result?.command ?? "" };
  };
  // The driver's type also has a cursor form, which is only ever called when a cursor class was configured.
  const client: PostgresPoolClient = { query: query as PostgresPoolClient["query"], release: () => undefined };
  return { connect: async () => client, end: () => pg.close() };
}

async function dump(): Promise<Uint8Array> {
  const pg = await PGlite.create();
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf(pg) }) });
  await migrate(kysely);
  const bytes = new Uint8Array(await (await pg.dumpDataDir("none")).arrayBuffer());
  await kysely.destroy();
  return bytes;
}

/** Removes earlier templates, but no younger ones: another process may be building or copying them. */
function removeStale(cache: string, prefix: string, current: string): void {
  for (const each of readdirSync(cache)) {
    const path = join(cache, each);
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (each.startsWith(prefix) && each !== current && Date.now() - changedAt > STALE_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** Path of the file, which is built if it is missing. */
export async function migratedTemplate(): Promise<string> {
  const name = `${PREFIX}${keyOf()}.tar`;
  const path = join(CACHE, name);
  if (existsSync(path)) return path;
  const bytes = await dump();
  mkdirSync(CACHE, { recursive: true });
  // Several test files may build it at once: each builds its own and the first one wins, so that a file in use never changes.
  const mine = join(CACHE, `${name}.${randomUUID()}`);
  writeFileSync(mine, bytes);
  try {
    linkSync(mine, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
  rmSync(mine);
  removeStale(CACHE, "pglite-", name);
  return path;
}

/** A data folder with the migrated, empty database; made now when it is missing. */
async function migratedFolder(cache: string): Promise<string> {
  const name = `${FOLDER_PREFIX}${keyOf()}`;
  const path = join(cache, name);
  if (existsSync(path)) return path;
  const mine = join(cache, `${name}.${randomUUID()}`);
  mkdirSync(mine, { recursive: true });
  const db = await openDatabase({ dataDir: mine });
  await db.close();
  try {
    renameSync(mine, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
    rmSync(mine, { recursive: true, force: true });
  }
  removeStale(cache, FOLDER_PREFIX, name);
  return path;
}

/** Puts a migrated, empty database into a data folder that is empty or new: many times faster than creating one there. */
export async function fillDataDir(dataDir: string, cache: string = CACHE): Promise<void> {
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) return;
  cpSync(await migratedFolder(cache), dataDir, { recursive: true });
}
