/** The Socket.IO server: a signed-in client sends its view and receives quotes, rankings, channels, phases and its own facts. */
import type { Server as HttpServer } from "node:http";
import type { Logger } from "pino";
import { Server } from "socket.io";
import type { DefaultEventsMap, Socket } from "socket.io";
import type { Fact } from "#contract/fact.ts";
import { Handshake, SOCKET_PATH, View } from "#contract/kernel/push.ts";
import type { ClientEvents, ServerEvents, ViewSnapshot } from "#contract/kernel/push.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { SessionEnd } from "#contract/restriction.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import type { Caller } from "#server/api/handler.ts";
import type { SessionStore } from "#server/api/session-store.ts";
import { openSecurityLog } from "#server/kernel/security-log.ts";
import type { NoteSecurity } from "#server/kernel/security-log.ts";
import { openFailureLog } from "#server/kernel/failure-log.ts";
import type { LogFailure } from "#server/kernel/failure-log.ts";
import { addressFinder } from "#server/api/http/address.ts";
import type { AddressOf } from "#server/api/http/address.ts";
import { LIMITS } from "#server/kernel/limits.ts";
import type { Limits } from "#server/kernel/limits.ts";
import { capAddresses, capCallers, limitHandshakes } from "./admission.ts";
import { createFanOut } from "./fan-out.ts";
import type { FanOut } from "./fan-out.ts";
import { perSecond } from "./per-second.ts";
import { ViewBudgets } from "./view-budget.ts";
import { boundReaders } from "./unread-bytes.ts";
import type { Sink } from "./viewer.ts";
import type { Venue } from "#server/venue/venue.ts";

/** A view takes a few hundred bytes; larger messages are rejected. */
const MESSAGE_LIMIT_BYTES = 16 * 1024;
/** More than fast scrolling produces. */
const VIEWS_PER_SECOND = 40;
/** An `all` view costs as much as this many ordinary ones. */
const COST_OF_ALL = 8;
/** Over all sockets of one member: two or three devices that scroll at once. */
const VIEWS_PER_MEMBER = 80;
/** Interval at which sessions of open sockets are checked again (another process may have revoked them). */
const RECHECK_MS = 30 * SECOND_MS;
/** Time limit for authentication. */
const HANDSHAKE_MS = 10 * SECOND_MS;

type Io = Server<ClientEvents, ServerEvents, DefaultEventsMap, { caller: Caller }>;
type Connection = Socket<ClientEvents, ServerEvents, DefaultEventsMap, { caller: Caller }>;

export interface SocketOptions {
  server: HttpServer;
  venue: Venue;
  sessions: Pick<SessionStore, "find" | "holds" | "alive" | "whyEnded" | "onEnd">;
  log: Logger;
  limits?: Limits;
  /** Client address of a request; the connection's address by default. */
  addressOf?: AddressOf;
  /** Origins of the native apps' pages; no other page of another origin can poll. */
  appOrigins?: readonly string[];
  security?: NoteSecurity;
  logFailure?: LogFailure;
  /** Called for each admitted socket, before it is welcomed: where facts come from elsewhere, they are followed from here on. Returns how to stop. */
  follow?: (memberId: number) => Promise<() => void>;
}

export interface SocketServer {
  /** Pushes a committed fact to every socket of its member. */
  publishFact(memberId: number, fact: Fact): void;
  /** The number of open sockets. */
  count(): number;
  /** Disconnects the sockets of sessions that have ended without this server's being told. */
  recheck(): Promise<void>;
  /** Closes every connection and the HTTP server. */
  stop(): Promise<void>;
}

const memberRoom = (memberId: number): string => `member:${memberId}`;
const sessionRoom = (hash: string): string => `session:${hash}`;

/**
 * Sends batches as ready packet text (`2[event, …]` is socket.io's wire form of an event), so that a quote is serialised once and not
 * per client: a quarter less work than `emit` at a thousand clients.
 */
