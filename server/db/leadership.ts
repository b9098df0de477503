/** One server per PostgreSQL database: a lock of a connection of its own says which, and is held again after the connection was lost. */
import { Client } from "pg";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { DatabaseUnavailable, asOutage } from "./outage.ts";
import { connectionOf } from "./postgres-pool.ts";

/** Thrown when another server has the database. */
export class DatabaseInUse extends Error {
  constructor() {
    super("Another server has this database open. Stop that server first, or set DATABASE_URL to another database.");
    this.name = "DatabaseInUse";
  }
}

/** How long the connections of a server that was killed may take to end. */
const PATIENCE_MS = 5 * SECOND_MS;
/** How often the lock's connection is asked whether it lives, and tried again when it does not. */
const BEAT_MS = 2 * SECOND_MS;
const AGAIN_MS = 500;
/** PostgreSQL's word for a lock that did not come in time. */
const LOCK_TIMEOUT = "55P03";

/** Of one schema of one database: a lock of the whole server, and one that each of its connections shares. */
const SERVER_KEY = "hashtextextended('one server ' || current_schema, 0)";
const CONNECTION_KEY = "hashtextextended('a connection of the one server ' || current_schema, 0)";

export class Leadership {
  readonly #address: string;
  readonly #schema: string | undefined;
  #client: Client | null = null;
  #pid = 0;
  #epoch: number | null = null;
  #beat: NodeJS.Timeout | undefined;
  #closed = false;
  readonly #failed = Promise.withResolvers<Error>();

  constructor(address: string, schema: string | undefined) {
    this.#address = address;
    this.#schema = schema;
  }

  /** Whether the lock is held, as far as is known. */
  get held(): boolean {
    return this.#client !== null;
  }

  /** Resolves when another server took the database over: what this one keeps in memory is out of date. */
  get failed(): Promise<Error> {
    return this.#failed.promise;
  }

  /** What a connection of this server asks before it is used: that the lock is still held by it, and not by a later server. */
  admission(): { sql: string; parameters: readonly unknown[] } {
    return {
      sql: `SELECT pg_try_advisory_lock_shared(${CONNECTION_KEY})
        AND EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND granted AND pid = $1) AS admitted`,
      parameters: [this.#pid],
    };
  }

  /** Take the lock, and wait until the last connection of the server before has ended. @throws DatabaseInUse */
  async take(): Promise<void> {
    const client = await this.#lock();
    try {
      // Granted when nobody shares it any more; given back at once, for this server's own connections.
      await client.query(`SELECT pg_advisory_lock(${CONNECTION_KEY}), pg_advisory_unlock(${CONNECTION_KEY})`);
    } catch (error) {
      await client.end();
      throw isLockTimeout(error) ? new DatabaseInUse() : error;
    }
    this.#keep(client);
  }

  /** Number this server's reign, once the table of it is there: whoever holds the lock under another number came later. */
  async begin(): Promise<void> {
    const counted = await this.#client?.query<{ epoch: number }>("UPDATE server_epoch SET epoch = epoch + 1 RETURNING epoch");
    this.#epoch = counted?.rows[0]?.epoch ?? null;
    if (this.#epoch === null) throw new DatabaseUnavailable("the lock on the database was lost");
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#beat);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }

  async #lock(): Promise<Client> {
    const client = new Client(connectionOf(this.#address, this.#schema));
    client.on("error", () => undefined);
    await client.connect();
    try {
      await client.query(`SET lock_timeout = ${PATIENCE_MS}`);
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
      clearTimeout(this.#beat);
      // An end that waits for nothing: the other side may be gone without a word.
      void client.end().catch(() => undefined);
      if (!this.#closed) void this.#regain();
    };
    client.on("error", lose);
    client.on("end", lose);
    const beat = (): void => {
      this.#beat = setTimeout(() => {
        const silent = setTimeout(lose, BEAT_MS);
        client.query("SELECT 1").then(
          () => {
            clearTimeout(silent);
            if (this.#client === client) beat();
          },
          () => {
            clearTimeout(silent);
            lose();
          },
        );
      }, BEAT_MS);
      this.#beat.unref();
    };
    beat();
  }

  /** Try until the lock is held again; a server that came in between makes this one's memory worthless. */
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
        await new Promise((again) => setTimeout(again, AGAIN_MS).unref());
      }
    }
  }
}

const isLockTimeout = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === LOCK_TIMEOUT;
