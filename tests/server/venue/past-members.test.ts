/**
 * Tests how the days of earlier sessions are remembered: read once for an instrument, again after a failure, a late fill or a replacement, and not of
 * too many.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import { PastMembers } from "#server/venue/history/past-members.ts";
import { addTrade } from "#server/venue/matching/member-trade.ts";
import type { MemberLog, MemberTrade } from "#server/venue/matching/member-trade.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
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

test("a chart and a profile that wait for the log while members' trades are replaced have every day once", async () => {
  const now = taipei("2027-03-10T11:20:00");
  const today = calendar.at(now).session;
  const venue = openVenue({ seed: 5, rate: 40, hours: "taiwan", codes: ["2330"], now: () => now });
  const close = venue.previousClose(0);
  const trades = [30, 15, 5].map((ago): MemberTrade => {
    const price = close * (ago === 15 ? 3 : 2);
    return { row: 0, at: calendar.opensAt(today - ago) + 60_000, price, lots: 77, side: 1 };
  });
  let reads = 0;
  /** A log whose sessions from so many ago on are in memory. */
  const log = (ago: number): MemberLog => {
    const before = calendar.opensAt(today - ago);
    return {
      trades: trades.filter(({ at }) => at >= before),
      before,
      past: async () => {
        reads += 1;
        await sleep(20);
        const earlier = trades.filter(({ at }) => at < before);
        return earlier.map((one) => ({
          opensAt: calendar.opensAt(calendar.at(one.at).session),
          span: addTrade(undefined, one),
          fills: [],
        }));
      },
    };
  };
  const look = () => Promise.all([venue.candles("2330", "day", null, 60), venue.profile("2330")]);
  venue.restore(log(20));
  const expected = await look();
  expect(expected[1]?.yearHigh).toBe(close * 3);
  for (const [old, replaced] of [
    [20, 10],
    [10, 20],
  ] as const) {
    venue.restore(log(old));
    const asked = look();
    venue.restore(log(replaced));
    expect(await asked, `${old}`).toEqual(expected);
  }
  // One that is replaced whenever it has been read is given up.
  reads = 0;
  const again = (): MemberLog => ({
    ...log(20),
    past: async () => {
      reads += 1;
      await sleep(1);
      venue.restore(again());
      return [];
    },
  });
  venue.restore(again());
  await expect(venue.candles("2330", "day", null, 60)).rejects.toThrow("replaced");
  expect(reads).toBe(5);
  await venue.stop();
});

test("the year of an index has what members did to its shares on the days whose bars have it", async () => {
  const now = taipei("2026-12-04T11:20:00");
  const yesterday = calendar.opensAt(calendar.at(now).session - 1);
  // A seed with which the index is near its highest of the year.
  const venue = openVenue({ seed: 11, rate: 40, hours: "taiwan", codes: ["2330", "2317", "IX0001"], now: () => now });
  const before = await venue.profile("IX0001");
  const row = venue.instrument("2330")?.row ?? -1;
  venue.restore({ trades: [], fills: [{ row, opensAt: yesterday, fills: [[yesterday + 3_600_000, 400_000]] }] });
  const after = await venue.profile("IX0001");
  expect(after?.yearHigh).toBeGreaterThan(before?.yearHigh ?? Infinity);
  const { bars } = await venue.candles("IX0001", "day", null, 2);
  expect(after?.yearHigh).toBe(bars[2]);
  await venue.stop();
});
