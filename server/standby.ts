/**
 * A standby: waits for the leader of the same PostgreSQL database to end, with the market open and moving, so that it serves within a
 * second or two. Until then it answers every call with "busy"; it tells that it runs, and that it is not ready. With Redis it follows the leader
 * meanwhile, and serves.
 */
import { createServer } from "node:http";
import type { Server, ServerResponse } from "node:http";
import { once } from "node:events";
import type { Logger } from "pino";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { refused } from "#server/api/http/reply.ts";
import type { ServerConfig } from "#server/config.ts";
import { openDatabase, withStore } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { StandbyStopped } from "#server/db/leadership.ts";
import { hasFollowers } from "#server/cluster/has-followers.ts";
import type { Follower } from "#server/cluster/follower.ts";
import { openLog } from "#server/kernel/log.ts";
import type { Metrics } from "#server/kernel/metrics.ts";
import { openMarket } from "#server/open-market.ts";
import type { OpenMarket } from "#server/open-market.ts";
import { listen } from "#server/http-server.ts";

/** The database of a first start has no market yet; it is looked for again after this time. */
const OPEN_AGAIN_MS = 5 * SECOND_MS;
/** How often a standby that does not follow yet tries to. */
const FOLLOW_AGAIN_MS = SECOND_MS;
/** Clients may ask again after so many seconds. */
const RETRY_AFTER_S = "1";

/** What an elected standby begins to serve with. */
export interface TakeOver {
  database: Database;
  /** The market, which stands still since the election; null if it was not open yet. */
  market: OpenMarket | null;
  /** Stops answering as a standby: the port is free then. */
  freePort(): Promise<void>;
}

function answer(response: ServerResponse, status: number, body: object): void {
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store", "retry-after": RETRY_AFTER_S };
  // The next call may find another server behind a proxy, and nobody sends a standby more than one.
  response.shouldKeepAlive = false;
  response.writeHead(status, headers).end(JSON.stringify(body));
}

/** Answers while this server waits. A command is refused as by a server without its database: the client asks again, with the same id. */
async function listenWaiting(config: ServerConfig): Promise<Server> {
  const { requestMs } = config.limits;
  const limits = { requestTimeout: requestMs, headersTimeout: requestMs, connectionsCheckingInterval: requestMs / 4 };
  const server = createServer(limits, (request, response) => {
    // Read no body: the connection ends with the answer.
    const [path] = (request.url ?? "").split("?");
    if (path === "/healthz") answer(response, 200, { status: "standby" });
    else if (path === "/readyz") answer(response, 503, { standby: true });
    else answer(response, 503, refused("GEN_SYSTEM_BUSY"));
  });
  await listen(server, config);
  return server;
}

async function closePort(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

/** Keeps the market open while another server trades on it. Not a feed's, which has one reader. */
class WaitingMarket {
  readonly #config: ServerConfig;
  readonly #log: Logger;
  #open: OpenMarket | null = null;
  #opening: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(config: ServerConfig, log: Logger) {
    this.#config = config;
    this.#log = log;
    if (config.feed.kind === "simulator") this.#look();
  }

  #look(): void {
    this.#opening = this.#tryToOpen().then((opened) => {
      this.#opening = null;
      if (!opened) this.#timer = setTimeout(() => this.#look(), OPEN_AGAIN_MS);
    });
  }

  async #tryToOpen(): Promise<boolean> {
    const { databaseUrl, databaseSchema } = this.#config;
    const place = { dataDir: null, databaseUrl: databaseUrl ?? undefined, schema: databaseSchema ?? undefined };
    try {
      // Of any version: after an upgrade the leader may still serve what this server will migrate. Who is elected goes on with the market
      // only where it is the one that the migrated database has.
      this.#open = await withStore({ ...place, poolSize: 1 }, (store) => openMarket(store, this.#config, this.#log));
      this.#open.venue.start();
      return true;
    } catch (error) {
      this.#log.debug({ err: error }, "the standby cannot open the market yet");
      return false;
    }
  }

  /** The market; null while it is not open. */
  get market(): OpenMarket | null {
    return this.#open;
  }

  /** Resolves when the market is open, or could not be opened at the first try: a server without it would need seconds to begin. */
  async ready(): Promise<void> {
    await this.#opening;
  }

  /** Halts the market where it is and hands it over; a server goes on with it from there. */
  async handOver(): Promise<OpenMarket | null> {
    clearTimeout(this.#timer);
    await this.#opening;
    clearTimeout(this.#timer);
    await this.#open?.venue.stop();
    return this.#open;
  }
}

/** Serves as a follower as soon as the market is open and the leader has made the database what this version needs. */
class Following {
  readonly #open: () => Promise<Follower | null>;
  readonly #log: Logger;
  #follower: Follower | null = null;
  #opening: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** `open`: null while it is too early. */
  constructor(open: () => Promise<Follower | null>, log: Logger) {
    this.#open = open;
    this.#log = log;
    this.#look();
  }

  #look(): void {
    this.#opening = this.#open()
      .then((follower) => (this.#follower = follower))
      .catch((error: unknown) => this.#log.debug({ err: error }, "the standby cannot follow yet"))
      .then(() => {
        if (!this.#follower) this.#timer = setTimeout(() => this.#look(), FOLLOW_AGAIN_MS);
      });
  }

  /** Takes nothing more from the leader; what needs none is served until `close`. */
  async halt(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#opening;
    clearTimeout(this.#timer);
    await this.#follower?.halt();
  }

  /** Frees the port, if this server followed. */
  async close(): Promise<void> {
    await this.#follower?.close();
  }
}

/**
 * Waits until this server is elected: the leader has ended, or has been silent for too long. With `metrics` a follower counts what it does.
 * @throws StandbyStopped when `stopped` is aborted first, PortInUse, or what keeps the database or the port from opening
 */
export async function standBy(config: ServerConfig, stopped: AbortSignal, metrics: Metrics | null = null): Promise<TakeOver> {
  const { databaseUrl, databaseSchema } = config;
  const waiting = await listenWaiting(config);
  const log = openLog(config.logLevel);
  const market = new WaitingMarket(config, log);
  let isWaiting = true;
  const stopWaiting = async (): Promise<void> => {
    if (isWaiting) await closePort(waiting);
    isWaiting = false;
  };
  const follow = async (): Promise<Follower | null> => {
    const { openFollower } = await import("#server/cluster/follower.ts");
    return market.market && openFollower({ config, log, metrics, venue: market.market.venue, freePort: stopWaiting });
  };
  const following = hasFollowers(config) ? new Following(follow, log) : null;
  const freePort = async (): Promise<void> => {
    await following?.close();
    await stopWaiting();
  };
  try {
    const place = { dataDir: null, databaseUrl: databaseUrl ?? undefined, schema: databaseSchema ?? undefined };
    await market.ready();
    const database = await openDatabase({ ...place, server: true, standby: stopped });
    await following?.halt();
    const opened = await market.handOver();
    // A signal that came after the election: nobody else looks at it.
    if (stopped.aborted) {
      await database.close();
      throw new StandbyStopped();
    }
    return { database, market: opened, freePort };
  } catch (error) {
    await following?.halt();
    await market.handOver();
    await freePort();
    throw error;
  }
}
