/** Ensures one server per PostgreSQL database with an advisory lock on a dedicated connection, retaken after the connection is lost. */
import { Client } from "pg";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { DatabaseUnavailable, asOutage } from "./outage.ts";
import { connectionOf } from "./postgres-pool.ts";

/** Thrown when another server holds the database. */
export class DatabaseInUse extends Error {
  constructor() {
    super("Another server has this database open. Stop that server first, or set DATABASE_URL to another database.");
    this.name = "DatabaseInUse";
  }
}

/** How long the connections of a killed server may take to end. */
const LOCK_WAIT_MS = 5 * SECOND_MS;
/** Interval and timeout of the health check on the lock's connection. */
const HEARTBEAT_MS = 2 * SECOND_MS;
const RETRY_MS = 500;
/** SQLSTATE of a lock timeout. */
const LOCK_TIMEOUT = "55P03";

/** Lock keys per schema: an exclusive one of the server, and one that each of its connections shares. */
const SERVER_KEY = "hashtextextended('one server ' || current_schema, 0)";
const CONNECTION_KEY = "hashtextextended('a connection of the one server ' || current_schema, 0)";

export class Leadership {
  readonly #address: string;
  readonly #schema: string | undefined;
  #client: Client | null = null;
  #pid = 0;
  #epoch: number | null = null;
  #heartbeat: NodeJS.Timeout | undefined;
  #closed = false;
  readonly #failed = Promise.withResolvers<Error>();

  constructor(address: string, schema: string | undefined) {
    this.#address = address;
    this.#schema = schema;
  }

  /** Whether the lock is held, as far as this process knows. */
  get held(): boolean {
    return this.#client !== null;
  }

  /** Resolves when another server took over the database; this one's in-memory state is then out of date. */
  get failed(): Promise<Error> {
    return this.#failed.promise;
  }

  /** The query that admits a new connection: this server, not a later one, must still hold the lock. */
  admission(): { sql: string; parameters: readonly unknown[] } {
    return {
      sql: `SELECT pg_try_advisory_lock_shared(${CONNECTION_KEY})
        AND EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND granted AND pid = $1) AS admitted`,
      parameters: [this.#pid],
    };
  }

  /** Takes the lock and waits until the last connection of the previous server has ended. @throws DatabaseInUse */
  async take(): Promise<void> {
    const client = await this.#lock();
    try {
      // Granted once nobody shares it; released at once, so that this server's own connections can share it.
      await client.query(`SELECT pg_advisory_lock(${CONNECTION_KEY}), pg_advisory_unlock(${CONNECTION_KEY})`);
    } catch (error) {
      await client.end();
      throw isLockTimeout(error) ? new DatabaseInUse() : error;
    }
    this.#keep(client);
  }

  /** Increments the server epoch (after migration): a lock holder with another epoch came later. */
  async begin(): Promise<void> {
    const updated = await this.#client?.query<{ epoch: number }>("UPDATE server_epoch SET epoch = epoch + 1 RETURNING epoch");
    this.#epoch = updated?.rows[0]?.epoch ?? null;
    if (this.#epoch === null) throw new DatabaseUnavailable("the lock on the database was lost");
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#heartbeat);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }

  async #lock(): Promise<Client> {
    const client = new Client(connectionOf(this.#address, this.#schema));
    client.on("error", () => undefined);
    await client.connect();
    try {
      await client.query(`SET lock_timeout = ${LOCK_WAIT_MS}`);
      await client.query(`SELECT pg_advisory_lock(${SERVER_KEY})`);
      const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      this.#pid = rows[0]?.pid ?? 0;
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw isLockTimeout(error) ? new DatabaseInUse() : error;
    }
  }

  #keep(client: Client): void {
    this.#client = client;
    const lose = (): void => {
      if (this.#client !== client) return;
      this.#client = null;
      clearTimeout(this.#heartbeat);
      // Not awaited: the other side may be gone without having closed the connection.
      void client.end().catch(() => undefined);
      if (!this.#closed) void this.#regain();
    };
    client.on("error", lose);
    client.on("end", lose);
    const heartbeat = (): void => {
      this.#heartbeat = setTimeout(() => {
        const silent = setTimeout(lose, HEARTBEAT_MS);
        client.query("SELECT 1").then(
          () => {
            clearTimeout(silent);
            if (this.#client === client) heartbeat();
          },
          () => {
            clearTimeout(silent);
            lose();
          },
        );
      }, HEARTBEAT_MS);
      this.#heartbeat.unref();
    };
    heartbeat();
  }

  /** Retries until the lock is held. Fails if another server held it in between, because the in-memory state is then stale. */
  async #regain(): Promise<void> {
    while (!this.#closed) {
      try {
        const client = await this.#lock();
        const { rows } = await client.query<{ epoch: number }>("SELECT epoch FROM server_epoch");
        if (rows[0]?.epoch !== this.#epoch) {
          await client.end();
          return this.#failed.resolve(new DatabaseInUse());
        }
        return this.#keep(client);
      } catch (error) {
        if (error instanceof DatabaseInUse) return this.#failed.resolve(error);
        if (!(asOutage(error) instanceof DatabaseUnavailable)) return this.#failed.resolve(error as Error);
        await new Promise((retry) => setTimeout(retry, RETRY_MS).unref());
      }
    }
  }
}

const isLockTimeout = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === LOCK_TIMEOUT;
