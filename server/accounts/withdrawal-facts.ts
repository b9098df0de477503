/** Reads what decides whether a member may withdraw, for `withdrawalBlocks` of the contract. */
import { hoursAt } from "#contract/funding.ts";
import { cents } from "#contract/kernel/money.ts";
import type { Code, OrderNo } from "#contract/kernel/id.ts";
import type { WithdrawalFacts } from "#contract/withdrawal.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import { readLacking } from "#server/trading/futures/margin.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Venue } from "#server/venue/venue.ts";
import { readMemberFacts } from "./member-facts.ts";
import type { FactSources } from "./member-facts.ts";
import { isWorkingDay } from "./working-day.ts";

interface Row {
  credit_score: number;
  pending_no: string | null;
  call_cents: number;
}

/** A margin call is money that is due: what is missing on it cannot be withdrawn, as what futures lack. */
const READ = `
SELECT credit_score,
  (SELECT withdrawal_no FROM withdrawal WHERE member_id = $1 AND status IN ('requested', 'underReview', 'processing')) AS pending_no,
  (SELECT coalesce(sum(greatest(0, required_cents - paid_cents)), 0)::bigint FROM margin_call
    WHERE member_id = $1 AND status IN ('due', 'overdue')) AS call_cents
FROM member WHERE id = $1`;

/** Everything but what the positions and the free money of the moment decide. */
export type StandingFacts = Omit<WithdrawalFacts, "holdings" | "withdrawableCents"> & {
  /** Due and not settled: it stays. */
  dueCents: number;
};

export async function readStanding(on: Reader, memberId: number, venue: Venue, sources: FactSources): Promise<StandingFacts> {
  const [row] = await query<Row>(on, READ, [memberId]);
  if (!row) throw new Error(`there is no member ${memberId}`);
  const { funding: rule } = sources.rules.of(memberId);
  const hours = { opensMinute: rule.withdrawOpensMinute, closesMinute: rule.withdrawClosesMinute };
  const at = sources.now();
  const member = await readMemberFacts(on, memberId, sources);
  return {
    member,
    hours: hoursAt(hours, at, isWorkingDay(venue, at)),
    ...hours,
    creditScore: row.credit_score,
    minimumScore: rule.minimumScore,
    loanCents: member.loanCents,
    pendingNo: row.pending_no,
    minimumCents: rule.withdrawMinimumCents,
    maximumCents: rule.withdrawMaximumCents,
    dueCents: row.call_cents + (await readLacking(on, { venue, rules: sources.rules }, memberId, at)),
  };
}

/** Tells whether a position can be closed at all: not while it is locked, or its instrument is halted or gone. */
function isClosable({ code, locked }: Pick<OrderRecord, "code" | "locked">, venue: Venue, at: number): boolean {
  if (locked) return false;
  const row = venue.instrument(code)?.row;
  return row !== undefined && (venue.phase(at) !== "open" || venue.matching(row, at) !== "none");
}

/** Completes the facts with the positions and the free money of the moment. */
export function withPositions(
  { dueCents, ...standing }: StandingFacts,
  {
    orders,
    availableCents,
    venue,
    at,
    blocks,
  }: { orders: readonly OrderRecord[]; availableCents: number; venue: Venue; at: number; blocks: boolean },
): WithdrawalFacts {
  const closable = blocks ? orders.filter((order) => isClosable(order, venue, at)) : [];
  return {
    ...standing,
    holdings: closable.map(({ order_no, code }) => ({ orderNo: order_no as OrderNo, code: code as Code })),
    withdrawableCents: cents(Math.max(0, availableCents - dueCents)),
  };
}
