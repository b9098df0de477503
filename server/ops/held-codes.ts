/** The instruments that members hold, have orders for, watch or have alerts on: the venue keeps them in its table. */
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";

export async function heldCodes(db: Pick<Database, "kysely">): Promise<string[]> {
  const rows = await query<{ code: string }>(
    db.kysely,
    `SELECT code FROM "order" WHERE status IN ('pending', 'holding', 'readyToClose')
     UNION SELECT code FROM stake JOIN offering USING (offering_no) WHERE status = 'subscribed'
     UNION SELECT code FROM savings_plan WHERE status = 'active'
     UNION SELECT code FROM watchlist UNION SELECT code FROM alert`,
  );
  return rows.map(({ code }) => code);
}
