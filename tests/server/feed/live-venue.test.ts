/** Tests the live venue: a feed's ticks become quotes, tape, candles and a book that orders match by the published rule. */
import { afterEach, describe, expect, it } from "vitest";
import { HEAT_STRIDE } from "#contract/sector-heat.ts";
import type { Price } from "#contract/kernel/money.ts";
import { TAPE_STRIDE } from "#contract/tape.ts";
import { fakeInstrument } from "#tests/support/fake-venue.ts";
import { book, day, openScript, taipei, trade, units } from "./script-feed.ts";
import type { Script, ScriptOptions } from "./script-feed.ts";

const open: Script[] = [];
const script = async (options: ScriptOptions): Promise<Script> => {
  const opened = await openScript(options);
  open.push(opened);
  return opened;
};
afterEach(async () => {
  for (const { venue } of open.splice(0)) await venue.stop();
});

const TEN = taipei("10:00:00");
/** A venue at ten o'clock with a day tick of 2330: 100.00 after 500 lots, reference 98.00. */
async function atTen(options: Partial<ScriptOptions> = {}): Promise<Script> {
  const opened = await script({ at: TEN, ...options });
  opened.emit(day(TEN, { reference: units(98), open: units(99), high: units(101), low: units(98.5), last: units(100), volume: 500 }));
  return opened;
}
const tapeOf = (venue: Script["venue"], row = 0): { at: number; price: number; lots: number; side: number }[] => {
  const flat = venue.tape(row, 0, 100);
  return Array.from({ length: flat.length / TAPE_STRIDE }, (_, nth) => {
    const [, at = 0, price = 0, lots = 0, side = 0] = flat.slice(nth * TAPE_STRIDE);
    return { at, price, lots, side };
  });
};
const minutes = async ({ venue }: Script, period: "minute" | "minute5" = "minute"): Promise<number[][]> => {
  const { bars } = await venue.candles("2330", period, null, 500);
  return Array.from({ length: bars.length / 6 }, (_, nth) => bars.slice(nth * 6, nth * 6 + 6));
};

describe("a day tick", () => {
  it("is the quote, and makes up no trade: what traded before is a sum, and one bar at the open", async () => {
    const { venue } = await atTen();
    const quote = venue.quote(0);
    expect(quote).toMatchObject({
      last: units(100),
      open: units(99),
      high: units(101),
      low: units(98.5),
      reference: units(98),
      volume: 500,
    });
    // About the price of 500 lots between 98.50 and 101.00.
    expect(quote.turnover).toBeGreaterThan(500 * 98_500);
    expect(quote.turnover).toBeLessThan(500 * 101_000);
    expect(venue.tape(0, 0, 100)).toEqual([]);
    expect((await venue.candles("2330", "minute", null, 100)).bars).toEqual([
      taipei("09:00:00"),
      units(99),
      units(101),
      units(98.5),
      units(100),
      500,
    ]);
    expect(venue.depth(0)).toMatchObject({ atBid: 0, atAsk: 0 });
  });

  it("starts from the latest whole day, which may be the current one once it has ended", async () => {
    const latest = { open: units(97), high: units(99), low: units(96), close: units(98), volume: 9000, before: units(95) };
    const morning = await script({ at: TEN, latest: [{ ...latest, at: taipei("00:00:00", "2026-02-26") }, null] });
    expect(morning.venue.quote(0)).toMatchObject({ reference: units(98), last: 0, open: 0 });
    const evening = await script({ at: taipei("20:00:00"), latest: [{ ...latest, at: taipei("00:00:00") }, null] });
    expect(evening.venue.quote(0)).toMatchObject({ reference: units(95), last: units(98), open: units(97) });
  });
});

