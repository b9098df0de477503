/** How many draws a member may not take part in, because they won and did not pay, or waived. */
import type { OfferingRule } from "#contract/offering-kind.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";

const MISSED = `SELECT count(*)::integer AS missed FROM (
  SELECT 1 FROM offering WHERE kind IN ('share', 'bond') AND result_at > $1::bigint LIMIT $2::integer
) AS drawn`;
const LATEST = "SELECT max(ended_at)::bigint AS at FROM subscription WHERE member_id = $1 AND status IN ('paymentFailed', 'waived')";

/** The draws of shares and bonds that are still to pass; 0 for a member who may apply. */
export async function barredDraws(on: Reader, memberId: number, { barredDraws: most }: Pick<OfferingRule, "barredDraws">): Promise<number> {
  const [latest] = await query<{ at: number | null }>(on, LATEST, [memberId]);
  if (!latest || latest.at === null || most <= 0) return 0;
  const [row] = await query<{ missed: number }>(on, MISSED, [latest.at, most]);
  return most - (row?.missed ?? 0);
}
