/** Tests that the embedded database is not asked again for what it has not got, and at once when anything may have been written. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { Worker } from "node:worker_threads";
import { openDatabase, query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { migratedTemplate } from "#tests/support/template.ts";

let db: Database;
const asked = vi.spyOn(Worker.prototype, "postMessage");

beforeAll(async () => {
  db = await openDatabase({ dataDir: null, template: await migratedTemplate() });
  await query(db.kysely, "CREATE TABLE seldom (id integer PRIMARY KEY, at bigint)");
  await query(
    db.kysely,
    "CREATE FUNCTION seldom_write(id integer) RETURNS integer LANGUAGE sql AS 'INSERT INTO seldom VALUES (id, 0) RETURNING id'",
  );
});
beforeEach(() => query(db.kysely, "DELETE FROM seldom"));
afterAll(() => db.close());

const SELDOM = "SELECT id FROM seldom WHERE id > $1";
const find = (after = 0): Promise<unknown[]> => query(db.kysely, SELDOM, [after]);

/** How often the database was asked meanwhile. */
async function messages(work: () => Promise<unknown>): Promise<number> {
  asked.mockClear();
  await work();
  return asked.mock.calls.length;
}

describe("a query that has found nothing", () => {
  it("is not asked again, but with other parameters", async () => {
    expect(await messages(() => find())).toBe(1);
    expect(await find()).toEqual([]);
    expect(await messages(() => find())).toBe(0);
    expect(await messages(() => find(1))).toBe(1);
  });

  it("tells parameters apart by what they are: large numbers, and what is no number", async () => {
    const same = (value: unknown): Promise<unknown[]> =>
      query(db.kysely, "SELECT 1 AS found FROM (SELECT $1::double precision AS value) AS given WHERE value IS NOT NULL", [value]);
    expect(await same(null)).toEqual([]);
    expect(await same(Number.NaN)).toHaveLength(1);
    expect(await query(db.kysely, SELDOM, [2n])).toEqual([]);
  });

  it("is asked again after any write: a statement, a function, what a transaction wrote or took back", async () => {
    const writes: [string, () => Promise<unknown>, number][] = [
      ["a statement", () => query(db.kysely, "INSERT INTO seldom VALUES (1, 0)"), 1],
      ["a function", () => query(db.kysely, "SELECT seldom_write(2)"), 2],
      ["a transaction", () => db.transaction((tx) => query(tx, "INSERT INTO seldom VALUES (3, 0)")), 3],
      [
        "one with a query before its own write",
        async () => {
          const found = await db.transaction(async (tx) => {
            expect(await query(tx, SELDOM, [3])).toEqual([]);
            await query(tx, "SELECT seldom_write(4)");
            return query(tx, SELDOM, [3]);
          });
          expect(found).toEqual([{ id: 4 }]);
        },
        4,
      ],
      ["a function of rows", () => query(db.kysely, "SELECT seldom_write(one) FROM generate_series(5, 5) AS one"), 5],
    ];
    for (const [name, write, id] of writes) {
      expect(await find(id - 1), name).toEqual([]);
      await write();
      expect(await find(id - 1), name).toEqual([{ id }]);
    }
    const undone = db.transaction(async (tx) => {
      await query(tx, "DELETE FROM seldom");
      expect(await query(tx, SELDOM, [0])).toEqual([]);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await find()).toHaveLength(5);
  });

  it("is asked every time where what it finds depends on the time, and where rows are found", async () => {
    const late = (): Promise<unknown> => query(db.kysely, "SELECT id FROM seldom WHERE at < extract(epoch FROM now())");
    await late();
    expect(await messages(late)).toBe(1);
    await query(db.kysely, "INSERT INTO seldom VALUES (1, 0)");
    await find();
    expect(await messages(() => find())).toBe(1);
  });
});
