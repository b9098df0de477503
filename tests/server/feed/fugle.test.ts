/** Tests the Fugle feed with the service's own library, against a test double with its stream, replies and faults. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FugleFeed } from "#server/venue/feed/fugle.ts";
import type { FugleOptions } from "#server/venue/feed/fugle.ts";
import { openLiveVenue } from "#server/venue/feed/live-venue.ts";
import { FeedFailed } from "#server/venue/feed/port.ts";
import type { Tick } from "#server/venue/feed/port.ts";
import { fillLists, openExchange } from "./exchange-stand-in.ts";
import type { Exchange } from "./exchange-stand-in.ts";
import { openFugle } from "./fugle-stand-in.ts";
import type { FugleService } from "./fugle-stand-in.ts";
import { recordingLog, taipei, units } from "./script-feed.ts";
import type { RecordingLog } from "./script-feed.ts";

let exchange: Exchange;
let fugle: FugleService;
let log: RecordingLog;
const feeds: FugleFeed[] = [];

beforeEach(async () => {
  [exchange, fugle] = await Promise.all([openExchange(), openFugle()]);
  fillLists(exchange);
  log = recordingLog();
});
afterEach(async () => {
  for (const feed of feeds.splice(0)) await feed.stop();
  await Promise.all([exchange.stop(), fugle.stop()]);
});

function makeFeed(options: Partial<FugleOptions> = {}): FugleFeed {
  const feed = new FugleFeed({
    apiKey: fugle.key,
    subscriptions: 5,
    codes: [],
    log,
    stream: fugle.stream,
    rest: fugle.rest,
    openData: { listed: `${exchange.url}/listed`, otc: `${exchange.url}/otc` },
    openDataRate: { leastMs: 5, timeoutMs: 5000 },
    restRate: { leastMs: 5, timeoutMs: 5000, refusedMs: 20 },
    connection: { leastMs: 30, mostMs: 100, pingMs: 100 },
    ...options,
  });
  feeds.push(feed);
  return feed;
}

const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000, interval: 10 });
const micros = (at: number): number => at * 1000;
const data = (channel: string, fields: object): object => ({ event: "data", id: "x", channel, data: fields });
const ofKind = (ticks: readonly Tick[], kind: Tick["kind"]): Tick[] => ticks.filter((tick) => tick.kind === kind);

async function startFeed(options: Partial<FugleOptions> = {}): Promise<{ feed: FugleFeed; ticks: Tick[] }> {
  const feed = makeFeed(options);
  await feed.open();
  const ticks: Tick[] = [];
  feed.start((tick) => ticks.push(tick));
  await until(() => expect(fugle.connections.at(-1)?.filter((request) => request.startsWith("books"))).toHaveLength(1));
  return { feed, ticks };
}

describe("opening", () => {
  it("selects the most traded, as far as the plan's subscriptions allow: two per instrument", async () => {
    const feedMarket = await makeFeed().open();
    expect(feedMarket.instruments.map(({ code }) => code)).toEqual(["2330", "6488"]);
    expect(feedMarket.categories.map(({ board, code }) => `${board} ${code}`)).toEqual(["listed 24", "otc 24"]);
    const wanted = await makeFeed({ codes: ["0050", "2317"] }).open();
    expect(wanted.instruments.map(({ code }) => code)).toEqual(["2317", "0050"]);
    await expect(makeFeed({ codes: ["0050", "2317", "2330"] }).open()).rejects.toThrow(
      "FEED_CODES names 3 instruments, FUGLE_SUBSCRIPTIONS=5 is enough for 2",
    );
  });

  it("ends with a plain message when the key is rejected, before any other request, and does not retry", async () => {
    const opened = makeFeed({ apiKey: "bad-key" }).open();
    await expect(opened).rejects.toThrow(FeedFailed);
    await expect(opened).rejects.toThrow(/Fugle refuses the key in FUGLE_API_KEY \(Invalid authentication credentials\)/);
    await new Promise((done) => setTimeout(done, 200));
    expect([fugle.connections.length, exchange.calls.length]).toEqual([1, 0]);
  });

  it("reports that the service cannot be reached, after a few attempts", async () => {
    fugle.refusing = true;
    await expect(makeFeed().open()).rejects.toThrow(/cannot be reached/);
    expect(fugle.connections).toHaveLength(3);
  });
});

describe("the stream", () => {
  it("subscribes once to both channels and emits trades and books; trial matches and invalid messages emit nothing", async () => {
    const { ticks } = await startFeed();
    expect(fugle.connections).toEqual([expect.arrayContaining(["auth", "trades 2330,6488", "books 2330,6488"])]);
    const at = taipei("10:00:00");
    const trade = { symbol: "2330", type: "EQUITY", exchange: "TWSE", market: "TSE", bid: 567, ask: 568, price: 568, size: 3 };
    fugle.send(data("trades", { ...trade, volume: 54_538, time: micros(at) + 999, serial: 1 }));
    fugle.send(data("trades", { ...trade, price: 567.5, bid: 567.5, volume: 54_540, time: micros(at), serial: 2, isContinuous: true }));
    fugle.send(data("trades", { ...trade, volume: 60_000, time: micros(at), serial: 3, isClose: true }));
    fugle.send(data("trades", { ...trade, price: 999, volume: 99_999, time: micros(at), serial: 4, isTrial: true }));
    fugle.send("{half a mess");
    fugle.send(data("trades", { symbol: "2330", price: "-", volume: null, time: micros(at) }));
    fugle.send(data("candles", { symbol: "2330", time: micros(at), open: 1 }));
    const levels = (prices: number[]): object[] => prices.map((price, nth) => ({ price, size: nth + 1 }));
    fugle.send(data("books", { symbol: "6488", time: micros(at), bids: levels([0, 512.5, 512]), asks: levels([513]) }));
    // The book of an instrument in a trial match.
    fugle.send({ event: "snapshot", channel: "books", data: { symbol: "2330", time: micros(at + 3000), bids: levels([567]), asks: [] } });
    await until(() => expect(ofKind(ticks, "book")).toHaveLength(2));
    expect(ofKind(ticks, "trade")).toEqual([
      { kind: "trade", code: "2330", at, price: units(568), volume: 54_538, side: 1 },
      { kind: "trade", code: "2330", at, price: units(567.5), volume: 54_540, side: -1 },
      { kind: "trade", code: "2330", at, price: units(568), volume: 60_000, side: 0 },
    ]);
    expect(ofKind(ticks, "book")).toEqual([
      {
        kind: "book",
        code: "6488",
        at,
        bids: [
          [units(512.5), 2],
          [units(512), 3],
        ],
        asks: [[units(513), 1]],
        trial: false,
      },
      { kind: "book", code: "2330", at: at + 3000, bids: [[units(567), 1]], asks: [], trial: true },
    ]);
  });

  it("tells which open or close has been put off, and by which calls a stock under disposition trades", async () => {
    const at = taipei("13:31:00");
    fugle.answers.set("/intraday/quote/2330", {
      symbol: "2330",
      lastUpdated: micros(at),
      previousClose: 567,
      isTrial: true,
      isDelayedOpen: true,
    });
    fugle.answers.set("/intraday/quote/6488", { symbol: "6488", lastUpdated: micros(at), previousClose: 513 });
    fugle.answers.set("/intraday/ticker/2330", { symbol: "2330", isDisposition: false, matchingInterval: 0 });
    fugle.answers.set("/intraday/ticker/6488", { symbol: "6488", isDisposition: true, matchingInterval: 300 });
    const venue = await openLiveVenue(makeFeed(), { log, now: () => at });
    venue.start();
    const rowOf = (code: string): number => venue.instrument(code)?.row ?? -1;
    await until(() => expect(venue.depth(rowOf("6488"))).toMatchObject({ callsEveryMs: 300_000, isDelayedOpen: false }));
    expect(venue.depth(rowOf("2330"))).toMatchObject({ callsEveryMs: null, isDelayedOpen: true, isDelayedClose: false });
    // Prices do not wait for it.
    expect(fugle.calls.map((path) => path.split("/")[2])).toEqual(["quote", "quote", "ticker", "ticker"]);
    const levels = [{ price: 567, size: 3 }];
    fugle.send(data("trades", { symbol: "2330", price: 568, volume: 9, time: micros(at + 5_000), isTrial: true, isDelayedClose: true }));
    fugle.send(data("books", { symbol: "2330", time: micros(at + 5_001), bids: levels, asks: [] }));
    await until(() => expect(venue.depth(rowOf("2330"))).toMatchObject({ isDelayedOpen: false, isDelayedClose: true }));
    fugle.send(data("trades", { symbol: "2330", price: 568, volume: 9, time: micros(at + 9_000), isClose: true }));
    fugle.send(data("books", { symbol: "2330", time: micros(at + 9_001), bids: levels, asks: [] }));
    await until(() => expect(venue.depth(rowOf("2330"))).toMatchObject({ isDelayedClose: false }));
    await venue.stop();
  });

  it("is reconnected after a break, with one client and one subscription each time, and reports the loss", async () => {
    const { ticks } = await startFeed();
    for (const nth of [2, 3]) {
      fugle.cut();
      await until(() => expect(fugle.connections[nth - 1]?.filter((request) => request.startsWith("books"))).toHaveLength(1));
    }
    expect(ofKind(ticks, "lost")).toHaveLength(2);
    for (const request of fugle.connections) {
      expect(request.filter((what) => what === "auth")).toHaveLength(1);
      expect(request.filter((what) => what !== "auth" && what !== "ping").toSorted()).toEqual(["books 2330,6488", "trades 2330,6488"]);
    }
  });

  it("is reconnected when it stops answering", async () => {
    const { ticks } = await startFeed();
    fugle.ignoring = true;
    await until(() => expect(ofKind(ticks, "lost")).toHaveLength(1));
    fugle.ignoring = false;
    await until(() => expect(fugle.connections.at(-1)).toContain("books 2330,6488"));
  });

  it("ends with a message when the key is rejected later", async () => {
    const { ticks } = await startFeed();
    fugle.key = "another-key";
    fugle.cut();
    await until(() => expect(log.messages.join()).toMatch(/refuses the key/));
    const connections = fugle.connections.length;
    await new Promise((done) => setTimeout(done, 300));
    expect(fugle.connections).toHaveLength(connections);
    expect(ticks.at(-1)?.kind).toBe("lost");
  });
});

describe("a live market of it", () => {
  const quote = (symbol: string, at: number, over: object = {}): object => ({
    symbol,
    referencePrice: 98,
    previousClose: 98,
    openPrice: 99,
    highPrice: 101,
    lowPrice: 98.5,
    lastPrice: 120,
    lastTrade: { price: 100, size: 5, time: micros(at) },
    total: { tradeValue: 50_123_000, tradeVolume: 500, tradeVolumeAtBid: 200, tradeVolumeAtAsk: 300 },
    bids: [{ price: 100, size: 7 }],
    asks: [{ price: 100.5, size: 5 }],
    lastUpdated: micros(at),
    ...over,
  });

  it("starts from the quote of the day, follows the stream over a gap, and is stale once the connection is silent", async () => {
    // The service's clock is the reference; ours is off by days.
    fugle.skewMs = taipei("10:00:00") - Date.now();
    const clock = (): number => Date.now() + fugle.skewMs;
    fugle.answers.set("/intraday/quote/2330", quote("2330", clock()));
    const feed = makeFeed({ codes: ["2330"] });
    const venue = await openLiveVenue(feed, { log });
    venue.start();
    try {
      await until(() => expect(venue.phase(Date.now())).toBe("open"));
      fugle.answers.set("/intraday/quote/2330", quote("2330", clock()));
      fugle.cut();
      await until(() => expect(fugle.connections[1]).toContain("books 2330"));
      await until(() => expect(venue.depth(0).asks).toHaveLength(1));
      await until(() =>
        expect(venue.quote(0)).toMatchObject({ last: units(100), volume: 500, turnover: 50_123_000, reference: units(98) }),
      );
      expect(venue.depth(0)).toMatchObject({ bids: [[units(100), 7]], asks: [[units(100.5), 5]] });
      expect(venue.fresh(Date.now(), 0)).toBe(true);
      const trade = (price: number, volume: number): object =>
        data("trades", { symbol: "2330", bid: 100, ask: 100.5, price, size: 1, volume, time: micros(clock()) });
      fugle.send(trade(100.5, 503));
      // A message was missed; then an old one and a duplicate arrive.
      fugle.send(trade(100, 520));
      fugle.send(trade(100.5, 510));
      fugle.send(trade(100, 520));
      await until(() => expect(venue.quote(0).volume).toBe(520));
      const flat = venue.tape(0, 0, 9);
      expect([flat.length, flat[3], flat[4], flat[8], flat[9]]).toEqual([10, 3, 1, 17, -1]);
      fugle.refusing = true;
      fugle.cut();
      await until(() => expect(venue.fresh(Date.now(), 0)).toBe(false));
      expect(venue.quote(0)).toMatchObject({ last: units(100), bid: 0, ask: 0 });
      expect(venue.plan({ row: 0, side: "buy", limit: null, lots: 1 })).toEqual([]);
    } finally {
      await venue.stop();
    }
  });

  it("has the service's daily bars, in lots and with exact prices", async () => {
    fugle.answers.set("/historical/candles/2330", {
      symbol: "2330",
      timeframe: "D",
      data: [
        { date: "2026-02-26", open: 97.1, high: 98.05, low: 96.7, close: 97.35, volume: 12_345_678 },
        { date: "2026-02-25", open: 96, high: 97, low: 95.9, close: 96.8, volume: 1000 },
        { date: "?", open: 1, high: 1, low: 1, close: 1, volume: 1 },
      ],
    });
    const feed = makeFeed({ codes: ["2330"] });
    await feed.open();
    const from = Date.parse("2025-03-03") / 86_400_000;
    expect(await feed.days("2330", from, from + 364)).toEqual([
      { at: taipei("00:00:00", "2026-02-25"), open: 960_000, high: 970_000, low: 959_000, close: 968_000, volume: 1 },
      { at: taipei("00:00:00", "2026-02-26"), open: 971_000, high: 980_500, low: 967_000, close: 973_500, volume: 12_345 },
    ]);
    expect(fugle.calls.at(-1)).toBe(
      "/historical/candles/2330?from=2025-03-03&to=2026-03-02&timeframe=D&fields=open%2Chigh%2Clow%2Cclose%2Cvolume&sort=asc",
    );
    // The service answers 404 for a stock that was not listed then.
    expect(await feed.days("6488", from, from + 364)).toEqual([]);
  });
});
