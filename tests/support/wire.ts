/** A wire between browser and server that a test can silence, cut and mend: faults nobody can cause on purpose otherwise. */
import { createServer, connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";

export interface Wire {
  /** The origin a browser uses to go through the wire. */
  url: string;
  /** Nothing gets through either way, on connections there are and on new ones, but they stay open: what a dead zone looks like. */
  silence(): void;
  /** Connections are torn down and new ones refused. */
  cut(): void;
  /** New connections work again; whatever hung in the silence is torn down. */
  mend(): void;
  close(): Promise<void>;
}

/** Lay a wire to a port of this machine. */
export async function layWire(port: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  let open = true;
  let silent = false;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  };
  const server = createServer((near) => {
    if (!open) {
      near.destroy();
      return;
    }
    track(near);
    if (silent) return;
    const far = connect(port, "127.0.0.1");
    track(far);
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
    near.pipe(far);
    far.pipe(near);
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
    mend() {
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
