/** A client's socket that is opened again wherever it breaks, as the app does it: it keeps what every connection brought, and asks for what it missed. */
import { io } from "socket.io-client";
import type { Socket } from "socket.io-client";
import { setTimeout as wait } from "node:timers/promises";
import type { ClientEvents, ServerEvents } from "#contract/kernel/push.ts";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import type { ClusterServer } from "./cluster.ts";
import type { Headers } from "./server.ts";

const AGAIN_MS = 100;

export class FactWatch {
  readonly server: ClusterServer;
  readonly #headers: Headers;
  /** The numbers that each connection brought. */
  readonly connections: number[][] = [];
  /** The numbers that the client knows. */
  readonly known = new Set<number>();
  /** Batches of quotes. */
  batches = 0;
  #socket: Socket<ServerEvents, ClientEvents> | null = null;
  #isOver = false;

  constructor(server: ClusterServer, headers: Headers) {
    this.server = server;
    this.#headers = headers;
    this.#open();
  }

  get isConnected(): boolean {
    return this.#socket?.connected === true;
  }

  /** Opens the socket; the facts of one connection are those that came through it. */
  #open(): void {
    if (this.#isOver) return;
    const own: number[] = [];
    const socket: Socket<ServerEvents, ClientEvents> = io(this.server.url, {
      path: SOCKET_PATH,
      transports: ["websocket"],
      auth: this.#headers,
      reconnection: false,
      forceNew: true,
    });
    this.#socket = socket;
    socket.on("fact", ({ n }) => {
      own.push(n);
      this.known.add(n);
    });
    socket.on("quotes", () => (this.batches += 1));
    socket.on("connect", () => {
      this.connections.push(own);
      socket.emit("view", { rows: [], ranks: [], channels: {}, beatMs: 250, all: true }, () => undefined);
      void this.#readMissed(socket);
    });
    const again = (): void => {
      socket.close();
      void wait(AGAIN_MS).then(() => this.#open());
    };
    socket.on("connect_error", again);
    socket.on("disconnect", again);
  }

  /** Reads what it does not know yet; what comes from now on comes through the socket. */
  async #readMissed(socket: Socket<ServerEvents, ClientEvents>): Promise<void> {
    for (let after = 0; socket.connected;) {
      const reply = await this.server.ask("factsSince", { after }, this.#headers);
      if (reply?.status !== 1) {
        await wait(AGAIN_MS);
        continue;
      }
      for (const { n } of reply.data.facts) this.known.add(n);
      after = reply.data.facts.at(-1)?.n ?? after;
      if (reply.data.facts.length === 0) return;
    }
  }

  /** The connections that missed a fact, or brought one twice or out of order. */
  broken(): number[][] {
    return this.connections.filter((own) => own.some((n, nth) => nth > 0 && n !== (own[nth - 1] ?? 0) + 1));
  }

  close(): void {
    this.#isOver = true;
    this.#socket?.close();
  }
}
