/** Tests the exchange's quote service as a feed, against a test double with its formats and faults. */
import { describe, expect, test, vi } from "vitest";
import { openLiveVenue } from "#server/venue/feed/live-venue.ts";
import { FeedFailed } from "#server/venue/feed/port.ts";
import type { Tick } from "#server/venue/feed/port.ts";
import { TwseFeed } from "#server/venue/feed/twse.ts";
import type { TwseOptions } from "#server/venue/feed/twse.ts";
import { fillLists, openExchange, quoteRow, written } from "./exchange-stand-in.ts";
import type { Exchange, Fault } from "./exchange-stand-in.ts";
import { recordingLog, taipei, units } from "./script-feed.ts";
import type { RecordingLog } from "./script-feed.ts";

const MIN_INTERVAL_MS = 40;
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000, interval: 10 });

/** A test's own exchange and the feeds on it: the tests mostly wait for timeouts and intervals, so they run side by side. */
class Stage {
  readonly exchange: Exchange;
  readonly log: RecordingLog = recordingLog();
  readonly #feeds: TwseFeed[] = [];

  constructor(exchange: Exchange) {
    this.exchange = exchange;
    fillLists(exchange);
  }

  makeFeed(options: Partial<TwseOptions> = {}): TwseFeed {
    const { url } = this.exchange;
    const feed = new TwseFeed({
      codes: [],
      log: this.log,
      mis: `${url}/stock`,
      openData: { listed: `${url}/listed`, otc: `${url}/otc` },
      rateLimit: { leastMs: MIN_INTERVAL_MS, timeoutMs: 1500, refusedMs: 3 * MIN_INTERVAL_MS, mostMs: 1000 },
      idleMs: 200,
      ...options,
    });
    this.#feeds.push(feed);
    return feed;
  }

  /** Opens and starts a feed, recording its ticks. */
  async startFeed(options: Partial<TwseOptions> = {}): Promise<{ feed: TwseFeed; ticks: Tick[] }> {
    const feed = this.makeFeed(options);
    await feed.open();
    const ticks: Tick[] = [];
    feed.start((tick) => ticks.push(tick));
    return { feed, ticks };
  }

  quoteCalls(): Exchange["calls"] {
    return this.exchange.calls.filter(({ path }) => path.endsWith("getStockInfo.jsp"));
  }

