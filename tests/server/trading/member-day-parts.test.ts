/** Tests that members' days are summed in parts while batches are stored, and marked only with everything in them. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { MarketInBatch } from "#server/trading/sequencer/market-in-batch.ts";
import { readMark, sumDays } from "#server/trading/sequencer/member-days.ts";
import { openTrades } from "#server/trading/sequencer/stored-effects.ts";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import { marketName } from "#server/venue/market-name.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Venue } from "#server/venue/venue.ts";
import { onPostgres } from "#tests/support/run.ts";
import { taipei } from "#tests/support/taipei-time.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

const calendar = calendarOf("taiwan");
const NOW = taipei("2027-03-10T13:20:00");
const now = (): number => NOW;
/** When the sessions before this one opened, oldest first. */
const days = Array.from({ length: 3 }, (_, nth) => calendar.opensAt(calendar.at(NOW).session - 3 + nth));
const [firstDay = 0, secondDay = 0] = days;
const lastDay = days.at(-1) ?? 0;
const CODES = ["2330", "2317", "2454"];

let db: Database;
let venue: Venue;
beforeEach(async () => {
  db = await openTestDatabase();
  venue = openVenue({ seed: 5, rate: 40, hours: "taiwan", codes: CODES, now });
});
afterEach(async () => {
  await venue.stop();
  await db.close();
});

/** Stores trades and fills of an instrument in a session: of every three trades one of one lot, of two, and of three. */
async function store(opensAt: number, code: string, trades: number, on: Database["kysely"] = db.kysely): Promise<void> {
  const values = [marketName(venue.state(NOW)), code, opensAt, trades];
  await query(
    on,
    `INSERT INTO member_trade (universe, code, opens_at, at, price, lots, side)
    SELECT $1, $2, $3::bigint, $3::bigint + nth, 1000000 + nth, 1 + nth % 3, 1 FROM generate_series(1, $4::integer) AS nth`,
    values,
  );
  await query(
    on,
    `INSERT INTO member_fill (universe, code, opens_at, at, lots)
    SELECT $1, $2, $3::bigint, $3::bigint + nth, 1 FROM generate_series(1, $4::integer / 1000) AS nth`,
    values,
  );
}

const sums = (): Promise<unknown[]> =>
  query(
    db.kysely,
    `SELECT opens_at AS "opensAt", code, (span ->> 'lots')::integer AS lots, json_array_length(fills) AS fills
    FROM member_day ORDER BY opens_at, code`,
  );
const mark = (): Promise<number> => readMark(db.kysely, marketName(venue.state(NOW)));
const opening = (): number => venue.state(NOW).opensAt;

/** The database, where `after` is called in each transaction with its number, once its work is done. */
function watched(after: (nth: number) => Promise<void> | void): Database {
  let count = 0;
  return {
    ...db,
    transaction: (work) =>
      db.transaction(async (tx) => {
        const result = await work(tx);
        count += 1;
        await after(count);
        return result;
      }),
  };
}

/** The database, where `between` is called after each transaction. */
function followed(between: (nth: number) => Promise<void>): Database {
  let count = 0;
  return {
    ...db,
    transaction: async (work) => {
      const result = await db.transaction(work);
      count += 1;
      await between(count);
      return result;
    },
  };
}

/** Stores a member's trade now. */
async function storeBatch(): Promise<string> {
  const batch = new MarketInBatch(venue, NOW);
  batch.add({ row: 0, at: NOW, price: 9_990_000, lots: 3, side: 1 });
  await db.transaction((tx) => batch.write(tx, NOW));
  return "stored";
}

it("a long log is summed in parts, and where it was killed the next start goes on", async () => {
  for (const opensAt of days) await store(opensAt, "2330", 12_000);
  const killed = watched((nth) => {
    if (nth === 6) throw new Error("killed");
  });
  await expect(sumDays({ db: killed, venue, now })).rejects.toThrow("killed");
  // The second day has its sum and not its mark.
  const summed = days.map((opensAt) => ({ opensAt, code: "2330", lots: 24_000, fills: 12 }));
  expect([await sums(), await mark()]).toEqual([summed.slice(0, 2), secondDay]);
  await sumDays({ db, venue, now });
  expect([await sums(), await mark()]).toEqual([summed, opening()]);
});

it("a session with many trades is summed some instruments at a time, each as a whole", async () => {
  await store(lastDay, "1101", 3_000);
  await store(lastDay, "2317", 18_000);
  await store(lastDay, "2330", 3_000);
  await query(db.kysely, "INSERT INTO member_fill (universe, code, opens_at, at, lots) VALUES ($1, '2330', $2, $2, 7)", [
    marketName(venue.state(NOW)),
    firstDay,
  ]);
  const found: number[] = [];
  const counted = followed(async () => void found.push((await sums()).length));
  await sumDays({ db: counted, venue, now });
  // What came before it; the two that fit into one statement, and the third; nothing after it.
  expect(found).toEqual([0, 1, 1, 1, 3, 4, 4, 4, 4, 4]);
  expect(await sums()).toEqual([
    { opensAt: firstDay, code: "2330", lots: null, fills: 1 },
    { opensAt: lastDay, code: "1101", lots: 6_000, fills: 3 },
    { opensAt: lastDay, code: "2317", lots: 36_000, fills: 18 },
    { opensAt: lastDay, code: "2330", lots: 6_000, fills: 3 },
  ]);
  expect(await mark()).toBe(opening());
});

