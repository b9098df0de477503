/**
 * Tests ex-events: reference prices by the exchange's formula, limits from the unrounded reference, and a market that continues
 * from them.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { CANDLE_STRIDE } from "#contract/candle.ts";
import { DAY_MS, taipeiDay } from "#contract/kernel/time.ts";
import { dayLimits, onTick, toTick } from "#contract/tick.ts";
import { ANCHOR_DAY, tradesOn } from "#server/venue/calendar/trading-calendar.ts";
import { exReference } from "#server/venue/simulator/corporate-actions.ts";
import { DailyProcessReader, marketOf } from "#server/venue/simulator/seeded-market.ts";
import type { Venue } from "#server/venue/venue.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";

/** Everyday a sample of the market, with a share that is split in 2027. */
const codes = sampleUniverse(12, "3005");
const yearOf = (day: number): number => new Date(day * DAY_MS).getUTCFullYear();
const MILLION = 1_000_000;
const units = (amount: number): number => Math.round(amount * 10_000);
const NONE = { cash: 0, freeMillionths: 0, rightsMillionths: 0, rightsPrice: 0 };

describe("the reference price", () => {
  test.each([
    ["a cash dividend of an ETF", 31.35, { ...NONE, cash: units(0.75) }, 30.6],
    ["a cash dividend", 103.5, { ...NONE, cash: units(2.2) }, 101.3],
    ["a split in four", 2485, { ...NONE, freeMillionths: 3 * MILLION }, 621.25],
    ["cash and shares", 105, { ...NONE, cash: units(5), freeMillionths: 0.25 * MILLION }, 80],
    ["rights", 60, { ...NONE, rightsMillionths: 0.2 * MILLION, rightsPrice: units(48) }, 58],
    ["all of them", 80, { cash: units(2), freeMillionths: 100_000, rightsMillionths: 100_000, rightsPrice: units(60) }, 70],
    ["an uneven division", 100, { ...NONE, freeMillionths: 70_000 }, 93.4579],
  ])("after %s", (_, close, event, reference) => {
    expect(exReference(units(close), event)).toBe(units(reference));
  });

  test.each([
    ["stock", 101.3, 111, 91.2],
    ["stock", 62.84, 69.1, 56.6],
    ["stock", 621.25, 683, 560],
    ["stock", 593, 652, 534],
    ["etf", 30.6, 33.66, 27.54],
    ["etf", 18.96, 20.85, 17.07],
    ["stock", 19.69, 21.65, 17.75],
    ["stock", 8.65, 9.51, 7.79],
    ["stock", 31.26, 34.35, 28.15],
    ["stock", 375, 412.5, 337.5],
    ["stock", 839, 922, 756],
  ] as const)("of a %s, %d unrounded, gives the limits %d and %d", (kind, reference, up, down) => {
    expect(dayLimits({ kind, limitPercent: 10 }, units(reference))).toEqual({ up: units(up), down: units(down) });
  });
});

