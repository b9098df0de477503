/** Opens the database: PGlite on disk, or PostgreSQL when an address is given; the same SQL and driver on both. */
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
import { DEFERRED, SEVERAL } from "./statement.ts";
import type { Statement } from "./statement.ts";

/** Kysely's transaction object. */
export type Tx = Transaction<Tables>;
/** What a read can run on: the database or a transaction. */
export type Reader = Kysely<Tables>;

export interface Database {
  /** Query builder for reads and single statements outside a transaction. */
  readonly kysely: Kysely<Tables>;
  readonly kind: "pglite" | "postgres";
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it throws.
   * On PostgreSQL it is retried after a serialisation failure or deadlock, so `work` must have no side effects outside the transaction.
   * @throws CommitUnknown when `work` finished and the answer to the commit was lost
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Resolves with the error that ended the database for good; the process has to exit. */
  readonly failed: Promise<Error>;
  /** Whether this process may write now; false while another server may hold the database. */
  writable(): boolean;
  /** Says that this server has opened and can be asked. Until then it may compute for long without being taken for dead by standbys. */
  opened(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Folder of PGlite's files; null for memory only (tests). */
  dataDir: string | null;
  /** Dump of an empty PGlite database to start from in memory: five times faster than creating one (tests). */
  template?: string | undefined;
  /** PostgreSQL address; when given, `dataDir` is not used. */
  databaseUrl?: string | undefined;
  /** PostgreSQL schema, created if missing (tests). */
  schema?: string | undefined;
  /** Maximum number of PostgreSQL connections. */
  poolSize?: number | undefined;
  /** Only opens a database that exists and has this version's schema; creates and migrates nothing. */
  existing?: boolean | undefined;
  /** Set by the server: takes the server lock (a second server is refused) and limits the time of statements. */
  server?: boolean | undefined;
  /** Only reads, beside the leader that writes (PostgreSQL only): nothing can be written, and statements are limited in time as a server's. */
  follower?: boolean | undefined;
  /** A server that finds another one waits for the lock instead of being refused, until this is aborted (PostgreSQL only). */
  standby?: AbortSignal | undefined;
  /** Limit of a server's statements on PostgreSQL, in milliseconds, if not the usual one (tests). */
  statementTimeoutMs?: number | undefined;
}

/** An open database of any schema version. */
interface Store extends Pick<Database, "kysely" | "kind" | "failed"> {
  readonly leadership: Leadership | null;
  close(): Promise<void>;
}

const MAX_ATTEMPTS = 5;
/** SQLSTATE of a serialisation failure and of a deadlock. */
const RETRYABLE = new Set(["40001", "40P01"]);

async function openEmbedded(options: DatabaseOptions): Promise<Store> {
  if (options.existing && options.dataDir !== null && !holdsDatabase(options.dataDir)) throw new NoDatabase(options.dataDir);
  const release = options.dataDir === null ? () => undefined : lockDataDir(options.dataDir);
  try {
    const exists = options.dataDir !== null && holdsDatabase(options.dataDir);
    const { pool, failed } = await openPglite({ dir: options.dataDir, template: options.template ?? null }).catch((error: unknown) => {
      throw exists ? new DataDirUnusable(options.dataDir ?? "", "its database does not open", { cause: error }) : error;
    });
    const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
    const stopMaintenance = options.dataDir === null ? async () => undefined : startMaintenance(kysely);
    const close = async (): Promise<void> => {
      await stopMaintenance();
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
  const { schema, poolSize, server, follower, standby, statementTimeoutMs } = options;
  const leadership = server ? new Leadership(address, schema) : null;
  const admission = leadership ? () => leadership.admission() : undefined;
  const pool: PostgresPool = await openPostgres(address, {
    schema,
    poolSize,
    limited: server || follower,
    readOnly: follower,
    statementTimeoutMs,
    admission,
  });
  const close = async (): Promise<void> => {
    await pool.end();
    await leadership?.close();
  };
  try {
    await (standby ? leadership?.wait(standby) : leadership?.take());
  } catch (error) {
    await close();
    throw error;
  }
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const failed = leadership?.failed ?? new Promise<Error>(() => undefined);
  return { kysely, kind: "postgres", failed, leadership, close };
}

/** @throws NoDatabase, or an error saying that the data has an earlier version */
async function requireCurrent({ kysely }: Store, where: string): Promise<void> {
  const pending = await pendingMigrations(kysely);
  if (pending === null) throw new NoDatabase(where);
  if (pending.length > 0) throw new Error(`The database in ${where} has an earlier version. Start the server once to migrate it.`);
}

/** Migrates on a separate connection without time limits, because a migration may take long. */
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

/** Location of the data for messages, without the password an address may contain. */
export function describePlace({ dataDir, databaseUrl }: Pick<DatabaseOptions, "dataDir" | "databaseUrl">): string {
  if (!databaseUrl) return dataDir ?? "memory";
  const { protocol, host, pathname } = new URL(databaseUrl);
  return `${protocol}//${host}${pathname}`;
}

/** Runs work on a location as it is, without requiring or migrating a schema. */
export async function withStore<Result>(options: DatabaseOptions, work: (store: { kysely: Reader }) => Promise<Result>): Promise<Result> {
  const store = await openStore(options);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/**
 * Opens the database and migrates its schema.
 * @throws DataDirInUse when another process has the data folder open
 * @throws DatabaseInUse when `server` is set and another server holds the PostgreSQL database
 * @throws StandbyStopped when `standby` is aborted before the lock is free
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const url = options.databaseUrl || undefined;
  const store = await openStore(options);
  try {
    await (options.existing || options.follower ? requireCurrent(store, describePlace(options)) : migrateStore(store, url, options.schema));
  } catch (error) {
    await store.close();
    throw error;
  }
  const { kysely, kind, failed, leadership, close } = store;
  return {
    kysely,
    kind,
    failed,
    writable: () => leadership?.held !== false && !options.follower,
    opened: async () => leadership?.opened(),
    transaction: (work) => {
      if (leadership?.held === false) return Promise.reject(new DatabaseUnavailable("the lock on the database was lost"));
      return runTransaction(kysely, work);
    },
    close,
  };
}

async function runTransaction<Result>(kysely: Kysely<Tables>, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    let workDone = false;
    try {
      return await kysely.transaction().execute(async (tx) => {
        const result = await work(tx);
        workDone = true;
        return result;
      });
    } catch (error) {
      if (error instanceof DatabaseUnavailable) {
        throw workDone ? new CommitUnknown("the answer to a commit was lost", { cause: error }) : error;
      }
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (!RETRYABLE.has(code) || attempt >= MAX_ATTEMPTS) throw error;
    }
  }
}

/** Runs plain SQL with `$1…` parameters, for statements that the query builder would obscure. */
export async function query<Row>(on: Reader, text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  return (await on.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))).rows;
}

/**
 * Runs a statement whose result nobody needs, with the next one of the transaction or with its commit: its error is theirs. Saves the time of a
 * message to the database and back.
 */
export async function defer(tx: Tx, text: string, parameters: readonly unknown[] = []): Promise<void> {
  await tx.executeQuery(CompiledQuery.raw(DEFERRED + text, [...parameters]));
}

/** Runs several statements in one message, in order. @returns the rows of each */
export async function queryAll(tx: Tx, statements: readonly Statement[]): Promise<unknown[][]> {
  if (statements.length === 0) return [];
  return (await tx.executeQuery<unknown[]>(CompiledQuery.raw(SEVERAL, [...statements]))).rows;
}
