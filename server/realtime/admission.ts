/** How many sockets are open: of an address before anybody has said who they are, then of a session and of a member. */
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Server, Socket } from "socket.io";
import { addressKey } from "#server/kernel/address-key.ts";
import type { Caller } from "#server/api/handler.ts";
import type { AddressOf } from "#server/api/http/address.ts";
import type { Limits, Rate } from "#server/kernel/limits.ts";
import type { Connection } from "./unread-bytes.ts";

type Caps = Pick<Limits, "socketsPerSession" | "socketsPerMember" | "socketsPerAddress">;

/** How many there are of each key; a key nobody holds costs nothing. */
class Tally {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, change: 1 | -1): void {
    const count = this.of(key) + change;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

/** Refuse connections of an address that has too many. `refused` hears of each. */
export function capAddresses(io: Server, most: number, addressOf: AddressOf, refused: (address: string) => void): void {
  const open = new Tally();
  const mayOpen = (address: string): boolean => {
    const may = open.of(addressKey(address)) < most;
    if (!may) refused(address);
    return may;
  };
  io.engine.opts.allowRequest = (request, answer) => answer(null, mayOpen(addressOf(request)));
  io.engine.on("connection", (connection: Connection) => {
    const address = addressOf(connection.request);
    // Asked again: of many that come at once, all were allowed before the first was open.
    if (!mayOpen(address)) {
      queueMicrotask(() => connection.close(true));
      return;
    }
    const key = addressKey(address);
    open.add(key, 1);
    connection.once("close", () => open.add(key, -1));
  });
}

/** Counts the sockets of sessions and members. @returns takes a place for a socket until it disconnects; false when there is none */
export function capCallers({ socketsPerSession, socketsPerMember }: Caps): (socket: Socket, caller: Caller) => boolean {
  const open = new Tally();
  return (socket, caller) => {
    const places = [{ key: `session ${caller.sessionHash}`, most: socketsPerSession }];
    // Visitors of the shared demo member are not one person: each has a session.
    if (!caller.shared) places.push({ key: `member ${caller.memberId}`, most: socketsPerMember });
    if (socket.conn.readyState !== "open" || places.some(({ key, most }) => open.of(key) >= most)) return false;
    for (const { key } of places) open.add(key, 1);
    // The connection and not the socket: one that is refused after this, or leaves before it is welcomed, never disconnects.
    socket.conn.once("close", () => {
      for (const { key } of places) open.add(key, -1);
    });
    return true;
  };
}

/** Whether a handshake may look up its token. */
export interface HandshakeLimit {
  may(connection: Connection, address: string): Promise<boolean>;
  /** The token opened no session. */
  refused(address: string): Promise<void>;
}

/**
 * A token costs a query before anybody knows whose it is. A client sends one on a connection, so a second one closes it: each packet
 * would be a query else. And an address whose tokens open nothing again and again is not looked up any more for a while.
 */
export function limitHandshakes({ points, seconds }: Rate): HandshakeLimit {
  const strangers = new RateLimiterMemory({ points, duration: seconds });
  const asked = new WeakSet<Connection>();
  return {
    async may(connection, address) {
      if (asked.has(connection)) {
        connection.close(true);
        return false;
      }
      asked.add(connection);
      const known = await strangers.get(addressKey(address));
      return known === null || known.remainingPoints > 0;
    },
    async refused(address) {
      await strangers.penalty(addressKey(address));
    },
  };
}
