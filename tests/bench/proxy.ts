/** A TCP proxy between page and server that can go silent or close its connections, to simulate network faults. */
import { createServer, connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";

export interface NetworkProxy {
  origin: string;
  /** Blocks all data without closing connections. @returns the time in epoch milliseconds */
  silence(): number;
  /** Closes all connections and refuses new ones. */
  cut(): void;
  /** Accepts connections again. @returns the time in epoch milliseconds */
  restore(): number;
  /** Resolves to the time of the next accepted connection, of the socket or of its polling fallback. */
  reconnected(): Promise<number>;
  close(): void;
}

/** Opens a proxy to a local port. */
export async function openProxy(toPort: number): Promise<NetworkProxy> {
  const open = new Set<Socket>();
  let down = false;
  let resolveReconnected: ((at: number) => void) | null = null;
  const server = createServer((client) => {
    if (down) return void client.destroy();
    const upstream = connect(toPort, "127.0.0.1");
    for (const one of [client, upstream]) {
      open.add(one);
      one.on("error", () => one.destroy());
      one.on("close", () => open.delete(one));
    }
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
    resolveReconnected?.(Date.now());
    resolveReconnected = null;
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const cut = (): void => {
    down = true;
    for (const one of open) one.destroy();
  };
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    silence() {
      for (const one of open) one.unpipe().pause();
      return Date.now();
    },
    cut,
    restore() {
      down = false;
      return Date.now();
    },
    reconnected: () => new Promise((resolve) => (resolveReconnected = resolve)),
    close() {
      cut();
      server.close();
    },
  };
}
