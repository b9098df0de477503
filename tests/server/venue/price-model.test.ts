/** Tests the model of prices: what has happened tells nothing of what will, limits only hide a price, and upgrades keep what was traded. */
import { describe, expect, test } from "vitest";
import { dayLimits } from "#contract/tick.ts";
import { clockOf } from "#server/venue/simulator/day-clock.ts";
import type { Day } from "#server/venue/simulator/daily-process.ts";
import { shapeOf } from "#server/venue/simulator/day-shape.ts";
import { DailyProcessReader, marketOf } from "#server/venue/simulator/seeded-market.ts";
import { normal } from "#server/venue/seeded-random.ts";
import { Key } from "#server/venue/keyed-random.ts";
import { tradedPrice } from "#server/venue/simulator/traded-price.ts";
import { indexStrategies } from "#tests/market-audit/index-moves.ts";
import { readPanel } from "#tests/market-audit/panel.ts";
import { correlation, mean, quantile, tOf, variance } from "#tests/market-audit/statistics.ts";
import { taipei } from "#tests/support/taipei-time.ts";

const SESSIONS = 300;
const EVERY = 9;

interface Seen {
  day: Day;
  gap: number;
  rest: number;
  high: number;
  low: number;
}

/** Days of stocks as they are without limits: session by session. */
function readDays(seed: number): Seen[][] {
  const market = marketOf(seed, "taiwan");
  const clock = clockOf(market.calendar);
  const stocks = market.models.filter((model) => model?.kind === "stock" && model.listed === 0).filter((_, nth) => nth % EVERY === 0);
  const readers = stocks.flatMap((model) => (model ? [{ model, reader: new DailyProcessReader(model, market.calendar.anchor + 1) }] : []));
  return Array.from({ length: SESSIONS }, () =>
    readers.map(({ model, reader }) => {
      const day = reader.next();
      const { at, high, low } = shapeOf(day.moves, model.parameters.key, clock);
      const gap = at[0] ?? 0;
      return { day, gap, rest: (at.at(-1) ?? 0) - gap, high, low };
    }),
  );
}

describe("without limits", () => {
  const sessions = readDays(1);
  const all = sessions.flat();

  test("the gap and the rest of the day are independent", () => {
    const of = (pick: (seen: Seen) => number): number[] => all.map(pick);
    expect(
      Math.abs(
        correlation(
          of(({ gap }) => gap),
          of(({ rest }) => rest),
        ),
      ),
    ).toBeLessThan(0.01);
    // Neither direction has a mean: prices, not their logarithms, go nowhere on average.
    expect(Math.abs(tOf(sessions.map((seen) => mean(seen.map(({ gap }) => Math.expm1(gap))))))).toBeLessThan(2);
    expect(Math.abs(tOf(sessions.map((seen) => mean(seen.map(({ rest }) => Math.expm1(rest))))))).toBeLessThan(2);
  });

  test("nothing follows the largest gaps", () => {
    const least = quantile(
      all.map(({ gap }) => Math.abs(gap)),
      0.98,
    );
    const after = sessions.flatMap((seen) => {
      const largest = seen.filter(({ gap }) => Math.abs(gap) > least);
      return largest.length > 0 ? [mean(largest.map(({ gap, rest }) => Math.sign(gap) * Math.expm1(rest)))] : [];
    });
    expect(after.length).toBeGreaterThan(SESSIONS / 2);
    expect(Math.abs(tOf(after))).toBeLessThan(2);
  });

  test("the range is as wide as the moves are large", () => {
    // A jump is a step, which has no range of its own; where the whole market jumped, every stock did.
    const quiet = sessions.filter((seen) => Math.abs(mean(seen.map(({ rest }) => rest))) < 0.02).flat();
    const own = quiet.filter(({ day }) => day.moves.own.jump === 0);
    const ranges = own.map(({ day, high, low }) => (high - low) ** 2 / day.moves.variance);
    const moves = own.map(({ day, rest }) => rest / Math.sqrt(day.moves.variance));
    const ratio = mean(ranges) / (4 * Math.LN2) / variance(moves);
    // The closing auction comes after the range.
    expect(ratio).toBeGreaterThan(0.95);
    expect(ratio).toBeLessThan(1.03);
  });

  test("a price beyond its limit goes on from there in the next session", () => {
    let locked = 0;
    for (let session = 1; session < SESSIONS; session += 1) {
      sessions[session]?.forEach(({ day }, nth) => {
        const before = sessions[session - 1]?.[nth];
        if (!before || day.reference !== before.day.close) return;
        expect(day.base / (before.day.base * Math.exp(before.gap + before.rest))).toBeCloseTo(1, 9);
        if (before.day.close === before.day.up && day.base > before.day.close * 1.02) locked += 1;
      });
    }
    expect(locked).toBeGreaterThan(20);
  });
});

