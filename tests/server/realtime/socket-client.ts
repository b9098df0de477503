/** Test fixtures: a socket server on a stub venue, and clients that record everything they receive. */
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { io } from "socket.io-client";
import type { Socket } from "socket.io-client";
import type { Channel, ChannelPayload } from "#contract/channel.ts";
import type { Account } from "#contract/kernel/id.ts";
import { WebSocket } from "ws";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import type { SessionEnd } from "#contract/restriction.ts";
import type { ClientEvents, QuoteBatch, ServerEvents, View, ViewSnapshot } from "#contract/kernel/push.ts";
import { QUOTE_STRIDE, quoteAt } from "#contract/quote.ts";
import type { Quote } from "#contract/quote.ts";
import type { Caller } from "#server/api/handler.ts";
import { addressFinder } from "#server/api/http/address.ts";
import type { TrustProxy } from "#server/api/http/address.ts";
import { LIMITS } from "#server/kernel/limits.ts";
import type { Limits } from "#server/kernel/limits.ts";
import { createSocket } from "#server/realtime/socket-server.ts";
import type { SocketServer } from "#server/realtime/socket-server.ts";
import { stubVenue } from "#tests/support/stub-venue.ts";
import type { StubVenue } from "#tests/support/stub-venue.ts";

type ClientSocket = Socket<ServerEvents, ClientEvents>;

/** A connected client and everything it received. */
export interface Listener {
  socket: ClientSocket;
  batches: QuoteBatch[];
  received: { event: string; args: unknown[]; at: number }[];
  show(view: Partial<View>): Promise<ViewSnapshot>;
  /** Sends anything as a view. */
  sendView(view: unknown): Promise<unknown>;
}

export interface TestSocketServer {
  server: Server;
  venue: StubVenue;
  socketServer: SocketServer;
  port: number;
  /** Number of token lookups. */
  lookups(): number;
  /** Revokes the session of a token, as the session store would. */
  end(token: string): void;
  connect(auth?: Record<string, unknown>, transports?: string[]): Promise<Listener>;
  close(): Promise<void>;
}

/** The quotes of a batch. */
export function quotesIn(batch: QuoteBatch): Quote[] {
  return Array.from({ length: (batch.length - 2) / QUOTE_STRIDE }, (_, at) => quoteAt(batch, 2 + at * QUOTE_STRIDE));
}

/** The payloads of a channel that were pushed. */
export function pushes<Name extends Channel>({ received }: Listener, channel: Name): ChannelPayload<Name>[] {
  return received.flatMap(({ event, args: [name, payload] }) =>
    event === "channel" && name === channel ? [payload as ChannelPayload<Name>] : [],
  );
}

function listen(socket: ClientSocket): Listener {
  const batches: QuoteBatch[] = [];
  const received: Listener["received"] = [];
  socket.on("quotes", (batch) => void batches.push(batch));
  socket.onAny((event: string, ...args: unknown[]) => void received.push({ event, args, at: Date.now() }));
  const sendView = (view: unknown): Promise<unknown> => socket.timeout(2_000).emitWithAck("view", view as View);
  return {
    socket,
    batches,
    received,
    sendView,
    show: async (view) =>
      (await sendView({
        rows: [],
        ranks: [],
        channels: {},
        beatMs: 100,
        all: false,
        ...view,
      })) as ViewSnapshot,
  };
}

/** Opens a socket server. The token `member-<n>` with account `<n>` is accepted as member n. */
export async function openSocketServer(size = 100, limits: Partial<Limits> = {}, trust: TrustProxy = 0): Promise<TestSocketServer> {
  const venue = stubVenue(size);
  const server = createServer();
  const revoked = new Set<string>();
  const endListeners = new Set<(hash: string, why: SessionEnd) => void>();
  /** Tokens that opened a session, as the session store keeps them in memory. */
  const seen = new Set<string>();
  let lookups = 0;
  const find = async (token: string, account: string): Promise<Caller | null> => {
    lookups += 1;
    if (token !== `member-${account}` || revoked.has(token)) return null;
    seen.add(token);
    return { memberId: Number(account), account: account as Account, sessionHash: token };
  };
  const socketServer = createSocket({
    server,
    venue,
    log: pino({ level: "silent" }),
    limits: { ...LIMITS, ...limits },
    addressOf: addressFinder(trust),
    sessions: {
      find,
      holds: (token) => seen.has(token) && !revoked.has(token),
      whyEnded: async () => "ACC_SESSION_EXPIRED",
      alive: async ({ sessionHash }) => !revoked.has(sessionHash),
      onEnd: (listener) => {
        endListeners.add(listener);
        return () => void endListeners.delete(listener);
      },
    },
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const sockets: ClientSocket[] = [];
  return {
    server,
    venue,
    socketServer,
    port,
    lookups: () => lookups,
    end(token) {
      revoked.add(token);
      for (const listener of endListeners) listener(token, "ACC_SESSION_EXPIRED");
    },
    connect(auth = { token: "member-1", account: "1" }, transports = ["websocket"]) {
      const socket: ClientSocket = io(`http://127.0.0.1:${port}`, {
        path: SOCKET_PATH,
        transports,
        auth,
        reconnection: false,
        forceNew: true,
      });
      sockets.push(socket);
      const listener = listen(socket);
      return new Promise((done, fail) => {
        socket.on("connect", () => done(listener));
        socket.on("connect_error", fail);
      });
    },
    async close() {
      for (const socket of sockets) socket.disconnect();
      await socketServer.stop();
    },
  };
}

/** A raw WebSocket that watches every row at 100 ms and can stop reading, like a phone without reception. */
export async function slowClient(port: number): Promise<{ batches: QuoteBatch[]; pause(): void; resume(): void }> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${SOCKET_PATH}/?EIO=4&transport=websocket`);
  const batches: QuoteBatch[] = [];
  const view: View = { rows: [], ranks: [], channels: {}, beatMs: 100, all: true };
  return new Promise((done) => {
    socket.on("message", (data: Buffer) => {
      const text = data.toString();
      if (text.startsWith("0{")) socket.send(`40${JSON.stringify({ token: "member-1", account: "1" })}`);
      else if (text.startsWith("40{")) socket.send(`420${JSON.stringify(["view", view])}`);
      else if (text.startsWith("430")) done({ batches, pause: () => socket.pause(), resume: () => socket.resume() });
      else if (text.startsWith('42["quotes"')) batches.push(JSON.parse(text.slice(2))[1] as QuoteBatch);
    });
  });
}
