/** Tests the prices that trade at the marks of a day: those that bounds tell are those that the exponential of each mark gives. */
import { expect, test } from "vitest";
import type { Kind } from "#contract/instrument.ts";
import { tickSize, toTick } from "#contract/tick.ts";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import { Key } from "#server/venue/keyed-random.ts";
import { normal } from "#server/venue/seeded-random.ts";
import { GAP_PART } from "#server/venue/simulator/component.ts";
import { UNLIMITED } from "#server/venue/simulator/daily-process.ts";
import { clockOf } from "#server/venue/simulator/day-clock.ts";
import { mirrored } from "#server/venue/simulator/day-shape.ts";
import { TradedPrices, tradedPrice } from "#server/venue/simulator/traded-price.ts";

const clock = clockOf(calendarOf("always"));
const shape = { bare: [], at: [], high: 0.06, low: -0.05, highSegment: 0, lowSegment: 0 };

interface Drawn {
  kind: Kind;
  base: number;
  deviation: number;
  limits: { up: number; down: number };
  tick: number;
}

/** The price at a mark from the exponential of its logarithm. */
function plain({ kind, base, deviation, limits, tick }: Drawn, mark: number, before: number, value: number): number {
  const held = mirrored(shape, value);
  const exact = base * Math.exp(held);
  const price = Math.round(exact);
  const onTick = tick > 0 ? Math.max(tick, Math.round(price / tick) * tick) : toTick(kind, price);
  const nearest = Math.min(limits.up, Math.max(limits.down, onTick));
  if (nearest === before) return before;
  const step = deviation * Math.sqrt((1 - GAP_PART) * ((clock.passed[mark] ?? 0) - (clock.passed[mark - 1] ?? 0)));
  return tradedPrice(before, exact, nearest, tick || tickSize(kind, Math.min(before, nearest)), step * exact);
}

test.each<[Kind, number]>([
  ["stock", 1_234_500],
  ["stock", 98_700],
  ["stock", 505_000],
  ["etf", 230_400],
  ["crypto", 33_445_510_200],
  ["crypto", 21_000],
  ["forex", 318_250],
])("of a %s at %i follow the path's price and no bound of it", (kind, base) => {
  const key = Key.of(1, `traded prices of ${kind} at ${base}`);
  let [changed, stayed] = [0, 0];
  for (const [nth, deviation] of [0.0008, 0.006, 0.02, 0.09].entries()) {
    const limits = nth === 2 ? { up: toTick(kind, Math.round(base * 1.02)), down: toTick(kind, Math.round(base * 0.98)) } : UNLIMITED;
    const low = base * Math.exp(shape.low);
    const tick = tickSize(kind, low) === tickSize(kind, base * Math.exp(shape.high)) ? tickSize(kind, low) : 0;
    const drawn = { kind, base, deviation, limits, tick };
    const prices = new TradedPrices(kind, { base, deviation, ...limits }, shape, clock, tick);
    let [value, before] = [0, prices.shown(0)];
    for (let mark = 1; mark <= clock.minutes; mark += 1) {
      value += (deviation / Math.sqrt(clock.minutes)) * normal(key.draw(1, nth, mark));
      const price = prices.next(mark, before, value);
      expect(price, `${deviation} at ${mark}`).toBe(plain(drawn, mark, before, value));
      if (price === before) stayed += 1;
      else changed += 1;
      before = price;
    }
  }
  expect(Math.min(changed, stayed)).toBeGreaterThan(50);
});
