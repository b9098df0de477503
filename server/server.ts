/** Starts the whole broker in one process on one port, in dependency order, and stops it in reverse order. */
import { participants } from "#server/participants.ts";
import type { Logger } from "pino";
import { attachSockets, closeGracefully, listen, makeServer } from "#server/http-server.ts";
import { startJobs } from "#server/jobs/index.ts";
import type { JobDeps } from "#server/jobs/index.ts";
import type { ServerConfig } from "#server/config.ts";
import { openSecurityLog } from "#server/kernel/security-log.ts";
import { openFailureLog } from "#server/kernel/failure-log.ts";
import { openLog } from "#server/kernel/log.ts";
import { openJobHealth } from "#server/kernel/job-health.ts";
import type { Metrics } from "#server/kernel/metrics.ts";
import type { JobHealth } from "#server/kernel/job-health.ts";
import { addressFinder, tlsFinder } from "#server/api/http/address.ts";
import type { LeaderPublisher, OpenPublisherDeps } from "#server/cluster/open-publisher.ts";
import { hasFollowers } from "#server/cluster/has-followers.ts";
import { openDatabase } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { openBrokerMentors } from "#server/accounts/broker-mentor.ts";
import { openCodeSender } from "#server/accounts/code-sender.ts";
import { openPhotos, photoKey } from "#server/accounts/photo-store.ts";
import { openCodes } from "#server/accounts/one-time-code.ts";
import { AlertRegistry } from "#server/alerts/alert-registry.ts";
import { createHandlers } from "#server/api/index.ts";
import { openSequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { openSignInThrottle } from "#server/api/session/sign-in-throttle.ts";
import { openSessions } from "#server/api/session-store.ts";
import type { SessionStore } from "#server/api/session-store.ts";
import { createHttp } from "#server/api/http.ts";
import { trustFollowers } from "#server/api/http/forward.ts";
import { readinessOf } from "#server/api/http/health.ts";
import { startNewsroom } from "#server/news/newsroom.ts";
import { runCommand } from "#server/ops/run-command.ts";
import { serveControl } from "#server/ops/control.ts";
import { seed } from "#server/ops/seed.ts";
import { openPush } from "#server/push/push.ts";
import type { Push, PushDeps } from "#server/push/push.ts";
import type { SocketServer } from "#server/realtime/socket-server.ts";
import { openMarket } from "#server/open-market.ts";
import type { OpenMarket } from "#server/open-market.ts";
import type { Venue } from "#server/venue/venue.ts";

export interface RunningServer {
  port: number;
  /** `http://host:port`, reachable from this machine. */
  url: string;
  db: Database;
  venue: Venue;
  sessions: SessionStore;
  log: Logger;
  /** Finishes running work and closes everything in order. May be called twice. */
  stop(): Promise<void>;
}

/** What is open already, and used instead of opening it. */
export interface Given {
  database?: Database | undefined;
  market?: OpenMarket | null | undefined;
  /** Counts what this server does. */
  metrics?: Metrics | null | undefined;
  /** Frees the port; called right before this server listens. */
  freePort?: (() => Promise<void>) | undefined;
}

function urlOf(host: string, port: number): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

const openDatabaseOf = ({ dataDir, databaseUrl, databaseSchema }: ServerConfig): Promise<Database> =>
  openDatabase({ dataDir, databaseUrl: databaseUrl ?? undefined, schema: databaseSchema ?? undefined, server: true });

/** Opens Web Push; the subscriptions of a session end with it. */
async function openPushOf({ push: config }: ServerConfig, deps: PushDeps, sessions: SessionStore): Promise<Push> {
  const push = await openPush(deps, config);
  sessions.onEnd((sessionHash) => void push.subscriptions.removeSession(sessionHash).catch((error: unknown) => deps.report?.(error)));
  return push;
}

/** Opens the socket for operator commands. Optional: members are served without it. */
async function openControl(db: Database, dataDir: string, log: Logger): Promise<Closer> {
  const control = serveControl(dataDir, ({ words, who }, say) => runCommand(db, words, say, who));
  const close = await control.catch((error: unknown) =>
    log.warn({ err: error }, "the control socket for operator commands could not be opened"),
  );
  return close ?? (() => undefined);
}

type Closer = () => Promise<void> | void;

async function closeAll(closers: Closer[], log: Logger): Promise<void> {
  for (const close of closers.splice(0).toReversed()) {
    try {
      await close();
    } catch (error) {
      log.error({ err: error }, "a component failed to close");
    }
  }
}

/** Starts the jobs, and remembers which of them fail: the sequencer logs what broke a command, but not whose it was. */
async function openJobs(
  deps: Omit<JobDeps, "report" | "unbooked">,
  log: Logger,
  report: (error: unknown) => void,
  closers: Closer[],
): Promise<JobHealth> {
  const health = openJobHealth(deps.now);
  const failed = (error: unknown, job: string): void => {
    if (health.failed(error, job)) log.error({ job }, "a background job fails");
    report(error);
  };
  closers.push(await startJobs({ ...deps, report: failed }));
  return health;
}

/** Makes what a new database needs: settings, demo members, and in the sandbox the broker's own mentors. */
async function seedAll(db: Database, at: number, { demo, feed }: ServerConfig): Promise<void> {
  await seed(db, at, demo !== "off");
  if (feed.kind === "simulator") await openBrokerMentors(db, at);
}

/** Begins to publish to followers, where there are any. */
async function openPublisherOf(config: ServerConfig, deps: OpenPublisherDeps): Promise<LeaderPublisher | null> {
  if (!hasFollowers(config)) return null;
  const { openPublisher } = await import("#server/cluster/open-publisher.ts");
  return openPublisher(config, deps);
}

/** How the client of a request is found: behind proxies, and behind followers that forward its call. */
function clientFinder({ trustProxy }: ServerConfig, publisher: LeaderPublisher | null): ReturnType<typeof trustFollowers> {
  const [addressOf, overTls] = [addressFinder(trustProxy), tlsFinder(trustProxy)];
  return publisher ? trustFollowers(publisher.forwardKey, addressOf, overTls) : { addressOf, overTls, isForwarded: () => false };
}

interface Measured {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  socketServer: SocketServer;
  jobs: JobHealth;
  now: () => number;
}

/** Adds the figures that are looked up when they are read. */
function addGauges(metrics: Metrics, { db, venue, sequencer, socketServer, jobs, now }: Measured): void {
  // One that has lost its lock serves no more: another one may have taken its place.
  metrics.gauge("serving", "1 on the leader, 0 on standbys", () => Number(db.writable()));
  metrics.gauge("sockets", "Open sockets", () => socketServer.count());
  metrics.gauge("open_orders", "Orders in the market or waiting for a trigger", () => sequencer.open.size);
  metrics.gauge("database_writable", "1 while the database may be written", () => Number(db.writable()));
  metrics.gauge("prices_fresh", "1 while prices are fresh", () => Number(venue.fresh(now())));
  metrics.gauge("jobs_good", "0 for ten minutes after a background job failed", () => Number(jobs.isGood()));
}

async function open(config: ServerConfig, log: Logger, closers: Closer[], given: Given): Promise<Omit<RunningServer, "stop">> {
  const now = (): number => Date.now();
  const { limits, appOrigins } = config;
  const { metrics } = given;
  const logFailure = openFailureLog(log);
  const security = openSecurityLog(log);
  const report = (error: unknown): void => logFailure(error, "a command failed");
  const db = given.database ?? (await openDatabaseOf(config));
  closers.push(() => db.close());
  await seedAll(db, now(), config);
  const { venue } = await openMarket(db, config, log, given.market);
  closers.push(() => venue.stop());
  const sessions = openSessions(db, now, config.demo);
  const push = await openPushOf(config, { db, venue, now, report: (error) => logFailure(error, "a push notification failed") }, sessions);
  closers.push(() => push.stop());
  let socketServer: SocketServer | null = null;
  let publisher: LeaderPublisher | null = null;
  const sequencer = await openSequencer({
    db,
    venue,
    participants,
    now,
    report,
    publish: (memberId, fact) => {
      metrics?.countFact();
      socketServer?.publishFact(memberId, fact);
      publisher?.publish({ fact: [memberId, fact] });
      push.add(memberId, fact);
    },
    commandsPerSecond: config.commandsPerSecond ?? undefined,
    observe: metrics?.countBatch,
  });
  const opened = await openPublisherOf(config, { db, venue, sequencer, sessions, logFailure });
  publisher = opened;
  closers.push(() => opened?.stop());
  closers.push(() => sequencer.idle());
  const { addressOf, overTls, isForwarded } = clientFinder(config, opened);
  const alerts = new AlertRegistry();
  const photos = openPhotos(db, photoKey(config.photoKey, config.dataDir), now);
  const jobs = await openJobs({ photos, endSessions: sessions.expel, db, venue, sequencer, alerts, now }, log, report, closers);
  const openLimiter = opened?.openLimiter;
  const codes = openCodes(db, openCodeSender(config.codes), now, report, openLimiter);
  const throttle = openSignInThrottle(undefined, openLimiter);
  const trading = { db, venue, sequencer, alerts, sessions, now };
  const handlers = createHandlers({ ...trading, throttle, openLimiter, codes, photos, push, security, demo: config.demo });
  const common = { sessions, log, limits, addressOf, overTls, appOrigins, security, logFailure };
  const readiness = readinessOf(db, venue, jobs);
  const leads = config.standby ? () => db.writable() : undefined;
  const app = createHttp({ ...common, handlers, leads, clientDir: config.clientDir, readiness, observe: metrics?.countCall });
  const server = makeServer(app, limits);
  const openedSocket = attachSockets({ ...common, server, venue, isForwarded });
  socketServer = openedSocket;
  closers.push(() => closeGracefully(server, openedSocket));
  if (metrics) addGauges(metrics, { db, venue, sequencer, socketServer: openedSocket, jobs, now });
  venue.start();
  await given.freePort?.();
  const { port } = await listen(server, config);
  await opened?.listens(port);
  await db.opened();
  closers.push(startNewsroom({ db, venue, now, report: (error) => logFailure(error, "a news edition was not published") }));
  if (db.kind === "pglite" && config.dataDir !== null) closers.push(await openControl(db, config.dataDir, log));
  return { port, url: urlOf(config.host, port), db, venue, sessions, log };
}

/**
 * Starts the broker, with what is `given`; either way it is closed with the server.
 * @throws PortInUse, DataDirInUse, FeedFailed, or the error that kept the database from opening; nothing is left open then
 */
export async function startServer(config: ServerConfig, given: Given = {}): Promise<RunningServer> {
  const log = openLog(config.logLevel);
  const closers: Closer[] = [];
  try {
    const running = await open(config, log, closers, given);
    let stopped: Promise<void> | null = null;
    return { ...running, stop: () => (stopped ??= closeAll(closers, log)) };
  } catch (error) {
    await closeAll(closers, log);
    throw error;
  }
}
