/**
 * A follower: serves pages, market data and sockets from its own market, passes members' facts on, and forwards to the leader what only the
 * leader can do. What Redis loses it reads from the database.
 */
import type { Logger } from "pino";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { createFollowerHandlers } from "#server/api/follower-handlers.ts";
import { createHttp } from "#server/api/http.ts";
import { addressFinder, tlsFinder } from "#server/api/http/address.ts";
import { openForward } from "#server/api/http/forward.ts";
import { readinessOf } from "#server/api/http/health.ts";
import { openSessions } from "#server/api/session-store.ts";
import type { SessionStore } from "#server/api/session-store.ts";
import type { ServerConfig } from "#server/config.ts";
import { openDatabase } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { openFailureLog } from "#server/kernel/failure-log.ts";
import type { LogFailure } from "#server/kernel/failure-log.ts";
import type { Metrics } from "#server/kernel/metrics.ts";
import { openSecurityLog } from "#server/kernel/security-log.ts";
import type { SocketServer } from "#server/realtime/socket-server.ts";
import { attachSockets, closeGracefully, listen, makeServer } from "#server/http-server.ts";
import type { Venue } from "#server/venue/venue.ts";
import { EffectRelay } from "./effect-relay.ts";
import { FactRelay } from "./fact-relay.ts";
import { readLeader } from "./leader-row.ts";
import type { LeaderRow } from "./leader-row.ts";
import { LeaderStream } from "./leader-stream.ts";
import { channelsOf } from "./message.ts";
import type { Channels, LeaderItem } from "./message.ts";
import { recheckOf } from "./recheck.ts";
import { openRedisLink } from "./redis-link.ts";
import type { RedisLink } from "./redis-link.ts";

/** How often the database is asked who leads: a call that comes in between may find nobody. */
const LEADER_MS = SECOND_MS / 2;
/** While the leader is silent, sessions that ended are looked for so often. */
const RECHECK_MS = 5 * SECOND_MS;

const now = (): number => Date.now();

export interface FollowerDeps {
  config: ServerConfig;
  log: Logger;
  metrics: Metrics | null;
  /** Open and moving, and nobody else's. */
  venue: Venue;
  /** Frees the port; called right before the follower listens. */
  freePort: () => Promise<void>;
}

export interface Follower {
  /** Applies nothing more to the market, and forwards nothing. */
  halt(): Promise<void>;
  /** Ends the sockets, answers what has arrived, and frees the port. */
  close(): Promise<void>;
}

interface Parts {
  db: Database;
  link: RedisLink;
  channels: Channels;
  sessions: SessionStore;
  effects: EffectRelay;
  facts: FactRelay;
  socketServer: SocketServer;
  logFailure: LogFailure;
  leader: () => LeaderRow;
}

/** Applies one item that the leader published. */
function applierOf({ sessions, effects, facts }: Parts): (item: LeaderItem, isBehind: boolean) => Promise<void> | void {
  return (item, isBehind) => {
    if ("fact" in item) return facts.take(...item.fact);
    if ("ended" in item) return sessions.noteEnd(...item.ended);
    if ("taken" in item) return effects.take(item.taken);
    if ("reported" in item) return effects.report(item.reported, isBehind);
    if ("joined" in item) return effects.join(item.joined);
    return effects.replaceBooks(item.books);
  };
}

function followLeader(parts: Parts): LeaderStream {
  const { link, channels, effects, facts, socketServer, logFailure, leader } = parts;
  const recheck = recheckOf(socketServer);
  const stream = new LeaderStream({
    leader,
    apply: applierOf(parts),
    catchUp: async (isNewLeader) => {
      await (isNewLeader ? effects.reopen() : effects.catchUp());
      await facts.catchUp();
      recheck.unlessSince(RECHECK_MS);
    },
    resumed: () => recheck.now(),
    askBooks: () => link.publish(channels.ask, "books"),
    report: (error) => logFailure(error, "the leader could not be followed"),
  });
  link.subscribe(channels.leader, (text) => stream.receive(text));
  stream.start();
  return stream;
}

interface LeaderWatch {
  /** The newest answer. */
  leader: () => LeaderRow;
  /** Calls the listener after each answer. */
  onRead: (listener: () => void) => void;
  stop: () => void;
}

/** Keeps in mind who leads. */
function watchLeader(db: Database, first: LeaderRow, logFailure: LogFailure): LeaderWatch {
  let leader = first;
  let isAsked = false;
  let onRead = (): void => undefined;
  const timer = setInterval(() => {
    if (isAsked) return;
    isAsked = true;
    readLeader(db.kysely)
      .then(
        (read) => {
          leader = read;
          onRead();
        },
        (error: unknown) => logFailure(error, "the database did not tell who leads"),
      )
      .finally(() => (isAsked = false));
  }, LEADER_MS);
  return { leader: () => leader, onRead: (listener) => (onRead = listener), stop: () => clearInterval(timer) };
}

/** Says once of each address that it is not the leader's. */
function warnOnce(log: Logger): (url: string) => void {
  const warned = new Set<string>();
  return (url) => {
    if (!warned.has(url))
      log.warn({ url }, "calls for the leader come back to a follower: set the leader's SERVER_URL to where others reach it");
    warned.add(url);
  };
}

interface Measured {
  isOn: () => boolean;
  link: RedisLink;
  stream: LeaderStream;
  socketServer: SocketServer;
  leader: () => LeaderRow;
}

