/** Handler of settlements: amounts still to be paid or received by due date, and the coming trading days. */
import { taipeiMidnight } from "#contract/kernel/time.ts";
import type { Database } from "#server/db/database.ts";
import type { Handlers } from "./handler.ts";
import { tradingDaysAfter } from "#server/trading/clearing/settlement-calendar.ts";
import { toSettlement } from "#server/trading/clearing/settlement-due.ts";

/** Trading days listed ahead. */
const DAYS_AHEAD = 10;

export function settlementHandlers({ db, now }: { db: Database; now: () => number }): Pick<Handlers, "listSettlements"> {
  return {
    async listSettlements({ caller: { memberId } }) {
      const rows = await db.kysely
        .selectFrom("settlement")
        .selectAll()
        .where("member_id", "=", memberId)
        .where("settled_at", "is", null)
        .orderBy("due_at")
        .orderBy("id")
        .execute();
      return { settlements: rows.map(toSettlement), tradingDays: tradingDaysAfter(now(), DAYS_AHEAD).map(taipeiMidnight) };
    },
  };
}
