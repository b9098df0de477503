/** Today's executions, newest first: loaded once, loaded again after facts about orders. */
import type { OrderFill } from "#contract/fill.ts";
import { call } from "#src/gateway/api.ts";
import { orderFacts$ } from "./facts.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

/** A fact does not tell the profit of its executions, so the list is loaded again. */
export const fills: Resource<readonly OrderFill[]> = resource<readonly OrderFill[]>({
  load: async () => {
    const outcome = await call("listFills", {}, { shownByCaller: true });
    return outcome.ok ? { ...outcome, data: outcome.data.fills } : outcome;
  },
  deltas$: refetchAfter(orderFacts$, () => fills),
});

/** Read today's executions in a component. */
export function useFills(): Read<readonly OrderFill[]> {
  return useResource(fills);
}
