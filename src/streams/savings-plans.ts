/** Regular savings plans, and the months of each in pages; updated by facts. */
import { filter, map, merge } from "rxjs";
import type { Answer } from "#contract/endpoints.ts";
import { isSavingsPlanFact } from "#contract/fact-kind.ts";
import type { SavingsPlan, SavingsRun } from "#contract/savings-plan.ts";
import { call } from "#src/gateway/api.ts";
import { facts$, orderFacts$ } from "./facts.ts";
import { withNewest } from "./newest.ts";
import { pagedResource, usePages } from "./pages.ts";
import type { PagedResource, Pages, ReadPages } from "./pages.ts";
import { refetchAfter } from "./refetch.ts";
import { keptByKey, resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

export type Savings = Answer<"listSavingsPlans">;

const planFacts$ = facts$.pipe(filter(isSavingsPlanFact));

const savings: Resource<Savings> = resource<Savings>({
  load: () => call("listSavingsPlans", {}, { shownByCaller: true }),
  deltas$: planFacts$.pipe(map(({ plan }) => withNewest("plans", plan, "planNo"))),
});

/** The months of a plan; the orders in them change with the market. */
const runsOf: (planNo: string) => PagedResource<SavingsRun> = keptByKey((planNo: string) =>
  pagedResource<SavingsRun>({
    load: (cursor) => call("listSavingsRuns", { planNo, cursor }, { shownByCaller: true }),
    deltas$: refetchAfter<Pages<SavingsRun>>(
      merge(
        planFacts$.pipe(filter(({ plan }) => plan.planNo === planNo)),
        orderFacts$.pipe(filter(({ order }) => order.origin === "savings")),
      ),
      () => runsOf(planNo),
    ),
    keyOf: ({ month }) => month,
  }),
);

/** Apply the answer of a command, without waiting for its fact. */
export function takePlan(plan: SavingsPlan): void {
  savings.change(withNewest("plans", plan, "planNo"));
}

/** The member's plans with the rule, in a component. */
export const useSavings = (): Read<Savings> => useResource(savings);

/** The months of one plan in a component, page by page. */
export const useSavingsRuns = (planNo: string): ReadPages<SavingsRun> => usePages(runsOf(planNo));