describe("a trade", () => {
  it("is the increase of the day's lots, so that a gap becomes one trade of the difference", async () => {
    const feed = await atTen();
    feed.emit(trade(TEN + 1000, 100.5, 510), trade(TEN + 60_000, 101, 560));
    const { venue } = feed;
    expect(tapeOf(venue)).toMatchObject([
      { at: TEN + 1000, price: units(100.5), lots: 10 },
      { at: TEN + 60_000, price: units(101), lots: 50 },
    ]);
    expect(venue.quote(0)).toMatchObject({ last: units(101), volume: 560 });
    expect(await minutes(feed)).toEqual([
      [taipei("09:00:00"), units(99), units(101), units(98.5), units(100), 500],
      [TEN, units(100.5), units(100.5), units(100.5), units(100.5), 10],
      [TEN + 60_000, units(101), units(101), units(101), units(101), 50],
    ]);
  });

  it("changes nothing as a duplicate or after a later one", async () => {
    const feed = await atTen();
    feed.emit(trade(TEN + 1000, 100.5, 510), trade(TEN + 3000, 101, 530));
    const before = [feed.venue.quote(0), feed.venue.tape(0, 0, 100), await minutes(feed)];
    feed.emit(trade(TEN + 3000, 101, 530), trade(TEN + 1000, 100.5, 510), trade(TEN + 2000, 99, 520));
    expect([feed.venue.quote(0), feed.venue.tape(0, 0, 100), await minutes(feed)]).toEqual(before);
  });

  it("has the side it matched in the book, and none in an auction", async () => {
    const feed = await script({ at: taipei("08:40:00") });
    feed.emit(day(taipei("08:40:00"), { reference: units(98), volume: 0 }));
    feed.set(taipei("09:00:01"));
    feed.emit(trade(taipei("09:00:00"), 99, 100));
    feed.emit(book(taipei("09:00:01"), [[98.9, 5]], [[99.1, 5]]));
    feed.set(taipei("13:30:30"));
    feed.emit(trade(taipei("09:01:00"), 99.1, 110), trade(taipei("09:02:00"), 98.9, 130), trade(taipei("09:03:00"), 99, 131));
    feed.emit(trade(taipei("13:30:00"), 99, 431));
    expect(tapeOf(feed.venue).map(({ lots, side }) => [lots, side])).toEqual([
      [100, 0],
      [10, 1],
      [20, -1],
      [1, 1],
      [300, 0],
    ]);
    expect(feed.venue.depth(0)).toMatchObject({ atAsk: 11, atBid: 20 });
    const bars = await minutes(feed, "minute5");
    // The closing auction has its own bar, and the day contains every lot.
    expect(bars.map(([at, , , , , lots]) => [at, lots])).toEqual([
      [taipei("09:00:00"), 131],
      [taipei("13:30:00"), 300],
    ]);
    expect((await feed.venue.candles("2330", "day", null, 10)).bars).toEqual([
      taipei("00:00:00"),
      units(99),
      units(99.1),
      units(98.9),
      units(99),
      431,
    ]);
  });

  it("is ignored when it belongs to another day or has an impossible time", async () => {
    const feed = await atTen();
    feed.emit(trade(taipei("13:00:00", "2026-02-26"), 120, 99_999), trade(TEN + 3_600_000, 120, 99_999), trade(0, 120, 99_999));
    feed.emit(trade(TEN, 120, 99_999, null, "9999"));
    expect(feed.venue.quote(0)).toMatchObject({ last: units(100), volume: 500 });
  });
});

describe("the book", () => {
  const want = { row: 0, side: "buy" as const, limit: null, lots: 12 };

  it("fills order by order over its levels, and what was taken stays taken until the market has refilled it", async () => {
    const feed = await atTen();
    const asks = [
      [100.5, 5],
      [101, 10],
    ] as const;
    feed.emit(book(TEN, [[100, 7]], asks));
    const { venue } = feed;
    const plan = venue.plan(want);
    expect(plan).toEqual([
      { price: units(100.5), lots: 5, level: 1, best: units(100.5) },
      { price: units(101), lots: 7, level: 2, best: units(100.5) },
    ]);
    expect(venue.plan({ ...want, limit: units(100.5) as Price }).map(({ lots }) => lots)).toEqual([5]);
    venue.consume(want, plan);
    expect(venue.depth(0).asks).toEqual([[units(101), 3]]);
    expect(venue.quote(0)).toMatchObject({ bid: units(100), ask: units(101) });
    // Sent again it is the same book; a trade does not change it either.
    feed.emit(book(TEN + 1000, [[100, 7]], asks), trade(TEN + 1000, 100.5, 505));
    expect(venue.depth(0).asks).toEqual([[units(101), 3]]);
    // Nor do other lots elsewhere in it, shortly after.
    feed.emit(book(TEN + 2000, [[100, 8]], asks));
    expect(venue.depth(0).asks).toEqual([[units(101), 3]]);
    feed.set(TEN + 3_600_000);
    feed.emit(book(TEN + 3_600_000, [[100, 9]], asks));
    await feed.afterUpdate();
    expect(venue.depth(0).asks).toEqual(asks.map(([price, lots]) => [units(price), lots]));
  });

  it("is not replaced by an older one", async () => {
    const feed = await atTen();
    feed.emit(book(TEN + 5000, [[100, 7]], [[100.5, 5]]), book(TEN + 4000, [[90, 1]], [[91, 1]]));
    expect(feed.venue.quote(0)).toMatchObject({ bid: units(100), ask: units(100.5) });
  });

  it("gives nothing during a trial match, when not confirmed recently, or after the connection was lost", async () => {
    const feed = await atTen();
    const { venue } = feed;
    feed.emit(book(TEN, [[100, 7]], [[100.5, 50]], true));
    expect(venue.depth(0).asks).toEqual([[units(100.5), 50]]);
    expect(venue.plan(want)).toEqual([]);
    feed.emit(book(TEN + 1000, [[100, 7]], [[100.5, 50]]));
    expect(venue.plan(want)).toHaveLength(1);
    // The script's feed is patient for ten seconds after a tick.
    expect([venue.fresh(TEN + 9_999), venue.fresh(TEN + 9_999, 0)]).toEqual([true, true]);
    expect([venue.fresh(TEN + 10_000), venue.fresh(TEN + 10_000, 0)]).toEqual([false, false]);
    feed.set(TEN + 20_000);
    expect([venue.fresh(TEN + 20_000), venue.plan(want)]).toEqual([false, []]);
    // A tick of another instrument: the market is fresh, but this book is not.
    feed.emit(day(TEN + 20_000, { reference: units(50), volume: 0 }, "2317"));
    expect([venue.fresh(TEN + 20_000), venue.fresh(TEN + 20_000, 1), venue.fresh(TEN + 20_000, 0)]).toEqual([true, true, false]);
    expect(venue.plan(want)).toEqual([]);
    feed.emit({ kind: "alive", at: TEN + 20_000 });
    expect([venue.fresh(TEN + 20_000, 0), venue.plan(want).length]).toEqual([true, 1]);
    feed.emit({ kind: "lost", at: TEN + 20_000 });
    expect([venue.fresh(TEN + 20_000), venue.plan(want), venue.depth(0).asks]).toEqual([false, [], []]);
    // The last price is still the last price.
    expect(venue.quote(0)).toMatchObject({ last: units(100), bid: 0, ask: 0 });
  });
});

