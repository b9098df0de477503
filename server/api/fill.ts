/** Handler of fills: today's executions of all of a member's orders. */
import { MAX_FILLS } from "#contract/fill.ts";
import type { Code, OrderNo } from "#contract/kernel/id.ts";
import { cents } from "#contract/kernel/money.ts";
import { taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import type { Database } from "#server/db/database.ts";
import { fractionOf, toFill } from "#server/trading/sequencer/order-record.ts";
import type { Handlers } from "./handler.ts";

export function fillHandlers({ db: { kysely }, now }: { db: Database; now: () => number }): Pick<Handlers, "listFills"> {
  return {
    async listFills({ caller: { memberId } }) {
      const rows = await kysely
        .selectFrom("fill")
        .innerJoin("order", "order.order_no", "fill.order_no")
        .selectAll("fill")
        .select(["order.code", "order.direction", "order.funding", "order.day_trade", "order.lot_shares", "order.kind"])
        .where("fill.member_id", "=", memberId)
        .where("fill.at", ">=", taipeiMidnight(taipeiDay(now())))
        .orderBy("fill.at", "desc")
        .orderBy("fill.order_no", "desc")
        .orderBy("fill.n", "desc")
        .limit(MAX_FILLS)
        .execute();
      return {
        fills: rows.map((row) => ({
          ...toFill(row),
          orderNo: row.order_no as OrderNo,
          code: row.code as Code,
          direction: row.direction,
          funding: row.funding,
          dayTrade: row.day_trade,
          lotShares: row.lot_shares,
          ...fractionOf(row),
          profitCents: cents(row.profit_cents),
        })),
      };
    },
  };
}
