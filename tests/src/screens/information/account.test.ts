/** Calculations of the account's pages: equity curve, time ranges, settlement days, typed amounts. */
import { describe, expect, it } from "vitest";
import type { EquityPoint } from "#contract/equity-curve.ts";
import { cents } from "#contract/kernel/money.ts";
import { DAY_MS, HOUR_MS, epochMs, formatDateTime, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { drawCurve, endingAt, gainedCents, thinned } from "#src/screens/information/curve-path.ts";
import { backwards, timeRangeOf } from "#src/screens/information/cash-ledger-period.ts";
import { settlementDays } from "#src/screens/information/settlement-days.ts";
import { fieldText, typedCents } from "#src/screens/information/whole-amount.ts";

const point = (at: number, total: number, paidIn = 0): EquityPoint => ({
  at: epochMs(at),
  totalCents: cents(total),
  paidInCents: cents(paidIn),
});

describe("the curve", () => {
  it("spans the box, highest above lowest, and needs two distinct times", () => {
    const drawn = drawCurve([point(0, 100), point(50, 300), point(100, 200)]);
    expect(drawn).toMatchObject({ lowCents: 100, highCents: 300 });
    expect(drawn?.path).toBe("M0.00 92.00L50.00 8.00L100.00 50.00");
    expect(drawCurve([point(0, 5), point(10, 5)])?.path).toBe("M0.00 50.00L100.00 50.00");
    expect(drawCurve([point(0, 5)])).toBeNull();
    expect(drawCurve([point(7, 5), point(7, 6)])).toBeNull();
  });

  it("does not count deposits as gain", () => {
    expect(gainedCents([point(0, 1000, 1000), point(1, 1500, 400), point(2, 1450)])).toBe(50);
    expect(gainedCents([])).toBe(0);
  });

  it("ends at the account's current total", () => {
    expect(endingAt([point(0, 100), point(1, 200)], cents(250)).map(({ totalCents }) => totalCents)).toEqual([100, 250]);
    expect(endingAt([], cents(1))).toEqual([]);
  });

  it("is thinned evenly, keeping its end", () => {
    const all = Array.from({ length: 1001 }, (_, nth) => nth);
    const few = thinned(all, 11);
    expect(few).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
    expect(thinned([1, 2], 11)).toEqual([1, 2]);
  });
});

describe("a time range", () => {
  const now = taipeiMidnight(20_000) + 9 * HOUR_MS;

  it("starts at midnight in Taipei, today included", () => {
    expect(timeRangeOf("all", "", "", now)).toEqual({ from: null, until: null });
    expect(timeRangeOf("today", "", "", now).from).toBe(taipeiMidnight(20_000));
    expect(timeRangeOf("week", "", "", now).from).toBe(taipeiMidnight(19_994));
    expect(timeRangeOf("month", "", "", now).from).toBe(taipeiMidnight(19_971));
  });

  it("includes both dates, is open-ended for an empty one, and detects reversed dates", () => {
    const own = timeRangeOf("own", "2026-03-02", "2026-03-03", now);
    expect(formatDateTime(own.from ?? 0)).toBe("2026.03.02 00:00:00");
    expect(formatDateTime(own.until ?? 0)).toBe("2026.03.04 00:00:00");
    expect(timeRangeOf("own", "", "no date", now)).toEqual({ from: null, until: null });
    expect(backwards(own)).toBe(false);
    expect(backwards(timeRangeOf("own", "2026-03-03", "2026-03-03", now))).toBe(false);
    expect(backwards(timeRangeOf("own", "2026-03-04", "2026-03-03", now))).toBe(true);
    expect(backwards(timeRangeOf("own", "2026-03-04", "", now))).toBe(false);
  });
});

describe("settlement days", () => {
  it("group what is due, and include empty days between", () => {
    const at = (day: number, hours = 10) => epochMs(taipeiMidnight(day) + hours * HOUR_MS);
    const one = (no: number, day: number, amount: number) => ({
      kind: "trade" as const,
      orderNo: `K${String(no).padStart(12, "0")}` as OrderNo,
      tradedAt: epochMs(at(day) - 2 * DAY_MS),
      dueAt: at(day),
      amountCents: cents(amount),
    });
    const days = settlementDays({
      settlements: [one(1, 102, -5000), one(2, 102, 700), one(3, 99, -1)],
      tradingDays: [at(101, 0), at(102, 0), at(103, 0)],
    });
    expect(days.map(({ day, sumCents, settlements }) => [day, sumCents, settlements.length])).toEqual([
      [99, -1, 1],
      [101, 0, 0],
      [102, -4300, 2],
      [103, 0, 0],
    ]);
    expect(taipeiDay(days[0]?.at ?? 0)).toBe(99);
  });
});

describe("whole amounts", () => {
  it("become cents; empty is null, and an invalid amount is 0, which the contract refuses", () => {
    expect(["", " ", "1", "1,000,000", "0", "1.5", "-3", "ten"].map(typedCents)).toEqual([null, null, 100, 100_000_000, 0, 0, 0, 0]);
    expect([null, 100, 123_456_700].map(fieldText)).toEqual(["", "1", "1,234,567"]);
  });
});
