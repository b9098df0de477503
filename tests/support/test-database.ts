/** Databases for tests: in memory, from an empty one made once a machine; or a schema of its own when DATABASE_URL names a server. */
import { randomUUID } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { PGlite } from "@electric-sql/pglite";
import { openDatabase } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";

/** An empty PGlite database as a file; another version of PGlite makes its own. */
async function emptyDatabase(): Promise<string> {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL("../../node_modules/@electric-sql/pglite/package.json", import.meta.url), "utf8"),
  );
  const version = typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "unknown";
  const path = fileURLToPath(new URL(`../../.cache/pglite-${version}.tar`, import.meta.url));
  if (existsSync(path)) return path;
  const pg = await PGlite.create();
  const dump = new Uint8Array(await (await pg.dumpDataDir("none")).arrayBuffer());
  await pg.close();
  mkdirSync(dirname(path), { recursive: true });
  // Several test files may make it at once: each its own, and the first name stays. What others already read must not change under them.
  const mine = `${path}.${randomUUID()}`;
  writeFileSync(mine, dump);
  try {
    linkSync(mine, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
  unlinkSync(mine);
  return path;
}

/** A database of the test's own. With a folder or a schema given it can be opened again; otherwise it is gone when closed. */
export async function openTestDatabase(over: { dataDir?: string; schema?: string } = {}): Promise<Database> {
  const databaseUrl = process.env["DATABASE_URL"] || undefined;
  if (databaseUrl === undefined) {
    return openDatabase(over.dataDir === undefined ? { dataDir: null, template: await emptyDatabase() } : { dataDir: over.dataDir });
  }
  const schema = over.schema ?? `test_${randomUUID().replaceAll("-", "")}`;
  const db = await openDatabase({ dataDir: null, databaseUrl, schema, poolSize: 4 });
  if (over.schema !== undefined) return db;
  return {
    ...db,
    close: async () => {
      await db.kysely.schema.dropSchema(schema).cascade().execute();
      await db.close();
    },
  };
}
