/** Tests the geometry of shapes against naive references: places of points, rays, Fibonacci levels, outlines, distances. */
import { describe, expect, test } from "vitest";
import type { Candle } from "#contract/candle.ts";
import { DAY_MS, MINUTE_MS } from "#contract/kernel/time.ts";
import { distanceTo, fibonacciLevels, fieldOf, logicalOf, momentAt, outlineOf, rayEnd, timeIn } from "#src/screens/chart/shape.ts";

const START = 1_700_000_000_000 - (1_700_000_000_000 % MINUTE_MS);
const barsAt = (times: number[]): Candle[] => times.map((at) => ({ at, open: 1, high: 1, low: 1, close: 1, volume: 1 }));
/** Five days, a weekend, five days. */
const DAYS = [0, 1, 2, 3, 4, 7, 8, 9, 10, 11].map((day) => START + day * DAY_MS);
const bars = barsAt(DAYS);

describe("the place of a time", () => {
  test("is the bar it falls in, as a search from the end finds it", () => {
    for (let at = START; at <= START + 11 * DAY_MS; at += 7 * 3_600_000) {
      expect(logicalOf(bars, at)).toBe(DAYS.findLastIndex((start) => start <= at));
    }
  });

  test("is extrapolated outside the bars by their mean distance", () => {
    const mean = (11 * DAY_MS) / 9;
    expect(logicalOf(bars, START - 3 * mean)).toBeCloseTo(-3);
    expect(logicalOf(bars, START + 11 * DAY_MS + 4 * mean)).toBeCloseTo(13);
  });

  test("comes back from the time at it, in and outside the bars", () => {
    for (let logical = -20; logical < 40; logical += 1) expect(logicalOf(bars, momentAt(bars, logical))).toBeCloseTo(logical, 3);
    expect(momentAt(bars, 4.4)).toBe(DAYS[4]);
    expect(momentAt(bars, 4.6)).toBe(DAYS[5]);
    expect(momentAt(bars, -1_000_000_000)).toBe(0);
  });

  test("is known for a single bar, in minutes", () => {
    expect(logicalOf(barsAt([START]), START + 5 * MINUTE_MS)).toBe(5);
    expect(momentAt(barsAt([START]), 5)).toBe(START + 5 * MINUTE_MS);
  });
});

test("a ray goes on in its direction until it leaves the pane at its side, or vertically at its top or bottom", () => {
  for (const [from, to] of [
    [
      { x: 10, y: 20 },
      { x: 30, y: 25 },
    ],
    [
      { x: 90, y: 20 },
      { x: 60, y: 80 },
    ],
    [
      { x: 50, y: 50 },
      { x: 51, y: 10 },
    ],
  ] as const) {
    const end = rayEnd([from, to], 100, 60);
    // In small steps from the second point to the side.
    const step = { x: (to.x - from.x) / 1_000, y: (to.y - from.y) / 1_000 };
    const naive = { ...to };
    while (naive.x > 0 && naive.x < 100) {
      naive.x += step.x;
      naive.y += step.y;
    }
    expect(end.x).toBeCloseTo(naive.x, 0);
    expect(Math.abs(end.y - naive.y)).toBeLessThan(1);
  }
  expect(
    rayEnd(
      [
        { x: 5, y: 5 },
        { x: 5, y: 9 },
      ],
      100,
      60,
    ),
  ).toEqual({ x: 5, y: 60 });
  expect(
    rayEnd(
      [
        { x: 5, y: 9 },
        { x: 5, y: 5 },
      ],
      100,
      60,
    ),
  ).toEqual({ x: 5, y: 0 });
  expect(
    rayEnd(
      [
        { x: 5, y: 9 },
        { x: 120, y: 5 },
      ],
      100,
      60,
    ),
  ).toEqual({ x: 120, y: 5 });
  expect(
    rayEnd(
      [
        { x: 5, y: 9 },
        { x: 5, y: 9 },
      ],
      100,
      60,
    ),
  ).toEqual({ x: 5, y: 9 });
});

test("Fibonacci levels are shares of the way back from the end of a move to its start", () => {
  const levels = (from: number, to: number) => fibonacciLevels({ from: { at: 0, price: from }, to: { at: 1, price: to } });
  expect(levels(10_000_000, 11_000_000)).toEqual([
    { level: 0, price: 11_000_000 },
    { level: 236, price: 10_764_000 },
    { level: 382, price: 10_618_000 },
    { level: 500, price: 10_500_000 },
    { level: 618, price: 10_382_000 },
    { level: 786, price: 10_214_000 },
    { level: 1_000, price: 10_000_000 },
  ]);
  expect(levels(11_000_000, 10_000_000).map(({ price }) => price)).toEqual([
    10_000_000, 10_236_000, 10_382_000, 10_500_000, 10_618_000, 10_786_000, 11_000_000,
  ]);
});

test("the outline of a shape: a segment, a ray to the side, four edges, seven levels to the end of the pane", () => {
  const points = { from: { at: 80, price: 10 }, to: { at: 40, price: 30 } };
  const linesOf = (kind: "trend" | "ray" | "rectangle" | "fibonacci") =>
    outlineOf({ kind, ...points }, ({ at, price }) => ({ x: at, y: price }), 100, 60).lines;
  const [from, to] = [
    { x: 80, y: 10 },
    { x: 40, y: 30 },
  ];
  expect(linesOf("trend")).toEqual([[from, to]]);
  expect(linesOf("ray")).toEqual([[from, { x: 0, y: 50 }]]);
  expect(linesOf("rectangle")).toEqual([
    [from, { x: 40, y: 10 }],
    [{ x: 40, y: 10 }, to],
    [to, { x: 80, y: 30 }],
    [{ x: 80, y: 30 }, from],
  ]);
  const levels = linesOf("fibonacci");
  expect(levels.map(([start, end]) => [start.x, end.x, start.y === end.y])).toEqual(Array.from({ length: 7 }, () => [40, 100, true]));
  expect(levels.map(([{ y }]) => y)).toEqual([30, 25, 22, 20, 18, 14, 10]);
});

test("the distance to a segment is that to its nearest spot", () => {
  const segment = [
    { x: 10, y: 10 },
    { x: 40, y: 50 },
  ] as const;
  for (const spot of [
    { x: 0, y: 0 },
    { x: 30, y: 10 },
    { x: 60, y: 70 },
    { x: 25, y: 30 },
  ]) {
    const along = Array.from({ length: 5_001 }, (_, at) => Math.hypot(spot.x - 10 - (30 * at) / 5_000, spot.y - 10 - (40 * at) / 5_000));
    expect(distanceTo(spot, segment)).toBeCloseTo(Math.min(...along), 2);
  }
  expect(
    distanceTo({ x: 3, y: 4 }, [
      { x: 0, y: 0 },
      { x: 0, y: 0 },
    ]),
  ).toBe(5);
});

test("a typed time is Taipei time, and must be complete", () => {
  const at = Date.parse("2026-11-20T09:30:00+08:00");
  expect(fieldOf(at)).toBe("2026-11-20T09:30");
  expect(timeIn("2026-11-20T09:30")).toBe(at);
  for (const text of ["", "2026-11-20", "2026-13-40T09:30", "1960-01-01T00:00"]) expect(timeIn(text)).toBeNull();
});