/** Adds the figures that are looked up when they are read. */
function addFigures(metrics: Metrics, { isOn, link, stream, socketServer, leader }: Measured): void {
  metrics.gauge("following", "1 on a server that follows the leader and serves", () => Number(isOn()));
  metrics.gauge("sockets", "Open sockets", () => socketServer.count());
  metrics.gauge("leader_silent_seconds", "Time since the leader's last message", () => Math.min(stream.silentMs, 1e9) / SECOND_MS);
  metrics.gauge("leader_epoch", "Epoch of the leader whose messages are followed", () => stream.epoch);
  metrics.gauge("redis_up", "1 while Redis answers", () => Number(link.isUp()));
  metrics.gauge("messages_waiting", "Messages of the leader that are not applied yet", () => stream.waiting);
  metrics.gauge("messages_refused", "Messages that were not the leader's, or came twice", () => stream.refused);
  metrics.gauge("message_gaps", "How often messages of the leader were missing", () => stream.gaps);
  metrics.label("leader", "Where the leader is reached", "url", () => (isOn() ? leader().url : null));
}

/** What pages, market data and sockets are served with. */
const servingOf = ({ config, log }: FollowerDeps, sessions: SessionStore, logFailure: LogFailure) => ({
  clientDir: config.clientDir,
  limits: config.limits,
  appOrigins: config.appOrigins,
  addressOf: addressFinder(config.trustProxy),
  overTls: tlsFinder(config.trustProxy),
  security: openSecurityLog(log),
  logFailure,
  log,
  sessions,
});

interface ServerParts {
  db: Database;
  serving: ReturnType<typeof servingOf>;
  /** Where the leader is reached; null while that is not known, or no more to be asked. */
  leader: () => { url: string; key: string } | null;
}

/** Makes the server, which answers what it can itself and forwards the rest; it does not listen yet. */
function makeFollowerServer({ log, metrics, venue }: FollowerDeps, { db, serving, leader }: ServerParts) {
  const { addressOf, overTls } = serving;
  const observe = metrics?.countForwarded;
  const forwarding = openForward({ leader, addressOf, overTls, observe, cameBack: warnOnce(log) });
  const ready = readinessOf({ kysely: db.kysely, writable: () => true }, venue, { isGood: () => true });
  const app = createHttp({
    ...serving,
    handlers: createFollowerHandlers({ db, venue, now }),
    forward: forwarding.forward,
    readiness: async () => ({ ...(await ready()), following: true }),
    observe: metrics?.countCall,
  });
  return { server: makeServer(app, serving.limits), forwarding };
}

/** Puts a follower together: its server, its sockets, and the leader's messages that are applied to its market. It does not listen yet. */
async function assemble(deps: FollowerDeps, db: Database, link: RedisLink, logFailure: LogFailure) {
  const { config, metrics, venue } = deps;
  const sessions = openSessions(db, now, config.demo);
  const effects = new EffectRelay({ db, venue, now });
  await effects.open();
  const channels = await channelsOf(db.kysely);
  const watch = watchLeader(db, await readLeader(db.kysely), logFailure);
  let isOn = true;
  const leader = () => {
    const { url, key } = watch.leader();
    return isOn && url !== null && key !== null ? { url, key } : null;
  };
  const serving = servingOf(deps, sessions, logFailure);
  const { server, forwarding } = makeFollowerServer(deps, { db, serving, leader });
  watch.onRead(forwarding.check);
  const facts = new FactRelay({ db, publish: (memberId, fact) => socketServer.publishFact(memberId, fact) });
  const follow = (memberId: number) => facts.follow(memberId);
  const socketServer: SocketServer = attachSockets({ server, venue, follow, ...serving });
  const stream = followLeader({ db, link, channels, sessions, effects, facts, socketServer, logFailure, leader: watch.leader });
  if (metrics) addFigures(metrics, { isOn: () => isOn, link, stream, socketServer, leader: watch.leader });
  const end = async (): Promise<void> => {
    isOn = false;
    watch.stop();
    await stream.stop();
    effects.forgetUnstored();
    forwarding.close();
  };
  let ended: Promise<void> | null = null;
  // Once: afterwards the market may be the leader's.
  return { server, socketServer, halt: () => (ended ??= end()) };
}

/** Opens a follower. @throws PortInUse, or what keeps the database from being followed: it has another version, or no leader yet */
export async function openFollower(deps: FollowerDeps): Promise<Follower> {
  const { config, log, freePort } = deps;
  const logFailure = openFailureLog(log);
  const place = { dataDir: null, databaseUrl: config.databaseUrl ?? undefined, schema: config.databaseSchema ?? undefined };
  const db = await openDatabase({ ...place, follower: true });
  const link = openRedisLink(config.redisUrl ?? "", (error) => logFailure(error, "Redis does not answer"));
  const closeStores = async (): Promise<void> => {
    link.close();
    await db.close();
  };
  let halt: (() => Promise<void>) | undefined;
  try {
    const { server, socketServer, ...assembled } = await assemble(deps, db, link, logFailure);
    halt = assembled.halt;
    await freePort();
    await listen(server, config);
    return {
      halt: assembled.halt,
      async close() {
        await assembled.halt();
        await closeGracefully(server, socketServer);
        await closeStores();
      },
    };
  } catch (error) {
    await halt?.();
    await closeStores();
    throw error;
  }
}
