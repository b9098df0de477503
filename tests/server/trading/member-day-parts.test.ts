/** Tests that a log which was never summed is summed in parts, each of them as a whole. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { readMark, sumDays } from "#server/trading/sequencer/member-days.ts";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import { marketName } from "#server/venue/market-name.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import { taipei } from "#tests/support/taipei-time.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

let db: Database;
beforeEach(async () => {
  db = await openTestDatabase();
});
afterEach(() => db.close());

it("a long log is summed in parts, and a part that was killed leaves nothing and is made by the next start", async () => {
  const now = taipei("2027-03-10T13:20:00");
  const calendar = calendarOf("taiwan");
  const venue = openVenue({ seed: 5, rate: 40, hours: "taiwan", codes: ["2330"], now: () => now });
  const days = Array.from({ length: 5 }, (_, nth) => calendar.opensAt(calendar.at(now).session - 5 + nth));
  for (const opensAt of days)
    await query(
      db.kysely,
      `INSERT INTO member_trade (universe, code, opens_at, at, price, lots, side)
      SELECT $1, '2330', $2::bigint, $2::bigint + nth, 1000000 + nth, 1 + nth % 3, 1 FROM generate_series(1, 12000) AS nth`,
      [marketName(venue.state(now)), opensAt],
    );
  let parts = 0;
  const killed = (part: number): Database => ({
    ...db,
    transaction: (work) =>
      db.transaction(async (tx) => {
        const result = await work(tx);
        parts += 1;
        if (parts === part) throw new Error("killed");
        return result;
      }),
  });
  const sums = (): Promise<unknown[]> =>
    query(db.kysely, `SELECT opens_at AS "opensAt", (span ->> 'lots')::integer AS lots FROM member_day ORDER BY opens_at`);
  await expect(sumDays({ db: killed(2), venue, now: () => now })).rejects.toThrow("killed");
  const summed = days.map((opensAt) => ({ opensAt, lots: 24_000 }));
  expect(await sums()).toEqual(summed.slice(0, 2));
  expect(await readMark(db.kysely, marketName(venue.state(now)))).toBe((days[1] ?? 0) + 1);
  await sumDays({ db: killed(0), venue, now: () => now });
  expect([await sums(), parts]).toEqual([summed, 4]);
  await venue.stop();
});
