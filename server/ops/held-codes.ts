/** The instruments that members hold, have orders for, apply or bid for, watch or have alerts on: the venue keeps them in its table. */
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";

export async function heldCodes(db: Pick<Database, "kysely">): Promise<string[]> {
  const rows = await query<{ code: string }>(
    db.kysely,
    `SELECT code FROM "order" WHERE status IN ('pending', 'holding', 'readyToClose')
     UNION SELECT code FROM stake JOIN offering USING (offering_no) WHERE status = 'subscribed'
     UNION SELECT code FROM savings_plan WHERE status = 'active'
     UNION SELECT code FROM subscription JOIN offering USING (offering_no)
       WHERE status IN ('subscribing', 'won') OR (status = 'paid' AND order_no IS NULL)
     UNION SELECT code FROM bid WHERE status IN ('placed', 'won') OR (status = 'paid' AND order_no IS NULL)
     UNION SELECT code FROM watchlist UNION SELECT code FROM alert`,
  );
  return rows.map(({ code }) => code);
}
