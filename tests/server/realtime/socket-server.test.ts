/** Tests the socket server over a real connection: authentication, views, gapless batches, heartbeats, rankings, depth, facts, shutdown. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { describe, test } from "vitest";
import type { Fact } from "#contract/fact.ts";
import { HEARTBEAT_MS, RANKING_INTERVAL_MS } from "#contract/kernel/push.ts";
import type { View } from "#contract/kernel/push.ts";
import { MAX_WATCHED, QUOTE_STRIDE, quoteAt } from "#contract/quote.ts";
import { openSocketServer, pushes, quotesIn, slowClient } from "./socket-client.ts";
import type { TestSocketServer } from "./socket-client.ts";

/** The tests mostly wait for intervals, so they run side by side, each on a server of its own. */
const it = test.extend<{ openServer: (size?: number) => Promise<TestSocketServer> }>({
  openServer: async ({ onTestFinished }, use) => {
    await use(async (size) => {
      const server = await openSocketServer(size);
      onTestFinished(() => server.close());
      return server;
    });
  },
});

describe.concurrent("authentication", () => {
  it.for([
    ["nothing", {}],
    ["a dead token", { token: "member-2", account: "1" }],
    ["someone else's account", { token: "member-1", account: "2" }],
    ["values of the wrong type", { token: 7, account: ["1"] }],
  ] as const)("stays shut for %s", async ([_name, auth], { expect, openServer }) => {
    const { connect } = await openServer();
    await expect(connect(auth)).rejects.toThrow("ACC_SESSION_EXPIRED");
  });

  it("works over polling when WebSockets are blocked", async ({ expect, openServer }) => {
    const { connect, venue } = await openServer();
    const listener = await connect(undefined, ["polling"]);
    await listener.show({ rows: [4] });
    venue.move([4]);
    await expect.poll(() => listener.batches.some((batch) => quotesIn(batch).some(({ row }) => row === 4))).toBe(true);
  });

  it("sends the venue's universe first", async ({ expect, openServer }) => {
    const { connect } = await openServer();
    const { received } = await connect();
    await expect.poll(() => received[0]).toMatchObject({ event: "universe", args: ["stub"] });
  });
});

describe.concurrent("a view", () => {
  it("is answered with the newest values of everything it names", async ({ expect, openServer }) => {
    const { connect, venue } = await openServer();
    const listener = await connect();
    venue.move([3]);
    const snapshot = await listener.show({
      rows: [3, 9],
      ranks: [{ by: "gainers", board: null, category: null, size: 2 }],
      channels: { depth: 3 },
    });
    const rows = Array.from({ length: snapshot.quotes.length / QUOTE_STRIDE }, (_, at) => quoteAt(snapshot.quotes, at * QUOTE_STRIDE));
    expect(rows.map(({ row }) => row).toSorted((a, b) => a - b)).toEqual([0, 1, 3, 9]);
    expect(rows.find(({ row }) => row === 3)).toEqual(venue.quote(3));
    expect(snapshot).toMatchObject({ n: 0, phase: "open", ranks: [[0, 1]], channels: { depth: venue.depth(3) } });
  });

  const bare: View = { rows: [], ranks: [], channels: {}, beatMs: 100, all: false };
  it.for([
    ["nothing", null],
    ["text for rows", { ...bare, rows: "all" }],
    ["an unsupported interval", { ...bare, beatMs: 5 }],
    ["too many rows", { ...bare, rows: Array.from({ length: MAX_WATCHED + 1 }, () => 1) }],
    ["a ranking longer than allowed", { ...bare, ranks: [{ by: "volume", board: null, category: null, size: MAX_WATCHED + 1 }] }],
    ["a ranking without its category", { ...bare, ranks: [{ by: "volume", board: null, size: 5 }] }],
    ["an unknown row", { ...bare, rows: [5_000] }],
    ["the depth of an unknown row", { ...bare, channels: { depth: 5_000 } }],
    ["the tape of an unknown row", { ...bare, channels: { tape: 100 } }],
    ["the index of an unknown row", { ...bare, channels: { contribution: 5_000 } }],
    ["a negative row", { ...bare, channels: { tape: -1 } }],
    ["no channels", { ...bare, channels: undefined }],
    ["heat that is not wanted", { ...bare, channels: { heat: false } }],
  ])("of %s is refused, and the connection lives on", async ([_name, view], { expect, openServer }) => {
    const { connect } = await openServer();
    const listener = await connect();
    expect(await listener.sendView(view)).toEqual({ refused: "GEN_PARAM_ERROR" });
    expect(await listener.show({ rows: [1] })).toMatchObject({ n: 0 });
  });

  it("without an acknowledgement callback still applies", async ({ expect, openServer }) => {
    const { connect, venue } = await openServer();
    const { socket, batches } = await connect();
    socket.emit("view", { ...bare, rows: [1] }, undefined as never);
    await expect.poll(() => batches.length).toBeGreaterThan(0);
    venue.move([1]);
    await expect.poll(() => batches.flatMap(quotesIn).map(({ row }) => row)).toEqual([1]);
  });

  it("changed too often is refused", async ({ expect, openServer }) => {
    const { connect } = await openServer();
    const listener = await connect();
    const answers = await Promise.all(Array.from({ length: 60 }, () => listener.show({ rows: [1] })));
    expect(answers.filter((answer) => "refused" in answer).length).toBeGreaterThan(10);
  });
});

