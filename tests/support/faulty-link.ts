/** A TCP proxy whose network fails as real ones do: cut, slow, or holding everything back, which arrives late once it is healed. */
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { occurs } from "./server-log.ts";
import type { ExplainedFault } from "./server-log.ts";

export interface FaultyLink {
  port: number;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  /** Lets nothing through, not even that a side has closed; nothing is lost: what was held back arrives with `heal`. */
  hold(): void;
  /** Everything arrives so much later, in its order. */
  delay(ms: number): void;
  heal(): void;
  /** Leads to another port from now on; connections break. */
  lead(port: number): void;
  close(): Promise<void>;
}

/** What goes one way on a connection; null for its end. */
class Way {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #link: { isHeld: boolean; delayMs: number };
  readonly #waiting: { chunk: Buffer | null; due: number }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(from: Socket, to: Socket, link: { isHeld: boolean; delayMs: number }) {
    this.#from = from;
    this.#to = to;
    this.#link = link;
    from.setNoDelay(true);
    from.on("error", () => undefined);
    from.on("data", (chunk) => this.#take(chunk));
    from.on("close", () => this.#take(null));
  }

  #take(chunk: Buffer | null): void {
    this.#waiting.push({ chunk, due: performance.now() + this.#link.delayMs });
    this.pass();
  }

  /** Passes on what is due. */
  pass(): void {
    clearTimeout(this.#timer);
    if (this.#link.isHeld) return;
    for (let [next] = this.#waiting; next; [next] = this.#waiting) {
      const inMs = next.due - performance.now();
      if (inMs > 0) {
        this.#timer = setTimeout(() => this.pass(), inMs);
        return;
      }
      this.#waiting.shift();
      if (next.chunk) this.#to.write(next.chunk);
      else this.#to.destroySoon();
    }
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#waiting.length = 0;
    this.#from.destroy();
  }
}

/** Opens a link to a port of this machine, whose failures are this fault. */
export async function openFaultyLink(target: number, fault: ExplainedFault): Promise<FaultyLink> {
  const state = { isHeld: false, delayMs: 0 };
  let [to, isCut] = [target, false];
  const ways = new Set<Way>();
  const breakAll = (): void => {
    for (const way of ways) way.destroy();
    ways.clear();
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (isCut) return void client.destroy();
    const upstream = connect({ port: to, host: "127.0.0.1", allowHalfOpen: true });
    const both = [new Way(client, upstream, state), new Way(upstream, client, state)];
    for (const way of both) ways.add(way);
    for (const socket of [client, upstream]) {
      socket.on("end", () => socket.destroySoon());
      socket.on("close", () => {
        if (client.closed && upstream.closed) for (const way of both) ways.delete(way);
      });
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      occurs(fault);
      isCut = true;
      breakAll();
    },
    hold() {
      occurs(fault);
      state.isHeld = true;
    },
    delay(ms) {
      occurs(fault);
      state.delayMs = ms;
    },
    heal() {
      Object.assign(state, { isHeld: false, delayMs: 0 });
      isCut = false;
      for (const way of ways) way.pass();
    },
    lead(port) {
      occurs(fault);
      to = port;
      breakAll();
    },
    async close() {
      breakAll();
      await new Promise((closed) => server.close(closed));
    },
  };
}