describe.each(["always", "taiwan"] as const)("a market open %s", (hours) => {
  const market = marketOf(11, hours, codes);
  const { calendar } = market;
  const events = market.models.flatMap((model, row) => (model ? model.events.map((event) => ({ model, row, event })) : []));

  test("generates the same ex-events every time, and others for another seed", () => {
    const of = (seed: number): unknown => marketOf(seed, hours, codes).models.map((model) => model?.events);
    expect(of(11)).toEqual(market.models.map((model) => model?.events));
    expect(of(12)).not.toEqual(of(11));
  });

  test("has every kind of them on trading days, one summer dividend a year for most stocks, and every kind in the years after the anchor", () => {
    expect(new Set(events.map(({ event }) => event.kind))).toEqual(new Set(["dividend", "stockDividend", "rights", "split"]));
    for (let year = 2027; year <= 2031; year += 1) {
      const kinds = events.flatMap(({ event }) => (yearOf(calendar.dayOf(event.session)) === year ? [event.kind] : []));
      expect(kinds, String(year)).toEqual(expect.arrayContaining(["dividend", "stockDividend", "rights"]));
    }
    // A split is too rare for every year of a sample.
    expect(events.some(({ event }) => event.kind === "split" && event.session > calendar.anchor)).toBe(true);
    const paying = new Set<number>();
    for (const { model, row, event } of events) {
      const day = calendar.dayOf(event.session);
      expect(tradesOn(day)).toBe(true);
      const month = new Date(day * DAY_MS).getUTCMonth() + 1;
      if (model.kind === "stock" && event.cashShare > 0 && day > Date.UTC(2025, 0, 1) / DAY_MS) {
        expect([6, 7, 8, 9]).toContain(month);
        paying.add(row);
      }
    }
    const stocks = market.models.filter((model) => model?.kind === "stock").length;
    expect(paying.size / stocks).toBeGreaterThan(0.75);
  });

  test("continues from the reference within its limits, and its shares grow by those issued", () => {
    for (const { model, event } of events.filter(({ event }, nth) => nth % 8 === 0 || event.kind === "split" || event.kind === "rights")) {
      const reader = new DailyProcessReader(model, event.session - 1);
      const before = reader.next();
      const day = reader.next();
      const limits = dayLimits(model, day.reference);
      const details = `${model.kind} ${model.anchor} ${JSON.stringify(event)} ${before.close} ${day.reference} ${day.close}`;
      if (limits && (day.close > limits.up || day.close < limits.down)) throw new Error(details);
      const issued = (event.freeMillionths + event.rightsMillionths) / MILLION;
      if (event.rightsMillionths === 0) expect(day.shares / before.shares, details).toBeCloseTo(1 + issued, 9);
      else expect(day.shares / before.shares).toBeGreaterThan(1);
    }
  });

  test("does not lower an index for new shares, but for cash", () => {
    const stocks = events.filter(({ model }) => model.kind === "stock");
    for (const { model, event } of stocks.filter(({ event }) => event.kind !== "dividend")) {
      const reader = new DailyProcessReader(model, event.session - 1);
      const before = reader.next();
      const day = reader.next();
      // The index measures from the close before, in shares of the day.
      expect((day.previous * day.shares) / (before.close * before.shares)).toBeCloseTo(1, 2);
    }
    const cash = stocks.find(({ event }) => event.kind === "dividend");
    if (!cash) throw new Error("no dividend");
    const day = new DailyProcessReader(cash.model, cash.event.session).next();
    expect(day.previous).toBeGreaterThan(day.reference);
  });
});

