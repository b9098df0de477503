/** What is still to be settled, and the trading days it falls due on; asked for again after every burst of facts. */
import { auditTime, map } from "rxjs";
import type { Answer } from "#contract/endpoints.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { resource, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";

export type Settlements = Answer<"listSettlements">;

const SETTLE_MS = 400;

const askAgain = (): Delta<Settlements> => {
  settlements.refetch();
  return (same) => same;
};

const settlements: Resource<Settlements> = resource<Settlements>({
  load: () => call("listSettlements", {}, { shownByCaller: true }),
  deltas$: facts$.pipe(auditTime(SETTLE_MS), map(askAgain)),
});

/** Read the calendar in a component. */
export function useSettlements(): Read<Settlements> {
  return useResource(settlements);
}
