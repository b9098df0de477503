/** Proof of the worker's whole path: a real socket door, a desk that answers calls, and what comes out of the port. */
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Fact } from "#contract/fact.ts";
import type { Account } from "#contract/kernel/id.ts";
import { pushQuote } from "#contract/quote.ts";
import { createSocket } from "#server/socket.ts";
import type { SocketDoor } from "#server/socket.ts";
import { stubVenue } from "#tests/support/stub-venue.ts";
import { barStart } from "#workers/candle.ts";
import { CALLED } from "#workers/call.ts";
import type { Called } from "#workers/call.ts";
import { MarketSession } from "#workers/market.ts";
import { CELL_FIELDS } from "#workers/protocol.ts";
import type { Frame, FromWorker } from "#workers/protocol.ts";
import { fact, order } from "./sample.ts";

const wait = (ms: number): Promise<void> => new Promise((done) => void setTimeout(done, ms));
const LAST = CELL_FIELDS.indexOf("last");

/** A broker that can go away and come back on the same port. */
class Broker {
  venue = stubVenue(30);
  facts: Fact[] = [];
  expired = false;
  reachable = true;
  universe = "stub";
  port = 0;
  #server: Server | null = null;
  #door: SocketDoor | null = null;

  async start(): Promise<void> {
    const server = createServer();
    this.#server = server;
    this.#door = createSocket({
      server,
      venue: { ...this.venue, state: (now) => ({ ...this.venue.state(now), universe: this.universe }) },
      log: pino({ level: "silent" }),
      sessions: {
        find: async (token) => (this.expired ? null : { memberId: 1, account: "1" as Account, sessionHash: token }),
        alive: async () => true,
        onEnd: () => () => undefined,
      },
    });
    await new Promise<void>((done) => void server.listen(this.port, "127.0.0.1", done));
    this.port = (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    await this.#door?.stop();
    this.#server?.closeAllConnections();
    this.#door = null;
  }

  publish(each: Fact): void {
    this.facts.push(each);
    this.#door?.publishFact(1, each);
  }

  /** The desks, as `fetch` sees them. */
  async answer(url: string, init: RequestInit): Promise<Response> {
    if (!this.reachable) throw new TypeError("no network");
    if (this.expired) return new Response(null, { status: 401 });
    const name = url.slice(url.lastIndexOf("/") + 1) as Called;
    const body = JSON.parse(init.body as string) as { codes: string[]; after: number; size: number; before: number | null };
    const quotes: number[] = [];
    const at = Date.now();
    const data = {
      listInstruments: () => ({
        venue: { ...this.venue.state(at), universe: this.universe },
        categories: [],
        instruments: this.venue.instruments,
      }),
      snapshotQuotes: () => {
        for (const code of body.codes) pushQuote(quotes, this.venue.quote(Number(code) - 1000));
        return { at, phase: "open", quotes };
      },
      rankQuotes: () => {
        for (const row of this.venue.rank("hot", null, body.size)) pushQuote(quotes, this.venue.quote(row));
        return { at, phase: "open", quotes };
      },
      readDepth: () => this.venue.depth(0),
      readCandles: () =>
        body.before === null ? { bars: [barStart("day", at), 1, 2, 1, 2, 5], more: true } : { bars: [1, 1, 1, 1, 1, 1], more: false },
      factsSince: () => ({ facts: this.facts.filter(({ n }) => n > body.after), newest: this.facts.at(-1)?.n ?? 0 }),
    }[name]();
    return Response.json({ status: 1, msg: "", data });
  }
}

/** A page that takes every frame at once and keeps what it was told. */
class Page {
  readonly said: FromWorker[] = [];
  readonly texts = new Map<number, string>();
  readonly session: MarketSession;

  constructor() {
    this.session = new MarketSession((message) => {
      this.said.push(message);
      if (message.kind !== "frame") return;
      for (let at = 0; at < message.cells.length; at += 3) this.texts.set(Number(message.cells[at]), String(message.cells[at + 1]));
      queueMicrotask(() => this.session.receive({ kind: "acked" }));
    });
  }

