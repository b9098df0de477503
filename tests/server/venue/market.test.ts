/** Tests the simulated market: a function of its seed and of time, on ticks, within limits, and its parts add up. */
import { describe, expect, test } from "vitest";
import { dayLimits, onTick } from "#contract/tick.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import type { Bar } from "#server/venue/simulator/intraday-path.ts";
import { DailyProcessReader, marketOf } from "#server/venue/simulator/seeded-market.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";

/** Everyday a sample of the market. */
const codes = sampleUniverse(6);
const bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };

describe.each(["always", "taiwan", "compressed"] as const)("a market open %s", (hours) => {
  const market = marketOf(20_261, hours, codes);
  const { calendar, models } = market;
  const session = calendar.anchor + 30;
  const { minuteMs, minutes } = calendar;

  test("is equal for equal seeds, and differs between seeds", () => {
    const days = (seed: number): unknown[] => {
      const other = marketOf(seed, hours, codes);
      return other.models.flatMap((model, row) => (model && row % 40 === 0 ? [new DailyProcessReader(model, session).next()] : []));
    };
    expect(days(5)).toEqual(days(5));
    expect(days(5)).not.toEqual(days(6));
  });

  test("closes at the table's prices on the anchor day", () => {
    models.forEach((model) => {
      if (model) expect(new DailyProcessReader(model, calendar.anchor).next().close).toBe(model.anchor);
    });
  });

  test("keeps every price on its tick and within the day's limits, day after day", () => {
    let locked = 0;
    for (const model of models) {
      if (!model) continue;
      const reader = new DailyProcessReader(model, session - 20);
      let before = 0;
      for (let nth = 0; nth < 40; nth += 1) {
        const day = reader.next();
        const exDate = model.events.some((event) => event.session === day.session);
        if (before > 0 && !exDate && day.reference !== before) throw new Error("the reference is not the close before");
        before = day.close;
        const limits = dayLimits(model, day.reference);
        const prices = [day.open, day.high, day.low, day.close];
        for (const price of prices) {
          if (!onTick(model.kind, price)) throw new Error(`${price} is off its tick`);
          if (limits && (price > limits.up || price < limits.down)) throw new Error(`${price} is beyond the limits of ${day.reference}`);
        }
        if (day.high < Math.max(day.open, day.close) || day.low > Math.min(day.open, day.close)) throw new Error("the range is too small");
        if (limits && (day.close === limits.up || day.close === limits.down)) locked += 1;
      }
    }
    expect(locked).toBeGreaterThan(0);
  });

  test("follows the same path from every starting point", () => {
    for (const model of models.slice(0, 60)) {
      if (!model) continue;
      const long = new DailyProcessReader(model, session - 300);
      for (let nth = 0; nth < 300; nth += 1) long.next();
      expect(long.next()).toEqual(new DailyProcessReader(model, session).next());
    }
  });

  test("has minutes that add up to its days, to the last lot", () => {
    const marks = new Float64Array(minutes + 1);
    const traded = new Int32Array(minutes + 1);
    for (const model of models) {
      if (!model) continue;
      const day = new DailyProcessReader(model, session).next();
      const path = new Path(model, day, market.sessionProfile(session));
      path.tape(marks, traded, minutes);
      const sum = { open: 0, high: 0, low: Infinity, close: 0, volume: 0 };
      for (let minute = 0; minute < minutes; minute += 1) {
        const lots = traded[minute] ?? 0;
        if (lots < 0) throw new Error("volume went backwards");
        if (lots === 0) continue;
        path.bar(minute, marks[minute] ?? 0, marks[minute + 1] ?? 0, lots, bar);
        if (bar.high < Math.max(bar.open, bar.close) || bar.low > Math.min(bar.open, bar.close))
          throw new Error("a minute's range is too small");
        if (!onTick(model.kind, bar.high) || !onTick(model.kind, bar.low) || !onTick(model.kind, bar.close))
          throw new Error("a minute is off its tick");
        if (sum.volume === 0) sum.open = bar.open;
        sum.high = Math.max(sum.high, bar.high);
        sum.low = Math.min(sum.low, bar.low);
        sum.close = bar.close;
        sum.volume += bar.volume;
      }
      const { open, high, low, close, volume } = day;
      expect(sum).toEqual({ open, high, low, close, volume });
    }
  });

  test("returns single marks and lots as the tape does", () => {
    const marks = new Float64Array(minutes + 1);
    const traded = new Int32Array(minutes + 1);
    for (const model of models.slice(560, 640)) {
      if (!model) continue;
      const path = new Path(model, new DailyProcessReader(model, session).next(), market.sessionProfile(session));
      path.tape(marks, traded, minutes);
      for (let minute = 0; minute < minutes; minute += 7) {
        expect(path.lots(minute + 1) - path.lots(minute)).toBe(traded[minute]);
        if (traded[minute] === 0) continue;
        expect(path.mark(minute)).toBe(marks[minute]);
        expect(path.mark(minute + 1)).toBe(marks[minute + 1]);
      }
    }
  });

  test("goes on after the tape of a part of its day as from the open", () => {
    const marks = new Float64Array(minutes + 1);
    const traded = new Int32Array(minutes + 1);
    for (const [nth, model] of models.entries()) {
      if (!model || nth % 3 > 0) continue;
      const day = new DailyProcessReader(model, session).next();
      const path = (): Path => new Path(model, day, market.sessionProfile(session));
      const [read, followed] = [path(), path()];
      for (const until of [1, 40 + (nth % 150), calendar.continuous - 1, minutes - 1]) {
        read.tape(marks, traded, until);
        for (const mark of [until, until + 1, until - 1, until, until + 1])
          expect(read.mark(mark), `row ${nth} at ${mark}`).toBe(followed.mark(mark));
      }
    }
  });

  test("has key trades that add up to every minute's bar", () => {
    const trades = { count: new Uint8Array(1), offset: new Int32Array(6), price: new Float64Array(6), lots: new Int32Array(6) };
    for (const model of models.slice(560, 600)) {
      if (!model) continue;
      const path = new Path(model, new DailyProcessReader(model, session).next(), market.sessionProfile(session));
      for (let minute = 0; minute < minutes; minute += 11) {
        const lots = path.lots(minute + 1) - path.lots(minute);
        if (lots === 0) continue;
        path.bar(minute, path.mark(minute), path.mark(minute + 1), lots, bar);
        path.trades(minute, bar, trades, 0);
        const count = trades.count[0] ?? 0;
        const prices = Array.from(trades.price.slice(0, count));
        expect([prices[0], Math.max(...prices), Math.min(...prices), prices.at(-1)]).toEqual([bar.open, bar.high, bar.low, bar.close]);
        expect(trades.lots[count - 1]).toBe(lots);
        for (let nth = 1; nth < count; nth += 1) {
          expect(trades.lots[nth]).toBeGreaterThan(trades.lots[nth - 1] ?? 0);
          expect(trades.offset[nth]).toBeGreaterThan((trades.offset[nth - 1] ?? 0) + minuteMs / 60);
        }
        expect(trades.offset[count - 1]).toBeLessThan((minuteMs * 59) / 60);
      }
    }
  });
});

