/** The house's memory: PGlite on disk, or PostgreSQL when an address is given; the same SQL and the same driver on both. */
import { userInfo } from "node:os";
import { CompiledQuery, Kysely, PostgresDialect } from "kysely";
import type { PostgresPool, Transaction } from "kysely";
import { Pool, types } from "pg";
import { lockDataDir } from "./lock.ts";
import { keepHouse } from "./housekeeping.ts";
import { migrate } from "./migrate.ts";
import { openPglite } from "./pglite-pool.ts";
import type { Tables } from "./schema.ts";

/** Inside a transaction: Kysely's own transaction object. */
export type Tx = Transaction<Tables>;
/** Whatever a read may run on: the database itself, or a transaction. */
export type Reader = Kysely<Tables>;

export interface Database {
  /** The query builder, for reads and single statements outside a transaction. */
  readonly kysely: Kysely<Tables>;
  readonly kind: "pglite" | "postgres";
  /**
   * Run `work` in one transaction: committed when it resolves, rolled back when it throws.
   * On PostgreSQL a transaction that lost to another (serialisation failure, deadlock) runs again: `work` must not act outside it.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Where PGlite keeps its files; null for memory only (tests). */
  dataDir: string | null;
  /** A dump of an empty PGlite database to begin from in memory: five times faster than laying one down (tests). */
  template?: string | undefined;
  /** A PostgreSQL address; when given, `dataDir` is not used. */
  databaseUrl?: string | undefined;
  /** A schema of its own in PostgreSQL, made if missing (tests). */
  schema?: string | undefined;
  /** Connections to PostgreSQL. */
  poolSize?: number | undefined;
}

const RETRIES = 5;
const LOST_TO_ANOTHER = new Set(["40001", "40P01"]);

function readInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a safe integer in the database: ${text}`);
  return value;
}

async function openPostgres(address: string, options: DatabaseOptions): Promise<PostgresPool> {
  types.setTypeParser(types.builtins.INT8, readInt8);
  const url = new URL(address);
  // An address without a name means whoever runs the server, as PostgreSQL's own tools take it.
  if (!url.username) url.username = userInfo().username;
  const schema = options.schema;
  if (schema !== undefined && !/^[a-z][a-z0-9_]*$/.test(schema)) throw new Error(`not a plain schema name: ${schema}`);
  const pool = new Pool({
    connectionString: url.href,
    max: options.poolSize ?? 10,
    ...(schema === undefined ? {} : { options: `-c search_path=${schema}` }),
  });
  // An idle connection that breaks is replaced at the next use; without a listener it would end the process.
  pool.on("error", () => undefined);
  if (schema !== undefined) await pool.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  return pool;
}

/**
 * Open the database and bring its schema forward.
 * @throws DataDirInUse when another process has the data folder open
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const url = options.databaseUrl || undefined;
  const release = url === undefined && options.dataDir !== null ? lockDataDir(options.dataDir) : () => undefined;
  try {
    const pool =
      url === undefined ? await openPglite({ dir: options.dataDir, template: options.template ?? null }) : await openPostgres(url, options);
    const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
    await migrate(kysely);
    const stopHousekeeping = url === undefined && options.dataDir !== null ? keepHouse(kysely) : async () => undefined;
    return {
      kysely,
      kind: url === undefined ? "pglite" : "postgres",
      transaction: (work) => runTransaction(kysely, work),
      async close() {
        await stopHousekeeping();
        await kysely.destroy();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

async function runTransaction<Result>(kysely: Kysely<Tables>, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await kysely.transaction().execute(work);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (!LOST_TO_ANOTHER.has(code) || attempt >= RETRIES) throw error;
    }
  }
}

/** Run plain SQL with `$1…` parameters: for statements the query builder would only obscure. */
export async function query<Row>(on: Reader, text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  return (await on.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))).rows;
}
