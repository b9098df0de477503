/** Keeps one caller's connections from making everybody wait: one request at a time on each, and so many of one address. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { addressKey } from "#server/kernel/address-key.ts";
import type { AddressOf } from "./address.ts";

/** Requests of one connection within one turn of the event loop; a client that waits for answers has one or two. */
const MOST_IN_A_TURN = 4;

/** Counts what each connection asks in the present turn. */
function turnCounter(): (socket: Socket) => number {
  const counts = new Map<Socket, number>();
  return (socket) => {
    if (counts.size === 0) setImmediate(() => counts.clear());
    const count = (counts.get(socket) ?? 0) + 1;
    counts.set(socket, count);
    return count;
  };
}

/**
 * Cut a connection that sends a request before the one before it was answered. Browsers and proxies never do; one packet of hundreds
 * is worked on in one go, and a few such connections leave no time for anybody else. Call it when all others listen already.
 */
export function refusePipelining(server: Server): void {
  const listeners = server.listeners("request");
  const answering = new WeakSet<Socket>();
  const inTurn = turnCounter();
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // The rest of a packet whose connection was cut.
    if (socket.destroyed) return;
    // Answers that need no waiting are given before the next request of the packet is looked at.
    if (answering.has(socket) || inTurn(socket) > MOST_IN_A_TURN) {
      socket.destroy();
      return;
    }
    answering.add(socket);
    for (const end of ["finish", "close"]) response.once(end, () => answering.delete(socket));
    for (const listener of listeners) listener.call(server, request, response);
  });
}

/** An address for documents: nobody calls from it. */
const NOBODY = "192.0.2.1";

/** Close connections of an address that has `most` open. Those of a trusted proxy are many callers' and not counted: the proxy counts. */
export function capConnections(server: Server, most: number, addressOf: AddressOf, refused: (address: string) => void): void {
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    if (addressOf({ headers: { "x-forwarded-for": NOBODY }, socket }) === NOBODY) return;
    const address = addressOf({ headers: {}, socket });
    const key = addressKey(address);
    const count = open.get(key) ?? 0;
    if (count >= most) {
      refused(address);
      socket.destroy();
      return;
    }
    open.set(key, count + 1);
    socket.once("close", () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    });
  });
}
