/** The member's risk controls as saved on the server, with today's loss; reloaded after every burst of facts. */
import type { Risk } from "#contract/risk.ts";
import { call } from "#src/gateway/api.ts";
import { orderFacts$ } from "./facts.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

/** Only the server knows an order's effect on today's loss, so it is reloaded after order facts. */
export const risk: Resource<Risk> = resource<Risk>({
  load: () => call("readRisk", {}, { shownByCaller: true }),
  deltas$: refetchAfter(orderFacts$, () => risk),
});

/** Read the controls in a component. */
export function useRisk(): Read<Risk> {
  return useResource(risk);
}

/** Apply a command's answer. */
export function takeRisk(answer: Risk): void {
  risk.change(() => answer);
}

/** The value above which the member confirms by a slide; null for none. While it is not known, everything is above it. */
export function useSlideAbove(): number | null {
  const { value } = useRisk();
  return value === null ? 0 : value.slideAboveCents;
}
