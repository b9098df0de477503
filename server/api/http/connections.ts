/** Limits each client's connections: one request at a time per connection, and a maximum number of connections per address. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { addressKey } from "#server/kernel/address-key.ts";
import { AddressCount } from "#server/kernel/address-limit.ts";
import type { AddressOf } from "./address.ts";

/** Maximum requests of one connection per turn of the event loop; a client that waits for replies sends one or two. */
const MAX_REQUESTS_PER_TURN = 4;

/** Counts the requests of each connection in the current turn. */
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
 * Closes a connection that sends a request before the previous one was answered. Browsers and proxies never pipeline, but one packet with
 * hundreds of requests would block everybody else. Call it after all other listeners are registered.
 */
export function refusePipelining(server: Server): void {
  const listeners = server.listeners("request");
  const answering = new WeakSet<Socket>();
  const countInTurn = turnCounter();
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // The rest of a packet whose connection was closed.
    if (socket.destroyed) return;
    // Synchronous replies finish before the next request of a packet is parsed, so the requests per turn are counted too.
    if (answering.has(socket) || countInTurn(socket) > MAX_REQUESTS_PER_TURN) {
      socket.destroy();
      return;
    }
    answering.add(socket);
    for (const end of ["finish", "close"]) response.once(end, () => answering.delete(socket));
    for (const listener of listeners) listener.call(server, request, response);
  });
}

/** A documentation address (RFC 5737), which no client has. */
const UNUSED_ADDRESS = "192.0.2.1";

/** How the connections of an address are counted, and what is called when one is refused. */
export interface ConnectionCap {
  addressOf: AddressOf;
  /** Whether a request shows that its connection is not to count: it is another server's, and carries many clients. */
  isForwarded?: ((request: IncomingMessage) => boolean) | undefined;
  refused: (address: string) => void;
}

/**
 * Refuses connections from an address that already has `most` open. Connections of a trusted proxy are exempt: they carry many clients, and
 * the proxy has its own limits. So are a follower's, from their first request on.
 */
export function capConnections(server: Server, most: number, { addressOf, isForwarded, refused }: ConnectionCap): void {
  const open = new AddressCount(most);
  const counted = new WeakMap<Socket, string>();
  const release = (socket: Socket): void => {
    const key = counted.get(socket);
    if (key !== undefined) open.add(key, -1);
    counted.delete(socket);
  };
  server.on("connection", (socket: Socket) => {
    if (addressOf({ headers: { "x-forwarded-for": UNUSED_ADDRESS }, socket }) === UNUSED_ADDRESS) return;
    const address = addressOf({ headers: {}, socket });
    const key = addressKey(address);
    if (!open.hasRoom(key)) {
      refused(address);
      socket.destroy();
      return;
    }
    open.add(key, 1);
    counted.set(socket, key);
    socket.once("close", () => release(socket));
  });
  if (isForwarded) server.on("request", (request: IncomingMessage) => isForwarded(request) && release(request.socket));
}
