/** Tests what the database says of the leader: its key is another one at every start. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { beginRow, readLeader, writeAddress } from "#server/cluster/leader-row.ts";
import type { Database } from "#server/db/database.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

test("every leader has a key of its own, which followers read with its address", async () => {
  const first = await beginRow(db);
  const next = await beginRow(db);
  expect(next.key).not.toBe(first.key);
  expect(next.key).toMatch(/^[\w-]{43}$/);
  const { epoch, key } = next;
  await writeAddress(db, { serverUrl: null, host: "::1", epoch }, 8081);
  expect(await readLeader(db.kysely)).toEqual({ epoch, url: "http://[::1]:8081", key });
  await writeAddress(db, { serverUrl: "http://before.example:8080", host: "::1", epoch: epoch - 1 }, 8081);
  expect(await readLeader(db.kysely)).toEqual({ epoch, url: "http://[::1]:8081", key });
});
