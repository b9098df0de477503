/** Tests how the days of earlier sessions are remembered: read once for an instrument, again after a failure or a late fill, and not of too many. */
import { expect, test } from "vitest";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import { PastMembers } from "#server/venue/history/past-members.ts";
import { taipei } from "#tests/support/taipei-time.ts";

const calendar = calendarOf("taiwan");
const { session } = calendar.at(taipei("2026-12-03T10:00:00"));
const opensAt = calendar.opensAt(session);

test("an instrument is read once, and again when it is forgotten", async () => {
  const asked: string[] = [];
  const past = new PastMembers(calendar, (row) => `code ${row}`);
  expect(await past.of(1, session)).toEqual({ days: [], minutes: [], fills: [] });
  past.replace(async (code) => {
    asked.push(code);
    return [{ opensAt, span: null, fills: [[opensAt + 5, 3]] }];
  });
  const known = { days: [], minutes: [], fills: [[session, [opensAt + 5, 3]]] };
  expect(await Promise.all([past.of(1, session), past.of(1, session), past.of(2, session)])).toEqual([known, known, known]);
  past.forget(1);
  await Promise.all([past.of(1, session), past.of(2, session)]);
  expect(asked).toEqual(["code 1", "code 2", "code 1"]);
});

test("a failure is not remembered", async () => {
  const past = new PastMembers(calendar, String);
  let isDown = true;
  past.replace(async () => {
    if (isDown) throw new Error("down");
    return [{ opensAt, span: null, fills: [[1, 2]] }];
  });
  await expect(past.of(4, session)).rejects.toThrow("down");
  isDown = false;
  expect((await past.of(4, session)).fills).toHaveLength(1);
});

test("the instrument that was not asked for the longest is forgotten", async () => {
  let read = 0;
  const past = new PastMembers(calendar, String);
  past.replace(async () => {
    read += 1;
    return [];
  });
  for (let row = 0; row < 600; row += 1) {
    await past.of(row, session);
    await past.of(0, session);
  }
  expect(read).toBe(600);
  await past.of(1, session);
  expect(read).toBe(601);
});