describe.concurrent("an `all` view", () => {
  it("may be repeated only a few times a second, because its answer is expensive", async ({ expect, openServer }) => {
    const { connect } = await openServer();
    const listener = await connect();
    const answers = await Promise.all(Array.from({ length: 12 }, () => listener.show({ all: true })));
    expect("refused" in (answers[0] ?? {})).toBe(false);
    expect(answers.filter((answer) => "refused" in answer).length).toBeGreaterThan(1);
  });
});

describe.concurrent("batches", () => {
  it("are numbered without gaps and carry only watched rows that changed", async ({ expect, openServer }) => {
    const { connect, venue } = await openServer();
    const listener = await connect();
    const { n } = await listener.show({ rows: [1, 2, 3] });
    for (let turn = 0; turn < 20; turn += 1) {
      venue.move([turn % 5, 50]);
      await wait(25);
    }
    await wait(300);
    expect(listener.batches.length).toBeGreaterThan(3);
    expect(listener.batches.map((batch) => batch[0])).toEqual(listener.batches.map((_, at) => n + 1 + at));
    expect(new Set(listener.batches.flatMap(quotesIn).map(({ row }) => row))).toEqual(new Set([1, 2, 3]));
  });

  it("continue their numbering when the view changes", async ({ expect, openServer }) => {
    const { connect } = await openServer();
    const listener = await connect();
    await listener.show({ rows: [1] });
    await expect.poll(() => listener.batches.length, { timeout: 3_000 }).toBeGreaterThan(1);
    const { n } = await listener.show({ rows: [2], beatMs: 250 });
    const before = listener.batches.length;
    expect(n).toBe(listener.batches.at(-1)?.[0]);
    await expect.poll(() => listener.batches.length).toBeGreaterThan(before);
    expect(listener.batches[before]?.[0]).toBe(n + 1);
  });

  it("carry the newest value once, however often a row changed in between", async ({ expect, openServer }) => {
    const { connect, venue } = await openServer();
    const listener = await connect();
    await listener.show({ rows: [7], beatMs: 1000 });
    for (let turn = 0; turn < 50; turn += 1) venue.move([7]);
    await expect.poll(() => listener.batches.flatMap(quotesIn), { timeout: 3_000 }).toEqual([venue.quote(7)]);
  });

  it.for([100, 250, 1000] as const)("of %i ms are followed by a heartbeat in silence", async (beatMs, { expect, openServer }) => {
    const { connect } = await openServer();
    const listener = await connect();
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    await listener.show({ rows: [1], beatMs });
    await wait(2_200);
    delay.disable();
    const times = listener.received.filter(({ event }) => event === "quotes").map(({ at }) => at);
    const gaps = times.slice(1).map((at, before) => at - (times[before] ?? at));
    expect(listener.batches.every((batch) => batch.length === 2)).toBe(true);
    expect(times.length).toBeGreaterThan(3);
    // The limit is HEARTBEAT_MS. Server and client share this process, so each timer may be as late as the event loop was.
    const lateMs = delay.max / 1e6;
    expect(Math.max(...gaps)).toBeLessThan(HEARTBEAT_MS + 50 + 2 * lateMs);
  });

  // Alone: it keeps the process busy.
  it.sequential("stop while a client does not read, then continue with the newest values and no gap in the numbering", async ({
    expect,
    openServer,
  }) => {
    const { port, venue } = await openServer(2_000);
    const every = venue.instruments.map(({ row }) => row);
    const client = await slowClient(port);
    client.pause();
    for (let turn = 0; turn < 100; turn += 1) {
      venue.move(every);
      await wait(20);
    }
    client.resume();
    const newest = venue.quote(1_999).seq;
    await expect.poll(() => client.batches.flatMap(quotesIn).findLast(({ row }) => row === 1_999)?.seq, { timeout: 5_000 }).toBe(newest);
    expect(client.batches.map(([n]) => n)).toEqual(client.batches.map((_, at) => at + 1));
  });

  it("of an `all` view carry every row that changed", async ({ expect, openServer }) => {
    const { connect, venue } = await openServer();
    const listener = await connect();
    const { quotes } = await listener.show({ all: true });
    expect(quotes.length).toBe(100 * QUOTE_STRIDE);
    venue.move([5, 77]);
    await expect.poll(() => listener.batches.flatMap(quotesIn).map(({ row }) => row)).toEqual([5, 77]);
  });
});

