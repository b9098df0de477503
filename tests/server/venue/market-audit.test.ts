/** Tests the market audit itself: it finds an edge that was planted, none in a martingale, and measures figures within their bounds. */
import { expect, test } from "vitest";
import { normal } from "#server/venue/seeded-random.ts";
import { Key } from "#server/venue/keyed-random.ts";
import { runBattery } from "#tests/market-audit/battery.ts";
import { figuresOf, medianFigures } from "#tests/market-audit/figures.ts";
import { readPanel } from "#tests/market-audit/panel.ts";
import type { Panel, PanelDay, Stock } from "#tests/market-audit/panel.ts";

const STOCKS = 40;
const SESSIONS = 260;
const MINUTES = 60;

/** An index without memory; with a tick, that of a share which is all of it and trades at the nearest one. */
function syntheticIndex(tick: number): Float64Array[] {
  const key = Key.of(1, "audit index");
  let level = 0;
  return Array.from({ length: SESSIONS }, (_, session) =>
    Float64Array.from({ length: MINUTES + 1 }, (_, mark) => {
      level += 0.0004 * normal(key.draw(2, session, mark));
      return Math.exp(tick > 0 ? tick * Math.round(level / tick) : level);
    }),
  );
}

/** Stocks whose gap and rest are independent; `pull` gives that part of each gap back during the day. */
function syntheticPanel(pull: number): Panel {
  const stocks = Array.from({ length: STOCKS }, (_, row): Stock => {
    const key = Key.of(1, `audit ${row}`);
    const days: PanelDay[] = [];
    const marks: Float32Array[] = [];
    let close = 1_000_000;
    for (let session = 0; session < SESSIONS; session += 1) {
      const reference = close;
      const gap = 0.012 * normal(key.draw(1, session));
      const open = reference * Math.exp(gap);
      const prices = new Float32Array(MINUTES + 1).fill(open);
      for (let mark = 1; mark <= MINUTES; mark += 1)
        prices[mark] = (prices[mark - 1] ?? open) * Math.exp(0.002 * normal(key.draw(2, session, mark)) - (pull * gap) / MINUTES);
      close = prices[MINUTES] ?? open;
      const range = { open, high: Math.max(...prices), low: Math.min(...prices), close };
      const volume = 100 + (key.draw(3, session) & 63);
      const limits = { up: reference * 1.1, down: reference * 0.9 };
      days.push({ session, reference, previous: reference, ...range, ...limits, shares: 1, volume, deviation: 0.02 });
      marks.push(prices);
    }
    return { category: String(row % 4), board: "listed", days, marks };
  });
  const weekdays = Array.from({ length: SESSIONS }, (_, nth) => 1 + (nth % 5));
  return { stocks, index: syntheticIndex(pull > 0 ? 0.004 : 0), sessions: SESSIONS, continuous: MINUTES, minutes: MINUTES, weekdays };
}

test("at least thirty strategies earn nothing on a martingale, and the one that was planted is found", () => {
  const none = runBattery(syntheticPanel(0));
  expect(none.length).toBeGreaterThanOrEqual(30);
  for (const { name, t, sessions } of none) if (sessions > 0) expect(t, name).toBeLessThan(3);
  const planted = runBattery(syntheticPanel(0.8));
  expect(planted.find(({ name }) => name === "fade the gap")?.t).toBeGreaterThan(3);
  expect(planted.find(({ name }) => name === "follow the gap")?.t).toBeLessThan(-3);
  expect(planted.find(({ name }) => name === "fade a large minute of the index")?.t).toBeGreaterThan(3);
  expect(planted.find(({ name }) => name === "follow a large minute of the index")?.t).toBeLessThan(-3);
});

test("the figures see a gap that the day gives back", () => {
  const gapOf = (pull: number): number =>
    figuresOf(syntheticPanel(pull)).find(({ name }) => name === "gap and rest correlate by")?.value ?? 1;
  expect(Math.abs(gapOf(0))).toBeLessThan(0.03);
  expect(gapOf(0.8)).toBeLessThan(-0.3);
});

test.each(["always", "taiwan", "compressed"] as const)("every figure of a small market open %s is a number", (hours) => {
  const figures = medianFigures([3, 4].map((seed) => figuresOf(readPanel({ seed, hours, names: 20, days: 40, minutes: false }))));
  expect(figures.length).toBeGreaterThan(15);
  for (const { name, value } of figures) expect(Number.isFinite(value), name).toBe(true);
  // A figure that was never measured would be zero.
  expect(figures.find(({ name }) => name === "annual volatility p50")?.value).toBeGreaterThan(0.1);
});
