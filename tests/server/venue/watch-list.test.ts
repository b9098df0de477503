/** Tests the exchange's watch list: what brings a stock on it and for how long, that every reader finds the same, and what it restricts. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import { DailyProcessReader, marketOf } from "#server/venue/simulator/seeded-market.ts";
import { WATCH_SESSIONS, WIDELY_HELD, WatchRecord } from "#server/venue/simulator/watch-list.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";

afterEach(() => void vi.useRealTimers());

const calendar = calendarOf("taiwan");
const from = calendar.at(Date.parse("2026-12-03T10:00:00+08:00")).session;

/** What each session is after the one before moved so much; the first is the one after `first`. */
function watched(moves: readonly (number | null)[], first = from): string[] {
  const record = new WatchRecord(calendar);
  return moves.map((move, nth) => {
    record.add(first + nth, move);
    const { level, everyMinutes } = record.next();
    return level === "disposition" ? `${everyMinutes}` : level;
  });
}
const calm = (sessions: number): number[] => Array.from({ length: sessions }, () => 0.001);
const disposed = (minutes: number): string[] => Array.from({ length: 10 }, () => `${minutes}`);

describe("the rule", () => {
  test("draws attention to a move of a quarter in six sessions, and disposes after three on end, for ten sessions", () => {
    const levels = watched([...calm(6), 0.09, 0.09, 0.09, 0, 0, 0.001, ...calm(12)]);
    expect(levels.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => "none"));
    expect(levels.slice(8, 10)).toEqual(["attention", "attention"]);
    expect(levels.slice(10, 20)).toEqual(disposed(5));
    expect(levels.slice(20)).toEqual(["none", "none", "none", "none"]);
  });

  test("does so for a fall as for a rise, and not where the attention was broken", () => {
    expect(watched([...calm(6), -0.1, -0.1, -0.1, 0, 0])[10]).toBe("5");
    expect(watched([...calm(6), 0.12, 0.12, -0.12, 0.12, 0.12, -0.24]).includes("5")).toBe(false);
  });

  test("takes the longer interval for a second one within thirty sessions, and the shorter one again after that", () => {
    const again = (sessions: number): string[] => watched([...calm(6), 0.09, 0.09, 0.09, 0, 0, ...calm(sessions), 0.09, 0.09, 0.09, 0, 0]);
    expect(again(20).at(-1)).toBe("20");
    expect(again(26).at(-1)).toBe("5");
  });

  test("counts no session without price limits, and leaves the days before it came into force as they were", () => {
    expect(watched([...calm(6), 0.09, 0.09, null, 0.09, 0, 0, 0])).not.toContain("attention");
    const before = calendar.at(Date.parse("2026-11-02T10:00:00+08:00")).session;
    expect(new Set(watched([...calm(6), 0.09, 0.09, 0.09, 0, 0, 0], before))).toEqual(new Set(["none"]));
  });
});

