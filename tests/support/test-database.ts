/**
 * Databases for tests, in memory, or in a schema of its own where DATABASE_URL names a server. Closed ones are kept open below and lent
 * again: opening one costs a second, and threads that come and go can abort the process.
 */
import process from "node:process";
import { openDatabase } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { isUnaltered, remember, restore } from "./pristine.ts";
import type { Pristine } from "./pristine.ts";
import { schemaName } from "./run.ts";
import { fillDataDir, migratedTemplate } from "./template.ts";

interface Kept {
  db: Database;
  pristine: Pristine;
}

/** Databases of this process that nobody has open. */
const idle: Kept[] = [];

async function openAnother(): Promise<Database> {
  const databaseUrl = process.env["DATABASE_URL"] || undefined;
  if (databaseUrl === undefined) return openDatabase({ dataDir: null, template: await migratedTemplate() });
  const schema = schemaName();
  const db = await openDatabase({ dataDir: null, databaseUrl, schema, poolSize: 4 });
  return {
    ...db,
    close: async () => {
      await db.kysely.schema.dropSchema(schema).cascade().execute();
      await db.close();
    },
  };
}

/** The database until its borrower closes it: what a stopped server still tries then must not reach the next test. */
function lend({ db, pristine }: Kept): Database {
  let closed = false;
  const underWay = new Set<Promise<unknown>>();
  const mustBeOpen = (): void => {
    if (closed) throw new Error("the database is closed");
  };
  const kysely = new Proxy(db.kysely, {
    get(target, name) {
      mustBeOpen();
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  return {
    ...db,
    kysely,
    async transaction(work) {
      mustBeOpen();
      const result = db.transaction(work);
      underWay.add(result);
      try {
        return await result;
      } finally {
        underWay.delete(result);
      }
    },
    async close() {
      if (closed) return;
      closed = true;
      await Promise.allSettled(underWay);
      if (!(await isUnaltered(db.kysely, pristine))) {
        await db.close();
        throw new Error("a test altered the schema of the shared database: let it open one with { own: true }");
      }
      idle.push({ db, pristine });
    },
  };
}

/** An empty database of the caller's own until closed. `own`: not shared with later tests, for those that alter the schema. */
export async function openTestDatabase({ own = false } = {}): Promise<Database> {
  // Outside the test runner nobody comes after, and nobody drops what is left.
  if (own || !process.env["VITEST"]) return openAnother();
  const kept = idle.pop();
  if (kept) {
    await restore(kept.db.kysely, kept.pristine);
    return lend(kept);
  }
  const db = await openAnother();
  return lend({ db, pristine: await remember(db.kysely) });
}

/** A database that can be opened again: in a folder, or in a schema. */
export function openKeptDatabase(where: { dataDir: string; schema: string }): Promise<Database> {
  const databaseUrl = process.env["DATABASE_URL"] || undefined;
  if (databaseUrl === undefined) return fillDataDir(where.dataDir).then(() => openDatabase({ dataDir: where.dataDir }));
  return openDatabase({ dataDir: null, databaseUrl, schema: where.schema, poolSize: 4 });
}
