/** The socket to the broker, kept open: what it says is handed on, what it is told is acknowledged or fails. */
import { io } from "socket.io-client";
import type { Socket } from "socket.io-client";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import type { ClientEvents, ServerEvents, View, ViewSnapshot } from "#contract/kernel/push.ts";
import type { Credentials } from "./http-client.ts";
import { ACK_TIMEOUT_MS } from "./subscription.ts";

/** Who listens to the socket. */
export interface TransportListener extends ServerEvents {
  opened(): void;
  /** The socket went, or could not be opened; it is being opened again by itself. */
  closed(): void;
  /** A packet came, so many bytes long. */
  received(bytes: number): void;
}

export interface Line {
  /** Tell the server what is shown. Rejects when no snapshot comes. */
  view(view: View): Promise<ViewSnapshot>;
  /** Open it now instead of when the next try is due; an open one is closed first. */
  reopen(): void;
  close(): void;
}

/** Opens a line; tests put their own in its place. */
export type OpenLine = (credentials: () => Credentials, hearer: TransportListener) => Line;

/** The server's word in a refused handshake for a session that is over. */
const SESSION_OVER = "ACC_SESSION_EXPIRED";

/** Open the socket. `credentials` is asked at every handshake, so that a renewed session is used. */
export const openSocket: OpenLine = (credentials, hearer) => {
  const socket: Socket<ServerEvents, ClientEvents> = io(credentials().origin, {
    path: SOCKET_PATH,
    auth: (give) => give({ token: credentials().token, account: credentials().account }),
    transports: ["websocket", "polling"],
    tryAllTransports: true,
    forceNew: true,
    reconnectionDelay: 250,
    reconnectionDelayMax: 2_000,
    timeout: 5_000,
  });
  // Each way of transport is a new engine with packets of its own; they are text, and nearly all of it plain.
  socket.io.on("open", () => {
    socket.io.engine.on("packet", ({ data }: { data?: unknown }) => hearer.received(typeof data === "string" ? data.length + 1 : 1));
  });
  socket.on("connect", () => hearer.opened());
  socket.on("disconnect", (reason) => {
    hearer.closed();
    // The server hung up: unlike a broken line, that is not tried again by itself.
    if (reason === "io server disconnect") setTimeout(() => socket.connect(), 500);
  });
  socket.on("connect_error", (error) => {
    if (error.message === SESSION_OVER) hearer.expired();
    else hearer.closed();
    // A handshake the server refused is not tried again by itself either.
    if (!socket.active && error.message !== SESSION_OVER) setTimeout(() => socket.connect(), 1_000);
  });
  socket.on("quotes", (batch) => hearer.quotes(batch));
  socket.on("ranks", (ranks) => hearer.ranks(ranks));
  socket.on("depth", (depth) => hearer.depth(depth));
  socket.on("tape", (row, trades) => hearer.tape(row, trades));
  socket.on("index", (index) => hearer.index(index));
  socket.on("heat", (heat) => hearer.heat(heat));
  socket.on("phase", (phase, endsAt) => hearer.phase(phase, endsAt));
  socket.on("universe", (universe) => hearer.universe(universe));
  socket.on("fact", (fact) => hearer.fact(fact));
  socket.on("expired", () => hearer.expired());
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
