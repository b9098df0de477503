/** The house's memory: PGlite on disk, or PostgreSQL when an address is given; the same SQL and the same driver on both. */
import { CompiledQuery, Kysely, PostgresDialect } from "kysely";
import type { PostgresPool, Transaction } from "kysely";
import { DataDirUnusable, NoDatabase, holdsDatabase } from "./data-folder.ts";
import { Leadership } from "./leadership.ts";
import { lockDataDir } from "./lock.ts";
import { startMaintenance } from "./maintenance.ts";
import { migrate, pendingMigrations } from "./migrate.ts";
import { CommitUnknown, DatabaseUnavailable } from "./outage.ts";
import { openPglite } from "./pglite-pool.ts";
import { openPostgres } from "./postgres-pool.ts";
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
   * @throws CommitUnknown when `work` was done and the answer to its commit was lost
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Resolves with what ended the database for good: the process cannot go on with it. */
  readonly failed: Promise<Error>;
  /** Whether this process may write now: false while another server may have the database. */
  writable(): boolean;
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
  /** Of a database that is there and of this version, or not at all: nothing is made and nothing brought forward. */
  existing?: boolean | undefined;
  /** For the one server of the database: another is refused, and no statement is waited for without end. */
  server?: boolean | undefined;
}

/** A database as it was found, whatever its schema. */
interface Store extends Pick<Database, "kysely" | "kind" | "failed"> {
  readonly leadership: Leadership | null;
  close(): Promise<void>;
}

const RETRIES = 5;
const LOST_TO_ANOTHER = new Set(["40001", "40P01"]);

async function openEmbedded(options: DatabaseOptions): Promise<Store> {
  if (options.existing && options.dataDir !== null && !holdsDatabase(options.dataDir)) throw new NoDatabase(options.dataDir);
  const release = options.dataDir === null ? () => undefined : lockDataDir(options.dataDir);
  try {
    const there = options.dataDir !== null && holdsDatabase(options.dataDir);
    const { pool, failed } = await openPglite({ dir: options.dataDir, template: options.template ?? null }).catch((error: unknown) => {
      throw there ? new DataDirUnusable(options.dataDir ?? "", "its database does not open", { cause: error }) : error;
    });
    const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
    const stopHousekeeping = options.dataDir === null ? async () => undefined : startMaintenance(kysely);
    const close = async (): Promise<void> => {
      await stopHousekeeping();
      await kysely.destroy();
      release();
    };
    return { kysely, kind: "pglite", failed, leadership: null, close };
  } catch (error) {
    release();
    throw error;
  }
}

async function openRemote(address: string, options: DatabaseOptions): Promise<Store> {
  const { schema, poolSize, server } = options;
  const leadership = server ? new Leadership(address, schema) : null;
  const admission = leadership ? () => leadership.admission() : undefined;
  const pool: PostgresPool = await openPostgres(address, { schema, poolSize, limited: server, admission });
  const close = async (): Promise<void> => {
    await pool.end();
    await leadership?.close();
  };
  try {
    await leadership?.take();
  } catch (error) {
    await close();
    throw error;
  }
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const failed = leadership?.failed ?? new Promise<Error>(() => undefined);
  return { kysely, kind: "postgres", failed, leadership, close };
}

/** @throws NoDatabase, or an error that says that the data is of an earlier version */
async function requireCurrent({ kysely }: Store, where: string): Promise<void> {
  const pending = await pendingMigrations(kysely);
  if (pending === null) throw new NoDatabase(where);
  if (pending.length > 0) throw new Error(`The database in ${where} is of an earlier version: start the server once to bring it forward.`);
}

/** Migrations take as long as they take: they have a connection of their own, on which nothing is limited. */
async function migrateStore(store: Store, address: string | undefined, schema: string | undefined): Promise<void> {
  if (address === undefined) {
    await migrate(store.kysely);
    return;
  }
  const unlimited = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: await openPostgres(address, { schema, poolSize: 1 }) }) });
  try {
    await migrate(unlimited);
  } finally {
    await unlimited.destroy();
  }
  await store.leadership?.begin();
}

const openStore = (options: DatabaseOptions): Promise<Store> => {
  const url = options.databaseUrl || undefined;
  return url === undefined ? openEmbedded(options) : openRemote(url, options);
};

/** Where data lies, without the secret an address may hold. */
export function describePlace({ dataDir, databaseUrl }: Pick<DatabaseOptions, "dataDir" | "databaseUrl">): string {
  if (!databaseUrl) return dataDir ?? "memory";
  const { protocol, host, pathname } = new URL(databaseUrl);
  return `${protocol}//${host}${pathname}`;
}

/** Have something done in a place as it is, be there a database or not. */
export async function withStore<Result>(options: DatabaseOptions, work: (store: { kysely: Reader }) => Promise<Result>): Promise<Result> {
  const store = await openStore(options);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/**
 * Open the database and bring its schema forward.
 * @throws DataDirInUse when another process has the data folder open
 * @throws DatabaseInUse when this is to be the one server of a PostgreSQL database, and another is
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const url = options.databaseUrl || undefined;
  const store = await openStore(options);
  try {
    await (options.existing ? requireCurrent(store, describePlace(options)) : migrateStore(store, url, options.schema));
  } catch (error) {
    await store.close();
    throw error;
  }
  const { kysely, kind, failed, leadership, close } = store;
  return {
    kysely,
    kind,
    failed,
    writable: () => leadership?.held !== false,
    transaction: (work) => {
      if (leadership?.held === false) return Promise.reject(new DatabaseUnavailable("the lock on the database was lost"));
      return runTransaction(kysely, work);
    },
    close,
  };
}

async function runTransaction<Result>(kysely: Kysely<Tables>, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    let worked = false;
    try {
      return await kysely.transaction().execute(async (tx) => {
        const result = await work(tx);
        worked = true;
        return result;
      });
    } catch (error) {
      if (error instanceof DatabaseUnavailable) {
        throw worked ? new CommitUnknown("the answer to a commit was lost", { cause: error }) : error;
      }
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (!LOST_TO_ANOTHER.has(code) || attempt >= RETRIES) throw error;
    }
  }
}

/** Run plain SQL with `$1…` parameters: for statements the query builder would only obscure. */
export async function query<Row>(on: Reader, text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  return (await on.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))).rows;
}