  connect(broker: Broker): void {
    const paths = Object.fromEntries(CALLED.map((name) => [name, `/${name}`])) as Record<Called, string>;
    this.session.connect({ origin: `http://127.0.0.1:${broker.port}`, token: "t", account: "1", paths, language: "en", slow: false });
  }

  mount(id: number, code: string): void {
    this.session.receive({ kind: "cells", mount: [id, code, LAST], unmount: [] });
  }

  of<Kind extends FromWorker["kind"]>(kind: Kind): Extract<FromWorker, { kind: Kind }>[] {
    return this.said.filter((message): message is Extract<FromWorker, { kind: Kind }> => message.kind === kind);
  }

  lines(): string[] {
    return this.of("line").map(({ event }) => event);
  }

  frames<Part extends keyof Frame>(part: Part): NonNullable<Frame[Part]>[] {
    return this.of("frame").flatMap((frame) => (frame[part] === undefined ? [] : [frame[part]]));
  }

  facts(): number[] {
    return this.of("facts").flatMap(({ facts }) => facts.map(({ n }) => n));
  }
}

let broker: Broker;
let page: Page;

beforeEach(async () => {
  broker = new Broker();
  await broker.start();
  const real = fetch;
  vi.stubGlobal("fetch", (url: string, init: RequestInit) =>
    CALLED.some((name) => url.endsWith(`/${name}`)) ? broker.answer(url, init) : real(url, init),
  );
  page = new Page();
});

afterEach(async () => {
  page.session.disconnect();
  await broker.stop();
  vi.unstubAllGlobals();
});

const until = (happened: () => unknown): Promise<unknown> =>
  vi.waitFor(() => expect(happened()).toBeTruthy(), { timeout: 4_000, interval: 10 });

