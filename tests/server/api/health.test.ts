/** Tests the readiness check: concurrent requests share one query, because anybody may call it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { FEW_SESSIONS, readinessOf } from "#server/api/http/health.ts";
import type { Database } from "#server/db/database.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

it("concurrent requests share one query, and a later one runs a new query", async () => {
  let checks = 0;
  let ours = true;
  let left: number = FEW_SESSIONS;
  const writable = (): boolean => {
    checks += 1;
    return ours;
  };
  let good = true;
  const readiness = readinessOf(
    { kysely: db.kysely, writable },
    { fresh: () => true, issueSessionsLeft: () => left },
    { isGood: () => good },
  );
  const answers = await Promise.all(Array.from({ length: 100 }, () => readiness()));
  expect(answers).toEqual(Array.from({ length: 100 }, () => ({ database: true, prices: true, issueRows: true, jobs: true })));
  expect(checks).toBe(1);
  ours = false;
  expect(await readiness()).toEqual({ database: false, prices: true, issueRows: true, jobs: true });
  left = FEW_SESSIONS - 1;
  expect(checks).toBe(2);
  expect(await readiness()).toMatchObject({ issueRows: false, jobs: true });
  good = false;
  expect(await readiness()).toMatchObject({ jobs: false });
});