test("volatility clusters: a large move is likelier after a large one", () => {
  const market = marketOf(7, "always");
  const sizes: number[] = [];
  for (let session = 100; session < 2500; session += 1) sizes.push(Math.abs(market.factor.move(session)));
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  const after = sizes.filter((_, nth) => nth > 0 && (sizes[nth - 1] ?? 0) > 2 * mean);
  expect(after.reduce((sum, size) => sum + size, 0) / after.length).toBeGreaterThan(1.1 * mean);
});

test("stocks of an industry move together more than unrelated ones", () => {
  const market = marketOf(7, "always");
  const moves = (row: number): number[] => {
    const model = market.models[row];
    if (!model) return [];
    const reader = new DailyProcessReader(model, 1500);
    return Array.from({ length: 700 }, () => reader.next()).map((day) => Math.log(day.close / day.reference));
  };
  const correlation = (a: number[], b: number[]): number => {
    const mean = (list: number[]): number => list.reduce((sum, one) => sum + one, 0) / list.length;
    const [am, bm] = [mean(a), mean(b)];
    const product = (x: number[], xm: number, y: number[], ym: number): number =>
      x.reduce((sum, one, nth) => sum + (one - xm) * ((y[nth] ?? 0) - ym), 0);
    return product(a, am, b, bm) / Math.sqrt(product(a, am, a, am) * product(b, bm, b, bm));
  };
  const pairs = (sameIndustry: boolean): number => {
    const rows = market.referenceData.listings.filter(
      ({ instrument }) => ["17", "24"].includes(instrument.category) && !instrument.fictitious,
    );
    const finance = rows.filter(({ instrument }) => instrument.category === "17").slice(0, 12);
    const chips = rows.filter(({ instrument }) => instrument.category === "24").slice(0, 12);
    const others = sameIndustry ? finance.slice(1).concat(finance.slice(0, 1)) : chips;
    const all = finance.map(({ instrument }, nth) => correlation(moves(instrument.row), moves(others[nth]?.instrument.row ?? 0)));
    return all.reduce((sum, one) => sum + one, 0) / all.length;
  };
  expect(pairs(true)).toBeGreaterThan(pairs(false) + 0.05);
  expect(pairs(false)).toBeGreaterThan(0.1);
});
