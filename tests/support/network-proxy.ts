/** A TCP proxy between browser and server that a test can silence, cut and restore. */
import { createServer, connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";

export interface NetworkProxy {
  /** Origin of the proxy. */
  url: string;
  /** Blocks all data on open and new connections without closing them, like a radio dead zone. */
  silence(): void;
  /** Closes all connections and refuses new ones. */
  cut(): void;
  /** Accepts new connections again; silenced connections are closed. */
  restore(): void;
  close(): Promise<void>;
}

/** Opens a proxy to a port, of this machine if no other is named. */
export async function openNetworkProxy(port: number, host = "127.0.0.1"): Promise<NetworkProxy> {
  const sockets = new Set<Socket>();
  let open = true;
  let silent = false;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  };
  const server = createServer((client) => {
    if (!open) {
      client.destroy();
      return;
    }
    track(client);
    if (silent) return;
    const upstream = connect(port, host);
    track(upstream);
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
    client.pipe(upstream);
    upstream.pipe(client);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    silence() {
      silent = true;
      for (const socket of sockets) socket.pause().unpipe();
    },
    cut() {
      open = false;
      for (const socket of sockets) socket.destroy();
    },
    restore() {
      open = true;
      silent = false;
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
