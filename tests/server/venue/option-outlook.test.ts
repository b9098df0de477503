/** Tests what options are priced by in the simulated market: the same on every server, known regimes only, and no later expiry below an earlier one. */
import { describe, expect, it, vi } from "vitest";
import { fairPremium, payoffOf } from "#contract/option-price.ts";
import { lastTradeAt } from "#server/trading/futures/contracts.ts";
import { Key } from "#server/venue/keyed-random.ts";
import { BOARD_INDICES } from "#server/venue/reference-data/indices.ts";
import { Component, GAP_PART, jumpedBy, moveOf } from "#server/venue/simulator/component.ts";
import { Outlook } from "#server/venue/simulator/index-outlook.ts";
import { MarketState } from "#server/venue/simulator/market-state.ts";
import { OptionOutlooks } from "#server/venue/simulator/option-outlook.ts";
import { Regime } from "#server/venue/simulator/regime.ts";
import { marketOf } from "#server/venue/simulator/seeded-market.ts";
import type { SeededMarket } from "#server/venue/simulator/seeded-market.ts";
import { feeDayOf } from "#server/venue/calendar/trading-calendar.ts";
import { mean, tOf } from "#tests/market-audit/statistics.ts";

const INDEX = BOARD_INDICES[0] ?? "";
const CODES = ["2330", "2317", "2454", "2308", "2881", "2412", "2882", "2891", "1301", "2002", INDEX];
const HOURS = ["always", "taiwan", "compressed"] as const;

/** A server's outlook, moved on by hand. */
function server(market: SeededMarket) {
  const state = new MarketState(market);
  const { calendar, referenceData } = market;
  const row = referenceData.listings.findIndex(({ instrument }) => instrument.code === INDEX);
  const outlooks = new OptionOutlooks(state);
  const expiryOf = (session: number) => {
    const [opensAt, closesAt] = [calendar.opensAt(session), calendar.closesAt(session)];
    return { opensAt, averagedFrom: lastTradeAt({ opensAt, closesAt }) };
  };
  return {
    advance: (at: number) => void state.advance(calendar.at(at), at),
    now: (at: number, expiry: number) => outlooks.now(row, at, expiryOf(expiry)),
    before: (session: number, expiry: number) => outlooks.before(row, feeDayOf(calendar, session), expiryOf(expiry)),
  };
}

describe.each(HOURS)("the outlook of a market open %s", (hours) => {
  const market = marketOf(4, hours, CODES);
  const { calendar } = market;
  const first = calendar.anchor + 20;
  const noonOf = (session: number): number => (calendar.opensAt(session) + calendar.closesAt(session)) / 2;

  it("is the same on a server that has run and on one that starts, now and at the close before", () => {
    const runs = server(market);
    const levels = new Set<number>();
    for (let session = first; session < first + 6; session += 1) {
      runs.advance(noonOf(session));
      const starts = server(marketOf(4, hours, CODES));
      starts.advance(noonOf(session));
      for (const expiry of [session, session + 1, first + 20]) {
        expect(starts.now(noonOf(session), expiry)).toEqual(runs.now(noonOf(session), expiry));
        expect(starts.before(session, expiry)).toEqual(runs.before(session, expiry));
      }
      levels.add(runs.now(noonOf(session), first + 20)?.smile.level ?? 0);
    }
    expect(levels.size).toBe(6);
  });

  it("goes on from the close to the marking, and does not jump in a day whose pace is its own", () => {
    const one = server(market);
    one.advance(calendar.opensAt(first));
    const varianceAt = (at: number, expiry: number): number => {
      const { days, smile } = one.now(at, expiry) ?? { days: 0, smile: { level: 0 } };
      return days * smile.level ** 2;
    };
    const end = calendar.closesAt(first) - 1;
    const marked = one.before(first + 1, first + 9);
    expect(varianceAt(end, first + 9) / ((marked?.days ?? 0) * (marked?.smile.level ?? 0) ** 2)).toBeCloseTo(1, 2);
    for (const expiry of [first, first + 1, first + 9]) {
      const all = varianceAt(calendar.opensAt(first), expiry);
      let before = all;
      for (let part = 1; part <= 200; part += 1) {
        const now = varianceAt(calendar.opensAt(first) + ((end - calendar.opensAt(first)) * part) / 200, expiry);
        expect(now).toBeLessThanOrEqual(before * (1 + 1e-9));
        expect(before - now).toBeLessThan(0.05 * all);
        before = now;
      }
      if (expiry === first) expect(before).toBeLessThan(0.02 * all);
    }
    expect(one.now(end, first - 1)).toBe(null);
  });
});

