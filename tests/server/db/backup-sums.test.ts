/** Tests that a backup has members' trades without their sums, which can be longer than its lines, and that a start after a restore makes them again. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DAY_MS } from "#contract/kernel/time.ts";
import { verifyBackup } from "#server/db/backup.ts";
import { openDatabase, query, withStore } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { restoreBackup } from "#server/db/restore.ts";
import { backUp } from "#server/ops/backup.ts";
import { sumDays } from "#server/trading/sequencer/member-days.ts";
import { marketName } from "#server/venue/market-name.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import { taipei } from "#tests/support/taipei-time.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

it("a day with more fills than a line holds is backed up, and summed again after a restore", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sums-"));
  const now = (): number => taipei("2027-03-10T13:20:00");
  const venue = openVenue({ seed: 5, rate: 40, hours: "taiwan", codes: ["2330"], now });
  const opensAt = venue.state(now()).opensAt - DAY_MS;
  const sums = (on: Database): Promise<unknown[]> => query(on.kysely, 'SELECT opens_at AS "opensAt", code, fills FROM member_day');
  const db = await openTestDatabase();
  await query(db.kysely, "INSERT INTO member_fill (universe, code, opens_at, at, lots) VALUES ($1, '2330', $2, $2, 7)", [
    marketName(venue.state(now())),
    opensAt,
  ]);
  await sumDays({ db, venue, now });
  const expected = await sums(db);
  expect(expected).toEqual([{ opensAt, code: "2330", fills: [[opensAt, 7]] }]);
  // As of 200,000 fills: longer than a line of a backup may be.
  await query(
    db.kysely,
    "UPDATE member_day SET fills = (SELECT json_agg(json_build_array($1::bigint, nth)) FROM generate_series(1, 200000) AS nth)",
    [opensAt],
  );
  const file = join(folder, "one.backup");
  await backUp(db, [file], () => undefined);
  await verifyBackup(file);
  const dataDir = join(folder, "restored");
  await withStore({ dataDir }, (store) => restoreBackup(store, file, async () => undefined));
  const restored = await openDatabase({ dataDir });
  expect(await sums(restored)).toEqual([]);
  await sumDays({ db: restored, venue, now });
  expect(await sums(restored)).toEqual(expected);
  await restored.close();
  await db.close();
  await venue.stop();
  await rm(folder, { recursive: true, force: true });
});