describe("the market worker", () => {
  it("brings the table, then the cells on screen, then only their changes", async () => {
    page.connect(broker);
    page.mount(1, "1003");
    await until(() => page.texts.get(1) === "1,085.00");
    expect(page.of("instruments")[0]?.table.instruments).toHaveLength(30);
    const before = page.of("frame").length;
    broker.venue.move([3, 4, 5]);
    await until(() => page.texts.get(1) === "1,085.50");
    expect(page.of("frame").length).toBe(before + 1);
    page.mount(2, "1004");
    await until(() => page.texts.get(2) === "1,085.50");
    broker.venue.move([5, 6]);
    await wait(300);
    expect(page.of("frame").at(-1)?.cells.length ?? 0).toBeLessThanOrEqual(3);
  });

  it("gives signs of life while nothing moves", async () => {
    page.connect(broker);
    await until(() => page.lines().includes("HEARD"));
    const before = page.lines().length;
    await wait(1_600);
    const heard = page.lines().slice(before);
    expect(heard.length).toBeGreaterThanOrEqual(2);
    expect(new Set(heard)).toEqual(new Set(["HEARD"]));
  });

  it("tells watched quotes, rankings, depth, profit and their sum", async () => {
    page.connect(broker);
    page.session.setPositions([order("1002", 2)]);
    page.session.receive({
      kind: "watching",
      watching: {
        quotes: ["1000"],
        ranks: [{ key: "hot", rank: { by: "hot", board: null, size: 2 } }],
        depth: "1000",
        profits: ["K000000000001"],
        profitSum: true,
      },
    });
    await until(() => page.frames("depth").length > 0 && page.frames("profits").some(([told]) => told?.profit));
    expect(page.frames("quotes")[0]?.[0]).toMatchObject({ code: "1000", tone: 1 });
    expect(page.frames("ranks")).toEqual([[["hot", ["1000", "1001"]]]]);
    expect(page.frames("depth")[0]).toMatchObject({ code: "1000", depth: { bids: [[10_845_000, 5]] } });
    const profit = page.frames("profits").at(-1)?.[0]?.profit;
    expect(page.frames("profitSum").at(-1)).toMatchObject({ profitCents: profit?.profitCents, priced: 1 });
    broker.venue.ranked = [7, 8];
    await until(() => page.frames("ranks").length === 2);
    expect(page.frames("ranks")[1]).toEqual([["hot", ["1007", "1008"]]]);
  });

  it("loads a chart, pages older bars and moves the forming one", async () => {
    page.connect(broker);
    const chart = page.session.openChart("1001", "day");
    await until(() => page.of("chart").length === 1);
    expect(page.of("chart")[0]).toMatchObject({ chart, change: "loaded", more: true });
    page.session.loadOlder(chart);
    await until(() => page.of("chart").length === 2);
    page.session.loadOlder(chart);
    broker.venue.move([1]);
    await until(() => page.frames("bars").length > 0);
    expect(page.frames("bars").at(-1)?.slice(0, 1)).toEqual([chart]);
    expect(page.of("chart").map((message) => message.change)).toEqual(["loaded", "older"]);
  });

  it("polls the same screen while the socket is down, and is fresh within a second when it is back", async () => {
    page.connect(broker);
    page.mount(1, "1003");
    await until(() => page.texts.get(1) === "1,085.00");
    await broker.stop();
    await until(() => page.lines().at(-1) === "DISCONNECTED");
    page.session.receive({ kind: "polling", on: true });
    broker.venue.move([3]);
    await until(() => page.texts.get(1) === "1,085.50");
    expect(page.lines()).toContain("POLLED");
    broker.reachable = false;
    await until(() => page.lines().at(-1) === "POLL_FAILED");
    page.session.receive({ kind: "polling", on: false });
    broker.venue.move([3]);
    broker.reachable = true;
    // The client's tries lie at most 2 s apart; the second counts from the line's opening.
    await broker.start();
    const opened = page.lines().filter((event) => event === "CONNECTED").length;
    await until(() => page.lines().filter((event) => event === "CONNECTED").length > opened);
    const from = Date.now();
    await until(() => page.texts.get(1) === "1,085.00");
    expect(Date.now() - from).toBeLessThan(1_000);
  });

  it("tells facts that came while the line was broken", async () => {
    broker.facts = [fact(1), fact(2)];
    page.connect(broker);
    await until(() => page.lines().includes("HEARD"));
    await wait(50);
    broker.publish(fact(3));
    await until(() => page.facts().length === 1);
    await broker.stop();
    broker.facts.push(fact(4), fact(5));
    await broker.start();
    await until(() => page.facts().length === 3);
    broker.publish(fact(6));
    await until(() => page.facts().length === 4);
    expect(page.facts()).toEqual([3, 4, 5, 6]);
  });

  it("reads table and screen again when the venue lists another universe", async () => {
    page.connect(broker);
    page.mount(1, "1003");
    await until(() => page.texts.size === 1);
    await broker.stop();
    broker.universe = "another";
    await broker.start();
    page.texts.clear();
    await until(() => page.of("instruments").length === 2);
    await until(() => page.texts.get(1) === "1,085.00");
  });

  it("says once that the session is over, and keeps nothing", async () => {
    page.connect(broker);
    await until(() => page.lines().includes("HEARD"));
    await broker.stop();
    broker.expired = true;
    await broker.start();
    await until(() => page.of("expired").length > 0);
    await wait(300);
    expect(page.of("expired")).toHaveLength(1);
    expect(page.session.search("1003", 5)).toEqual([]);
  });

  it("watches nothing while the page is hidden and everything again afterwards", async () => {
    page.connect(broker);
    page.mount(1, "1003");
    await until(() => page.texts.size === 1);
    page.session.setVisible(false);
    await wait(150);
    const before = page.of("frame").length;
    broker.venue.move([3]);
    await wait(400);
    expect(page.of("frame").length).toBe(before);
    page.session.setVisible(true);
    await until(() => page.texts.get(1) === "1,085.50");
  });
});
