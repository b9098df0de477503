/** Block trades: the rule and what was bought today, and the member's purchases in pages; updated by facts. */
import { filter, map } from "rxjs";
import { isBlockOrderFact } from "#contract/fact-kind.ts";
import type { BlockOrder } from "#contract/block-order.ts";
import type { Answer } from "#contract/endpoints.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { pagedResource, usePages } from "./pages.ts";
import type { PagedResource, Pages, ReadPages } from "./pages.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";

const blockOrderFacts$ = facts$.pipe(filter(isBlockOrderFact));

type BlockTerms = Answer<"readBlockMarket">;

const blockTerms: Resource<BlockTerms> = resource<BlockTerms>({
  load: () => call("readBlockMarket", {}, { shownByCaller: true }),
  deltas$: refetchAfter<BlockTerms>(blockOrderFacts$, () => blockTerms),
});

/** The rule of block trades and what the member bought today, in a component. */
export function useBlockTerms(): Read<BlockTerms> {
  return useResource(blockTerms);
}

function withBlockOrder(block: BlockOrder): Delta<Pages<BlockOrder>> {
  return (pages) => {
    const known = pages.items.some(({ blockNo }) => blockNo === block.blockNo);
    const items = known ? pages.items.map((one) => (one.blockNo === block.blockNo ? block : one)) : [block, ...pages.items];
    return { ...pages, items };
  };
}

const blockOrders: PagedResource<BlockOrder> = pagedResource<BlockOrder>({
  load: (cursor) => call("listBlocks", { cursor }, { shownByCaller: true }),
  deltas$: blockOrderFacts$.pipe(map(({ block }) => withBlockOrder(block))),
  keyOf: ({ blockNo }) => blockNo,
});

/** Take a command's answer, without waiting for its fact. */
export function takeBlockOrder(block: BlockOrder): void {
  blockOrders.change(withBlockOrder(block));
  blockTerms.refetch();
}

/** The member's purchases in a component, page by page. */
export function useBlockOrders(): ReadPages<BlockOrder> {
  return usePages(blockOrders);
}