describe("a price of 0", () => {
  it("means none: the known values of the day, and its limits, stay", async () => {
    const feed = await atTen();
    const before = feed.venue.quote(0);
    feed.emit(day(TEN + 1000, { reference: 0, open: 0, high: 0, low: 0, last: 0, volume: 0 }));
    expect(feed.venue.quote(0)).toEqual(before);
  });
});

describe("a session", () => {
  it("follows the exchange's hours and notifies listeners", async () => {
    const feed = await script({ at: taipei("08:59:59") });
    const phases: string[] = [];
    feed.venue.onPhase((phase) => void phases.push(phase));
    for (const time of ["09:00:00", "13:25:00", "13:30:00"]) {
      feed.set(taipei(time));
      await feed.afterUpdate();
    }
    expect(phases).toEqual(["open", "closingAuction", "closed"]);
    expect(feed.venue.state(taipei("10:00:00"))).toMatchObject({
      phase: "open",
      opensAt: taipei("09:00:00"),
      closesAt: taipei("13:30:00"),
      phaseEndsAt: taipei("13:25:00"),
      simulated: false,
    });
  });

  it("starts from the previous close with nothing traded, and then counts every lot", async () => {
    const feed = await atTen();
    feed.emit(trade(TEN + 1000, 101, 510));
    const morning = taipei("08:30:00", "2026-03-03");
    feed.set(morning);
    await feed.afterUpdate();
    const { venue } = feed;
    expect(venue.quote(0)).toMatchObject({ reference: units(101), last: 0, open: 0, volume: 0, turnover: 0 });
    expect([venue.tape(0, 0, 100), (await venue.candles("2330", "minute", null, 10)).bars]).toEqual([[], []]);
    feed.set(taipei("09:00:05", "2026-03-03"));
    feed.emit(trade(taipei("09:00:00", "2026-03-03"), 102, 40));
    expect(tapeOf(venue)).toMatchObject([{ price: units(102), lots: 40, side: 0 }]);
    expect(feed.changes.flat()).toEqual(expect.arrayContaining([0, 1]));
  });
});

