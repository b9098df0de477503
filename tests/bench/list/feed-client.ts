/** Feed client of the benchmark's own workers: receives the table once, then every batch. */
import { io } from "socket.io-client";
import type { Socket } from "socket.io-client";
import type { Instrument } from "#contract/instrument.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import type { ClientEvents, ServerEvents, View } from "#contract/kernel/push.ts";

/** Positions of a quote's last price, reference and volume in wire order. */
export const LAST = 3;
export const REFERENCE = 7;
export const VOLUME = 8;

export interface Listed {
  instruments: Instrument[];
  categories: { code: string; en: string }[];
}

const EVERYTHING: View = { rows: [], ranks: [], channels: {}, beatMs: 100, all: true };

/** Connects to the feed: `table` receives the instruments, `quotes` every batch and the position of its first quote. */
export async function listen(table: (listed: Listed) => void, quotes: (flat: number[], from: number) => void): Promise<void> {
  const reply = await fetch(`${location.origin}${BASE_PATH}/instruments/list`, { method: "POST", body: "{}" });
  const { data } = (await reply.json()) as { data: Listed };
  table(data);
  const socket: Socket<ServerEvents, ClientEvents> = io(location.origin, { path: SOCKET_PATH, transports: ["websocket"] });
  socket.on("connect", () =>
    socket.emit("view", EVERYTHING, (snapshot) => {
      if ("quotes" in snapshot) quotes(snapshot.quotes, 0);
    }),
  );
  socket.on("quotes", (batch) => quotes(batch, 2));
}
