/** The member's account overview: loaded once, money and unread count updated by facts, sums reloaded after them. */
import { filter, map, merge, timer } from "rxjs";
import { isAlertFact, isOrderFact } from "#contract/fact-kind.ts";
import type { Fact } from "#contract/fact.ts";
import { cents } from "#contract/kernel/money.ts";
import type { MemberOverview } from "#contract/member.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";

function ontoMember(fact: Fact): Delta<MemberOverview> {
  if (isAlertFact(fact)) return (member) => ({ ...member, unread: fact.unread });
  if (!isOrderFact(fact)) return (member) => member;
  const { profitCents, ...money } = fact.money;
  return (member) => ({
    ...member,
    ...money,
    realisedCents: profitCents,
    totalCents: cents(member.totalCents + money.availableCents - member.availableCents + money.frozenCents - member.frozenCents),
  });
}

/** How often the overview is read again while futures or options are open, whose value the server alone knows. */
const FUTURES_EVERY_MS = 5_000;
const futuresMove$ = timer(FUTURES_EVERY_MS, FUTURES_EVERY_MS).pipe(
  filter(() => {
    const { openFutures = 0, openOptions = 0 } = member.now().value ?? {};
    return openFutures + openOptions > 0;
  }),
);

/** The account overview. Only the server can value all positions, so it is reloaded after facts. */
export const member: Resource<MemberOverview> = resource<MemberOverview>({
  load: () => call("readMember", {}, { shownByCaller: true }),
  deltas$: merge(
    facts$.pipe(map(ontoMember)),
    refetchAfter<MemberOverview>(merge(facts$, futuresMove$), () => member),
  ),
});

/** Read the account overview in a component. */
export function useMember(): Read<MemberOverview> {
  return useResource(member);
}

/** Profit of the open positions as the worker computes it with every price. */
interface LiveSum {
  profitCents: number;
  unpriced: number;
}

/**
 * The overview at the latest prices: the profit open positions made since it was read is added to total assets, to the
 * positions' value, and to today's and the current profit.
 */
export function liveOverview(overview: MemberOverview, sum: LiveSum | null): MemberOverview {
  // A position without a price keeps the server's last valuation.
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