describe("history", () => {
  const bar = (date: string, close: number): { at: number; open: number; high: number; low: number; close: number; volume: number } => {
    const price = units(close);
    return { at: taipei("00:00:00", date), open: price, high: price, low: price, close: price, volume: 10 };
  };

  it("is requested from a feed that has it, year by year as needed, and ends with today", async () => {
    const requests: string[] = [];
    const date = (of: number): string => new Date(of * 86_400_000).toISOString().slice(0, 10);
    const feed = await atTen({
      days: async (code, from, to) => {
        requests.push(`${code} ${date(from)} ${date(to)}`);
        return requests.length === 1
          ? [bar("2026-02-26", 97), bar("2026-02-27", 98)]
          : requests.length === 2
            ? [bar("2024-12-31", 90)]
            : [];
      },
    });
    const { bars, more } = await feed.venue.candles("2330", "day", null, 2);
    expect([bars.filter((_, at) => at % 6 === 4), more]).toEqual([[units(98), units(100)], true]);
    expect(requests).toEqual(["2330 2025-03-02 2026-03-01"]);
    const months = await feed.venue.candles("2330", "month", null, 10);
    expect(months.bars.filter((_, at) => at % 6 === 0)).toEqual(
      ["2024-12-01", "2026-02-01", "2026-03-01"].map((first) => taipei("00:00:00", first)),
    );
    expect([requests[1], requests.length, months.more]).toEqual(["2330 2024-03-02 2025-03-01", 3, false]);
    const older = await feed.venue.candles("2330", "day", taipei("00:00:00", "2026-02-27"), 1);
    expect(older.bars[4]).toBe(units(97));
    expect(requests).toHaveLength(3);
  });

  it("is requested again after a failure", async () => {
    let failing = true;
    const feed = await atTen({
      days: async () => {
        if (failing) throw new Error("no answer");
        return [bar("2026-02-26", 97)];
      },
    });
    await expect(feed.venue.candles("2330", "day", null, 1)).rejects.toThrow("no answer");
    failing = false;
    expect((await feed.venue.candles("2330", "day", null, 2)).bars).toHaveLength(12);
  });

  it("is the latest day and what was observed, for a feed without history", async () => {
    const latest = [{ ...bar("2026-02-26", 97), before: units(96) }, null];
    const feed = await atTen({ latest });
    expect((await feed.venue.candles("2330", "week", null, 10)).bars.filter((_, at) => at % 6 === 0)).toEqual(
      ["2026-02-23", "2026-03-02"].map((monday) => taipei("00:00:00", monday)),
    );
  });
});

describe("the market as a whole", () => {
  const three = [
    fakeInstrument(0, "2330", { issuedThousands: 1000 }),
    fakeInstrument(1, "2317", { issuedThousands: 3000 }),
    fakeInstrument(2, "IX0001", { kind: "index", board: "index", category: "index", tradable: false }),
  ];

  it("has rankings, heat and contributions like the sandbox; an index has bars from its levels", async () => {
    const feed = await atTen({ instruments: three });
    feed.emit(day(TEN, { reference: units(50), last: units(49), volume: 100 }, "2317"));
    feed.emit(day(TEN, { reference: units(20_000), last: units(20_010), turnover: 267_204_000_000 }, "IX0001"));
    feed.emit(day(TEN + 60_000, { last: units(20_020) }, "IX0001"));
    const { venue } = feed;
    expect(venue.rank({ by: "gainers", board: "listed", category: null, size: 5 })).toEqual([0, 1]);
    expect(venue.rank({ by: "gainers", board: "crypto", category: null, size: 5 })).toEqual([]);
    expect(venue.heat()).toHaveLength(HEAT_STRIDE);
    expect(venue.contribution(0)).toBeNull();
    expect(venue.contribution(2)).toMatchObject({
      up: 1,
      down: 1,
      leaders: [[0, expect.any(Number)]],
      laggards: [[1, expect.any(Number)]],
    });
    expect(venue.quote(2)).toMatchObject({ last: units(20_020), turnover: 267_204_000_000 });
    expect((await venue.candles("IX0001", "minute", null, 9)).bars.filter((_, at) => at % 6 === 4)).toEqual([units(20_010), units(20_020)]);
    expect(venue.tape(2, 0, 9)).toEqual([]);
  });

  it("has profiles without invented figures, and no ex-events or replays", async () => {
    const { venue } = await atTen({ instruments: three });
    expect(await venue.profile("2330")).toEqual({
      code: "2330",
      listedAt: null,
      issuedThousands: venue.instrument("2330")?.issuedThousands,
      fundamentals: null,
      yearHigh: null,
      yearLow: null,
      index: "IX0001",
      related: ["2317"],
    });
    // An index is not compared with itself, nor an instrument of neither board with any.
    expect((await venue.profile("IX0001"))?.index).toBe(null);
    const abroad = fakeInstrument(3, "BTC", { kind: "crypto", board: "crypto", category: "crypto" });
    expect((await (await atTen({ instruments: [...three, abroad] })).venue.profile("BTC"))?.index).toBe(null);
    expect([await venue.profile("0000"), await venue.actions("2330"), await venue.replaySession(TEN, TEN)]).toEqual([null, [], null]);
  });
});
