/** PostgreSQL connection pool that drops broken or stalled connections, so that a lost database fails single calls and never the process. */
import { userInfo } from "node:os";
import type { Duplex } from "node:stream";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { Pool, types } from "pg";
import type { ClientConfig, PoolClient } from "pg";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { DatabaseUnavailable, asOutage } from "./outage.ts";
import { groupStatements } from "./statement.ts";
import type { Statement, StatementResult } from "./statement.ts";

/** A reachable server accepts a connection at once. In milliseconds. */
export const CONNECT_TIMEOUT_MS = 5 * SECOND_MS;
/** Limit of a message. Longer than all statements of a call or a batch, shorter than a client's own timeout. */
const STATEMENT_TIMEOUT_MS = 8 * SECOND_MS;

/**
 * How soon PostgreSQL closes a connection whose client disappeared silently: until then its locks are held, and a new connection waits
 * for them.
 */
const SESSION = {
  tcp_keepalives_idle: "5",
  tcp_keepalives_interval: "3",
  tcp_keepalives_count: "3",
  tcp_user_timeout: "10s",
  client_connection_check_interval: "5s",
  idle_in_transaction_session_timeout: "15s",
};

export interface PostgresOptions {
  /** Schema, created if missing. */
  schema?: string | undefined;
  poolSize?: number | undefined;
  /** Fail statements that exceed the timeout; otherwise they may take as long as they need. */
  limited?: boolean | undefined;
  /** That timeout in milliseconds. */
  statementTimeoutMs?: number | undefined;
  /** Refuse whatever writes. */
  readOnly?: boolean | undefined;
  /** Query run once on each new connection before use; its row has a boolean `admitted`. */
  admission?: (() => { sql: string; parameters: readonly unknown[] }) | undefined;
}

function readInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a safe integer in the database: ${text}`);
  return value;
}

/** Connection settings shared by all connections to an address. */
export function connectionOf(address: string, schema: string | undefined, readOnly = false): ClientConfig {
  types.setTypeParser(types.builtins.INT8, readInt8);
  const url = new URL(address);
  // Without a user name the operating system user is meant, as in PostgreSQL's own tools.
  if (!url.username) url.username = userInfo().username;
  if (schema !== undefined && !/^[a-z][a-z0-9_]*$/.test(schema)) throw new Error(`not a plain schema name: ${schema}`);
  const settings = {
    ...SESSION,
    ...(schema === undefined ? {} : { search_path: schema }),
    ...(readOnly ? { default_transaction_read_only: "on" } : {}),
  };
  return {
    connectionString: url.href,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT_TIMEOUT_MS,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(" "),
  };
}

/** The socket of a connection, which the driver's types do not name. */
const streamOf = (client: PoolClient): Duplex => (client as PoolClient & { connection: { stream: Duplex } }).connection.stream;

/** A connection checked out of the pool. Once broken it fails every query and is not returned to the pool. */
class CheckedConnection {
  readonly #client: PoolClient;
  readonly #limitMs: number | null;
  #broken: DatabaseUnavailable | null = null;

  constructor(client: PoolClient, limitMs: number | null) {
    this.#client = client;
    this.#limitMs = limitMs;
  }

  /** Sends statements in one message. Every one of them is answered, those after a failed one with an error. */
  async send(statements: readonly Statement[]): Promise<StatementResult[]> {
    // Also the ROLLBACK of a transaction whose connection broke: PostgreSQL has already rolled it back.
    if (this.#broken) throw this.#broken;
    const late = Promise.withResolvers<never>();
    const timer =
      this.#limitMs === null
        ? undefined
        : setTimeout(() => late.reject(new DatabaseUnavailable("the database did not answer in time")), this.#limitMs);
    try {
      return await Promise.race([this.#sendTogether(statements), late.promise]);
    } catch (problem) {
      const error = asOutage(problem);
      if (error instanceof DatabaseUnavailable) this.#broken = error;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #sendTogether(statements: readonly Statement[]): Promise<StatementResult[]> {
    const stream = streamOf(this.#client);
    // Held back until all are written, so that they leave in one packet.
    stream.cork();
    // An error that is thrown while a statement is written is its answer too.
    const answers = statements.map(async ({ sql, parameters }) => await this.#client.query(sql, [...parameters]));
    stream.uncork();
    const settled = await Promise.allSettled(answers);
    const [last, failed] = [settled.at(-1), settled.find((one) => one.status === "rejected")];
    // The driver failed at a statement that the database never saw, or did carry out.
    if (failed && last?.status === "fulfilled" && last.value.command === "COMMIT")
      throw new DatabaseUnavailable("committed without the answer of every statement", { cause: failed.reason });
    return settled.map((one) => {
      if (one.status === "rejected") throw one.reason;
      const { rows, rowCount, command } = one.value;
      return { rows: rows as unknown[], rowCount, command };
    });
  }

  release(): void {
    // The driver waits for what is pending before it ends a connection; its end here is what makes PostgreSQL give up the statement and its locks.
    if (this.#broken) streamOf(this.#client).destroy();
    this.#client.release(this.#broken ?? undefined);
  }
}

/** Opens a pool. Connections are made on demand and replaced when lost. */
export async function openPostgres(address: string, options: PostgresOptions = {}): Promise<PostgresPool> {
  const pool = new Pool({ ...connectionOf(address, options.schema, options.readOnly), pipeline: true, max: options.poolSize ?? 10 });
  // Without an error listener a broken connection ends the process: idle ones emit on the pool, active ones on the client.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const admitted = new WeakSet<PoolClient>();

  const admit = async (client: PoolClient, checked: CheckedConnection): Promise<void> => {
    const admission = options.admission?.();
    if (!admission || admitted.has(client)) return;
    try {
      const [answer] = await checked.send([admission]);
      if (!(answer?.rows[0] as { admitted: boolean } | undefined)?.admitted)
        throw new DatabaseUnavailable("this server does not hold the lock on the database");
    } catch (error) {
      streamOf(client).destroy();
      client.release(true);
      throw error;
    }
    admitted.add(client);
  };

  const connect = async (): Promise<PostgresPoolClient> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw asOutage(error);
    });
    const checked = new CheckedConnection(client, options.limited ? (options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS) : null);
    await admit(client, checked);
    // The driver's type also has a cursor form, which is only ever called when a cursor class was configured.
    const query = groupStatements((statements) => checked.send(statements));
    return { query: query as PostgresPoolClient["query"], release: () => checked.release() };
  };

  if (options.schema !== undefined && !options.readOnly) {
    const client = await pool.connect();
    try {
      await client.query(`CREATE SCHEMA IF NOT EXISTS ${options.schema}`);
    } finally {
      client.release();
    }
  }
  return { connect, end: () => pool.end() };
}
