/** What a member, or the same person in an account that was closed, did before: draws they are barred from, and applications made. */
import type { OfferingRule } from "#contract/offering-kind.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";

const MISSED = `SELECT count(*)::integer AS missed FROM (
  SELECT 1 FROM offering WHERE kind IN ('share', 'bond') AND result_at > $1::bigint LIMIT $2::integer
) AS drawn`;
/** Closed accounts with the member's ID number, which is kept for five years. */
const CLOSED = `SELECT closed_member.member_id FROM closed_member JOIN member USING (id_number) WHERE member.id = $1`;
const LATEST = `SELECT max(ended_at)::bigint AS at FROM subscription
WHERE (member_id = $1 OR member_id IN (${CLOSED})) AND status IN ('paymentFailed', 'waived')`;
const EARLIER = `SELECT count(*)::integer AS n FROM subscription WHERE offering_no = $2 AND member_id IN (${CLOSED})`;

/** The draws of shares and bonds that are still to pass; 0 for a member who may apply. */
export async function barredDraws(on: Reader, memberId: number, { barredDraws: most }: Pick<OfferingRule, "barredDraws">): Promise<number> {
  const [latest] = await query<{ at: number | null }>(on, LATEST, [memberId]);
  if (!latest || latest.at === null || most <= 0) return 0;
  const [row] = await query<{ missed: number }>(on, MISSED, [latest.at, most]);
  return most - (row?.missed ?? 0);
}

/** Applications for an offering from closed accounts of the same person. */
export async function closedApplications(on: Reader, memberId: number, offeringNo: string): Promise<number> {
  const [row] = await query<{ n: number }>(on, EARLIER, [memberId, offeringNo]);
  return row?.n ?? 0;
}
