/** Limits open sockets: per address before authentication, then per session and per member. */
import type { Server, Socket } from "socket.io";
import { addressKey } from "#server/kernel/address-key.ts";
import { AddressCount, AddressRate } from "#server/kernel/address-limit.ts";
import type { Caller } from "#server/api/handler.ts";
import type { AddressOf } from "#server/api/http/address.ts";
import type { Limits, Rate } from "#server/kernel/limits.ts";
import type { Connection } from "./unread-bytes.ts";

type Caps = Pick<Limits, "socketsPerSession" | "socketsPerMember" | "socketsPerAddress">;

/** Counts per key; keys with a count of zero are dropped. */
class Counter {
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

/** Refuses connections above the limit per address; `onRefused` is called for each. */
export function capAddresses(io: Server, most: number, addressOf: AddressOf, onRefused: (address: string) => void): void {
  const open = new AddressCount(most);
  const mayOpen = (address: string): boolean => {
    const may = open.hasRoom(addressKey(address));
    if (!may) onRefused(address);
    return may;
  };
  io.engine.opts.allowRequest = (request, answer) => answer(null, mayOpen(addressOf(request)));
  io.engine.on("connection", (connection: Connection) => {
    const address = addressOf(connection.request);
    // Checked again: of many simultaneous requests, all were allowed before the first connection was counted.
    if (!mayOpen(address)) {
      queueMicrotask(() => connection.close(true));
      return;
    }
    const key = addressKey(address);
    open.add(key, 1);
    connection.once("close", () => open.add(key, -1));
  });
}

/** Counts sockets per session and member. @returns a function that takes a place until the socket disconnects; false when none is free */
export function capCallers({ socketsPerSession, socketsPerMember }: Caps): (socket: Socket, caller: Caller) => boolean {
  const open = new Counter();
  return (socket, caller) => {
    const places = [{ key: `session ${caller.sessionHash}`, most: socketsPerSession }];
    // Visitors of the shared demo member are limited per session only.
    if (!caller.shared) places.push({ key: `member ${caller.memberId}`, most: socketsPerMember });
    if (socket.conn.readyState !== "open" || places.some(({ key, most }) => open.of(key) >= most)) return false;
    for (const { key } of places) open.add(key, 1);
    // On the connection, not the socket: a socket refused later, or gone before it is welcomed, never emits `disconnect`.
    socket.conn.once("close", () => {
      for (const { key } of places) open.add(key, -1);
    });
    return true;
  };
}

/** Whether a handshake may look up its token. */
export interface HandshakeLimit {
  may(connection: Connection, address: string, known: boolean): Promise<boolean>;
  /** The token opened no session. */
  refused(address: string): Promise<void>;
}

/**
 * A token costs a query before its owner is known. A client sends one token per connection, so a second one closes the connection;
 * otherwise every packet would cost a query. An address whose tokens repeatedly open no session is not looked up for a while.
 */
export function limitHandshakes(rate: Rate): HandshakeLimit {
  const unknownTokens = new AddressRate(rate);
  const asked = new WeakSet<Connection>();
  return {
    async may(connection, address, known) {
      if (asked.has(connection)) {
        connection.close(true);
        return false;
      }
      asked.add(connection);
      if (known) return true;
      return !(await unknownTokens.spent(addressKey(address)));
    },
    async refused(address) {
      await unknownTokens.penalty(addressKey(address));
    },
  };
}