describe.each([
  ["before the anchor", "2026-11-18T11:20:40+08:00"],
  ["after it", "2028-03-15T11:20:40+08:00"],
])("ex-events %s, as reported by the venue", (when, now) => {
  const AT = Date.parse(now);
  let venue: Venue;
  beforeAll(() => {
    venue = openVenue({ seed: 11, rate: 400, hours: "always", codes, now: () => AT });
  });
  afterAll(() => venue.stop());

  const market = marketOf(11, "always", codes);
  const codeWith = (kind: CorporateAction["kind"]): string => {
    const { anchor } = market.calendar;
    const last = market.calendar.at(AT).session;
    const isPast = (session: number): boolean =>
      when === "after it" ? session > anchor && session < last : session > 400 && session < anchor;
    const row = market.models.findIndex((model) => model?.events.some((event) => event.kind === kind && isPast(event.session)));
    return market.referenceData.listings[row]?.instrument.code ?? "";
  };

  async function days(code: string): Promise<number[][]> {
    const bars: number[][] = [];
    let before: number | null = null;
    for (let more = true; more;) {
      const page: { bars: number[]; more: boolean } = await venue.candles(code, "day", before, 500);
      const pageBars = Array.from({ length: page.bars.length / CANDLE_STRIDE }, (_, nth) =>
        page.bars.slice(nth * CANDLE_STRIDE, (nth + 1) * CANDLE_STRIDE),
      );
      bars.unshift(...pageBars);
      before = pageBars[0]?.[0] ?? null;
      more = page.more;
    }
    return bars;
  }

  test.each(["dividend", "stockDividend", "rights", "split"] as const)(
    "prices adjusted for a %s change on the ex-date as the day did from its reference",
    async (kind) => {
      const code = codeWith(kind);
      const actions = await venue.actions(code);
      const bars = await days(code);
      expect(actions.map((action) => action.kind)).toContain(kind);
      for (const action of actions) {
        const at = bars.findIndex(([start]) => start === action.at);
        const close = bars[at]?.[4] ?? 0;
        const before = bars[at - 1]?.[4] ?? 0;
        expect(action.closeBefore).toBe(before);
        expect(action.reference).toBe(exReference(before, action));
        const adjusted = before * (action.reference / action.closeBefore);
        expect(close / adjusted).toBeCloseTo(close / action.reference, 12);
        expect(Math.abs(close / adjusted - 1)).toBeLessThan(0.11);
        if (action.cash > 0) expect(action.cash % 100).toBe(0);
        if (action.rightsPrice > 0) expect(action.rightsPrice).toBe(toTick("stock", action.rightsPrice));
      }
    },
  );

  test("are within the history, oldest first, and equal after a restart", async () => {
    const first = taipeiDay((await days("2330"))[0]?.[0] ?? 0);
    const again = openVenue({ seed: 11, rate: 400, hours: "always", codes, now: () => AT });
    for (const code of ["2330", "0056", "2881", codeWith("split")]) {
      const actions = await venue.actions(code);
      expect(actions.length, code).toBeGreaterThan(0);
      expect(actions.map(({ at }) => at)).toEqual(actions.map(({ at }) => at).toSorted((a, b) => a - b));
      for (const { at } of actions) expect(taipeiDay(at) > first && at <= AT).toBe(true);
      expect(await again.actions(code)).toEqual(actions);
    }
    await again.stop();
  });

  test("make the issued shares of the profile grow", async () => {
    for (const kind of ["stockDividend", "split"] as const) {
      const code = codeWith(kind);
      const since = (await venue.actions(code)).filter(({ at }) => taipeiDay(at) > ANCHOR_DAY);
      const grown = since.reduce((all, { freeMillionths }) => all * (1 + freeMillionths / MILLION), 1);
      expect(grown > 1).toBe(when === "after it");
      const profile = await venue.profile(code);
      expect(profile?.issuedThousands).toBe(Math.floor((venue.instrument(code)?.issuedThousands ?? 0) * grown));
    }
  });

  test("are empty for indices, currencies and unknown codes", async () => {
    for (const code of ["IX0001", "BTC", "NOPE"]) expect(await venue.actions(code)).toEqual([]);
  });
});

test("before the first trade of an ex-date the book is on ticks, around the unrounded reference", async () => {
  const now = Date.parse("2026-07-20T08:45:00+08:00");
  const venue = openVenue({ seed: 11, rate: 400, hours: "taiwan", codes, now: () => now });
  const distances: number[] = [];
  for (const { row, kind, tradable } of venue.instruments) {
    const { reference, last } = venue.quote(row);
    if (!tradable || reference === 0) continue;
    expect(last).toBe(0);
    if (onTick(kind, reference)) continue;
    const { bids, asks } = venue.depth(row);
    for (const [price] of [...bids, ...asks]) expect(onTick(kind, price)).toBe(true);
    distances.push(Math.abs((bids[0]?.[0] ?? 0) / reference - 1));
  }
  expect(distances.length).toBeGreaterThan(3);
  // News of the night takes a few further away.
  expect(distances.filter((distance) => distance < 0.02).length).toBeGreaterThan(0.8 * distances.length);
  expect(Math.max(...distances)).toBeLessThan(0.11);
  await venue.stop();
});
