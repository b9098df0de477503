/** The movements of the member's money, newest first, by what moved it; begun anew after every fact. */
import { auditTime, map, tap } from "rxjs";
import type { Flow, FlowKind } from "#contract/flow.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { pagedResource } from "./pages.ts";
import type { PagedResource, Pages } from "./pages.ts";

/** Facts come in bursts; the list is asked for once after each. */
const SETTLE_MS = 400;

const made = new Map<string, PagedResource<Flow>>();

/** Movements of some kinds; null for all. */
export function flows(kinds: readonly FlowKind[] | null): PagedResource<Flow> {
  const key = kinds === null ? "" : kinds.join();
  const known = made.get(key);
  if (known) return known;
  const list: PagedResource<Flow> = pagedResource<Flow>({
    load: (cursor) => call("listFlows", { kinds: kinds === null ? null : [...kinds], cursor }, { shownByCaller: true }),
    deltas$: facts$.pipe(
      auditTime(SETTLE_MS),
      tap(() => list.refetch()),
      map(() => (same: Pages<Flow>) => same),
    ),
    keyOf: (flow) => flow.flowNo,
  });
  made.set(key, list);
  return list;
}
