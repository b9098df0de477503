/** The member's risk controls, as the desk keeps them, with today's loss; asked for again after every burst of facts. */
import { auditTime, map } from "rxjs";
import type { Risk } from "#contract/risk.ts";
import { call } from "#src/gateway/api.ts";
import { orderFacts$ } from "./facts.ts";
import { resource, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";

const SETTLE_MS = 400;

/** What an order did to the day's loss only the desk knows: it is asked, and nothing changes until it answers. */
const askAgain = (): Delta<Risk> => {
  risk.refetch();
  return (same) => same;
};

export const risk: Resource<Risk> = resource<Risk>({
  load: () => call("readRisk", {}, { shownByCaller: true }),
  deltas$: orderFacts$.pipe(auditTime(SETTLE_MS), map(askAgain)),
});

/** Read the controls in a component. */
export function useRisk(): Read<Risk> {
  return useResource(risk);
}

/** Take over what a command answered. */
export function takeRisk(known: Risk): void {
  risk.change(() => known);
}
