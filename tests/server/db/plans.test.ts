/** Tests that a batch's lookups cost the same with any history (function plans cached on empty tables must not scan them later), and what a change of a pocket costs. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

/** PostgreSQL may use a cached generic plan from the sixth call on. */
const CALLS = 8;

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

/** Existing rows that a full scan would count. */
const HISTORY = 20_000;

it("finds requests and ledger transactions by their keys", () =>
  db.transaction(async (tx) => {
    const pockets = await query<{ id: number }>(tx, "SELECT id FROM pocket WHERE member_id IS NULL ORDER BY id LIMIT 2");
    const members = Array.from({ length: 8 }, (_, n) => n + 1);
    const read = async (): Promise<number> => {
      const [row] = await query<{ rows: number }>(
        tx,
        `SELECT sum(seq_tup_read + idx_tup_fetch)::integer AS rows FROM pg_stat_xact_user_tables
         WHERE schemaname = current_schema AND relname IN ('request', 'ledger_tx', 'entry')`,
      );
      return row?.rows ?? Number.NaN;
    };
    const call = async (): Promise<void> => {
      await query(tx, "SELECT batch_open($1::bigint[], $2::uuid[], $3::text[], 0)", [
        members,
        Array.from({ length: 32 }, () => randomUUID()),
        [],
      ]);
      await query(
        tx,
        `SELECT ledger_write(1, ARRAY[1]::bigint[], ARRAY['fee'], ARRAY[''], ARRAY[1, 1], ARRAY[1, 2], $1::bigint[], ARRAY[1, -1]::bigint[],
           ARRAY[NULL, NULL]::bigint[])`,
        [pockets.map(({ id }) => id)],
      );
    };
    for (let calls = 0; calls < CALLS; calls += 1) await call();
    await query(
      tx,
      `INSERT INTO request (member_id, request_id, endpoint, body_hash, order_no, at)
       SELECT 1 + n % 8, gen_random_uuid(), '', '', '', 0 FROM generate_series(1, $1::integer) AS n`,
      [HISTORY],
    );
    await query(
      tx,
      `SELECT ledger_write(1, array_fill(1::bigint, ARRAY[$1::integer]), array_fill('fee'::text, ARRAY[$1::integer]),
         array_fill(''::text, ARRAY[$1::integer]), array_agg(n), array_agg(line), array_agg(pocket), array_agg(amount), array_agg(NULL::bigint))
       FROM generate_series(1, $1::integer) AS n, unnest(ARRAY[1, 2], $2::bigint[], ARRAY[1, -1]::bigint[]) AS lines (line, pocket, amount)`,
      [HISTORY, pockets.map(({ id }) => id)],
    );
    const before = await read();
    await call();
    expect((await read()) - before).toBeLessThan(20);
  }));

it("changes a pocket in its place, without a new entry in any index", () =>
  db.transaction(async (tx) => {
    const pockets = await query<{ id: number }>(tx, "SELECT id FROM pocket WHERE member_id IS NULL ORDER BY id LIMIT 2");
    const changes = async (): Promise<{ all: number; inPlace: number }> => {
      const [row] = await query<{ all: number; inPlace: number }>(
        tx,
        `SELECT n_tup_upd AS all, n_tup_hot_upd AS "inPlace" FROM pg_stat_xact_user_tables
         WHERE schemaname = current_schema AND relname = 'pocket'`,
      );
      return row ?? { all: 0, inPlace: 0 };
    };
    const before = await changes();
    for (let n = 1; n <= CALLS; n += 1)
      await query(
        tx,
        `SELECT ledger_write(1, ARRAY[1]::bigint[], ARRAY['fee'], ARRAY[''], ARRAY[1, 1], ARRAY[1, 2], $1::bigint[], ARRAY[-1, 1]::bigint[],
           ARRAY[NULL, NULL]::bigint[])`,
        [pockets.map(({ id }) => id)],
      );
    const after = await changes();
    expect([after.all - before.all, after.inPlace - before.inPlace]).toEqual([2 * CALLS, 2 * CALLS]);
  }));
