/** The socket to the broker: reconnects automatically, forwards server events, and sends views with acknowledgement. */
import { io } from "socket.io-client";
import type { Socket } from "socket.io-client";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import type { ClientEvents, ServerEvents, View, ViewSnapshot } from "#contract/kernel/push.ts";
import type { SessionEnd } from "#contract/restriction.ts";
import type { Credentials } from "#workers/protocol.ts";
import { ACK_TIMEOUT_MS } from "./subscription.ts";

/** Receives socket events. */
export interface TransportListener extends ServerEvents {
  opened(): void;
  /** The socket closed or could not be opened; it reconnects automatically. */
  closed(): void;
  /** A packet arrived, with its size in bytes. */
  received(bytes: number): void;
}

export interface Connection {
  /** Sends the view. Rejects when no snapshot arrives. */
  view(view: View): Promise<ViewSnapshot>;
  /** Reconnects now instead of at the next scheduled attempt; an open socket is closed first. */
  reopen(): void;
  close(): void;
}

/** Opens a connection; tests substitute their own. */
export type OpenConnection = (credentials: () => Credentials, listener: TransportListener) => Connection;

/** The server's error messages in a refused handshake when the session is over. */
const SESSION_OVER: readonly string[] = ["ACC_SESSION_EXPIRED", "ACC_LOGIN_BANNED", "ACC_BANNED", "ACC_DISABLED"] satisfies SessionEnd[];
const isOver = (message: string): message is SessionEnd => SESSION_OVER.includes(message);

/** Opens the socket. `credentials` is called at every handshake, so that a renewed session is used. */
export const openSocket: OpenConnection = (credentials, listener) => {
  const socket: Socket<ServerEvents, ClientEvents> = io(credentials().origin, {
    path: SOCKET_PATH,
    auth: (give) => give({ token: credentials().token, account: credentials().account }),
    transports: ["websocket", "polling"],
    tryAllTransports: true,
    // A socket that fell back to polling stays there; the build leaves the change out (`tools/lean.mjs`).
    upgrade: false,
    forceNew: true,
    reconnectionDelay: 250,
    reconnectionDelayMax: 2_000,
    timeout: 5_000,
  });
  // Each transport is a new engine with its own packets; they are text, nearly all ASCII, so length approximates bytes.
  socket.io.on("open", () => {
    socket.io.engine.on("packet", ({ data }: { data?: unknown }) => listener.received(typeof data === "string" ? data.length + 1 : 1));
  });
  socket.on("connect", () => listener.opened());
  socket.on("disconnect", (reason) => {
    listener.closed();
    // socket.io does not reconnect automatically after a disconnect by the server.
    if (reason === "io server disconnect") setTimeout(() => socket.connect(), 500);
  });
  socket.on("connect_error", (error) => {
    if (isOver(error.message)) listener.expired(error.message);
    else listener.closed();
    // Nor does it retry a handshake the server refused.
    if (!socket.active && !isOver(error.message)) setTimeout(() => socket.connect(), 1_000);
  });
  socket.on("quotes", (batch) => listener.quotes(batch));
  socket.on("ranks", (ranks) => listener.ranks(ranks));
  socket.on("channel", (channel, payload) => listener.channel(channel, payload));
  socket.on("phase", (phase, endsAt) => listener.phase(phase, endsAt));
  socket.on("universe", (universe) => listener.universe(universe));
  socket.on("fact", (fact) => listener.fact(fact));
  socket.on("expired", (why) => listener.expired(why));
  let closed = false;
  return {
    async view(view) {
      const answer = await socket.timeout(ACK_TIMEOUT_MS).emitWithAck("view", view);
      if ("refused" in answer) throw new Error(answer.refused);
      return answer;
    },
    reopen() {
      if (closed) return;
      socket.disconnect().connect();
    },
    close() {
      closed = true;
      socket.off();
      socket.io.off("open");
      socket.disconnect();
    },
  };
};
