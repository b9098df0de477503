/**
 * Ensures one leader per PostgreSQL database, the server that serves, with an advisory lock on a dedicated connection, retaken after the
 * connection is lost. Other servers are refused, or wait as standbys until the lock is theirs.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import type { QueryConfig, QueryResultRow } from "pg";
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { DatabaseUnavailable, asOutage } from "./outage.ts";
import { connectionOf } from "./postgres-pool.ts";

/** Thrown when the database has another leader. */
export class DatabaseInUse extends Error {
  constructor() {
    super(
      "Another server has this database open. Stop that server first, set DATABASE_URL to another database, or STANDBY=on to wait for its end.",
    );
    this.name = "DatabaseInUse";
  }
}

/** Thrown when another server is the leader now. */
export class Replaced extends Error {
  override readonly name = "Replaced";

  constructor() {
    super("Another server has taken over this database while this one could not reach it. This server ends; start it again as a standby.");
  }
}

/** Thrown when a standby is stopped before it was elected. */
export class StandbyStopped extends Error {
  constructor() {
    super("The standby was stopped.");
    this.name = "StandbyStopped";
  }
}

/** Thrown when the lock was lost for so long that a standby may serve. */
class LockLost extends Error {
  override readonly name = "LockLost";

  constructor() {
    super("The lock on the database was lost, and a standby may have taken it. This server ends.");
  }
}

/** How long the connections of a killed server may take to end. */
const LOCK_WAIT_MS = 5 * SECOND_MS;
/** A query for the lock that takes longer has no answer: the network fails without a word. */
const LOCK_QUERY_TIMEOUT_MS = LOCK_WAIT_MS + 2 * SECOND_MS;
/** Interval and timeout of the health check on the lock's connection. */
const HEARTBEAT_MS = 2 * SECOND_MS;
const RETRY_MS = 500;
/** How often a standby tries to take the lock. */
const TRY_MS = 200;
/** A leader that has not spoken for so long has stopped, or cannot reach the database: three heartbeats. */
const SILENT_MS = 3 * HEARTBEAT_MS;
/** One that opens its market may compute for seconds without a pause, and is given so long. */
const OPENING_MS = MINUTE_MS;
/** The name of a session of a leader that opens. */
const OPENING = "kuroshio opening";
/** A standby whose query takes longer connects again. */
const TRY_TIMEOUT_MS = 5 * SECOND_MS;
/** SQLSTATE of a lock timeout. */
const LOCK_TIMEOUT = "55P03";

/** Lock keys per schema: an exclusive one of the server, and one that each of its connections shares. */
const SERVER_KEY = "hashtextextended('one server ' || current_schema, 0)";
const CONNECTION_KEY = "hashtextextended('a connection of the one server ' || current_schema, 0)";

