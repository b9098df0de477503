/** Tests Taipei time: days change at Taipei midnight and text is `YYYY.MM.DD HH:mm:ss`, in any host time zone. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY_MS, SECOND_MS, formatDate, formatDateTime, formatTime, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";

/** The platform's own calendar as a slow, independent reference. */
const calendar = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Taipei", dateStyle: "short", timeStyle: "medium" });

describe("Taipei time", () => {
  it("is formatted as the specification requires", () => {
    expect(formatDateTime(Date.UTC(2026, 0, 1, 16, 0, 0))).toBe("2026.01.02 00:00:00");
    expect(formatDate(Date.UTC(2024, 1, 29, 15, 59, 59))).toBe("2024.02.29");
    expect(formatTime(Date.UTC(2024, 1, 29, 1, 2, 3))).toBe("09:02:03");
  });

  it("matches the platform's calendar since 1990", () => {
    const seconds = fc.integer({ min: Date.UTC(1990, 0) / SECOND_MS, max: Date.UTC(2090, 0) / SECOND_MS });
    fc.assert(
      fc.property(seconds, (second) => {
        const at = second * SECOND_MS;
        expect(formatDateTime(at)).toBe(calendar.format(at).replaceAll("-", "."));
      }),
    );
  });

  it("changes the day at Taipei midnight", () => {
    const midnight = Date.UTC(2026, 4, 4, 16);
    expect(taipeiDay(midnight)).toBe(taipeiDay(midnight - 1) + 1);
    expect(taipeiMidnight(taipeiDay(midnight))).toBe(midnight);
  });

  it("puts every moment into its Taipei day", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (at) => {
        const time = at - taipeiMidnight(taipeiDay(at));
        expect(time).toBeGreaterThanOrEqual(0);
        expect(time).toBeLessThan(DAY_MS);
      }),
    );
  });
});