function sinkOf(socket: Connection): Sink {
  return {
    writable: () => socket.conn.transport.writable,
    quotes: (numbers) => void socket.conn.send(`2["quotes",[${numbers}]]`),
    ranks: (ranks) => void socket.emit("ranks", ranks),
    channel: (channel, json) => void socket.conn.send(`2["channel","${channel}",${json}]`),
  };
}

/** Tells whether a socket brings the token of a session in memory. */
function holdsSession(socket: Connection, sessions: SocketOptions["sessions"]): boolean {
  const auth = Handshake.safeParse(socket.handshake.auth);
  return auth.success && sessions.holds(auth.data.token);
}

/** Authenticates a socket and stores its caller. @returns a refusal code, or null when admitted */
async function authenticate(
  socket: Connection,
  { sessions, log, logFailure = openFailureLog(log) }: SocketOptions,
): Promise<RefusalCode | null> {
  const auth = Handshake.safeParse(socket.handshake.auth);
  if (!auth.success) return "ACC_SESSION_EXPIRED";
  try {
    const caller = await sessions.find(auth.data.token, auth.data.account);
    if (!caller) return await sessions.whyEnded(auth.data);
    socket.data.caller = caller;
    return null;
  } catch (error) {
    logFailure(error, "a handshake failed");
    return "GEN_SYSTEM_BUSY";
  }
}

function welcome(socket: Connection, fanOut: FanOut, universe: string, budgets: ViewBudgets): void {
  const { caller } = socket.data;
  void socket.join([memberRoom(caller.memberId), sessionRoom(caller.sessionHash)]);
  socket.emit("universe", universe);
  const viewer = fanOut.join(sinkOf(socket));
  const mayView = perSecond(VIEWS_PER_SECOND);
  const budget = budgets.join(caller.shared ? caller.sessionHash : String(caller.memberId));
  const show = (requested: unknown): ViewSnapshot | { refused: RefusalCode } => {
    const view = View.safeParse(requested);
    const cost = view.data?.all === true ? COST_OF_ALL : 1;
    if (!mayView(cost) || !budget.take(cost)) return { refused: "GEN_TOO_FREQUENT" };
    if (!view.success) return { refused: "GEN_PARAM_ERROR" };
    try {
      return fanOut.show(viewer, view.data);
    } catch (error) {
      if (error instanceof RangeError) return { refused: "GEN_PARAM_ERROR" };
      throw error;
    }
  };
  // Client input is untrusted: even the acknowledgement callback may be missing.
  socket.on("view", (requested: unknown, acknowledge: unknown) => {
    const result = show(requested);
    if (typeof acknowledge === "function") acknowledge(result);
  });
  socket.on("disconnect", () => {
    fanOut.leave(viewer);
    budget.leave();
  });
}

/** Tells the sockets of an ended session why it is over, and disconnects them. */
function expire(io: Io, sessionHash: string, why: SessionEnd): void {
  const ended = io.in(sessionRoom(sessionHash));
  ended.emit("expired", why);
  ended.disconnectSockets(true);
}

/** Disconnects a session that has ended; a failed check is logged and ends nothing. */
async function expireIfDead(
  io: Io,
  { sessions, log, security, logFailure = openFailureLog(log) }: SocketOptions,
  caller: Caller,
): Promise<void> {
  try {
    if (await sessions.alive(caller)) return;
    expire(io, caller.sessionHash, await sessions.whyEnded(caller));
    security?.("sessionsEnded", { memberId: caller.memberId });
  } catch (error) {
    logFailure(error, "a session could not be checked again");
  }
}

async function recheck(io: Io, options: SocketOptions): Promise<void> {
  const callers = new Map<string, Caller>();
  for (const socket of io.sockets.sockets.values()) callers.set(socket.data.caller.sessionHash, socket.data.caller);
  for (const caller of callers.values()) await expireIfDead(io, options, caller);
}