/** The sessions that hold a key, in the mode of the lock. */
const holders = (key: string, mode: "ExclusiveLock" | "ShareLock"): string => `pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND mode = '${mode}' AND granted AND (classid::bigint << 32) + objid::bigint = ${key} AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const IS_HELD = `SELECT EXISTS (SELECT FROM ${holders(SERVER_KEY, "ExclusiveLock")}) AS held`;
/** Ends the session of the leader if it has been silent for longer than `$1` milliseconds, or while it opens, `$2`. */
const END_SILENT = `SELECT pg_terminate_backend(pid) FROM ${holders(SERVER_KEY, "ExclusiveLock")}
  AND state_change < clock_timestamp() - make_interval(secs => (CASE application_name WHEN '${OPENING}' THEN $2 ELSE $1 END)::double precision / 1000)`;
/** Ends what is left of the previous leader; only the present one may do this. */
const END_CONNECTIONS = `SELECT pg_terminate_backend(pid) FROM ${holders(CONNECTION_KEY, "ShareLock")}`;

type Moment = Record<"running" | "wall", number>;
const momentNow = (): Moment => ({ running: performance.now(), wall: Date.now() });
/** By the clock that shows more: one may stand still while the machine is suspended, and the other can be set back. */
const ageOf = ({ running, wall }: Moment): number => Math.max(performance.now() - running, Date.now() - wall);

/** A query with its own limit: the driver's types know one of the connection alone. */
interface Limited extends QueryConfig {
  query_timeout: number;
}

export class Leadership {
  readonly #address: string;
  readonly #schema: string | undefined;
  readonly #silentMs: number;
  #client: Client | null = null;
  #pid = 0;
  #epoch: number | null = null;
  #heartbeat: NodeJS.Timeout | undefined;
  #closed = false;
  /** When the newest query that the lock's session has answered was sent: nobody has taken this server for silent before a limit from then. */
  #confirmedAt: Moment = { running: 0, wall: 0 };
  #overdue: NodeJS.Timeout | undefined;
  /** Whether this server still opens: it may be silent for longer. */
  #isOpening = true;
  /** Whether there are standbys. */
  #hasStandbys = false;
  /** Whether the epoch is incremented just now. */
  #isBeginning = false;
  /** Whether a leader may have lost its session, with everybody's, and not know it yet. */
  #mayBeLed = false;
  readonly #failed = Promise.withResolvers<Error>();

  /** `silentMs`: how long a leader may be silent (tests). */
  constructor(address: string, schema: string | undefined, silentMs = SILENT_MS) {
    this.#address = address;
    this.#schema = schema;
    this.#silentMs = silentMs;
  }

  /**
   * Whether the lock is held. Where there are standbys, one of them may have taken it as soon as this server has been silent for too long: a
   * process that stood still knows that by its clock, before it reads that its connection has ended.
   */
  get held(): boolean {
    return this.#client !== null && !this.#isOverdue();
  }

  /** Resolves when another server took over; this one's in-memory state is then out of date. */
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

  /** Takes the lock and waits until the last connection of the previous leader has ended. @throws DatabaseInUse */
  async take(): Promise<void> {
    const client = await this.#lock();
    try {
      await this.#outlast(client);
    } catch (error) {
      await client.end();
      throw isLockTimeout(error) ? new DatabaseInUse() : error;
    }
    this.#keep(client);
  }

  /**
   * Waits until the lock is free, and takes it with what is left of the previous leader ended: its connections, or the leader itself once
   * it has been silent for `SILENT_MS`. An unreachable database is waited for, and afterwards the leader that may have lost its session too: it
   * takes the lock again, or knows by its clock after `SILENT_MS` that it may be replaced.
   * @throws StandbyStopped, or what the database refuses for good
   */
  async wait(stopped: AbortSignal): Promise<void> {
    this.#hasStandbys = true;
    while (!stopped.aborted) {
      const client = new Client({ ...connectionOf(this.#address, this.#schema), query_timeout: TRY_TIMEOUT_MS });
      client.on("error", () => undefined);
      try {
        await client.connect();
        if (await this.#tryToLead(client, stopped)) return this.#keep(client);
      } catch (error) {
        if (!isTransient(error)) throw error;
        this.#mayBeLed = true;
        await delay(RETRY_MS);
      }
      void client.end().catch(() => undefined);
    }
    throw new StandbyStopped();
  }

  /** Tries until the lock is this server's. @returns whether it is; false when the standby is stopped */
  async #tryToLead(client: Client, stopped: AbortSignal): Promise<boolean> {
    await client.query(`SET lock_timeout = ${LOCK_WAIT_MS}`);
    // What ends all sessions ends this one too: a leader whose session ended so has had its last answer before.
    const connectedAt = performance.now();
    while (!stopped.aborted) {
      if (this.#mayBeLed && performance.now() - connectedAt < SILENT_MS) {
        const [row] = (await client.query<{ held: boolean }>(IS_HELD)).rows;
        if (row?.held) this.#mayBeLed = false;
        else await delay(TRY_MS);
        continue;
      }
      const { rows } = await client.query<{ elected: boolean; pid: number }>(
        `SELECT pg_try_advisory_lock(${SERVER_KEY}) AS elected, pg_backend_pid() AS pid`,
      );
      if (rows[0]?.elected) {
        this.#pid = rows[0].pid;
        this.#confirmedAt = momentNow();
        await this.#name(client);
        await client.query(END_CONNECTIONS);
        await this.#outlast(client);
        return true;
      }
      await client.query(END_SILENT, [this.#silentMs, OPENING_MS]);
      await delay(TRY_MS);
    }
    return false;
  }

  /** Waits for the connections of the previous leader: the key is granted once nobody shares it, and released for this server's own. */
  async #outlast(client: Client): Promise<void> {
    await client.query(`SELECT pg_advisory_lock(${CONNECTION_KEY}), pg_advisory_unlock(${CONNECTION_KEY})`);
  }

  /** Increments the server epoch (after migration): a leader with another epoch came later. */
  async begin(): Promise<void> {
    const text = "UPDATE server_epoch SET epoch = epoch + 1, address = NULL RETURNING epoch";
    // It waits for a synchronous replica that may be away for seconds, and no heartbeat could be answered behind it.
    this.#isBeginning = true;
    try {
      const updated = this.#client && (await this.#confirm<{ epoch: number }>(this.#client, { text, query_timeout: OPENING_MS }));
      this.#epoch = updated?.[0]?.epoch ?? null;
    } finally {
      this.#isBeginning = false;
    }
    if (this.#epoch === null) throw new DatabaseUnavailable("the lock on the database was lost");
  }

  /** Says that this server has opened: from now on silence means that it has failed. */
  async opened(): Promise<void> {
    // From here on the shorter limit counts, so the lock is confirmed first.
    if (this.#client) await this.#confirm(this.#client, "SELECT 1").catch(() => undefined);
    this.#isOpening = false;
    // Where the connection breaks just now, the next one has the right name.
    if (this.#client) await this.#name(this.#client).catch(() => undefined);
  }

  #isOverdue(): boolean {
    return this.#hasStandbys && ageOf(this.#confirmedAt) >= (this.#isOpening ? OPENING_MS : SILENT_MS);
  }

  /** Asks on the lock's connection, and keeps in mind when. */
  async #confirm<Row extends QueryResultRow>(client: Client, asked: string | Limited): Promise<Row[]> {
    const sentAt = momentNow();
    const { rows } = await client.query<Row>(asked);
    this.#confirmedAt = sentAt;
    return rows;
  }

  /** Tells standbys, by the name of the session, whether this server opens. */
  async #name(client: Client): Promise<void> {
    await client.query("SELECT set_config('application_name', $1, false)", [this.#isOpening ? OPENING : "kuroshio"]);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#heartbeat);
    clearTimeout(this.#overdue);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }

  async #lock(): Promise<Client> {
    const client = new Client({ ...connectionOf(this.#address, this.#schema), query_timeout: LOCK_QUERY_TIMEOUT_MS });
    client.on("error", () => undefined);
    await client.connect();
    try {
      await client.query(`SET lock_timeout = ${LOCK_WAIT_MS}`);
      await client.query(`SELECT pg_advisory_lock(${SERVER_KEY})`);
      await this.#name(client);
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
        if (this.#isBeginning) return heartbeat();
        let isAnswered = false;
        // When this process was busy for long, the answer may be there and not read yet: it is read before what is immediate.
        const silent = setTimeout(() => setImmediate(() => isAnswered || lose()), HEARTBEAT_MS);
        const answered = (): void => {
          isAnswered = true;
          clearTimeout(silent);
        };
        this.#confirm(client, "SELECT 1").then(
          () => {
            answered();
            if (this.#client === client) heartbeat();
          },
          () => {
            answered();
            lose();
          },
        );
      }, HEARTBEAT_MS);
      this.#heartbeat.unref();
    };
    heartbeat();
  }

  /**
   * Retries until the lock is held. Fails if another server held it in between, because the in-memory state is then stale; and where there are
   * standbys, once one of them may serve: members whose sockets stay here would not be told what is done there.
   */
  async #regain(): Promise<void> {
    // Not only between two attempts, each of which may take seconds. From now on: without the lock nothing is answered that may be out of date.
    const inMs = this.#isOverdue() ? 0 : SILENT_MS;
    if (this.#hasStandbys) this.#overdue = setTimeout(() => this.#failed.resolve(new LockLost()), inMs).unref();
    while (!this.#closed) {
      try {
        const client = await this.#lock();
        const [row] = await this.#confirm<{ epoch: number }>(client, "SELECT epoch FROM server_epoch");
        if (row?.epoch !== this.#epoch) {
          await client.end();
          return this.#failed.resolve(new Replaced());
        }
        clearTimeout(this.#overdue);
        return this.#keep(client);
      } catch (error) {
        if (error instanceof DatabaseInUse) return this.#failed.resolve(new Replaced());
        if (!isTransient(error)) return this.#failed.resolve(error as Error);
        await new Promise((retry) => setTimeout(retry, RETRY_MS).unref());
      }
    }
  }
}

/** Whether a standby tries again: the database is away, slow, or still ending the previous leader. */
const isTransient = (error: unknown): boolean =>
  asOutage(error) instanceof DatabaseUnavailable ||
  isLockTimeout(error) ||
  (error instanceof Error && error.message === "Query read timeout");
const isLockTimeout = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === LOCK_TIMEOUT;
