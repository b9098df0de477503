/** Refuses an act that the member may not do, with the first thing that is missing. */
import { missingFor } from "#contract/eligibility.ts";
import type { Act, FactsFor } from "#contract/eligibility.ts";
import { Refusal } from "./refusal.ts";

/** @throws Refusal one of `eligibilityRefusals(act)` */
export function checkEligible<A extends Act>(act: A, facts: FactsFor<A>): void {
  const [missing] = missingFor(act, facts);
  if (missing) throw new Refusal(missing.code, missing.params);
}
