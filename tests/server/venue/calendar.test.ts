/** The calendar knows the phases of a Taiwan trading day, its holidays, and a market that never closes. */
import { describe, expect, test } from "vitest";
import { calendarOf } from "#server/venue/calendar.ts";

const taipei = (text: string): number => Date.parse(`${text}+08:00`);

describe("Taiwan hours", () => {
  const calendar = calendarOf("taiwan");

  test.each([
    ["2026-11-19T08:29:59", "closed", "2026-11-19T08:30:00"],
    ["2026-11-19T08:30:00", "preOpen", "2026-11-19T09:00:00"],
    ["2026-11-19T09:00:00", "open", "2026-11-19T13:25:00"],
    ["2026-11-19T13:24:59", "open", "2026-11-19T13:25:00"],
    ["2026-11-19T13:25:00", "closingAuction", "2026-11-19T13:30:00"],
    ["2026-11-19T13:30:00", "closed", "2026-11-20T08:30:00"],
    ["2026-11-20T20:00:00", "closed", "2026-11-23T08:30:00"],
    ["2026-11-21T10:00:00", "closed", "2026-11-23T08:30:00"],
    ["2026-02-18T10:00:00", "closed", "2026-02-23T08:30:00"],
  ])("at %s it is %s until %s", (at, phase, until) => {
    expect(calendar.at(taipei(at))).toMatchObject({ phase, endsAt: taipei(until) });
  });

  test("counts a session from its pre-open to the next one's", () => {
    const before = calendar.at(taipei("2026-11-19T08:00:00"));
    const pre = calendar.at(taipei("2026-11-19T08:30:00"));
    expect(before).toMatchObject({ session: pre.session - 1, minute: calendar.minutes });
    expect(pre.minute).toBe(-1);
    expect(calendar.at(taipei("2026-11-22T12:00:00")).session).toBe(pre.session + 1);
    expect(calendar.opensAt(pre.session)).toBe(taipei("2026-11-19T09:00:00"));
    expect(calendar.closesAt(pre.session)).toBe(taipei("2026-11-19T13:30:00"));
  });

  test("puts the closing auction in a minute of its own", () => {
    expect(calendar.at(taipei("2026-11-19T13:30:10"))).toMatchObject({ minute: 270, offsetMs: 10_000 });
  });
});

test("a market round the clock turns at Taipei midnight", () => {
  const calendar = calendarOf("always");
  const last = calendar.at(taipei("2026-11-21T23:59:59.999"));
  const first = calendar.at(taipei("2026-11-22T00:00:00"));
  expect(last).toMatchObject({ phase: "open", endsAt: null, minute: 1439, offsetMs: 59_999 });
  expect(first).toMatchObject({ phase: "open", session: last.session + 1, minute: 0, offsetMs: 0 });
});

test("before its epoch there is no market", () => {
  expect(() => calendarOf("always").at(taipei("2020-12-31T12:00:00"))).toThrow(RangeError);
});
