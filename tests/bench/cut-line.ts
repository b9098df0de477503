/** A line between page and server that can fall silent and be cut, as phones meet it. */
import { createServer, connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";

export interface Line {
  origin: string;
  /** From now on nothing comes through, but nothing is closed: epoch milliseconds of the moment. */
  silence(): number;
  /** Everything is closed and nothing is let in. */
  cut(): void;
  /** Calls come through again: epoch milliseconds of the moment. */
  restore(): number;
  /** Resolves to the moment the next call gets through, of the socket or of whatever stands in for it. */
  reconnected(): Promise<number>;
  close(): void;
}

/** Open a line to a server on this machine. */
export async function openLine(toPort: number): Promise<Line> {
  const open = new Set<Socket>();
  let down = false;
  let tellReconnected: ((at: number) => void) | null = null;
  const line = createServer((near) => {
    if (down) return void near.destroy();
    const far = connect(toPort, "127.0.0.1");
    for (const one of [near, far]) {
      open.add(one);
      one.on("error", () => one.destroy());
      one.on("close", () => open.delete(one));
    }
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
    tellReconnected?.(Date.now());
    tellReconnected = null;
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((done) => line.listen(0, "127.0.0.1", done));
  const cut = (): void => {
    down = true;
    for (const one of open) one.destroy();
  };
  return {
    origin: `http://127.0.0.1:${(line.address() as AddressInfo).port}`,
    silence() {
      for (const one of open) one.unpipe().pause();
      return Date.now();
    },
    cut,
    restore() {
      down = false;
      return Date.now();
    },
    reconnected: () => new Promise((told) => (tellReconnected = told)),
    close() {
      cut();
      line.close();
    },
  };
}