/** Follows the facts of an admitted socket's member until it closes. @returns what keeps it from being admitted after all */
async function follow(
  { conn, data }: Connection,
  { follow: begin, log, logFailure = openFailureLog(log) }: SocketOptions,
): Promise<Error | undefined> {
  try {
    const stop = await begin?.(data.caller.memberId);
    if (stop && conn.readyState === "open") conn.once("close", stop);
    else stop?.();
    return undefined;
  } catch (error) {
    logFailure(error, "a member's facts could not be followed");
    return new Error("GEN_SYSTEM_BUSY" satisfies RefusalCode);
  }
}

/** Installs connection limits and authentication, and disconnects clients that do not read. */
function installAdmission(io: Io, options: SocketOptions): void {
  const { limits = LIMITS, addressOf = addressFinder(0), security = openSecurityLog(options.log) } = options;
  capAddresses(io, limits.socketsPerAddress, addressOf, (address) => security("connectionRefused", { address, reason: "address" }));
  boundReaders(io, limits, ({ request }) => security("connectionCut", { address: addressOf(request) }));
  const takePlace = capCallers(limits);
  const handshakes = limitHandshakes(limits.unknownTokensPerAddress);
  io.use(async (socket, next) => {
    const address = addressOf(socket.request);
    if (!(await handshakes.may(socket.conn, address, holdsSession(socket, options.sessions)))) {
      security("connectionRefused", { address, reason: "stranger" });
      return next(new Error("GEN_TOO_FREQUENT" satisfies RefusalCode));
    }
    const problem = await authenticate(socket, options);
    if (problem !== null && problem !== "GEN_SYSTEM_BUSY") await handshakes.refused(address);
    if (problem) return next(new Error(problem));
    const { caller } = socket.data;
    if (takePlace(socket, caller)) return next(await follow(socket, options));
    security("connectionRefused", { memberId: caller.memberId, address, reason: "member" });
    next(new Error("GEN_TOO_FREQUENT" satisfies RefusalCode));
  });
}

/** Attaches the socket server to the HTTP server's port. */
export function createSocket(options: SocketOptions): SocketServer {
  const { venue, sessions } = options;
  const io: Io = new Server(options.server, {
    path: SOCKET_PATH,
    transports: ["websocket", "polling"],
    serveClient: false,
    perMessageDeflate: false,
    maxHttpBufferSize: MESSAGE_LIMIT_BYTES,
    connectTimeout: HANDSHAKE_MS,
    ...(options.appOrigins?.length ? { cors: { origin: [...options.appOrigins] } } : {}),
  });
  installAdmission(io, options);
  const fanOut = createFanOut(venue);
  const budgets = new ViewBudgets(VIEWS_PER_MEMBER);
  io.on("connection", (socket) => {
    welcome(socket, fanOut, venue.state(Date.now()).universe, budgets);
    // The session may have been revoked between authentication and joining the room.
    void expireIfDead(io, options, socket.data.caller);
  });
  const unsubscribes = [
    venue.onPhase((phase, endsAt) => {
      io.emit("phase", phase, endsAt);
      // With a session the watch list may have changed.
      io.emit("universe", venue.state(Date.now()).universe);
    }),
    // With every announced issue the table grew.
    venue.onIssue((_issue, event) => {
      if (event === "announced") io.emit("universe", venue.state(Date.now()).universe);
    }),
    sessions.onEnd((hash, why) => expire(io, hash, why)),
  ];
  const rechecking = setInterval(() => void recheck(io, options), RECHECK_MS);
  return {
    publishFact: (memberId, fact) => void io.to(memberRoom(memberId)).emit("fact", fact),
    count: () => io.engine.clientsCount,
    recheck: () => recheck(io, options),
    async stop() {
      clearInterval(rechecking);
      for (const stop of unsubscribes) stop();
      fanOut.stop();
      await io.close();
    },
  };
}