describe.concurrent("other messages", () => {
  it("rankings are sent when they changed, and their rows are watched from then on", async ({ expect, openServer }) => {
    const { connect, venue } = await openServer();
    const listener = await connect();
    await listener.show({ ranks: [{ by: "turnover", board: "listed", category: null, size: 3 }] });
    await wait(RANKING_INTERVAL_MS * 1.5);
    expect(listener.received.filter(({ event }) => event === "ranks")).toEqual([]);
    venue.ranked = [40, 1, 2];
    await expect.poll(() => listener.received.find(({ event }) => event === "ranks")?.args, { timeout: 3_000 }).toEqual([[[40, 1, 2]]]);
    expect(listener.batches.flatMap(quotesIn)).toEqual([venue.quote(40)]);
    venue.move([40, 0]);
    await expect.poll(() => listener.batches.flatMap(quotesIn).map(({ row }) => row)).toEqual([40, 40]);
  });

  it("depth is sent for its row only, and only when it changed", async ({ expect, openServer }) => {
    const { connect, venue } = await openServer();
    const listener = await connect();
    await listener.show({ channels: { depth: 6 } });
    venue.move([5]);
    await wait(250);
    expect(pushes(listener, "depth")).toEqual([]);
    venue.move([6]);
    await expect.poll(() => pushes(listener, "depth")).toEqual([venue.depth(6)]);
    expect(listener.batches.flatMap(quotesIn)).toEqual([]);
  });

  it("the tape is sent with the batches: first the newest trades, then each new one once", async ({ expect, openServer }) => {
    const { connect, venue } = await openServer();
    const listener = await connect();
    venue.trade(6, 3);
    venue.trade(6, 4);
    const { channels } = await listener.show({ channels: { tape: 6 } });
    expect(channels.tape).toEqual({ row: 6, trades: venue.tape(6, 0, 10) });
    venue.trade(5, 1);
    venue.move([6]);
    await wait(250);
    expect(pushes(listener, "tape")).toEqual([]);
    venue.trade(6, 5);
    await expect.poll(() => pushes(listener, "tape").length).toBe(1);
    venue.trade(6, 6);
    venue.trade(6, 7);
    await expect.poll(() => pushes(listener, "tape").length).toBeGreaterThan(1);
    await wait(150);
    const tapes = pushes(listener, "tape");
    expect(new Set(tapes.map(({ row }) => row))).toEqual(new Set([6]));
    expect(tapes.flatMap(({ trades }) => trades)).toEqual(venue.tape(6, 2, 10));
    // Watching a tape does not watch the row's quote.
    expect(listener.batches.flatMap(quotesIn)).toEqual([]);
  });

  it("a new day's tape starts with its first trade", async ({ expect, openServer }) => {
    const { connect, venue } = await openServer();
    const listener = await connect();
    for (let lots = 1; lots <= 5; lots += 1) venue.trade(6, lots);
    await listener.show({ channels: { tape: 6 } });
    venue.renew();
    venue.trade(6, 9);
    await expect.poll(() => pushes(listener, "tape")[0]).toEqual({ row: 6, trades: venue.tape(6, 0, 10) });
  });

  it("heat is sent once a second, only when it changed, and only to viewers that asked for it", async ({ expect, openServer }) => {
    const { connect, venue } = await openServer();
    const watching = [await connect(), await connect()];
    const other = await connect();
    for (const listener of watching) expect((await listener.show({ channels: { heat: true } })).channels.heat).toEqual(venue.heats);
    expect((await other.show({})).channels).toEqual({});
    await wait(RANKING_INTERVAL_MS * 1.5);
    for (const listener of watching) expect(pushes(listener, "heat")).toEqual([]);
    venue.heats = [0, -50, 0, 3, 0, 0, 1, 2_000_000];
    for (const listener of watching) {
      await expect.poll(() => pushes(listener, "heat")[0], { timeout: 3_000 }).toEqual(venue.heats);
    }
    await wait(RANKING_INTERVAL_MS * 1.5);
    for (const listener of watching) expect(pushes(listener, "heat").length).toBe(1);
    expect(other.received.some(({ event }) => event === "channel")).toBe(false);
  });

  it("index contribution is sent when it changed; a row that is not an index sends nothing", async ({ expect, openServer }) => {
    const { connect, venue } = await openServer();
    const listener = await connect();
    expect((await listener.show({ channels: { contribution: 0 } })).channels.contribution).toEqual(venue.moved);
    venue.moved = { ...venue.moved, up: 3, leaders: [[1, 9_000]] };
    await expect.poll(() => pushes(listener, "contribution")[0], { timeout: 3_000 }).toEqual(venue.moved);
    const other = await connect();
    expect((await other.show({ channels: { contribution: 3 } })).channels).toEqual({});
    venue.moved = { ...venue.moved, up: 4 };
    await expect.poll(() => pushes(listener, "contribution").length, { timeout: 3_000 }).toBe(2);
    expect(other.received.some(({ event }) => event === "channel")).toBe(false);
  });

  it("a new phase reaches everyone", async ({ expect, openServer }) => {
    const { connect, venue } = await openServer();
    const { received } = await connect();
    venue.announce("closed");
    await expect.poll(() => received.find(({ event }) => event === "phase")?.args).toEqual(["closed", null]);
  });

  it("a fact reaches every socket of its member and no other", async ({ expect, openServer }) => {
    const { connect, socketServer } = await openServer();
    const mine = [await connect(), await connect()];
    const other = await connect({ token: "member-2", account: "2" });
    const fact = { n: 1, type: "order.placed" } as Fact;
    socketServer.publishFact(1, fact);
    for (const { received } of mine) await expect.poll(() => received.find(({ event }) => event === "fact")?.args).toEqual([fact]);
    await wait(100);
    expect(other.received.some(({ event }) => event === "fact")).toBe(false);
  });

  it("an ended session is notified and its socket closed; other sessions stay open", async ({ expect, openServer }) => {
    const { connect, end } = await openServer();
    const ended = await connect();
    const other = await connect({ token: "member-2", account: "2" });
    end("member-1");
    await expect.poll(() => ended.socket.connected).toBe(false);
    expect(ended.received.at(-1)?.event).toBe("expired");
    expect(other.socket.connected).toBe(true);
    await expect(connect()).rejects.toThrow("ACC_SESSION_EXPIRED");
  });

  it("no venue listener remains after the server stops", async ({ expect, openServer }) => {
    const { venue, close } = await openServer();
    expect(venue.listening()).toBe(1);
    await close();
    expect(venue.listening()).toBe(0);
  });
});
