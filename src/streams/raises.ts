/** Fund raisings with their rule, and the member's stakes in pages; updated by facts. */
import { filter, map } from "rxjs";
import type { Answer } from "#contract/endpoints.ts";
import { isStakeFact } from "#contract/fact-kind.ts";
import type { Raise, Stake } from "#contract/raise.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { withNewest } from "./newest.ts";
import { pagedResource, usePages, usePagesWhile } from "./pages.ts";
import type { PagedResource, ReadPages } from "./pages.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

export type Raises = Answer<"listRaises">;

const stakeFacts$ = facts$.pipe(filter(isStakeFact));

const raises: Resource<Raises> = resource<Raises>({
  load: () => call("listRaises", {}, { shownByCaller: true }),
  deltas$: refetchAfter<Raises>(stakeFacts$, () => raises),
});

const stakes: PagedResource<Stake> = pagedResource<Stake>({
  load: (cursor) => call("listStakes", { cursor }, { shownByCaller: true }),
  deltas$: stakeFacts$.pipe(map(({ stake }) => withNewest("items", stake, "stakeNo"))),
  keyOf: ({ stakeNo }) => stakeNo,
});

/** Apply the answer of a command, without waiting for its fact. */
export function takeStake(stake: Stake): void {
  stakes.change(withNewest("items", stake, "stakeNo"));
}

/** The funds in their raisings, in a component. */
export const useRaises = (): Read<Raises> => useResource(raises);

/** The member's stakes in a component, page by page. */
export const useStakes = (): ReadPages<Stake> => usePages(stakes);

/** The member's stakes in one fund, the newest first: pages of stakes are loaded as far back as its raising. */
export function useStakesIn({ code, opensAt }: Pick<Raise, "code" | "opensAt">): Stake[] {
  const read = usePages(stakes);
  const items = read.value?.items ?? [];
  const oldest = items.at(-1);
  usePagesWhile(read, oldest !== undefined && oldest.subscribedAt >= opensAt);
  return items.filter((stake) => stake.code === code);
}
