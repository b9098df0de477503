/** Disconnects clients that do not read, before their unsent data fills the memory, and clients that flood the server. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server, Socket } from "socket.io";
import { perSecond } from "./per-second.ts";

/** An engine.io connection of either transport, authenticated or not. */
export type Connection = Socket["conn"];

/** Limits of one connection. */
export interface Bounds {
  unsentBytes: number;
  packetsPerSecond: number;
}

/** The WebSocket of a connection, if it has one. */
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

/** Tracks connections and poll responses, and disconnects those that exceed the limits. */
class ReaderLimits {
  readonly #limits: Bounds;
  readonly #onCut: (connection: Connection) => void;
  readonly #connections = new Map<string, Connection>();
  readonly #answers = new Map<string, ServerResponse>();

  constructor(limits: Bounds, onCut: (connection: Connection) => void) {
    this.#limits = limits;
    this.#onCut = onCut;
  }

  /** Starts limiting a connection's unsent bytes and incoming packets. */
  watch(connection: Connection): void {
    const { sid: id } = connection.transport;
    this.#connections.set(id, connection);
    connection.once("close", () => this.#connections.delete(id));
    let queued = 0;
    connection.on("packetCreate", ({ data }: { data?: unknown }) => {
      queued += typeof data === "string" ? data.length : 1;
      // Deferred: the writer is iterating over a list that disconnecting would change.
      if (queued + (wireOf(connection)?.bufferedAmount ?? 0) > this.#limits.unsentBytes) queueMicrotask(() => this.cut(id));
    });
    connection.on("flush", () => (queued = 0));
    const mayTalk = perSecond(this.#limits.packetsPerSecond);
    connection.on("packet", () => mayTalk(1) || queueMicrotask(() => this.cut(id)));
  }

  /**
   * Polling has no inspectable buffer: the data is in the poll's HTTP response. A normal client polls again after it has read the
   * response, so a poll that arrives before the last response was flushed comes from a client that does not read.
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

  /** Disconnects at once, without flushing. */
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

/** Installs the limits on every connection. `onCut` is called for each one that is disconnected. */
export function boundReaders(io: Server, limits: Bounds, onCut: (connection: Connection) => void): void {
  const readers = new ReaderLimits(limits, onCut);
  io.engine.on("connection", (connection: Connection) => readers.watch(connection));
  io.engine.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const sid = new URLSearchParams(request.url?.split("?")[1]).get("sid");
    const polls = sid !== null && request.method === "GET" && request.headers.upgrade === undefined;
    if (!polls || readers.poll(sid, request, response)) next();
  });
}
