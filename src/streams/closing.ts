/** What keeps the member's account from being closed. */
import type { Closing } from "#contract/privacy.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

/** Any fact can change it: an order, a deposit, a loan. */
export const closing: Resource<Closing> = resource<Closing>({
  load: () => call("readClosing", {}, { shownByCaller: true }),
  deltas$: refetchAfter<Closing>(facts$, () => closing),
});

/** Read it in a component. */
export function useClosing(): Read<Closing> {
  return useResource(closing);
}
