/** Tests the level that contracts are quoted around: a function of seed and time of which nothing that is public tells where it goes next. */
import { describe, expect, it } from "vitest";
import { BOARD_INDICES } from "#server/venue/reference-data/indices.ts";
import { jumpIn } from "#server/venue/simulator/component.ts";
import { clockOf } from "#server/venue/simulator/day-clock.ts";
import { FairIndices } from "#server/venue/simulator/fair-index.ts";
import { MarketState } from "#server/venue/simulator/market-state.ts";
import { marketOf } from "#server/venue/simulator/seeded-market.ts";
import type { SeededMarket } from "#server/venue/simulator/seeded-market.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";
import { findingsOf } from "#tests/market-audit/contract-moves.ts";
import { record } from "#tests/market-audit/contract-record.ts";

const INDEX = BOARD_INDICES[0] ?? "";
/** The largest shares and some smaller ones. */
const CODES = ["2330", "2317", "2454", "2308", "2881", "2412", "2882", "2891", "3711", "2303", "1301", "2002", "1216", "2886", "2357"];
const SMALL = ["1101", "1102", "1210", "1402", "1504", "1605", "1717", "1802", "1907", "2105", "2201", "2313", "2324", "2344", "2352"];
const small = (seed: number, hours: Hours): SeededMarket => marketOf(seed, hours, [...CODES, ...SMALL, INDEX]);

function opened(market: SeededMarket, session: number, minute: number) {
  const { calendar } = market;
  const state = new MarketState(market);
  const from = calendar.opensAt(session) + minute * calendar.minuteMs;
  state.advance(calendar.at(from), from);
  const row = market.referenceData.listings.findIndex(({ instrument }) => instrument.code === INDEX);
  const fair = new FairIndices(state);
  return { state, levelAt: (offsetMs: number): number | null => fair.at(row, calendar.at(from + offsetMs)) };
}

describe.each(["always", "taiwan", "compressed"] as const)("the level while open %s", (hours) => {
  it("cannot be foretold by anything public, as the index of last trades can", () => {
    const market = small(3, hours);
    const first = market.calendar.anchor + 20;
    const records = [0, 3, 6, 9, 12].map((nth) => record(market, { session: first + nth, until: 240 }));
    const findings = findingsOf(records, "fair");
    expect(findings.length).toBeGreaterThan(60);
    for (const { signal, seconds, t, net, netT } of findings) {
      expect(Math.abs(t), `${signal}, ${seconds} s`).toBeLessThan(4);
      expect(net > 0 && netT > 3, `trading by ${signal} for ${seconds} s`).toBe(false);
    }
    const ofIndex = findingsOf(records, "index");
    expect(Math.max(...ofIndex.map(({ t }) => Math.abs(t)))).toBeGreaterThan(5);
    // The gap that the index comes back from is of ticks, and never far.
    const gaps = records.flatMap(({ fair, index }) => fair.map((level, nth) => Math.abs(level - (index[nth] ?? 0))));
    expect(Math.max(...gaps.slice(120))).toBeLessThan(0.02);
  });

  it("is the same whenever it is asked for, and none before the open and after the close", () => {
    const market = small(5, hours);
    const session = market.calendar.anchor + 30;
    const { minuteMs, continuous } = market.calendar;
    const straight = opened(market, session, 0);
    const moments = Array.from({ length: 40 }, (_, nth) => Math.floor(nth * 0.37 * minuteMs));
    const levels = moments.map((at) => straight.levelAt(at));
    expect(new Set(levels).size).toBeGreaterThan(30);
    const other = opened(market, session, 0);
    for (const [nth, at] of [...moments.entries()].toReversed()) expect(other.levelAt(at), String(at)).toBe(levels[nth]);
    expect(straight.levelAt(-1)).toBe(null);
    expect(straight.levelAt(continuous * minuteMs - 1)).not.toBe(null);
    expect(straight.levelAt(continuous * minuteMs)).toBe(null);
  });
});

it("is where a minute ends when the first trades tell of it, and goes there without memory", () => {
  const market = small(3, "taiwan");
  const { calendar } = market;
  const { state, levelAt } = opened(market, calendar.anchor + 20, 0);
  const index = market.referenceData.listings.findIndex(({ instrument }) => instrument.code === INDEX);
  const rows = state.indices.constituents(index);
  const ends = (mark: number): number =>
    state.indices.levelFor(
      index,
      rows.reduce((sum, row) => sum + (state.path(row)?.exact(mark) ?? 0) * state.indices.weight(row), 0),
    ) ?? 0;
  const logAt = (ms: number): number => Math.log(levelAt(ms) ?? 1);
  type Pairs = [first: number, second: number][];
  const moves: Pairs = [];
  const halves: Pairs = [];
  for (let minute = 1; minute < 250; minute += 1) {
    const began = minute * calendar.minuteMs;
    const at = calendar.opensAt(calendar.anchor + 20) + began;
    state.advance(calendar.at(at), at);
    // A sixth into the minute is the second of six trades, the first that may tell; before the next minute ends it is a little on its way.
    const end = Math.log(ends(minute + 1));
    moves.push([end - Math.log(ends(minute)), logAt(began + 15_000) - end]);
    const [from, middle, until] = [16_000, 38_000, 60_000].map((ms) => logAt(began + ms));
    halves.push([(middle ?? 0) - (from ?? 0), (until ?? 0) - (middle ?? 0)]);
  }
  const spread = (pairs: Pairs, nth: 0 | 1): number => Math.sqrt(pairs.reduce((sum, own) => sum + own[nth] ** 2, 0) / pairs.length);

  const together = halves.reduce((sum, [first, second]) => sum + first * second, 0) / halves.length / spread(halves, 0) / spread(halves, 1);
  expect(Math.abs(together)).toBeLessThan(0.15);
  expect(spread(halves, 0) / spread(halves, 1)).toBeGreaterThan(0.85);
  expect(spread(halves, 0) / spread(halves, 1)).toBeLessThan(1.18);
});

it("takes a share's own jump at the trade that shows it, not before", () => {
  const market = small(11, "taiwan");
  const { calendar } = market;
  const { passed } = clockOf(calendar);
  let found = 0;
  for (let session = calendar.anchor + 5; session < calendar.anchor + 200 && found < 4; session += 1) {
    const { state } = opened(market, session, 0);
    for (const [row, { instrument }] of market.referenceData.listings.entries()) {
      const path = state.path(row);
      const own = path?.day.moves.own;
      if (!path || !own || own.jump < 0.012 || own.jump > 0.033 || own.jumpAt > 1) continue;
      const minute = passed.findIndex((part) => part >= own.jumpAt) - 1;
      if (minute < 2 || minute > 250 || path.haltAt(minute) || path.lots(minute + 1) - path.lots(minute) < 12) continue;
      expect(jumpIn(own, passed[minute] ?? 0, passed[minute + 1] ?? 0)).toBe(own.jump);
      const alone = opened(marketOf(11, "taiwan", [instrument.code, INDEX]), session, minute);
      // The share alone is the index; before the first trade that shows it (a sixth into the minute at the earliest) nothing of it is there.
      const before = Math.log((alone.levelAt(9_400) ?? 1) / (alone.levelAt(0) ?? 1));
      const after = Math.log((alone.levelAt(59_999) ?? 1) / (alone.levelAt(0) ?? 1));
      expect(Math.abs(before), `${instrument.code} in ${session}`).toBeLessThan(0.25 * own.jump);
      expect(after).toBeGreaterThan(0.7 * own.jump);
      found += 1;
    }
  }
  expect(found).toBeGreaterThanOrEqual(3);
});