test.each(["always", "taiwan", "compressed"] as const)("nothing follows the first hour's extremes in a market open %s", (hours) => {
  const { stocks, sessions, continuous } = readPanel({ seed: 2, hours, names: 60, days: 150, minutes: true });
  const seen = Math.floor(0.22 * continuous);
  const after = Array.from({ length: sessions }, (_, session) => {
    const returns = stocks.flatMap(({ marks, days }) => {
      const own = marks[session] ?? new Float32Array(1);
      const { up, down, close } = days[session] ?? { up: 0, down: 0, close: 0 };
      const [last, entry] = [own[seen] ?? 0, own[seen + 1] ?? 0];
      const hour = own.subarray(0, seen + 1);
      const sign = last >= Math.max(...hour) ? 1 : last <= Math.min(...hour) ? -1 : 0;
      return sign !== 0 && entry < up && entry > down ? [sign * (close / entry - 1)] : [];
    });
    return returns.length > 0 ? mean(returns) : 0;
  });
  expect(Math.abs(tOf(after))).toBeLessThan(2);
});

test.each(["always", "taiwan", "compressed"] as const)("nothing follows the largest minutes of the index in a market open %s", (hours) => {
  const panel = readPanel({ seed: 3, hours, names: 1, days: 100, minutes: true });
  const strategies = indexStrategies(panel);
  expect(strategies.length).toBe(2);
  for (const { name, sessions } of strategies) {
    expect(sessions.length, name).toBeGreaterThan(50);
    expect(tOf(sessions.map((own) => own.reduce((sum, one) => sum + one, 0))), name).toBeLessThan(2);
  }
});

test("a price that waits for nearly a tick goes on from a change about as often as it turns back", () => {
  const key = Key.of(1, "traded price");
  for (const deviation of [5, 20, 40]) {
    const tick = 100;
    let [exact, traded, sum, changes, wrong] = [10_000_000, 10_000_000, 0, 0, 0];
    for (let step = 0; step < 200_000; step += 1) {
      exact += deviation * normal(key.draw(1, deviation, step));
      const before = traded;
      traded = tradedPrice(before, exact, tick * Math.round(exact / tick), tick, deviation);
      wrong = Math.max(wrong, Math.abs(traded - exact));
      if (traded === before) continue;
      changes += 1;
      // The path is a martingale: what the price is behind it is what it will change by.
      sum += Math.sign(traded - before) * (exact - traded);
    }
    expect(wrong).toBeLessThan(tick);
    expect(changes).toBeGreaterThan(400);
    // At the nearest tick it would turn back by a quarter to half a tick.
    expect(sum / changes / tick, String(deviation)).toBeGreaterThan(-0.1);
    expect(sum / changes / tick, String(deviation)).toBeLessThan(0.02);
  }
});

describe("a market that had other rules of prices", () => {
  const CHANGED = taipei("2026-11-20T12:00:00");
  /** Closes of the four sessions up to the change, as they were by the rules before; N0000 is a new issue. */
  const CLOSES = {
    always: {
      "1101": [232_000, 232_000, 233_000, 243_000],
      "0050": [1_976_000, 1_987_000, 1_979_500, 1_978_500],
      BTC: [32_662_671_300, 31_887_179_800, 33_208_283_300, 33_445_510_200],
      N0000: [871_000, 854_000, 837_000, 827_000],
    },
    taiwan: {
      "1101": [250_500, 253_000, 248_500, 246_000],
      "0050": [1_901_000, 1_915_000, 1_894_500, 1_895_000],
      BTC: [35_292_371_100, 34_966_809_800, 33_578_703_500, 32_926_752_500],
      N0000: [685_000, 712_000, 698_000, 680_000],
    },
    compressed: {
      "1101": [179_000, 179_000, 180_000, 175_500],
      "0050": [2_122_500, 2_163_500, 2_144_000, 2_134_000],
      BTC: [57_650_485_300, 53_773_382_800, 50_439_770_500, 50_697_553_200],
      N0000: [456_000, 501_000, 488_500, 486_000],
    },
  };

  test.each(["always", "taiwan", "compressed"] as const)("keeps its closes and goes on from the last one, open %s", (hours) => {
    const market = marketOf(5, hours, ["1101", "0050", "BTC"], { held: [], from: 0, until: 4 }, CHANGED);
    const { session } = market.calendar.at(CHANGED);
    for (const [code, closes] of Object.entries(CLOSES[hours])) {
      const model = market.models[market.referenceData.listings.findIndex(({ instrument }) => instrument.code === code)];
      if (!model) throw new Error(`no ${code}`);
      const reader = new DailyProcessReader(model, session - 3);
      expect(
        closes.map(() => reader.next().close),
        code,
      ).toEqual(closes);
      let before = closes.at(-1) ?? 0;
      for (let nth = 1; nth < 20; nth += 1) {
        const day = reader.next();
        expect(day.reference, code).toBe(before);
        // The first of them starts exactly there, but for what compressed days pull back overnight.
        if (nth === 1) expect(Math.abs(day.base / before - 1)).toBeLessThan(hours === "compressed" ? 0.01 : 1e-9);
        const limits = dayLimits(model, day.reference);
        if (limits)
          for (const price of [day.open, day.high, day.low, day.close]) expect(price >= limits.down && price <= limits.up).toBe(true);
        expect(day).toEqual(new DailyProcessReader(model, session + nth).next());
        before = day.close;
      }
    }
  });
});
