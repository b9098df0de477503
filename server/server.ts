/** The whole broker in one process on one port: opened in the order its parts lean on each other, closed the other way round. */
import { participants } from "#server/participants.ts";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { pino } from "pino";
import type { Logger } from "pino";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { startJobs } from "#server/jobs/index.ts";
import type { ServerConfig } from "#server/config.ts";
import { openSecurityLog } from "#server/kernel/security-log.ts";
import { openFailureLog } from "#server/kernel/failure-log.ts";
import { addressFinder } from "#server/api/http/address.ts";
import { capConnections, refusePipelining } from "#server/api/http/connections.ts";
import { openDatabase } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { AlertRegistry } from "#server/alerts/alert-index.ts";
import { createHandlers } from "#server/api/index.ts";
import { openSequencer } from "#server/trading/sequencer/sequencer.ts";
import { openSessions } from "#server/api/session-store.ts";
import type { SessionStore } from "#server/api/session-store.ts";
import { createHttp } from "#server/api/http.ts";
import { readinessOf } from "#server/api/http/health.ts";
import { startNewsroom } from "#server/news/newsroom.ts";
import { runCommand } from "#server/ops/command.ts";
import { serveControl } from "#server/ops/control.ts";
import { marketSeed } from "#server/ops/market-seed.ts";
import { seed } from "#server/ops/seed.ts";
import { createSocket } from "#server/realtime/socket-server.ts";
import type { SocketServer } from "#server/realtime/socket-server.ts";
import { openVenueOf } from "#server/venue/feed/open.ts";
import type { Venue } from "#server/venue/venue.ts";

/** An idle connection is kept longer than clients and proxies keep theirs: else one is closed in the moment its next call leaves, and the call is lost. */
const KEEP_ALIVE_MS = 75 * SECOND_MS;
/** A connection on which nothing moves for so long while an answer is under way has nobody at its other end who reads it. */
const IDLE_MS = 60 * SECOND_MS;
/** A call under way when the server stops has this long to finish. */
const GRACE_MS = 3 * SECOND_MS;

export interface RunningServer {
  port: number;
  /** `http://host:port`, reachable from this machine. */
  url: string;
  db: Database;
  venue: Venue;
  sessions: SessionStore;
  log: Logger;
  /** Finish what is under way, close everything, in order. May be called twice. */
  stop(): Promise<void>;
}

/** Thrown when another server has the port. */
export class PortInUse extends Error {
  constructor(port: number) {
    super(`Port ${port} is in use. Stop the other server first, or set PORT to another one.`);
    this.name = "PortInUse";
  }
}

async function listen(server: Server, config: ServerConfig): Promise<AddressInfo> {
  await new Promise<void>((done, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) => fail(error.code === "EADDRINUSE" ? new PortInUse(config.port) : error));
    server.listen(config.port, config.host, done);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server listens on no port");
  return address;
}

/** Wait for a closing, but cut the connections that do not end by themselves. */
async function closeGently(server: Server, door: SocketServer): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await door.stop();
  clearTimeout(cut);
}

function urlOf(host: string, port: number): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

const openDatabaseOf = ({ dataDir, databaseUrl, databaseSchema }: ServerConfig): Promise<Database> =>
  openDatabase({ dataDir, databaseUrl: databaseUrl ?? undefined, schema: databaseSchema ?? undefined, server: true });

type Closer = () => Promise<void> | void;

async function closeAll(closers: Closer[], log: Logger): Promise<void> {
  for (const close of closers.splice(0).toReversed()) {
    try {
      await close();
    } catch (error) {
      log.error({ err: error }, "something did not close");
    }
  }
}

async function open(config: ServerConfig, log: Logger, closers: Closer[], given?: Database): Promise<Omit<RunningServer, "stop">> {
  const now = (): number => Date.now();
  const { limits } = config;
  const logFailure = openFailureLog(log);
  const security = openSecurityLog(log);
  const addressOf = addressFinder(config.trustProxy);
  const report = (error: unknown): void => logFailure(error, "a command failed");
  const db = given ?? (await openDatabaseOf(config));
  closers.push(() => db.close());
  await seed(db, now(), config.demo !== "off");
  const seedOfMarket = config.venue.seed ?? (await marketSeed(db));
  const venue = await openVenueOf(config.feed, { ...config.venue, seed: seedOfMarket }, log);
  closers.push(() => venue.stop());
  const sessions = openSessions(db, now, config.demo);
  let door: SocketServer | null = null;
  const sequencer = await openSequencer({
    db,
    venue,
    participants,
    now,
    report,
    publish: (memberId, fact) => door?.publishFact(memberId, fact),
    commandsPerSecond: config.commandsPerSecond ?? undefined,
  });
  closers.push(() => sequencer.idle());
  const alerts = new AlertRegistry();
  closers.push(await startJobs({ db, venue, sequencer, alerts, now, report }));
  const handlers = createHandlers({ db, venue, sequencer, alerts, sessions, security, demo: config.demo, now });
  const app = createHttp({
    handlers,
    sessions,
    clientDir: config.clientDir,
    log,
    readiness: readinessOf(db, venue),
    limits,
    addressOf,
    security,
    logFailure,
  });
  const serverOptions = {
    requestTimeout: limits.requestMs,
    headersTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.requestMs / 4,
  };
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions }) as Server;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.setTimeout(IDLE_MS);
  const opened = createSocket({ server, venue, sessions, log, limits, addressOf, security, logFailure });
  door = opened;
  refusePipelining(server);
  capConnections(server, limits.connectionsPerAddress, addressOf, (address) =>
    security("connectionRefused", { address, reason: "address" }),
  );
  closers.push(() => closeGently(server, opened));
  venue.start();
  const { port } = await listen(server, config);
  closers.push(startNewsroom({ db, venue, now, report: (error) => logFailure(error, "an edition was not printed") }));
  if (db.kind === "pglite" && config.dataDir !== null) {
    const control = serveControl(config.dataDir, (words, say) => runCommand(db, words, say));
    // Members are served without it.
    closers.push(
      (await control.catch((error: unknown) => log.warn({ err: error }, "operator's commands are not taken"))) ?? (() => undefined),
    );
  }
  return { port, url: urlOf(config.host, port), db, venue, sessions, log };
}

/**
 * Start the broker, on a database that is open already if one is given; either way it is closed with the server.
 * @throws PortInUse, DataDirInUse, FeedFailed, or whatever keeps the database from opening; nothing is left open then
 */
export async function startServer(config: ServerConfig, database?: Database): Promise<RunningServer> {
  const log = pino({ level: config.logLevel });
  const closers: Closer[] = [];
  try {
    const running = await open(config, log, closers, database);
    let stopped: Promise<void> | null = null;
    return { ...running, stop: () => (stopped ??= closeAll(closers, log)) };
  } catch (error) {
    await closeAll(closers, log);
    throw error;
  }
}
