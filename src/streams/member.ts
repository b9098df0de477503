/** The member's account at a glance: read once, its money and unread messages moved by every fact, its sums asked for again after them. */
import { auditTime, map, merge } from "rxjs";
import { isAlertFact, isOrderFact } from "#contract/fact-kind.ts";
import type { Fact } from "#contract/fact.ts";
import { cents } from "#contract/kernel/money.ts";
import type { MemberOverview } from "#contract/member.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { resource, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";

/** Facts come in bursts; the sums are asked for once after each. */
const SETTLE_MS = 400;

function ontoMember(fact: Fact): Delta<MemberOverview> {
  if (isAlertFact(fact)) return (member) => ({ ...member, unread: fact.unread });
  if (!isOrderFact(fact)) return (member) => member;
  const { money } = fact;
  return (member) => ({
    ...member,
    ...money,
    totalCents: cents(money.availableCents + money.frozenCents + member.unsettledCents + member.positionsCents - member.debtCents),
  });
}

/** What a position is worth only the desk knows in full: it is asked after facts, and nothing changes until it answers. */
const askAfter = (): Delta<MemberOverview> => {
  member.refetch();
  return (same) => same;
};

/** The overview of the account. */
export const member: Resource<MemberOverview> = resource<MemberOverview>({
  load: () => call("readMember", {}, { shownByCaller: true }),
  deltas$: merge(facts$.pipe(map(ontoMember)), facts$.pipe(auditTime(SETTLE_MS), map(askAfter))),
});

/** Read the account's overview in a component. */
export function useMember(): Read<MemberOverview> {
  return useResource(member);
}

/** The sums of open positions as the worker values them with every price. */
interface LiveSum {
  profitCents: number;
  unpriced: number;
}

/**
 * The overview with its moving parts at the newest prices: what open positions gained since it was read is added to the
 * total, to their worth, and to today's and the current profit.
 */
export function liveOverview(overview: MemberOverview, sum: LiveSum | null): MemberOverview {
  // A position without a price counts with what the desk last knew.
  if (!sum || sum.unpriced > 0) return overview;
  const gained = sum.profitCents - overview.currentProfitCents;
  return {
    ...overview,
    totalCents: cents(overview.totalCents + gained),
    positionsCents: cents(overview.positionsCents + gained),
    todayProfitCents: cents(overview.todayProfitCents + gained),
    currentProfitCents: cents(sum.profitCents),
  };
}
