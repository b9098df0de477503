/** The member's risk controls as saved on the server, with today's loss; reloaded after every burst of facts. */
import { auditTime, map } from "rxjs";
import type { Risk } from "#contract/risk.ts";
import { call } from "#src/gateway/api.ts";
import { orderFacts$ } from "./facts.ts";
import { resource, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";

const SETTLE_MS = 400;

/** Only the server knows an order's effect on today's loss: refetch, and change nothing until the answer. */
const refetchOnly = (): Delta<Risk> => {
  risk.refetch();
  return (same) => same;
};

export const risk: Resource<Risk> = resource<Risk>({
  load: () => call("readRisk", {}, { shownByCaller: true }),
  deltas$: orderFacts$.pipe(auditTime(SETTLE_MS), map(refetchOnly)),
});

/** Read the controls in a component. */
export function useRisk(): Read<Risk> {
  return useResource(risk);
}

/** Apply a command's answer. */
export function takeRisk(answer: Risk): void {
  risk.change(() => answer);
}
