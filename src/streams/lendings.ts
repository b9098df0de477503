/** Securities lending: what borrowers ask for with what lending has earned, and the member's loans in pages; updated by facts. */
import { filter, map } from "rxjs";
import type { Answer } from "#contract/endpoints.ts";
import { isLendingFact } from "#contract/fact-kind.ts";
import type { Lending } from "#contract/lending.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { withNewest } from "./newest.ts";
import { pagedResource, usePages } from "./pages.ts";
import type { PagedResource, ReadPages } from "./pages.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

export type LendingMarket = Answer<"readLendingMarket">;

const lendingFacts$ = facts$.pipe(filter(isLendingFact));

const market: Resource<LendingMarket> = resource<LendingMarket>({
  load: () => call("readLendingMarket", {}, { shownByCaller: true }),
  deltas$: refetchAfter<LendingMarket>(lendingFacts$, () => market),
});

const lendings: PagedResource<Lending> = pagedResource<Lending>({
  load: (cursor) => call("listLendings", { cursor }, { shownByCaller: true }),
  deltas$: lendingFacts$.pipe(map(({ lending }) => withNewest("items", lending, "lendingNo"))),
  keyOf: ({ lendingNo }) => lendingNo,
});

/** Takes a command's answer, without waiting for its fact. */
export function takeLending(lending: Lending): void {
  lendings.change(withNewest("items", lending, "lendingNo"));
  market.refetch();
}

/** What borrowers ask for, in a component. */
export const useLendingMarket = (): Read<LendingMarket> => useResource(market);

/** The member's loans in a component, page by page. */
export const useLendings = (): ReadPages<Lending> => usePages(lendings);
