/** The movements of the member's money, newest first, by what moved it; begun anew after every fact. */
import { auditTime, map, tap } from "rxjs";
import type { CashEntry, CashEntryKind } from "#contract/cash-ledger.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { pagedResource } from "./pages.ts";
import type { PagedResource, Pages } from "./pages.ts";
import { keptByKey } from "./resource.ts";

/** Facts come in bursts; the list is asked for once after each. */
const SETTLE_MS = 400;

/** Which movements: of some kinds (null for all), in a stretch of time (null: open). */
export interface CashLedgerFilter {
  kinds: readonly CashEntryKind[] | null;
  from: EpochMs | null;
  until: EpochMs | null;
}

/** One page of them, as the desk answers. */
export function cashLedgerPage({ kinds, from, until }: CashLedgerFilter, cursor: string | null) {
  return call("listFlows", { kinds: kinds === null ? null : [...kinds], from, until, cursor }, { shownByCaller: true });
}

const listOf = keptByKey((key: string) => {
  const filter = JSON.parse(key) as CashLedgerFilter;
  const list: PagedResource<CashEntry> = pagedResource<CashEntry>({
    load: (cursor) => cashLedgerPage(filter, cursor),
    deltas$: facts$.pipe(
      auditTime(SETTLE_MS),
      tap(() => list.refetch()),
      map(() => (same: Pages<CashEntry>) => same),
    ),
    keyOf: (flow) => flow.flowNo,
  });
  return list;
});

/** The movements a filter lets through. */
export function cashLedger({ kinds, from, until }: CashLedgerFilter): PagedResource<CashEntry> {
  return listOf(JSON.stringify({ kinds, from, until }));
}