// A market of minutes marks no session but the one that begins.
it.each(["always", "taiwan"] as const)("marks days that were missed as it would have on each of them, open %s", (hours) => {
  const market = marketOf(4, hours, CODES);
  const first = market.calendar.anchor + 20;
  const noonOf = (session: number): number => (market.calendar.opensAt(session) + market.calendar.closesAt(session)) / 2;
  const later = server(marketOf(4, hours, CODES));
  later.advance(noonOf(first + 30));
  for (let session = first; session < first + 5; session += 1) {
    const then = server(market);
    then.advance(noonOf(session));
    expect(later.before(session, first + 25)).toEqual(then.before(session, first + 25));
    expect(then.before(session, first + 25)).not.toEqual(then.before(session + 1, first + 25));
  }
});

it("does not look at the days that were missed again for each position", () => {
  const market = marketOf(4, "taiwan", CODES);
  const first = market.calendar.anchor + 20;
  const one = server(market);
  one.advance(market.calendar.opensAt(first + 40));
  const looked = vi.spyOn(Component.prototype, "expectedVariance");
  const markAll = (): number => {
    looked.mockClear();
    for (let session = first; session < first + 40; session += 1) one.before(session, first + 45);
    return looked.mock.calls.length;
  };
  expect(markAll()).toBeGreaterThan(0);
  expect(markAll()).toBe(0);
  looked.mockRestore();
});

it("looks at few pairs of the days to come, and at no day of a variance twice", () => {
  const market = marketOf(4, "taiwan", CODES);
  const session = market.calendar.anchor + 40;
  const one = server(market);
  one.advance(market.calendar.opensAt(session));
  const pairs = vi.spyOn(Component.prototype, "variancesTogether");
  const powers = vi.spyOn(Math, "exp");
  one.now(market.calendar.opensAt(session), session + 190);
  const [looked, powered] = [pairs.mock.calls.length, powers.mock.calls.length];
  vi.restoreAllMocks();
  const shares = new Set(pairs.mock.contexts).size;
  expect(shares).toBeGreaterThan(2);
  // All pairs would be 95 times the days, and the powers of each day by itself 1,920.
  expect(looked / shares / 190).toBeLessThan(9);
  expect(powered / shares / 190).toBeLessThan(200);
});

/** An index of one share, its industry and the market. */
function outlookOf(seed: number) {
  const market = marketOf(seed, "taiwan", ["2330", INDEX]);
  const model = market.models.find((one) => one?.kind === "stock");
  if (!model) throw new Error("no share");
  const { own, group } = model.parameters;
  const components = [
    { component: market.factor.component, part: 0.74 },
    { component: group.component, part: 0.49 },
    { component: own, part: 0.375 },
  ];
  const moved = (session: number): number =>
    components.reduce((sum, { component, part }) => {
      const day = component.day(session);
      return sum + part * moveOf(day) + ((part - part * part) / 2) * day.deviation ** 2;
    }, 0);
  /** From the open to the close of a session. */
  const movedInside = (session: number): number =>
    components.reduce((sum, { component, part }) => {
      const day = component.day(session);
      return sum + part * (day.rest + jumpedBy(day, 1)) + ((part - part * part) / 2) * (1 - GAP_PART) * day.deviation ** 2;
    }, 0);
  return {
    first: market.calendar.anchor + 5,
    moved,
    movedInside,
    at: (session: number) => new Outlook(session, { components, rest: 1e-6 }),
  };
}

it("has no expiry whose variance or wings are below those of an earlier one", () => {
  for (let seed = 1; seed <= 4; seed += 1) {
    const { first, at } = outlookOf(seed);
    for (let session = first; session < first + 300; session += 13)
      for (const left of [1, 0.4, 0.02]) {
        const outlook = at(session);
        let before = { variance: 0, wings: 0 };
        for (const sessions of [0, 1, 2, 5, 21, 42, 63]) {
          const { variance, curve } = outlook.smile(left, sessions, 0.9);
          const wings = curve * Math.sqrt(variance / (1 + variance));
          expect(variance).toBeGreaterThanOrEqual(before.variance);
          expect(wings).toBeGreaterThanOrEqual(before.wings);
          expect(curve).toBeLessThanOrEqual(2);
          before = { variance, wings };
        }
      }
  }
});

