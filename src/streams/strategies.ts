/** Strategies: the member's runs with what they traded, read again at each fact and at intervals while shown, and back-tests on demand. */
import { filter, merge } from "rxjs";
import type { Answer } from "#contract/endpoints.ts";
import { isStrategyFact } from "#contract/fact-kind.ts";
import type { RunTrade, StrategyRun } from "#contract/strategy.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { withNewest } from "./newest.ts";
import { pagedResource, usePages } from "./pages.ts";
import type { PagedResource, Pages, ReadPages } from "./pages.ts";
import { refetchAfter } from "./refetch.ts";
import { keptByKey, resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";
import { everyWhileVisible } from "./while-visible.ts";

export type Runs = Answer<"listStrategyRuns">;

/** Prices move what is held. */
const VALUES_EVERY_MS = 5_000;

const strategyFacts$ = facts$.pipe(filter(isStrategyFact));

const runs: Resource<Runs> = resource<Runs>({
  load: () => call("listStrategyRuns", {}, { shownByCaller: true }),
  deltas$: refetchAfter<Runs>(merge(strategyFacts$, everyWhileVisible(VALUES_EVERY_MS)), () => runs),
});

const tradesOf: (runNo: string) => PagedResource<RunTrade> = keptByKey((runNo: string) =>
  pagedResource<RunTrade>({
    load: (cursor) => call("listRunTrades", { runNo, cursor }, { shownByCaller: true }),
    deltas$: refetchAfter<Pages<RunTrade>>(strategyFacts$, () => tradesOf(runNo)),
    keyOf: ({ id }) => String(id),
  }),
);

/** Takes a command's answer, without waiting for its fact. */
export function takeRun(run: StrategyRun): void {
  runs.change(withNewest("runs", run, "runNo"));
}

/** The member's runs, in a component. */
export const useRuns = (): Read<Runs> => useResource(runs);

/** What a run traded, in a component, page by page. */
export const useRunTrades = (runNo: string): ReadPages<RunTrade> => usePages(tradesOf(runNo));
