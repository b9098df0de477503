/** Tests the cache of days: the same days in whatever order they are asked for, and no more kept than a bound. */
import { expect, test } from "vitest";
import { DailyBarCache } from "#server/venue/simulator/daily-bar-cache.ts";
import { marketOf } from "#server/venue/simulator/seeded-market.ts";

const SESSIONS = 200;

test("days are the same in any order, recent ones are kept, and old ones are dropped", () => {
  const market = marketOf(1, "compressed", ["2330"]);
  const row = market.referenceData.listings.findIndex(({ instrument }) => instrument.code === "2330");
  const first = market.calendar.anchor + 1;
  const last = first + SESSIONS;
  const forward = new DailyBarCache(market);
  const days = Array.from({ length: SESSIONS + 1 }, (_, nth) => forward.day(row, first + nth));
  const same = (session: number): boolean => forward.day(row, session) === days[session - first];
  expect(same(last)).toBe(true);
  expect(same(last - 20)).toBe(true);
  // An old one is computed again, and with it what follows; the newest is, too, afterwards.
  expect(same(first)).toBe(false);
  expect(days.map(({ session }) => forward.day(row, session))).toEqual(days);
  const backward = new DailyBarCache(market);
  expect(days.toReversed().map(({ session }) => backward.day(row, session))).toEqual(days.toReversed());
});