it("what is stored while it sums is in the sums before they count", async () => {
  await store(lastDay, "2330", 3_000);
  await store(lastDay, "2317", 3_000);
  const busy = followed(async (nth) => {
    // After the sums; and after it was found that they lack something.
    if (nth === 2) await store(lastDay, "2330", 3_000);
    if (nth === 3) await store(lastDay, "2454", 1_500);
  });
  await sumDays({ db: busy, venue, now });
  expect(await sums()).toEqual([
    { opensAt: lastDay, code: "2317", lots: 6_000, fills: 3 },
    { opensAt: lastDay, code: "2330", lots: 12_000, fills: 6 },
    { opensAt: lastDay, code: "2454", lots: 3_000, fills: 1 },
  ]);
  expect(await mark()).toBe(opening());
});

it("a start whose sums fail says so, and reads the log", async () => {
  await store(lastDay, "2330", 30);
  await sumDays({ db, venue, now });
  await venue.stop();
  const errors: unknown[] = [];
  const bars = async (on: Database): Promise<readonly number[]> => {
    venue = openVenue({ seed: 5, rate: 40, hours: "taiwan", codes: CODES, now });
    await openTrades({ db: on, venue, now, report: (error) => void errors.push(error) });
    const shown = (await venue.candles("2330", "day", null, 10)).bars;
    await venue.stop();
    return shown;
  };
  const expected = await bars(db);
  await query(db.kysely, "DELETE FROM member_day_mark");
  await query(db.kysely, "DELETE FROM member_day");
  const failing: Database = { ...db, transaction: () => Promise.reject(new Error("too slow")) };
  expect(await bars(failing)).toEqual(expected);
  expect([errors, await mark()]).toEqual([[new Error("too slow")], 0]);
});

// The embedded database has one connection: there one waits for the other anyway.
it.runIf(onPostgres)("no batch waits for a sum that waits for a vacuum, and the sum is made later", async () => {
  await store(lastDay, "2330", 300);
  const [held, taken] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  // What VACUUM, ANALYZE and CREATE INDEX CONCURRENTLY take.
  const vacuum = db.transaction(async (tx) => {
    await query(tx, "LOCK TABLE member_trade IN SHARE UPDATE EXCLUSIVE MODE");
    taken.resolve(undefined);
    await held.promise;
  });
  await taken.promise;
  const sum = sumDays({ db, venue, now });
  // Again and again until it gives up.
  let stored = 0;
  const tries = { isOver: false };
  const over = sum.finally(() => (tries.isOver = true));
  while (!tries.isOver) {
    await storeBatch();
    stored += 1;
  }
  await over;
  // It gives up although the vacuum goes on.
  expect([await mark(), await sums()]).toEqual([0, []]);
  expect(stored).toBeGreaterThan(0);
  held.resolve(undefined);
  await vacuum;
  await sumDays({ db, venue, now });
  expect(await sums()).toEqual([{ opensAt: lastDay, code: "2330", lots: 600, fills: 0 }]);
  expect(await mark()).toBe(opening());
});

it.runIf(onPostgres)("what was numbered before the newest trade and is committed after it is in the sum", async () => {
  const [held, stored] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const slow = db.transaction(async (tx) => {
    await store(lastDay, "2330", 300, tx);
    stored.resolve(undefined);
    await held.promise;
  });
  await stored.promise;
  await store(lastDay, "2330", 30);
  await sumDays({ db, venue, now });
  expect([await mark(), await sums()]).toEqual([0, []]);
  // It is committed while the next run tries.
  const sum = sumDays({ db, venue, now });
  held.resolve(undefined);
  await Promise.all([slow, sum]);
  expect(await sums()).toEqual([{ opensAt: lastDay, code: "2330", lots: 660, fills: 0 }]);
  expect(await mark()).toBe(opening());
});

it.runIf(onPostgres)("a batch is stored while a statement sums, and another server does not mark meanwhile", async () => {
  await store(lastDay, "2330", 300);
  const [held, summed] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const slow = watched(async (nth) => {
    if (nth !== 2) return;
    summed.resolve(undefined);
    await held.promise;
  });
  const sum = sumDays({ db: slow, venue, now });
  await summed.promise;
  await store(lastDay, "2330", 30);
  expect(await storeBatch()).toBe("stored");
  await sumDays({ db, venue, now });
  expect(await mark()).toBe(0);
  held.resolve(undefined);
  await sum;
  expect(await sums()).toEqual([{ opensAt: lastDay, code: "2330", lots: 660, fills: 0 }]);
  expect(await mark()).toBe(opening());
});

it("a server whose mark has been moved by another one writes no sum", async () => {
  await store(lastDay, "2330", 300);
  const late = followed(async (nth) => {
    if (nth !== 1) return;
    await sumDays({ db, venue, now });
    await query(db.kysely, "UPDATE member_day SET fills = '[[1, 2]]'");
  });
  await sumDays({ db: late, venue, now });
  expect(await sums()).toEqual([{ opensAt: lastDay, code: "2330", lots: 600, fills: 1 }]);
  expect(await mark()).toBe(opening());
});