describe("the market", () => {
  const market = marketOf(9, "taiwan");

  test("has a few of them, the same from wherever it is read, and none that is widely held", () => {
    const counts = { none: 0, attention: 0, disposition: 0 };
    market.models.forEach((model, row) => {
      if (!model || from < model.listed) return;
      const { watch } = new DailyProcessReader(model, from).next();
      counts[watch.level] += 1;
      if (watch.level === "none") return;
      const { kind, issuedThousands } = market.referenceData.listings[row]?.instrument ?? { kind: null, issuedThousands: 0 };
      expect(kind).toBe("stock");
      expect(issuedThousands).toBeLessThan(WIDELY_HELD);
      for (const earlier of [1, 7, 40, WATCH_SESSIONS + 60]) {
        const reader = new DailyProcessReader(model, from - earlier);
        for (let nth = 0; nth < earlier; nth += 1) reader.skip();
        expect(reader.next().watch).toEqual(watch);
      }
    });
    expect(counts.attention).toBeGreaterThan(0);
    expect(counts.disposition).toBeGreaterThan(0);
    expect(counts.disposition).toBeLessThan(counts.none / 40);
  });

  test("shows them in its table, restricts them, and takes them off again; each list has an id of its own", async () => {
    const open = (day: string) => openVenue({ seed: 9, rate: 100, hours: "taiwan", now: () => Date.parse(`${day}T10:00:00+08:00`) });
    const [venue, later] = [open("2026-12-03"), open("2026-12-21")];
    const ids = [venue, later].map((one, nth) => one.state(Date.parse(nth === 0 ? "2026-12-03" : "2026-12-21")).universe);
    expect(new Set(ids).size).toBe(2);
    const listed = venue.instruments.filter(({ watch }) => watch === "disposition");
    expect(listed.length).toBeGreaterThan(0);
    for (const { code, dayTradable, marginable, shortable, watchUntil = 0 } of listed) {
      // Ten sessions from the first one on, which is today at the latest.
      expect(watchUntil).toBeGreaterThanOrEqual(calendar.opensAt(from));
      expect(watchUntil).toBeLessThanOrEqual(calendar.opensAt(from + 9));
      expect([dayTradable, marginable, shortable]).toEqual([false, false, false]);
      expect(venue.instrument(code)?.watch).toBe("disposition");
    }
    const over = listed.flatMap(({ row }) => later.instruments[row] ?? []).filter(({ watch }) => watch === "none");
    expect(over.some(({ shortable }) => shortable)).toBe(true);
    await Promise.all([venue.stop(), later.stop()]);
  });

  test("of the next session is published when orders may first be reserved for it, the same after a restart and in its session", async () => {
    const endsAt = Date.parse("2026-12-03T14:30:00+08:00");
    const isDisposed = (row: number, session: number): boolean => {
      const model = market.models[row];
      return !!model && session >= model.listed && new DailyProcessReader(model, session).next().watch.level === "disposition";
    };
    const began = market.models.flatMap((_, row) => (!isDisposed(row, from) && isDisposed(row, from + 1) ? [row] : []));
    const ended = market.models.flatMap((_, row) => (isDisposed(row, from) && !isDisposed(row, from + 1) ? [row] : []));
    expect(began.length + ended.length).toBeGreaterThan(0);
    vi.useFakeTimers({ now: endsAt - 2 * SECOND_MS });
    const open = () => openVenue({ seed: 9, rate: 100, hours: "taiwan" });
    const venue = open();
    venue.start();
    const listed = (of: typeof venue): number[] => of.instruments.filter(({ watch }) => watch === "disposition").map(({ row }) => row);
    const today = listed(venue);
    expect(today).toEqual(market.models.flatMap((_, row) => (isDisposed(row, from) ? [row] : [])));
    const seen: [list: number[], universe: string][] = [];
    venue.onPhase(() => seen.push([listed(venue), venue.state(Date.now()).universe]));
    vi.advanceTimersByTime(4 * SECOND_MS);
    const next = [...today.filter((row) => !ended.includes(row)), ...began].toSorted((a, b) => a - b);
    expect(seen.map(([list]) => list)).toEqual([next]);
    for (const row of began) {
      expect(venue.instruments[row]).toMatchObject({ marginable: false, shortable: false, dayTradable: false });
      expect(venue.depth(row).callsEveryMs).toBeGreaterThan(0);
    }
    for (const row of ended) expect(venue.depth(row).callsEveryMs).toBeNull();
    await venue.stop();
    vi.setSystemTime(Date.parse("2026-12-03T23:00:00+08:00"));
    const evening = open();
    vi.setSystemTime(Date.parse("2026-12-04T08:30:01+08:00"));
    const morning = open();
    for (const twin of [evening, morning]) {
      expect(listed(twin)).toEqual(next);
      expect(twin.state(Date.now()).universe).toBe(seen[0]?.[1]);
    }
    vi.useRealTimers();
  });
});
