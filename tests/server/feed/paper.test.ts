/**
 * Tests paper trading on a live market through the whole server: a quote is visible, an order fills against the book, a silent feed
 * refuses.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { quoteAt } from "#contract/quote.ts";
import { BadEnvironment, readConfig } from "#server/config.ts";
import { lineOf } from "#server/venue/feed/tick-file.ts";
import { startTestServer } from "#tests/support/server.ts";
import { TWO, book, day, taipei, trade, units } from "./script-feed.ts";

const dir = mkdtempSync(join(tmpdir(), "paper-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const until = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 60_000, interval: 50 });

/** Ten minutes of 2330, and of 2317 with a trial book. */
function record(): string {
  const at = taipei("10:00:00");
  const head = {
    format: "kuroshio-ticks-1" as const,
    universe: "two",
    hours: "taiwan" as const,
    simulated: false,
    patienceMs: 2000,
    instruments: [...TWO],
    categories: [{ board: "listed" as const, code: "24", zh: "半導體業", zhCn: "半导体业", en: "Semiconductor", count: 2 }],
  };
  const asks = [
    [100.5, 2],
    [101, 10],
  ] as const;
  const ticks = [
    day(at, { reference: units(98), open: units(99), high: units(101), low: units(98.5), last: units(100), volume: 500 }),
    book(at, [[100, 7]], asks),
    day(at, { reference: units(50), last: units(50), volume: 9 }, "2317"),
    book(at, [[50, 5]], [[50.1, 5]], true, "2317"),
    trade(at + 500, 100.5, 501),
    ...Array.from({ length: 600 }, (_, second) => ({ kind: "alive" as const, at: at + second * 1000 })),
  ];
  const file = join(dir, "ten.ticks");
  writeFileSync(file, [head, ...ticks].map(lineOf).join(""));
  return file;
}

describe("a paper order on a live market", () => {
  it("fills against the live book by the published rule, and is refused once the feed is silent", async () => {
    const server = await startTestServer({ feed: { kind: "replay", file: record(), speed: 1 } });
    try {
      const signedIn = await server.call("signIn", server.credentials);
      if (signedIn.status !== 1) throw new Error(signedIn.code);
      const as = { token: signedIn.data.token, account: signedIn.data.account };
      const place = (code: string, price: number | null) =>
        server.call(
          "placeOrder",
          {
            requestId: randomUUID(),
            code,
            direction: "rise",
            pricing: price === null ? "market" : "limit",
            price,
            lots: 3,
          },
          as,
        );

      await until(async () => {
        const listed = await server.call("listInstruments", {}, as);
        expect(listed).toMatchObject({
          data: { venue: { simulated: false, phase: "open" }, instruments: [{ code: "2330" }, { code: "2317" }] },
        });
        const snapshot = await server.call("readView", { rows: [0], ranks: [], channels: {} }, as);
        if (snapshot.status !== 1) throw new Error(snapshot.code);
        expect(quoteAt(snapshot.data.quotes, 0)).toMatchObject({ last: units(100.5), volume: 501, bid: units(100), ask: units(100.5) });
      });

      // Prices of a feed are not marked as simulated.
      expect(await server.call("readConfig", { type: "all" })).toMatchObject({
        data: expect.arrayContaining([{ name: "prices", value: "market" }]),
      });

      const filled = await place("2330", null);
      // Two lots at the best level and one at the next: 100.50 and 101.00.
      expect(filled).toMatchObject({ status: 1, data: { status: "holding", filledLots: 3 } });
      const seen = await server.call("readView", { rows: [], ranks: [], channels: { depth: 0 } }, as);
      expect(seen).toMatchObject({ data: { channels: { depth: { asks: [[units(101), 9]] } } } });
      const positions = await server.call("listPositions", {}, as);
      expect(JSON.stringify(positions)).toContain("2330");
      // During a trial match nothing trades: the order rests.
      expect(await place("2317", units(50.1))).toMatchObject({ status: 1, data: { status: "pending", filledLots: 0 } });

      await server.venue.stop();
      await until(async () => expect(await place("2330", null)).toMatchObject({ status: 0, code: "TRD_PRICE_STALE" }));
      expect(await server.call("readView", { rows: [0], ranks: [], channels: {} }, as)).toMatchObject({ code: "TRD_PRICE_STALE" });
    } finally {
      await server.stop();
    }
  });

  it("needs a feed that can be opened: otherwise the server does not start, and leaves nothing behind", async () => {
    const feed = { kind: "replay" as const, file: join(dir, "absent.ticks"), speed: 1 };
    await expect(startTestServer({ feed })).rejects.toThrow(/REPLAY_FILE cannot be read/);
  });
});

describe("the environment", () => {
  it("selects the feed, the sandbox by default", () => {
    expect(readConfig({}).feed).toEqual({ kind: "simulator" });
    expect(readConfig({ FEED: "twse", FEED_CODES: "2330, 0050 6488," }).feed).toEqual({ kind: "twse", codes: ["2330", "0050", "6488"] });
    expect(readConfig({ FEED: "fugle", FUGLE_API_KEY: "k", FUGLE_SUBSCRIPTIONS: "300" }).feed).toEqual({
      kind: "fugle",
      apiKey: "k",
      subscriptions: 300,
      codes: [],
    });
    expect(readConfig({ FEED: "replay", REPLAY_FILE: "/x/day.ticks", REPLAY_SPEED: "2.5" }).feed).toEqual({
      kind: "replay",
      file: "/x/day.ticks",
      speed: 2.5,
    });
  });

  it.each([
    [{ FEED: "bloomberg" }, "FEED must be one of simulator, twse, fugle, replay"],
    [{ FEED: "fugle" }, "FUGLE_API_KEY"],
    [{ FEED: "replay" }, "REPLAY_FILE"],
    [{ FEED: "replay", REPLAY_FILE: "x", REPLAY_SPEED: "0" }, "REPLAY_SPEED"],
    [{ FEED: "twse", FEED_CODES: "2330;2317" }, "FEED_CODES"],
    [{ FEED: "fugle", FUGLE_API_KEY: "k", FUGLE_SUBSCRIPTIONS: "1" }, "FUGLE_SUBSCRIPTIONS"],
  ])("reports what is wrong with %j", (environment, word) => {
    expect(() => readConfig(environment)).toThrow(BadEnvironment);
    expect(() => readConfig(environment)).toThrow(word);
  });
});
