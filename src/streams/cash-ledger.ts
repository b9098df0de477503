/** The member's cash ledger entries, newest first, filtered by kind and time; reloaded after facts. */
import { auditTime, map, tap } from "rxjs";
import type { CashEntry, CashEntryKind } from "#contract/cash-ledger.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { pagedResource } from "./pages.ts";
import type { PagedResource, Pages } from "./pages.ts";
import { REFETCH_DELAY_MS } from "./refetch.ts";
import { keptByKey } from "./resource.ts";

/** Selects ledger entries by kind (null: all) and by time range (null: open-ended). */
export interface CashLedgerFilter {
  kinds: readonly CashEntryKind[] | null;
  from: EpochMs | null;
  until: EpochMs | null;
}

/** Load one page of matching entries from the server. */
export function cashLedgerPage({ kinds, from, until }: CashLedgerFilter, cursor: string | null) {
  return call("listFlows", { kinds: kinds === null ? null : [...kinds], from, until, cursor }, { shownByCaller: true });
}

const listOf = keptByKey((key: string) => {
  const filter = JSON.parse(key) as CashLedgerFilter;
  const list: PagedResource<CashEntry> = pagedResource<CashEntry>({
    load: (cursor) => cashLedgerPage(filter, cursor),
    deltas$: facts$.pipe(
      auditTime(REFETCH_DELAY_MS),
      tap(() => list.refetch()),
      map(() => (same: Pages<CashEntry>) => same),
    ),
    // A conversion is two entries of one number.
    keyOf: (flow) => `${flow.flowNo} ${flow.currency}`,
  });
  return list;
});

/** The ledger entries that match a filter. */
export function cashLedger({ kinds, from, until }: CashLedgerFilter): PagedResource<CashEntry> {
  return listOf(JSON.stringify({ kinds, from, until }));
}
