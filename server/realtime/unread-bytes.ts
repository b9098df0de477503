/** Cuts a connection that does not read what it is sent, before what waits for it eats the memory, and one that floods us. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server, Socket } from "socket.io";
import { perSecond } from "./per-second.ts";

/** A connection below socket.io: either transport, before and after it has said who it is. */
export type Connection = Socket["conn"];

/** What one connection may hold and say. */
export interface Bounds {
  unsentBytes: number;
  packetsPerSecond: number;
}

/** The web socket below a connection, as far as it has one. */
interface Wire {
  bufferedAmount: number;
  terminate(): void;
}

const isWire = (value: unknown): value is Wire =>
  typeof value === "object" && value !== null && "terminate" in value && typeof value.terminate === "function";

function wireOf({ transport }: Connection): Wire | null {
  const wire: unknown = "socket" in transport ? transport.socket : null;
  return isWire(wire) ? wire : null;
}

/** Cuts whom it must; what an answer to a poll still holds goes with its connection. */
class Readers {
  readonly #limits: Bounds;
  readonly #onCut: (connection: Connection) => void;
  readonly #connections = new Map<string, Connection>();
  readonly #answers = new Map<string, ServerResponse>();

  constructor(limits: Bounds, onCut: (connection: Connection) => void) {
    this.#limits = limits;
    this.#onCut = onCut;
  }

  /** Watch what is written to a connection and what it says. */
  watch(connection: Connection): void {
    const { sid: id } = connection.transport;
    this.#connections.set(id, connection);
    connection.once("close", () => this.#connections.delete(id));
    let queued = 0;
    connection.on("packetCreate", ({ data }: { data?: unknown }) => {
      queued += typeof data === "string" ? data.length : 1;
      // Not within the write that was one too many: whoever writes goes through a list that a cut changes.
      if (queued + (wireOf(connection)?.bufferedAmount ?? 0) > this.#limits.unsentBytes) queueMicrotask(() => this.cut(id));
    });
    connection.on("flush", () => (queued = 0));
    const mayTalk = perSecond(this.#limits.packetsPerSecond);
    connection.on("packet", () => mayTalk(1) || queueMicrotask(() => this.cut(id)));
  }

  /**
   * Polling has no buffer that could be looked into: what was answered lies in the connection of the poll that asked. An honest client
   * asks again when it has read the answer, so one that asks before the last answer has left for the network does not read.
   */
  poll(sid: string, request: IncomingMessage, response: ServerResponse): boolean {
    if (unread(this.#answers.get(sid))) {
      this.cut(sid);
      request.destroy();
      return false;
    }
    this.#answers.set(sid, response);
    response.once("close", () => {
      if (this.#answers.get(sid) === response) this.#answers.delete(sid);
    });
    return true;
  }

  /** End a connection without waiting until its reader has taken anything more. */
  cut(id: string): void {
    const connection = this.#connections.get(id);
    if (!connection) return;
    this.#onCut(connection);
    const wire = wireOf(connection);
    const answer = this.#answers.get(id);
    connection.close(true);
    wire?.terminate();
    if (unread(answer)) answer?.destroy();
  }
}

const unread = (answer: ServerResponse | undefined): boolean => answer !== undefined && answer.writableEnded && !answer.writableFinished;

/** Bound what waits for every connection's reader, and how much each may say. `onCut` hears of every one that is cut. */
export function boundReaders(io: Server, limits: Bounds, onCut: (connection: Connection) => void): void {
  const readers = new Readers(limits, onCut);
  io.engine.on("connection", (connection: Connection) => readers.watch(connection));
  io.engine.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const sid = new URLSearchParams(request.url?.split("?")[1]).get("sid");
    const polls = sid !== null && request.method === "GET" && request.headers.upgrade === undefined;
    if (!polls || readers.poll(sid, request, response)) next();
  });
}
