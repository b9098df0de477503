/** Test process: writes numbered rows and prints each number after its commit, until it is killed. */
import { openDatabase, query } from "#server/db/database.ts";

const db = await openDatabase({ dataDir: process.argv[2] ?? null });
const [last] = await query<{ n: number }>(db.kysely, "SELECT coalesce(max(name::bigint), 0) AS n FROM setting");
for (let n = (last?.n ?? 0) + 1; ; n += 1) {
  await db.kysely
    .insertInto("setting")
    .values({ name: String(n), value: "", open: false })
    .execute();
  process.stdout.write(`${n}\n`);
}
