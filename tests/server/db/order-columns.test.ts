/** Tests that the SQL which writes a batch updates every column of an order that code may change, and no other. */
import { expect, it } from "vitest";
import { query } from "#server/db/database.ts";
import { FIXED_ORDER_COLUMNS } from "#server/trading/sequencer/order-record.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

it("writes back every column of an order but the fixed ones", async () => {
  const db = await openTestDatabase();
  try {
    const functions = await query<{ source: string }>(
      db.kysely,
      "SELECT prosrc AS source FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND prosrc LIKE '%ON CONFLICT (order_no) DO UPDATE SET%'",
    );
    expect(functions).toHaveLength(1);
    const update = /ON CONFLICT \(order_no\) DO UPDATE SET([^;]*);/.exec(functions[0]?.source ?? "")?.[1] ?? "";
    const assignments = [...update.matchAll(/(\w+) = excluded\.(\w+)/g)];
    expect(assignments.filter(([, to, from]) => to !== from)).toEqual([]);
    const columns = await query<{ name: string }>(
      db.kysely,
      "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = 'order'",
    );
    const written = assignments.map(([, name]) => name ?? "");
    expect([...written, ...FIXED_ORDER_COLUMNS].toSorted()).toEqual(columns.map(({ name }) => name).toSorted());
  } finally {
    await db.close();
  }
});
