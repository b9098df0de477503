/**
 * Tests the impact of members' fills: what it depends on, that it is the same from every start, and that the market alone, on which margin, funds
 * and settlements are priced, knows nothing of it.
 */
import { describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { onTick, tickSize } from "#contract/tick.ts";
import { movesPrice } from "#server/venue/matching/member-trade.ts";
import { LAG_MS, Offset, impactOf, movedPrice } from "#server/venue/simulator/impact.ts";
import type { Impact } from "#server/venue/simulator/impact.ts";
import { DailyProcessReader } from "#server/venue/simulator/seeded-market.ts";
import { mix, unit } from "#server/venue/seeded-random.ts";
import { OPENED, Sandbox, marketOfCodes } from "./moved-sandbox.ts";

const CODES = ["2330", "2603", "1101", "6488", "3008", "0050"] as const;
const market = marketOfCodes(CODES);
const rowOf = (code: string): number => market.referenceData.listings.findIndex(({ instrument }) => instrument.code === code);
const { calendar } = market;

function impactAt(code: string, at: number): Impact | null {
  const model = market.models[rowOf(code)];
  if (!model) throw new Error(`no ${code}`);
  return impactOf(model, new DailyProcessReader(model, calendar.at(at).session).next(), calendar);
}

function impact(code: string): Impact {
  const known = impactAt(code, OPENED);
  if (!known) throw new Error(`nothing moves ${code}`);
  return known;
}

/** Fills at random, flat as times and lots. */
const fillsOf = (seed: number, count: number): number[] =>
  Array.from({ length: count }, (_, nth) => nth).flatMap((nth) => [
    OPENED + Math.floor(nth * 20 * SECOND_MS * (1 + unit(mix(seed, nth)))),
    Math.round((unit(mix(seed, nth + 1_000)) - 0.5) * 400),
  ]);

describe("an impact", () => {
  test("comes to seven tenths of a day's deviation for a day's volume, and grows with the root of the lots", () => {
    const of2330 = impact("2330");
    const after = (lots: number): number => new Offset(of2330, [OPENED, lots]).at(OPENED + LAG_MS);
    const { parameters } = market.models[rowOf("2330")] ?? {};
    const reference = (of2330.up + of2330.down) / 2;
    expect(after(of2330.dayLots) / reference / (0.7 * (parameters?.deviation ?? 0))).toBeCloseTo(1, 1);
    expect(after(4 * of2330.dayLots) / after(of2330.dayLots)).toBeCloseTo(2, 1);
    expect(after(20) / after(10)).toBeCloseTo(2, 1);
    expect(after(-500)).toBeCloseTo(-after(500), 6);
  });

  test("begins a second after the fill, and fades: four tenths within minutes, a third only after weeks", () => {
    const offset = new Offset(impact("2330"), [OPENED, 100]);
    const whole = offset.at(OPENED + LAG_MS);
    const later = (minutes: number): number => offset.at(OPENED + LAG_MS + minutes * MINUTE_MS) / whole;
    expect(offset.at(OPENED + LAG_MS - 1)).toBe(0);
    expect(offset.withPending(OPENED)).toBeCloseTo(whole, 6);
    expect([later(5), later(30), later(200)].map((part) => Math.round(part * 100) / 100)).toEqual([0.74, 0.53, 0.35]);
  });

  test("is the same to the last bit from the log, fill by fill, and at any moment asked for in any order", () => {
    const fills = fillsOf(3, 200);
    const whole = new Offset(impact("2603"), fills);
    const grown = new Offset(impact("2603"));
    for (let nth = 0; nth < fills.length; nth += 2) {
      const at = fills[nth] ?? 0;
      grown.add(at, fills[nth + 1] ?? 0);
      for (const moment of [at, at + LAG_MS, at + 7_777])
        if (nth + 2 >= fills.length || moment < (fills[nth + 2] ?? 0) + LAG_MS) expect(grown.at(moment)).toBe(whole.at(moment));
    }
    const moments = Array.from({ length: 300 }, (_, nth) => OPENED + Math.floor(unit(mix(9, nth)) * 3 * 60) * MINUTE_MS);
    expect(moments.map((moment) => grown.at(moment))).toEqual(moments.map((moment) => whole.at(moment)));
  });

  test("is calm exactly where no price is off", () => {
    const known = impact("2603");
    const finest = tickSize(known.kind, known.down);
    let [calm, off] = [0, 0];
    for (let seed = 0; seed < 40; seed += 1) {
      const offset = new Offset(
        known,
        fillsOf(seed, 3).map((value, nth) => (nth % 2 === 0 ? value : Math.round(value / 3))),
      );
      for (let minute = 0; minute < 20; minute += 1) {
        const from = OPENED + minute * MINUTE_MS;
        const most = Math.max(...Array.from({ length: 60 }, (_, second) => Math.abs(offset.at(from + second * SECOND_MS))));
        const isCalm = offset.isCalm(from, from + MINUTE_MS);
        if (isCalm) expect(2 * most).toBeLessThan(finest);
        calm += isCalm ? 1 : 0;
        off += 2 * most >= finest ? 1 : 0;
      }
    }
    expect([calm > 100, off > 100]).toEqual([true, true]);
  });

  test("leaves earlier days, days of calls alone, and days without limits as they are", () => {
    expect(impactAt("2330", Date.parse("2026-11-30T10:00:00+08:00"))).toBeNull();
    expect(impactAt("2330", Date.parse("2026-12-01T10:00:00+08:00"))).not.toBeNull();
    const model = market.models[rowOf("2330")];
    if (!model) throw new Error("no 2330");
    const day = new DailyProcessReader(model, calendar.at(OPENED).session).next();
    expect(impactOf(model, { ...day, watch: { ...day.watch, everyMinutes: 5 } }, calendar)).toBeNull();
    expect(impactOf({ ...model }, { ...day, up: Number.MAX_SAFE_INTEGER, down: 1 }, calendar)).toBeNull();
  });

  test("counts a fill at a limit unless the market's own quotes have reached it", () => {
    const limits = { up: 110, down: 90 };
    const reached = [
      [110, { bid: 109, ask: 110 }],
      [110, { bid: 110, ask: 0 }],
      [90, { bid: 90, ask: 91 }],
      [90, { bid: 0, ask: 90 }],
    ] as const;
    for (const [price, own] of reached) expect(movesPrice(price, limits, own), `${price}`).toBe(false);
    const pushed = [
      [110, { bid: 107, ask: 108 }],
      [90, { bid: 92, ask: 93 }],
      [109, { bid: 109, ask: 110 }],
      [91, { bid: 90, ask: 91 }],
    ] as const;
    for (const [price, own] of pushed) expect(movesPrice(price, limits, own), `${price}`).toBe(true);
  });

  test("keeps prices on their ticks and within the day's limits, and what is at a limit stays there", () => {
    for (const code of CODES) {
      const known = impact(code);
      const { kind, up, down } = known;
      for (let nth = 0; nth < 400; nth += 1) {
        const tick = tickSize(kind, down);
        const own = Math.round((down + unit(mix(4, nth)) * (up - down)) / tick) * tick;
        const price = onTick(kind, own) ? own : down;
        const offset = (unit(mix(5, nth)) - 0.5) * (up - down) * 1.5;
        const moved = movedPrice(known, price, offset);
        expect([onTick(kind, moved), moved <= up, moved >= down]).toEqual([true, true, true]);
        if (price === up || price === down) expect(moved).toBe(price);
        else if (price + offset < up && price + offset > down)
          expect(Math.abs(moved - price - offset)).toBeLessThanOrEqual(tickSize(kind, Math.max(moved, price)));
      }
      expect([movedPrice(known, up, -3 * tickSize(kind, up)), movedPrice(known, down, 3 * tickSize(kind, down))]).toEqual([up, down]);
    }
  });
});

describe("the book", () => {
  test("shows no more at a price than moves the price by a tick, and half of it at the best", () => {
    const box = new Sandbox(market);
    for (const code of CODES) {
      const row = rowOf(code);
      const { kind, lotsPerUnit } = impact(code);
      for (const side of ["bids", "asks"] as const) {
        const levels = box.book.side(row, side);
        const spread = box.book.own(row).ask - box.book.own(row).bid;
        expect(levels.length).toBeGreaterThan(0);
        for (const [nth, [price, lots]] of levels.entries()) {
          const tick = tickSize(kind, price);
          expect(lots, `${code} ${price}`).toBeLessThanOrEqual(
            nth === 0 ? lotsPerUnit * (tick / 2 + spread - tick) + 1e-6 : lotsPerUnit * tick + 1e-6,
          );
        }
      }
    }
  });

  test("goes up with what is bought: the asks at once, the bids and the trades a second later, and stays two-sided", () => {
    // Of the widest ticks fewer lots stand in the book than move the price by two.
    for (const code of CODES.slice(1)) {
      const row = rowOf(code);
      const box = new Sandbox(market);
      const before = box.book.best(row);
      const tick = tickSize(impact(code).kind, before.ask);
      const own = box.book.own(row);
      box.take(row, "buy", Math.ceil(1.2 * impact(code).lotsPerUnit * tick));
      expect(box.book.best(row).ask).toBeGreaterThan(before.ask);
      expect(box.book.best(row).bid).toBe(before.bid);
      box.pass(row, LAG_MS + 100, 100);
      const after = box.book.best(row);
      expect(after.bid - before.bid + own.bid - box.book.own(row).bid).toBeGreaterThanOrEqual(tick);
      expect(after.ask).toBeGreaterThan(after.bid);
      box.pass(row, 3 * 60 * MINUTE_MS, MINUTE_MS);
      const { bid } = box.book.own(row);
      expect(box.book.best(row).bid).toBeLessThan(bid + 2 * tick);
    }
  });

  test("is two-sided and within the limits however far members push, unless the market is locked itself", () => {
    for (const code of CODES)
      for (const side of ["buy", "sell"] as const) {
        const row = rowOf(code);
        const box = new Sandbox(market);
        const { up, down } = box.state.limits(row);
        for (let nth = 0; nth < 40; nth += 1) {
          box.take(row, side, 1_000_000);
          box.pass(row, MINUTE_MS, MINUTE_MS / 2);
          const { bid, ask } = box.moved.quotes(row, box.book.own(row));
          const isLocked = box.state.quotes.isLocked(row);
          if (!isLocked) expect([bid >= down, ask <= up, bid < ask], `${code} ${side} ${bid} ${ask}`).toEqual([true, true, true]);
        }
      }
  });
});

describe("the market alone", () => {
  test("is the same to the last figure, indices and funds too, however much members buy", () => {
    let off = 0;
    const run = (lots: number): unknown => {
      const box = new Sandbox(market);
      const shown: unknown[] = [];
      for (let minute = 0; minute < 90; minute += 1) {
        for (const code of CODES) if (lots > 0) box.take(rowOf(code), minute % 7 === 6 ? "sell" : "buy", lots);
        for (const code of CODES) off += box.moved.offset(rowOf(code)) === 0 ? 0 : 1;
        for (let part = 0; part < 6; part += 1) {
          for (let row = 0; row < box.state.count; row += 1) box.state.print(row, calendar.at(box.now).offsetMs, box.now);
          box.pass(0, 10 * SECOND_MS, 5 * SECOND_MS);
        }
        box.state.indices.publish(box.state.minute, box.now);
        const { last, high, low, volume, turnover, reference } = box.state;
        shown.push([last, high, low, volume, turnover, reference].map((column) => [...column]));
        shown.push(CODES.map((code) => box.book.own(rowOf(code))));
      }
      return shown;
    };
    expect(run(100_000)).toEqual(run(0));
    expect(off).toBeGreaterThan(400);
  });

  test("begins the next session where it would have, with nothing of the impact left", () => {
    const box = new Sandbox(market, OPENED);
    const row = rowOf("2330");
    box.take(row, "buy", 100_000);
    box.pass(row, 2 * SECOND_MS);
    expect(box.moved.offset(row)).toBeGreaterThan(0);
    const next = OPENED + DAY_MS;
    box.now = next;
    box.state.advance(calendar.at(next), next);
    expect([box.moved.offset(row), box.moved.changed(next), box.moved.day(row)]).toEqual([0, [], null]);
    expect(box.book.best(row)).toEqual(new Sandbox(market, next).book.best(row));
  });
});
