/**
 * Test databases: in memory, or in their own schema if DATABASE_URL names a server. A closed one is reset and lent again, because opening
 * one takes a second, and frequent thread starts and stops can abort the process.
 */
import process from "node:process";
import { openDatabase } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { isUnaltered, remember, restore } from "./database-snapshot.ts";
import type { DatabaseSnapshot } from "./database-snapshot.ts";
import { schemaName } from "./run.ts";
import { fillDataDir, migratedTemplate } from "./template.ts";

interface Kept {
  db: Database;
  snapshot: DatabaseSnapshot;
}

/** Open databases of this process that no test uses. */
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

/** Wraps a database until its borrower closes it: late calls of a stopped server must not reach the next test. */
function lend({ db, snapshot }: Kept): Database {
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
      if (!(await isUnaltered(db.kysely, snapshot))) {
        await db.close();
        throw new Error("a test altered the schema of the shared database; it must open its own with { own: true }");
      }
      idle.push({ db, snapshot });
    },
  };
}

/** Opens an empty database for the caller. `own`: not reused by later tests, for tests that alter the schema. */
export async function openTestDatabase({ own = false } = {}): Promise<Database> {
  // Outside the test runner nothing would reuse or drop it.
  if (own || !process.env["VITEST"]) return openAnother();
  const kept = idle.pop();
  if (kept) {
    await restore(kept.db.kysely, kept.snapshot);
    return lend(kept);
  }
  const db = await openAnother();
  return lend({ db, snapshot: await remember(db.kysely) });
}

/** Opens a database that can be reopened: in a folder or in a schema. */
export function openKeptDatabase(where: { dataDir: string; schema: string }): Promise<Database> {
  const databaseUrl = process.env["DATABASE_URL"] || undefined;
  if (databaseUrl === undefined) return fillDataDir(where.dataDir).then(() => openDatabase({ dataDir: where.dataDir }));
  return openDatabase({ dataDir: null, databaseUrl, schema: where.schema, poolSize: 4 });
}
