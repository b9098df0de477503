/** Index futures: contracts with quotes and the margin account, read again at intervals while shown and at each fact; the member's positions and trades in pages. */
import { filter, map, merge, timer } from "rxjs";
import type { Answer } from "#contract/endpoints.ts";
import { isFuturesFact } from "#contract/fact-kind.ts";
import type { FuturesPosition, FuturesSide, FuturesTrade } from "#contract/futures.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { withNewest } from "./newest.ts";
import { pagedResource, usePages } from "./pages.ts";
import type { PagedResource, ReadPages } from "./pages.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, resourceByKey, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

export type Futures = Answer<"readFutures">;
export type FuturesCost = Answer<"quoteFutures">;

const QUOTES_EVERY_MS = 2_000;
const futuresFacts$ = facts$.pipe(filter(isFuturesFact));
const moneyFacts$ = facts$.pipe(filter(({ type }) => type === "wallet.changed"));

const ticks$ = timer(QUOTES_EVERY_MS, QUOTES_EVERY_MS);

const futures: Resource<Futures> = resource<Futures>({
  load: () => call("readFutures", {}, { shownByCaller: true }),
  deltas$: refetchAfter<Futures>(merge(futuresFacts$, moneyFacts$, ticks$), () => futures),
});

/** What an order would cost, by contract, side and lots. */
const costs: (key: string) => Resource<FuturesCost> = resourceByKey<string, FuturesCost>((key) => {
  const [contract = "", side = "buy", lots = "1"] = key.split(" ");
  return {
    load: () => call("quoteFutures", { contract, side: side as FuturesSide, lots: Number(lots) }, { shownByCaller: true }),
    deltas$: refetchAfter<FuturesCost>(merge(moneyFacts$, ticks$), () => costs(key)),
  };
});

const positions: PagedResource<FuturesPosition> = pagedResource<FuturesPosition>({
  load: (cursor) => call("listFuturesPositions", { cursor }, { shownByCaller: true }),
  deltas$: futuresFacts$.pipe(map(({ position }) => withNewest("items", position, "positionNo"))),
  keyOf: ({ positionNo }) => positionNo,
});

const trades: PagedResource<FuturesTrade> = pagedResource<FuturesTrade>({
  load: (cursor) => call("listFuturesTrades", { cursor }, { shownByCaller: true }),
  deltas$: refetchAfter(futuresFacts$, () => trades),
  keyOf: ({ tradeNo }) => tradeNo,
});

/** Takes an order's answer, without waiting for its facts. */
export function takeFutures({ position }: Answer<"tradeFutures">): void {
  positions.change(withNewest("items", position, "positionNo"));
  futures.refetch();
}

/** Contracts, account and open positions, in a component. */
export const useFutures = (): Read<Futures> => useResource(futures);

export const useFuturesCost = (contract: string, side: FuturesSide, lots: number): Read<FuturesCost> =>
  useResource(costs(`${contract} ${side} ${lots}`));

/** The member's positions in a component, page by page. */
export const useFuturesPositions = (): ReadPages<FuturesPosition> => usePages(positions);

/** The member's trades in a component, page by page. */
export const useFuturesTrades = (): ReadPages<FuturesTrade> => usePages(trades);
