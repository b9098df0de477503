/** Tests the calendar: the phases of a Taiwan trading day, holidays, compressed days and a market around the clock. */
import { describe, expect, test } from "vitest";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import { taipei } from "#tests/support/taipei-time.ts";

describe("Taiwan hours", () => {
  const calendar = calendarOf("taiwan");

  test.each([
    ["2026-11-19T08:29:59", "closed", "2026-11-19T08:30:00"],
    ["2026-11-19T08:30:00", "preOpen", "2026-11-19T09:00:00"],
    ["2026-11-19T09:00:00", "open", "2026-11-19T13:25:00"],
    ["2026-11-19T13:24:59", "open", "2026-11-19T13:25:00"],
    ["2026-11-19T13:25:00", "closingAuction", "2026-11-19T13:30:00"],
    ["2026-11-19T13:30:00", "closed", "2026-11-19T13:40:00"],
    ["2026-11-19T13:40:00", "oddLot", "2026-11-19T14:00:00"],
    ["2026-11-19T14:00:00", "fixedPrice", "2026-11-19T14:30:00"],
    ["2026-11-19T14:30:00", "closed", "2026-11-20T08:30:00"],
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

  test("gives the closing auction its own minute", () => {
    expect(calendar.at(taipei("2026-11-19T13:30:10"))).toMatchObject({ minute: 270, offsetMs: 10_000 });
  });
});

describe("a compressed day", () => {
  const calendar = calendarOf("compressed");

  test.each([
    ["12:00:00", "preOpen", "12:01:00"],
    ["12:01:00", "open", "12:07:30"],
    ["12:07:30", "closingAuction", "12:08:30"],
    ["12:08:30", "closed", "12:08:35"],
    ["12:08:35", "oddLot", "12:08:45"],
    ["12:08:45", "fixedPrice", "12:09:30"],
    ["12:09:30", "closed", "12:10:00"],
    ["12:10:00", "preOpen", "12:11:00"],
  ])("at %s it is %s until %s", (at, phase, until) => {
    expect(calendar.at(taipei(`2026-11-22T${at}`))).toMatchObject({ phase, endsAt: taipei(`2026-11-22T${until}`) });
  });

  test("has a session every ten minutes, on every day", () => {
    const { session } = calendar.at(taipei("2026-11-22T12:05:00"));
    expect(calendar.at(taipei("2026-11-22T12:10:00")).session).toBe(session + 1);
    expect(calendar.at(taipei("2026-11-23T12:00:00")).session).toBe(session + 144);
    expect(calendar.opensAt(session)).toBe(taipei("2026-11-22T12:01:00"));
    expect(calendar.closesAt(session)).toBe(taipei("2026-11-22T12:08:30"));
    expect(calendar.dayOf(session)).toBe(calendar.dayOf(session + 71));
    expect(calendar.sessionOn(calendar.dayOf(session))).toBe(session + 71);
    expect(calendar.dayOf(session + 72)).toBe(calendar.dayOf(session) + 1);
  });

  test("follows the exchange's own past days without a gap", () => {
    const exchange = calendarOf("taiwan");
    expect([calendar.anchor, calendar.opensAt(calendar.anchor)]).toEqual([exchange.anchor, exchange.opensAt(exchange.anchor)]);
    expect(calendar.at(taipei("2026-10-02T00:00:00")).session).toBe(calendar.anchor + 1);
  });

  test("has its closing auction in its own minute", () => {
    expect(calendar.at(taipei("2026-11-22T12:08:31"))).toMatchObject({ minute: calendar.minutes - 1, offsetMs: 1_000, phase: "closed" });
    expect(calendar.at(taipei("2026-11-22T12:08:32"))).toMatchObject({ minute: calendar.minutes, offsetMs: 0 });
  });
});

test("a market around the clock changes session at Taipei midnight", () => {
  const calendar = calendarOf("always");
  const last = calendar.at(taipei("2026-11-21T23:59:59.999"));
  const first = calendar.at(taipei("2026-11-22T00:00:00"));
  expect(last).toMatchObject({ phase: "open", endsAt: null, minute: 1439, offsetMs: 59_999 });
  expect(first).toMatchObject({ phase: "open", session: last.session + 1, minute: 0, offsetMs: 0 });
});

test("there is no market before the epoch", () => {
  expect(() => calendarOf("always").at(taipei("2020-12-31T12:00:00"))).toThrow(RangeError);
});