  async stop(): Promise<void> {
    for (const feed of this.#feeds) await feed.stop();
    await this.exchange.stop();
  }
}

const it = test.extend<{ stage: Stage }>({
  stage: async ({ onTestFinished }, use) => {
    const stage = new Stage(await openExchange());
    onTestFinished(() => stage.stop());
    await use(stage);
  },
});

const ofKind = <Kind extends Tick["kind"]>(ticks: readonly Tick[], kind: Kind): Extract<Tick, { kind: Kind }>[] =>
  ticks.filter((tick): tick is Extract<Tick, { kind: Kind }> => tick.kind === kind);

describe.concurrent("the listing", () => {
  it("comes from both exchanges' open data: kinds by code, industries and sizes by company, the latest day by line", async ({ stage }) => {
    const { instruments, categories, latest, universe, simulated } = await stage.makeFeed().open();
    const own = instruments.filter(({ kind }) => kind !== "index");
    expect(own.map(({ code, kind, board, category }) => `${code} ${kind} ${board} ${category}`)).toEqual([
      "2330 stock listed 24",
      "2317 stock listed 31",
      "0050 etf listed etf",
      "6488 stock otc 24",
    ]);
    expect(own[0]).toMatchObject({
      zh: "台積電",
      zhCn: "台积电",
      en: "TSMC",
      issuedThousands: 25_930_380,
      fictitious: false,
      tradable: true,
    });
    expect(instruments.map(({ row }) => row)).toEqual(instruments.map((_, row) => row));
    expect(instruments.filter(({ kind }) => kind === "index").length).toBeGreaterThan(60);
    // Categories without instruments are left out.
    expect(categories.map(({ board, code, count }) => `${board} ${code} ${count}`).slice(0, 4)).toEqual([
      "listed 24 1",
      "listed 31 1",
      "listed etf 1",
      "otc 24 1",
    ]);
    expect(latest[0]).toEqual({
      at: taipei("00:00:00", "2026-02-26"),
      open: units(98),
      high: units(98),
      low: units(98),
      close: units(98),
      volume: 30_000,
      before: units(100),
    });
    // A security without a trade that day has no latest day.
    expect(latest[1]).toBeNull();
    expect(latest[3]).toMatchObject({ close: units(512), before: units(508.5), volume: 2345 });
    expect([simulated, universe.startsWith("twse-")]).toEqual([false, true]);
  });

  it("may be restricted to some codes, plus the two main indices", async ({ stage }) => {
    const { instruments } = await stage.makeFeed({ codes: ["2330", "6488"] }).open();
    expect(instruments.map(({ code }) => code)).toEqual(["2330", "6488", "IX0001", "IX0043"]);
    await expect(stage.makeFeed({ codes: ["9999"] }).open()).rejects.toThrow(FeedFailed);
  });

  it("works without the companies, but not without a board", async ({ stage }) => {
    stage.exchange.lists.delete("t187ap03_L");
    const { instruments } = await stage.makeFeed().open();
    expect(instruments.filter(({ board }) => board === "listed").map(({ code, category }) => `${code} ${category}`)).toEqual([
      "2317 20",
      "2330 20",
      "0050 etf",
    ]);
    stage.exchange.lists.delete("tpex_mainboard_quotes");
    await expect(stage.makeFeed().open()).rejects.toThrow(/cannot be opened.*tpex_mainboard_quotes answered 404/);
  });
});

describe.concurrent("calls", () => {
  it("are made one at a time, with at most 100 channels each and the session's cookie", async ({ stage }) => {
    const many = Array.from({ length: 230 }, (_, nth) => ({ Code: String(1001 + nth), Name: `N${nth}`, ClosingPrice: "10.00" }));
    stage.exchange.lists.set("STOCK_DAY_ALL", many);
    await stage.startFeed();
    await until(() => expect(stage.quoteCalls().length).toBeGreaterThan(6));
    const calls = stage.quoteCalls();
    const asked = new Set(calls.flatMap(({ channels }) => channels));
    expect(asked.size).toBeGreaterThan(230 + 60);
    expect(asked).toEqual(expect.objectContaining(new Set(["tse_1001.tw", "otc_6488.tw", "tse_t00.tw", "otc_o00.tw", "tse_IX0185.tw"])));
    expect(Math.max(...calls.map(({ channels }) => channels.length))).toBe(100);
    expect(stage.exchange.mostAtOnce).toBe(1);
    expect(stage.exchange.calls[4]?.path).toBe("/stock/index.jsp");
    expect(new Set(calls.map(({ cookie }) => cookie))).toEqual(new Set(["JSESSIONID=5; seen=1"]));
  });

  it("request viewed instruments every second time", async ({ stage }) => {
    const many = Array.from({ length: 230 }, (_, nth) => ({ Code: String(1001 + nth), Name: `N${nth}`, ClosingPrice: "10.00" }));
    stage.exchange.lists.set("STOCK_DAY_ALL", many);
    const { feed } = await stage.startFeed();
    feed.focus("1200");
    feed.focus("6488");
    const before = stage.quoteCalls().length;
    await until(() => expect(stage.quoteCalls().length).toBeGreaterThan(before + 5));
    const sizes = stage
      .quoteCalls()
      .slice(before + 1, before + 5)
      .map(({ channels }) => channels.length);
    expect(sizes.filter((size) => size === 2)).toHaveLength(2);
    expect(
      stage
        .quoteCalls()
        .find(({ channels }) => channels.length === 2)
        ?.channels.toSorted(),
    ).toEqual(["otc_6488.tw", "tse_1200.tw"]);
  });
});

describe.concurrent("when the service fails", () => {
  const faults: { fault: Fault; newSession: boolean }[] = [
    { fault: "silence", newSession: false },
    { fault: "cut", newSession: false },
    { fault: "ban", newSession: true },
    { fault: "page", newSession: true },
    { fault: "redirection", newSession: true },
    { fault: "garbage", newSession: true },
    { fault: "wrongCode", newSession: true },
  ];

  it.for(faults)("emits nothing on $fault, and continues once the service answers", async ({ fault, newSession }, { stage }) => {
    stage.exchange.rows.set("tse_2330.tw", quoteRow("2330", Date.now()));
    stage.exchange.faults.push(fault, fault, fault);
    const { ticks } = await stage.startFeed({ codes: ["2330"] });
    await until(() => expect(stage.exchange.faults).toEqual([]));
    expect(ticks).toEqual([]);
    await until(() => expect(ofKind(ticks, "book").length).toBeGreaterThan(1));
    // A handshake is no success: consecutive failures are counted, and so the waits grow.
    expect(stage.log.details.map((details) => "failures" in details && details.failures).filter(Boolean)).toEqual([1, 2, 3]);
    // After a refusal a new session is opened before the next call.
    expect(stage.exchange.calls.filter(({ path }) => path.endsWith("index.jsp")).length > 1).toBe(newSession);
    expect(stage.log.messages).toContain("the quote service answers again");
  });

  it("stops at once while it waits", async ({ stage }) => {
    stage.exchange.faults.push("silence");
    const { feed } = await stage.startFeed({ codes: ["2330"], rateLimit: { leastMs: MIN_INTERVAL_MS, timeoutMs: 60_000 } });
    await until(() => expect(stage.quoteCalls()).toHaveLength(1));
    await feed.stop();
    stage.exchange.faults.push("ban");
    const other = await stage.startFeed({ codes: ["2330"], rateLimit: { leastMs: MIN_INTERVAL_MS, timeoutMs: 1500, refusedMs: 600_000 } });
    await until(() => expect(stage.log.messages.at(-1)).toBe("the quote service returned no quotes"));
    await other.feed.stop();
  });
});

describe.concurrent("rows", () => {
  it("become a live market: quotes, trades of the difference, books with market orders at the limit, never trial matches", async ({
    stage,
  }) => {
    const now = Date.now();
    stage.exchange.skewMs = taipei("10:00:00") - now;
    const clock = (): number => Date.now() + stage.exchange.skewMs;
    const setRow = (over: Record<string, string>): void => void stage.exchange.rows.set("tse_2330.tw", quoteRow("2330", clock(), over));
    setRow({});
    stage.exchange.rows.set("tse_t00.tw", {
      c: "t00",
      ch: "t00.tw",
      ex: "tse",
      ...written(clock()),
      z: "17930.81",
      o: "-",
      y: "17910.37",
      v: "267204",
    });
    const feed = stage.makeFeed({ codes: ["2330"] });
    const venue = await openLiveVenue(feed, { log: stage.log });
    const row = venue.instrument("2330")?.row ?? -1;
    venue.start();
    try {
      await until(() => expect(venue.quote(row).last).toBe(units(100)));
      // The trading hours follow the service's clock, not ours.
      expect(venue.phase(Date.now())).toBe("open");
      expect(venue.quote(row)).toMatchObject({ reference: units(98), volume: 500, bid: units(100), ask: units(100.5) });
      const index = venue.instrument("IX0001")?.row ?? -1;
      expect(venue.quote(index)).toMatchObject({ last: units(17_930.81), reference: units(17_910.37), turnover: 267_204_000_000 });
      expect(venue.plan({ row, side: "buy", limit: null, lots: 6 }).map(({ price, lots }) => [price, lots])).toEqual([
        [units(100.5), 5],
        [units(101), 1],
      ]);

      // Lots without a price traded at the last one.
      setRow({ z: "-", v: "520", tv: "-" });
      await until(() => expect(venue.quote(row).volume).toBe(520));
      setRow({ z: "101.0000", v: "560" });
      await until(() => expect(venue.quote(row).volume).toBe(560));
      const trades = venue.tape(row, 0, 9);
      expect([trades[2], trades[3], trades[7], trades[8]]).toEqual([units(100), 20, units(101), 40]);

      // A halt: trial matches and a displayed book, but no trades.
      setRow({ ts: "1", z: "105.0000", pz: "105.0000", ps: "900", v: "1460", b: "0.0000_105.0000_", g: "30_5_", a: "-", f: "-" });
      await until(() => expect(venue.depth(row).asks).toEqual([]));
      expect(venue.depth(row).bids).toEqual([
        [units(107.5), 30],
        [units(105), 5],
      ]);
      expect(venue.quote(row)).toMatchObject({ last: units(101), volume: 560 });
      expect(venue.plan({ row, side: "sell", limit: null, lots: 1 })).toEqual([]);
      expect(venue.tape(row, 0, 9)).toEqual(trades);
      const { bars } = await venue.candles("2330", "minute", null, 9);
      expect(bars.filter((_, at) => at % 6 === 2).every((high) => high <= units(101))).toBe(true);

      // A service that stops answering leaves stale prices.
      stage.exchange.faults.push("silence", "silence", "silence");
      await until(() => expect(venue.fresh(Date.now(), row)).toBe(false));
      await until(() => expect(venue.fresh(Date.now(), row)).toBe(true));
    } finally {
      await venue.stop();
    }
  });

  it("emit nothing without a time or a known channel, and treat invalid prices as none", async ({ stage }) => {
    const at = Date.now();
    stage.exchange.rows.set("tse_2330.tw", quoteRow("2330", at, { tlong: "-", t: "-", d: "-" }));
    stage.exchange.rows.set(
      "otc_6488.tw",
      quoteRow("6488", at, { ex: "otc", z: "512.a", y: "", h: "-5", v: "x", b: "_", g: "", a: "10.0000_", f: "0_" }),
    );
    stage.exchange.rows.set("otc_o00.tw", quoteRow("9999", at));
    const { ticks } = await stage.startFeed({ codes: ["2330", "6488"] });
    await until(() => expect(ofKind(ticks, "book").length).toBeGreaterThan(0));
    expect(new Set(ticks.map((tick) => ("code" in tick ? tick.code : "")))).toEqual(new Set(["6488"]));
    expect(ofKind(ticks, "trade")).toEqual([]);
    expect(ofKind(ticks, "day")[0]).toMatchObject({ reference: null, high: null, last: null, volume: null });
    expect(ofKind(ticks, "book")[0]).toMatchObject({ bids: [], asks: [] });
  });

  it("are requested once a minute when the market is closed and everything has been read", async ({ stage }) => {
    stage.exchange.skewMs = taipei("20:00:00") - Date.now();
    const { feed } = await stage.startFeed({ codes: ["2330"], idleMs: 100_000 });
    await until(() => expect(stage.quoteCalls().length).toBeGreaterThan(1));
    await until(() => expect(feed.patienceMs).toBe(300_000));
    expect(stage.quoteCalls().length).toBeLessThan(5);
  });
});
