/** Tests the studies: bar by bar they equal the reference implementations exactly, even if the newest bar changes often. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BollingerBands, EMA, MACD, PSAR, RSI, SMA } from "trading-signals";
import type { Candle } from "#contract/candle.ts";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { USUAL_STUDIES } from "#contract/usual-preference.ts";
import type { StudySettings } from "#contract/preference.ts";
import type { StudyKind } from "#workers/protocol.ts";
import { StudySet } from "#workers/chart/study-set.ts";
import { REFERENCE_STUDIES } from "./reference-study.ts";
import { flatBars, TUESDAY } from "./trading.ts";

const KINDS = Object.keys(REFERENCE_STUDIES) as StudyKind[];

const length = fc.integer({ min: 1, max: 12 });
const settings: fc.Arbitrary<StudySettings> = fc.record({
  ma: fc.array(length, { minLength: 1, maxLength: 3 }),
  ema: fc.array(length, { minLength: 1, maxLength: 3 }),
  boll: fc.record({ length, deviations: fc.integer({ min: 10, max: 400 }) }),
  sar: fc.record({ step: fc.integer({ min: 1, max: 30 }), most: fc.integer({ min: 1, max: 60 }) }),
  vol: fc.array(length, { maxLength: 3 }),
  macd: fc.record({ fast: length, slow: length, signal: length, price: fc.constantFrom("close", "demand", null) }),
  kd: fc.record({ length, k: length, d: length }),
  rsi: fc.array(length, { minLength: 1, maxLength: 3 }),
  bias: fc.array(length, { minLength: 1, maxLength: 3 }),
  obv: fc.record({ average: length }),
});

const candle = fc
  .record({
    from: fc.integer({ min: 1, max: 400 }),
    to: fc.integer({ min: 1, max: 400 }),
    above: fc.nat(20),
    below: fc.nat(20),
    volume: fc.nat(5_000),
  })
  .map(({ from, to, above, below, volume }) => ({
    open: from * 5_000,
    close: to * 5_000,
    high: (Math.max(from, to) + above) * 5_000,
    low: Math.max(1, (Math.min(from, to) - below) * 5_000),
    volume,
  }));
/** Bars twenty minutes apart, so that they span midnight. */
const bars = fc
  .array(candle, { minLength: 1, maxLength: 90 })
  .map((each) => each.map((bar, nth): Candle => ({ at: TUESDAY + (nth + 30) * 20 * MINUTE_MS, ...bar })));

const valuesOf = (kind: StudyKind, each: readonly Candle[], of: StudySettings): number[][] =>
  (new StudySet([kind], of).over(flatBars(each))[0]?.lines ?? []).map(({ values }) => [...values]);

describe("every study", () => {
  for (const kind of KINDS) {
    it(`${kind} over all bars equals the reference implementation`, () => {
      fc.assert(
        fc.property(bars, settings, (each, of) => {
          expect(valuesOf(kind, each, of)).toEqual(REFERENCE_STUDIES[kind](each, of));
        }),
      );
    });
  }

  it("gives the same values bar by bar, with the newest bar recomputed many times, as over all bars at once", () => {
    fc.assert(
      fc.property(bars, settings, fc.infiniteStream(candle), fc.nat(40), (each, of, drafts, known) => {
        const start = Math.min(each.length, 1 + known);
        const flat = flatBars(each.slice(0, start));
        const set = new StudySet(KINDS, of);
        set.over(flat);
        for (let place = start; place <= each.length; place++) {
          // The newest bar changes several times before it is final.
          const newest = flatBars(each.slice(place - 1, place));
          for (let tries = 0; tries < 3; tries++) {
            const [draft] = drafts.take(1);
            if (draft) set.at(flatBars([{ at: newest[0] ?? 0, ...draft }]), 0);
          }
          const whole = KINDS.map((kind) => REFERENCE_STUDIES[kind](each.slice(0, place), of).map((line) => line.at(-1)));
          expect(set.at(newest, 0)).toEqual(whole);
          if (place < each.length) expect(set.close(newest, 0)).toEqual(whole);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("has no values without bars", () => {
    for (const kind of KINDS) expect(valuesOf(kind, [], USUAL_STUDIES).flat()).toEqual([]);
  });
});

describe("an independent library", () => {
  const walk = Array.from({ length: 400 }, (_, nth): Candle => {
    const close = Math.round(1_000_000 + 90_000 * Math.sin(nth / 9) + 30_000 * Math.sin(nth * 1.7));
    const open = Math.round(close + 9_000 * Math.cos(nth * 2.3));
    return {
      at: TUESDAY + nth * MINUTE_MS,
      open,
      close,
      high: Math.max(open, close) + 4_000,
      low: Math.min(open, close) - 5_000,
      volume: 100 + nth,
    };
  });
  const last = (kind: StudyKind): number[] => valuesOf(kind, walk, USUAL_STUDIES).map((line) => line.at(-1) ?? Number.NaN);
  const fed = <Result>(indicator: { add(value: number): unknown; getResultOrThrow(): Result }): Result => {
    for (const { close } of walk) indicator.add(close);
    return indicator.getResultOrThrow();
  };
  const near = (found: number | undefined, wanted: number): void => expect(found).toBeCloseTo(wanted, 4);

  it("matches MA, EMA, BOLL, MACD and RSI", () => {
    for (const [nth, each] of USUAL_STUDIES.ma.entries()) near(last("ma")[nth], fed(new SMA(each)));
    for (const [nth, each] of USUAL_STUDIES.ema.entries()) near(last("ema")[nth], fed(new EMA(each)));
    const { upper, middle, lower } = fed(new BollingerBands(20, 2));
    for (const [nth, wanted] of [upper, middle, lower].entries()) near(last("boll")[nth], wanted);
    const { macd, signal, histogram } = fed(new MACD(new EMA(12), new EMA(26), new EMA(9)));
    for (const [nth, wanted] of [macd, signal, histogram].entries()) near(last("macd")[nth], wanted);
    for (const [nth, each] of USUAL_STUDIES.rsi.entries()) near(last("rsi")[nth], fed(new RSI(each)));
  });

  it("matches the parabolic SAR", () => {
    const parabolic = new PSAR({ accelerationStep: 0.02, accelerationMax: 0.2 });
    for (const bar of walk) parabolic.add(bar);
    near(last("sar")[0], parabolic.getResultOrThrow());
  });
});

describe("Taiwan's KD", () => {
  it("starts at 50 and weights each new value by one third", () => {
    const rising = Array.from({ length: 10 }, (_, nth): Candle => {
      const close = (100 + nth) * 10_000;
      return { at: TUESDAY + nth * MINUTE_MS, open: close, high: close, low: close, close, volume: 1 };
    });
    const [k = [], d = []] = valuesOf("kd", rising, USUAL_STUDIES);
    expect(k.slice(0, 8).every(Number.isNaN)).toBe(true);
    expect(k[8]).toBeCloseTo((50 * 2 + 100) / 3, 10);
    expect(d[8]).toBeCloseTo((50 * 2 + (50 * 2 + 100) / 3) / 3, 10);
    expect(k[9]).toBeCloseTo((((50 * 2 + 100) / 3) * 2 + 100) / 3, 10);
  });
});
