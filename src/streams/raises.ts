/** Fund raisings with their rule, and the member's stakes in pages; updated by facts. */
import { filter, map } from "rxjs";
import type { Answer } from "#contract/endpoints.ts";
import { isStakeFact } from "#contract/fact-kind.ts";
import type { Stake } from "#contract/raise.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { pagedResource, usePages } from "./pages.ts";
import type { PagedResource, Pages, ReadPages } from "./pages.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";

export type Raises = Answer<"listRaises">;

const stakeFacts$ = facts$.pipe(filter(isStakeFact));

const raises: Resource<Raises> = resource<Raises>({
  load: () => call("listRaises", {}, { shownByCaller: true }),
  deltas$: refetchAfter<Raises>(stakeFacts$, () => raises),
});

/** A stake takes the place of its older copy; a new one comes first. */
function withStake(stake: Stake): Delta<Pages<Stake>> {
  return (pages) => {
    const known = pages.items.find(({ stakeNo }) => stakeNo === stake.stakeNo);
    if (known && known.version >= stake.version) return pages;
    return { ...pages, items: known ? pages.items.map((one) => (one === known ? stake : one)) : [stake, ...pages.items] };
  };
}

const stakes: PagedResource<Stake> = pagedResource<Stake>({
  load: (cursor) => call("listStakes", { cursor }, { shownByCaller: true }),
  deltas$: stakeFacts$.pipe(map(({ stake }) => withStake(stake))),
  keyOf: ({ stakeNo }) => stakeNo,
});

/** Apply the answer of a command, without waiting for its fact. */
export function takeStake(stake: Stake): void {
  stakes.change(withStake(stake));
}

/** The funds in their raisings, in a component. */
export const useRaises = (): Read<Raises> => useResource(raises);

/** The member's stakes in a component, page by page. */
export const useStakes = (): ReadPages<Stake> => usePages(stakes);
