/** What a supervisor asks: anybody may, so it must not cost more the more often it is asked. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { readinessOf } from "#server/api/http/health.ts";
import type { Database } from "#server/db/database.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

it("many who ask at once share one query, and whoever asks later gets a new answer", async () => {
  let checks = 0;
  let ours = true;
  const writable = (): boolean => {
    checks += 1;
    return ours;
  };
  const readiness = readinessOf({ kysely: db.kysely, writable }, { fresh: () => true });
  const answers = await Promise.all(Array.from({ length: 100 }, () => readiness()));
  expect(answers).toEqual(Array.from({ length: 100 }, () => ({ database: true, prices: true })));
  expect(checks).toBe(1);
  ours = false;
  expect(await readiness()).toEqual({ database: false, prices: true });
  expect(checks).toBe(2);
});
