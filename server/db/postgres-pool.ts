/** Connections to PostgreSQL that end when they break or stall, so that a lost database is an error of a call and never the end of the process. */
import { userInfo } from "node:os";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { Pool, types } from "pg";
import type { ClientConfig, PoolClient } from "pg";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { DatabaseUnavailable, asOutage } from "./outage.ts";

/** A server that is there takes a connection at once. */
const CONNECT_MS = 5 * SECOND_MS;
/** Longer than any statement of a call or a batch takes, shorter than a client waits for its answer. */
const ANSWER_MS = 8 * SECOND_MS;

/**
 * How soon PostgreSQL itself lets go of a connection whose other end is gone without a word: until then its locks are held, and whoever
 * is connected anew waits for them.
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
  /** A schema of its own, made if missing. */
  schema?: string | undefined;
  poolSize?: number | undefined;
  /** A call is answered in time or has failed; without it a statement may take as long as it wants. */
  limited?: boolean | undefined;
  /** Asked once of each new connection before it is used; the SQL returns `admitted`. */
  admission?: (() => { sql: string; parameters: readonly unknown[] }) | undefined;
}

function readInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a safe integer in the database: ${text}`);
  return value;
}

/** What every connection to an address has in common. */
export function connectionOf(address: string, schema: string | undefined): ClientConfig {
  types.setTypeParser(types.builtins.INT8, readInt8);
  const url = new URL(address);
  // An address without a name means whoever runs the server, as PostgreSQL's own tools take it.
  if (!url.username) url.username = userInfo().username;
  if (schema !== undefined && !/^[a-z][a-z0-9_]*$/.test(schema)) throw new Error(`not a plain schema name: ${schema}`);
  const settings = { ...SESSION, ...(schema === undefined ? {} : { search_path: schema }) };
  return {
    connectionString: url.href,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT_MS,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(" "),
  };
}

/** A connection in somebody's hands. Once broken it answers nothing more, and is not put back. */
class Checked {
  readonly #client: PoolClient;
  readonly #limitMs: number | null;
  #broken: DatabaseUnavailable | null = null;

  constructor(client: PoolClient, limitMs: number | null) {
    this.#client = client;
    this.#limitMs = limitMs;
  }

  async query(sql: string, parameters: readonly unknown[]) {
    // The rollback of a transaction whose connection broke: PostgreSQL has rolled it back.
    if (this.#broken) throw this.#broken;
    const late = Promise.withResolvers<never>();
    const timer =
      this.#limitMs === null ? undefined : setTimeout(() => late.reject(new DatabaseUnavailable("the database is silent")), this.#limitMs);
    try {
      const { rows, rowCount, command } = await Promise.race([this.#client.query(sql, [...parameters]), late.promise]);
      return { rows: rows as unknown[], rowCount, command };
    } catch (problem) {
      const error = asOutage(problem);
      if (error instanceof DatabaseUnavailable) this.#broken = error;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  release(): void {
    // Given back with an error it is closed; one that waits for an answer is cut.
    this.#client.release(this.#broken ?? undefined);
  }
}

/** Open a pool. Connections are made when they are needed, and again when they were lost. */
export async function openPostgres(address: string, options: PostgresOptions = {}): Promise<PostgresPool> {
  const pool = new Pool({ ...connectionOf(address, options.schema), max: options.poolSize ?? 10 });
  // Without a listener a connection that breaks ends the process: idle ones tell the pool, those in use themselves.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const admitted = new WeakSet<PoolClient>();

  const admit = async (client: PoolClient, checked: Checked): Promise<void> => {
    const asked = options.admission?.();
    if (!asked || admitted.has(client)) return;
    try {
      const { rows } = await checked.query(asked.sql, asked.parameters);
      if (!(rows[0] as { admitted: boolean } | undefined)?.admitted) throw new DatabaseUnavailable("the database is not ours to write now");
    } catch (error) {
      client.release(true);
      throw error;
    }
    admitted.add(client);
  };

  const connect = async (): Promise<PostgresPoolClient> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw asOutage(error);
    });
    const checked = new Checked(client, options.limited ? ANSWER_MS : null);
    await admit(client, checked);
    // The driver's type also has a cursor form, which is only ever called when a cursor class was configured.
    return { query: checked.query.bind(checked) as PostgresPoolClient["query"], release: () => checked.release() };
  };

  if (options.schema !== undefined) {
    const client = await pool.connect();
    try {
      await client.query(`CREATE SCHEMA IF NOT EXISTS ${options.schema}`);
    } finally {
      client.release();
    }
  }
  return { connect, end: () => pool.end() };
}
