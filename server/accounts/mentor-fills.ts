/** Every fill of a mentor, as it is published: the record is computed from these lines and from nothing else. */
import type { Code } from "#contract/kernel/id.ts";
import { cents, price } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { MentorFill } from "#contract/mentor-record.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import type { MentorRow } from "#server/records/copy.ts";

interface Line {
  order_no: string;
  kind: MentorFill["kind"];
  at: number;
  code: string;
  price: number;
  shares: number;
  fee_cents: number;
  tax_cents: number;
  cash_cents: number;
  with_member: boolean;
}

/**
 * A fill counts in the units that its order had then: those before the first adjustment after it. Of adjustments only those of open
 * positions matter, which are all there are. Cryptocurrency is not copied, and no part of a record. Of two members who trade with each other,
 * the one whose order rested has the same reason as against the market: the other's execution of that moment tells it.
 */
const LINES = `
SELECT fill.order_no, CASE WHEN (fill.side = 'open') = (direction = 'rise') THEN 'buy' ELSE 'sell' END AS kind, fill.at, code, fill.price,
  fill.lots * coalesce((SELECT from_lot_shares FROM adjustment WHERE adjustment.order_no = fill.order_no AND adjustment.at > fill.at
    ORDER BY adjustment.at LIMIT 1), lot_shares) AS shares, fill.fee_cents, fill.tax_cents, 0::bigint AS cash_cents,
  fill.reason = 'member' OR fill.reason = 'resting' AND EXISTS (SELECT FROM fill AS theirs JOIN "order" AS other ON other.order_no = theirs.order_no
    WHERE theirs.at = fill.at AND theirs.reason IN ('member', 'shared') AND theirs.member_id <> fill.member_id
      AND other.code = "order".code) AS with_member, fill.n
FROM fill JOIN "order" USING (order_no) WHERE fill.member_id = $1 AND fill.at >= $2 AND kind <> 'crypto'
UNION ALL
SELECT adjustment.order_no, 'adjust', adjustment.at, code, 0, to_lots * to_lot_shares - from_lots * from_lot_shares, 0, 0, cash_cents, false, 0
FROM adjustment JOIN "order" USING (order_no) WHERE adjustment.member_id = $1 AND adjustment.at >= $2
ORDER BY at, order_no, n`;

/** All lines of a mentor, the first one first, numbered. */
export async function readMentorFills(
  on: Reader,
  { member_id: memberId, since }: Pick<MentorRow, "member_id" | "since">,
): Promise<MentorFill[]> {
  const positions = new Map<string, number>();
  return (await query<Line>(on, LINES, [memberId, since])).map((line, nth) => {
    const position = positions.get(line.order_no) ?? positions.size + 1;
    positions.set(line.order_no, position);
    return {
      n: nth + 1,
      position,
      kind: line.kind,
      at: epochMs(line.at),
      code: line.code as Code,
      price: price(line.price),
      shares: line.shares,
      feeCents: cents(line.fee_cents),
      taxCents: cents(line.tax_cents),
      cashCents: cents(line.cash_cents),
      withMember: line.with_member,
    };
  });
}