it("prices what options pay on average, at the money and in both wings, in calm times and in wild ones", () => {
  const gains = new Map<string, number[]>();
  const levels: number[] = [];
  for (let seed = 1; seed <= 60; seed += 1) {
    const { first, moved, movedInside, at } = outlookOf(seed);
    for (let session = first; session < first + 400; session += 10) {
      const ahead = Array.from({ length: 10 }, (_, nth) => moved(session + 1 + nth));
      for (const sessions of [0, 1, 10]) {
        const { variance, curve } = at(session).smile(sessions === 0 ? 1 : 0, sessions, 1);
        const days = sessions === 0 ? 1 - GAP_PART : sessions;
        const smile = { level: Math.sqrt((variance * 252) / days), lean: 0, curve };
        const logs = sessions === 0 ? [movedInside(session)] : ahead.slice(0, sessions);
        const ended = 10_000 * Math.exp(logs.reduce((sum, one) => sum + one, 0));
        levels.push(smile.level);
        for (const away of [-2, -1, 0, 1, 2]) {
          const [right, strike] = [away < 0 ? ("put" as const) : ("call" as const), 10_000 * Math.exp(away * Math.sqrt(variance))];
          const gain = payoffOf(right, strike, ended) - fairPremium({ right, strike, forward: 10_000, days, smile });
          const times = smile.level < 0.13 ? "calm" : "wild";
          for (const name of [`${sessions} sessions, ${away}`, `${sessions} sessions, ${away}, ${times}`])
            gains.set(name, [...(gains.get(name) ?? []), gain / Math.sqrt(variance)]);
        }
      }
    }
  }
  for (const [name, own] of gains) expect(Math.abs(tOf(own)), name).toBeLessThan(3.5);
  const sorted = levels.toSorted((a, b) => a - b);
  expect(sorted[Math.floor(sorted.length * 0.05)]).toBeLessThan(0.1);
  expect(sorted[Math.floor(sorted.length * 0.95)]).toBeGreaterThan(0.19);
});

it("knows that a day may be wild or calm by chance: at the money that is worth less than the mean variance", () => {
  const [gains, below]: [number[], number[]] = [[], []];
  for (let seed = 1; seed <= 60; seed += 1) {
    const { factor, calendar } = marketOf(seed, "taiwan", [INDEX]);
    const { component } = factor;
    for (let session = calendar.anchor + 5; session < calendar.anchor + 505; session += 5) {
      const { variance } = new Outlook(session, { components: [{ component, part: 1 }], rest: 0 }).smile(0, 1, 1);
      const moved = Math.exp(moveOf(component.day(session + 1))) - 1;
      gains.push(Math.abs(moved) / Math.sqrt(variance) - Math.sqrt(2 / Math.PI));
      below.push(variance / component.expectedVariance(session, 1));
    }
  }
  expect(Math.abs(tOf(gains))).toBeLessThan(3.5);
  // Though jumps, which are beside it, make it more.
  expect(mean(below)).toBeLessThan(0.95);
});

describe("a regime", () => {
  const AHEADS = [1, 3, 10, 40, 300];
  const each = (see: (regime: Regime, session: number) => void): void => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const regime = new Regime(Key.of(seed, "some"), 0, 1.35);
      for (let session = 500; session < 2_000; session += 500) see(regime, session);
    }
  };

  it("is expected without being known: never too high or too low, whatever it is at the time", () => {
    const missed = new Map<string, number[]>();
    each((regime, session) => {
      const now = regime.at(session);
      for (const ahead of AHEADS) {
        const expected = regime.expected(session, ahead, (level) => level);
        for (const name of [`${ahead}`, `${ahead} ${now > 1}`])
          missed.set(name, [...(missed.get(name) ?? []), regime.at(session + ahead) / expected - 1]);
      }
    });
    for (const [name, own] of missed) expect(Math.abs(tOf(own)), name).toBeLessThan(3.5);
    // It is not what it will be, but in a session that is here.
    for (const ahead of AHEADS) expect(Math.max(...(missed.get(`${ahead}`) ?? [])), `${ahead}`).toBeGreaterThan(0.3);
    each((regime, session) => expect(regime.expected(session, 0, (level) => level)).toBe(regime.at(session)));
  });

  it("has as much together with itself as two sessions have on average", () => {
    for (const [near, far] of [
      [1, 1],
      [1, 4],
      [3, 30],
      [100, 120],
    ] as const) {
      const missed: number[] = [];
      each((regime, session) =>
        missed.push((regime.at(session + near) * regime.at(session + far)) / regime.together(session, near, far) - 1),
      );
      expect(Math.abs(tOf(missed)), `${near} ${far}`).toBeLessThan(3.5);
    }
  });

  it("has with a later session what it has with the one before that, but for those whose block ends there", () => {
    let ended = 0;
    each((regime, session) => {
      if (session > 500) return;
      for (let far = 1; far <= 60; far += 1) {
        const since = regime.endedSince(session, far);
        expect(since).toBeGreaterThanOrEqual(1);
        expect(since).toBeLessThanOrEqual(far);
        ended += far - since;
        for (let near = 1; near < since; near += 1)
          if (regime.together(session, near, far) !== regime.together(session, near, far - 1)) throw new Error(`${session} ${near} ${far}`);
      }
    });
    expect(ended / 300 / 60).toBeLessThan(8);
  });

  it("is forgotten once every block has ended", () => {
    each((regime, session) => {
      expect(regime.expected(session, 2_000, (level) => level)).toBeCloseTo(1, 9);
      expect(regime.expected(session, 2_000, (level) => level * level)).toBeCloseTo((1 + 0.35 ** 2) ** 8, 6);
    });
  });
});
