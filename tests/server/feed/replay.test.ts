/** Tests recordings: played back on their own clock, at any speed, once; an invalid file is reported. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { openLiveVenue } from "#server/venue/feed/live-venue.ts";
import type { FeedMarket, Tick } from "#server/venue/feed/port.ts";
import { recordFeed, recordVenue } from "#server/venue/feed/recorder.ts";
import { ReplayFeed } from "#server/venue/feed/replay.ts";
import { lineOf } from "#server/venue/feed/tick-file.ts";
import type { TickFileHead } from "#server/venue/feed/tick-file.ts";
import type { Venue } from "#server/venue/venue.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import { TWO, book, day, recordingLog, taipei, trade, units } from "./script-feed.ts";

const dir = mkdtempSync(join(tmpdir(), "ticks-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 30_000, interval: 10 });

const HEAD: TickFileHead = {
  format: "kuroshio-ticks-1",
  universe: "two",
  hours: "taiwan",
  simulated: false,
  patienceMs: 3000,
  instruments: [...TWO],
  categories: [],
};
const TEN = taipei("10:00:00");

function write(name: string, ...lines: (TickFileHead | Tick | string)[]): string {
  const file = join(dir, name);
  writeFileSync(file, lines.map((line) => (typeof line === "string" ? line : lineOf(line))).join(""));
  return file;
}
const replay = (file: string, speed: number): ReplayFeed => new ReplayFeed({ file, speed, log: recordingLog() });

describe("a recording", () => {
  const ticks: Tick[] = [
    day(TEN, { reference: units(98), volume: 500, last: units(100) }),
    book(TEN + 1000, [[100, 7]], [[100.5, 5]]),
    trade(TEN + 60_000, 100.5, 505),
    { kind: "alive", at: TEN + 120_000 },
  ];

  it("is emitted in order, on its own clock; invalid lines are skipped; no ticks follow the end", async () => {
    const file = write("four.ticks", HEAD, "{half a line\n", ...ticks.slice(0, 2), '{"kind":"trade","code":"2330"}\n\n', ...ticks.slice(2));
    const feed = replay(file, 1000);
    const feedMarket = await feed.open();
    expect(feedMarket).toMatchObject({ universe: "replay-two", hours: "taiwan", simulated: false, instruments: TWO });
    expect(feed.clock(Date.now())).toBe(TEN);
    const emitted: { tick: Tick; clock: number }[] = [];
    feed.start((tick) => emitted.push({ tick, clock: feed.clock(Date.now()) }));
    await until(() => expect(emitted).toHaveLength(4));
    expect(emitted.map(({ tick }) => tick)).toEqual(ticks);
    for (const { tick, clock } of emitted) expect(clock).toBeGreaterThanOrEqual(tick.at);
    await until(() => expect(feed.clock(Date.now() + 60_000)).toBe(TEN + 120_000));
    await feed.stop();
  });

  it("leaves stale prices after its end", async () => {
    const feed = replay(write("ends.ticks", HEAD, ...ticks), 200);
    const venue = await openLiveVenue(feed, { log: recordingLog() });
    expect([venue.state(Date.now()).phase, venue.state(Date.now()).simulated]).toEqual(["open", false]);
    venue.start();
    try {
      await until(() => expect(venue.quote(0)).toMatchObject({ last: units(100.5), volume: 505, bid: units(100) }));
      expect((await venue.candles("2330", "minute", null, 9)).bars).toEqual([
        // What traded before the recording began is one bar at the open.
        taipei("09:00:00"),
        ...Array(4).fill(units(100)),
        500,
        TEN + 60_000,
        ...Array(4).fill(units(100.5)),
        5,
      ]);
      await until(() => expect(venue.fresh(Date.now())).toBe(false));
      expect(venue.plan({ row: 0, side: "buy", limit: null, lots: 1 })).toEqual([]);
      expect(venue.phase(Date.now() + 86_400_000)).toBe("open");
    } finally {
      await venue.stop();
    }
  });

  it("may be stopped while it waits, and before it was started", async () => {
    const slow = replay(write("slow.ticks", HEAD, ...ticks), 0.01);
    await slow.open();
    slow.start(() => undefined);
    await slow.stop();
    const never = replay(write("never.ticks", HEAD, ...ticks), 1);
    await never.open();
    await never.stop();
  });

  it("is rejected with a plain message when invalid", async () => {
    await expect(replay(join(dir, "absent.ticks"), 1).open()).rejects.toThrow(/REPLAY_FILE cannot be read.*ENOENT/);
    await expect(replay(write("empty.ticks"), 1).open()).rejects.toThrow(/is not a file of recorded ticks/);
    await expect(replay(write("other.ticks", '{"format":"other"}\n'), 1).open()).rejects.toThrow(/is not a file of recorded ticks/);
    await expect(replay(write("bare.ticks", HEAD), 1).open()).rejects.toThrow(/has no ticks of this market/);
  });
});

describe("the recorder", () => {
  it("records a feed unchanged", async () => {
    let emit: (tick: Tick) => void = () => undefined;
    const feedMarket: FeedMarket = {
      universe: "two",
      hours: "taiwan",
      simulated: false,
      instruments: TWO,
      categories: [],
      latest: [null, null],
    };
    const lines: string[] = [];
    const stop = await recordFeed(
      {
        patienceMs: 3000,
        speed: 1,
        open: async () => feedMarket,
        clock: (now) => now,
        start: (listener) => {
          emit = listener;
        },
        stop: async () => undefined,
      },
      (line) => lines.push(line),
    );
    const ticksSent: Tick[] = [day(TEN, { volume: 1 }), book(TEN, [], [], true), { kind: "lost", at: TEN }];
    for (const tick of ticksSent) emit(tick);
    await stop();
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([HEAD, ...ticksSent]);
  });

  it("records the sandbox so that its replay ends in the same state, trade for trade", async () => {
    const file = join(dir, "sandbox.ticks");
    const lines: string[] = [];
    // So slow that no row trades more often than its tape holds, however busy this machine is.
    // A clock that stands while this test reads: the trial prices of a halted row change by themselves.
    let at = Date.now();
    const clock = setInterval(() => (at = Date.now()), 5);
    const sandbox = openVenue({ seed: 7, rate: 400, hours: "always", now: () => at });
    const stop = recordVenue(
      sandbox,
      (line) => lines.push(line),
      () => at,
    );
    const rows = sandbox.instruments.filter(({ kind }) => kind !== "index").map(({ row }) => row);
    const from = sandbox.instruments.map(({ row }) => sandbox.tape(row, 0, 1)[0] ?? 0);
    const stateOf = (of: Venue, row: number): unknown => {
      const { seq: _seq, at: _at, turnover: _turnover, ...quote } = of.quote(row);
      const { bids, asks } = of.depth(row);
      return { ...quote, bids, asks };
    };
    /** Trades without their numbers: a recording numbers its own. */
    const trades = (flat: readonly number[]): number[][] =>
      Array.from({ length: flat.length / 5 }, (_, nth) => flat.slice(nth * 5 + 1, nth * 5 + 5));
    // The last state of each row, which is what can be recorded.
    const lastStates = sandbox.instruments.map(({ row }) => ({ state: stateOf(sandbox, row), trades: [] as number[][] }));
    sandbox.onChange((changed) => {
      for (const row of changed) {
        lastStates[row] = { state: stateOf(sandbox, row), trades: trades(sandbox.tape(row, from[row] ?? 0, 100)) };
      }
    });
    sandbox.start();
    await until(() => expect(lines.filter((line) => line.includes('"trade"')).length).toBeGreaterThan(100));
    stop();
    await sandbox.stop();
    clearInterval(clock);
    writeFileSync(file, lines.join(""));

    const venue = await openLiveVenue(replay(file, 100), { log: recordingLog() });
    venue.start();
    try {
      await until(() => expect(rows.map((row) => stateOf(venue, row))).toEqual(rows.map((row) => lastStates[row]?.state)));
      for (const row of rows) expect(trades(venue.tape(row, 0, 100))).toEqual(lastStates[row]?.trades);
      expect(venue.state(Date.now()).simulated).toBe(true);
    } finally {
      await venue.stop();
    }
  });
});
