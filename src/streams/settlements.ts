/** Unsettled trades and the trading days they settle on; reloaded after every burst of facts. */
import type { Answer } from "#contract/endpoints.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";
import { useRules } from "./rules.ts";

export type Settlements = Answer<"listSettlements">;

const settlements: Resource<Settlements> = resource<Settlements>({
  load: () => call("listSettlements", {}, { shownByCaller: true }),
  deltas$: refetchAfter(facts$, () => settlements),
});

/** Read the settlement calendar in a component. */
export function useSettlements(): Read<Settlements> {
  return useResource(settlements);
}

/** Tells whether anything settles later, or a rule defers settlement. */
export function useSettlesLater(): boolean {
  const rules = useRules().value;
  const waiting = useSettlements().value?.settlements.length ?? 0;
  if (waiting > 0) return true;
  return rules !== null && [rules.trade, ...rules.exceptions.map(({ rule }) => rule)].some(({ settlementDays = 0 }) => settlementDays > 0);
}
