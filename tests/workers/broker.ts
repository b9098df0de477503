/** Test doubles around the worker: a broker with a real socket server and answered calls, and a page that acknowledges every frame at once. */
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import type * as z from "zod/mini";
import type { Endpoints } from "#contract/endpoints.ts";
import type { Fact } from "#contract/fact.ts";
import type { Account } from "#contract/kernel/id.ts";
import type { Channel } from "#contract/channel.ts";
import type { View } from "#contract/kernel/push.ts";
import { createSocket } from "#server/realtime/socket-server.ts";
import type { SocketServer } from "#server/realtime/socket-server.ts";
import { openReaders } from "#server/venue/market-data/channel-reader.ts";
import { readSnapshot, watchedRows } from "#server/venue/market-data/view-snapshot.ts";
import { stubVenue } from "#tests/support/stub-venue.ts";
import { MarketSession } from "#workers/market-session.ts";
import { barStart } from "#workers/chart/period.ts";
import type { ChannelUpdate } from "#workers/channels/channel-store.ts";
import { CALLED, CELL_FIELDS } from "#workers/protocol.ts";
import type { Called, Frame, FromWorker } from "#workers/protocol.ts";
import { openSocket } from "#workers/connection/transport.ts";

const LAST = CELL_FIELDS.indexOf("last");

/** A broker that can stop and restart on the same port. */
export class Broker {
  venue = stubVenue(30);
  facts: Fact[] = [];
  expired = false;
  reachable = true;
  universe = "stub";
  port = 0;
  #server: Server | null = null;
  #socket: SocketServer | null = null;

  async start(): Promise<void> {
    const server = createServer();
    this.#server = server;
    this.#socket = createSocket({
      server,
      venue: { ...this.venue, state: (now) => ({ ...this.venue.state(now), universe: this.universe }) },
      log: pino({ level: "silent" }),
      sessions: {
        find: async (token) => (this.expired ? null : { memberId: 1, account: "1" as Account, sessionHash: token }),
        holds: () => !this.expired,
        alive: async () => true,
        whyEnded: async () => "ACC_SESSION_EXPIRED",
        onEnd: () => () => undefined,
      },
    });
    await new Promise<void>((done) => void server.listen(this.port, "127.0.0.1", done));
    this.port = (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    await this.#socket?.stop();
    this.#server?.closeAllConnections();
    this.#socket = null;
  }

  /** Appends an instrument to the table. */
  grow(): void {
    this.universe = `${this.universe.replace(/\+.*/, "")}+${this.venue.instruments.length - 29}`;
    this.venue.grow();
  }

  publish(fact: Fact): void {
    this.facts.push(fact);
    this.#socket?.publishFact(1, fact);
  }

  /** Answers HTTP calls, as a `fetch`. */
  async answer(url: string, init: RequestInit): Promise<Response> {
    if (!this.reachable) throw new TypeError("no network");
    if (this.expired) return new Response(null, { status: 401 });
    const name = url.slice(url.lastIndexOf("/") + 1) as Called;
    const body = JSON.parse(init.body as string) as { after: number; before: number | null };
    const at = Date.now();
    const answers = {
      listInstruments: () => ({
        venue: { ...this.venue.state(at), universe: this.universe },
        categories: [],
        instruments: [...this.venue.instruments],
      }),
      readView: () => {
        const view = body as unknown as Pick<View, "rows" | "ranks" | "channels">;
        const ranks = view.ranks.map((rank) => this.venue.rank(rank));
        const readers = openReaders(this.venue, view.channels);
        const snapshot = readSnapshot(this.venue, at, { rows: watchedRows(view.rows, ranks), ranks, readers });
        return { ...snapshot, universe: this.universe };
      },
      listActions: () => ({ actions: [], coming: [] }),
      readCandles: () =>
        body.before === null ? { bars: [barStart("day", at), 1, 2, 1, 2, 5], more: true } : { bars: [1, 1, 1, 1, 1, 1], more: false },
      readSparklines: () => ({ lines: [] }),
      factsSince: () => ({ facts: this.facts.filter(({ n }) => n > body.after), newest: this.facts.at(-1)?.n ?? 0 }),
    } satisfies { [Name in Called]: () => z.input<Endpoints[Name]["data"]> };
    return Response.json({ status: 1, msg: "", data: answers[name]() });
  }
}

/** A page that acknowledges every frame at once and records all messages. */
export class Page {
  readonly messages: FromWorker[] = [];
  readonly texts = new Map<number, string>();
  readonly session: MarketSession;

  constructor() {
    this.session = new MarketSession((message) => {
      this.messages.push(message);
      if (message.kind !== "frame") return;
      for (let at = 0; at < message.cells.length; at += 3) this.texts.set(Number(message.cells[at]), String(message.cells[at + 1]));
      if (message.asks) queueMicrotask(() => this.session.receive({ kind: "acked", costMs: 1 }));
    }, openSocket);
  }

  connect(broker: Broker): void {
    const paths = Object.fromEntries(CALLED.map((name) => [name, `/${name}`])) as Record<Called, string>;
    this.session.connect({ origin: `http://127.0.0.1:${broker.port}`, token: "t", account: "1", paths, language: "en", slow: false });
  }

  mount(id: number, code: string): void {
    this.session.receive({ kind: "cells", mount: [id, code, LAST], unmount: [] });
  }

  of<Kind extends FromWorker["kind"]>(kind: Kind): Extract<FromWorker, { kind: Kind }>[] {
    return this.messages.filter((message): message is Extract<FromWorker, { kind: Kind }> => message.kind === kind);
  }

  connectionEvents(): string[] {
    return this.of("connection").map(({ event }) => event);
  }

  frames<Part extends keyof Frame>(part: Part): NonNullable<Frame[Part]>[] {
    return this.of("frame").flatMap((frame) => (frame[part] === undefined ? [] : [frame[part]]));
  }

  /** The key and the update of every change of a channel. */
  updates<Name extends Channel>(channel: Name): [key: string, update: ChannelUpdate<Name>][] {
    return this.frames("channels").flatMap((updates) =>
      updates.flatMap(([name, key, update]) => (name === channel ? [[key, update as ChannelUpdate<Name>]] : [])),
    );
  }

  facts(): number[] {
    return this.of("facts").flatMap(({ facts }) => facts.map(({ n }) => n));
  }
}
