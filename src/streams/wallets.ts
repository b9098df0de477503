/** The member's money in every currency, and the ledger lines behind a balance or a movement. */
import { auditTime, map, tap } from "rxjs";
import type { Answer } from "#contract/endpoints.ts";
import type { Currency } from "#contract/kernel/currency.ts";
import type { CurrencyBalance, Pocket, PocketEntry } from "#contract/wallet.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { pagedResource } from "./pages.ts";
import type { PagedResource, Pages } from "./pages.ts";
import { REFETCH_DELAY_MS, refetchAfter } from "./refetch.ts";
import { keptByKey, resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

export type Wallets = Answer<"readWallets">;
export type Movement = Answer<"readFlow">;

const wallets: Resource<Wallets> = resource<Wallets>({
  load: () => call("readWallets", {}, { shownByCaller: true }),
  deltas$: refetchAfter(facts$, () => wallets),
});

/** Read the balances of every currency in a component. */
export function useWallets(): Read<Wallets> {
  return useResource(wallets);
}

/** A pocket's balance in hundredths of its currency; 0 for one that is empty or not known yet. */
export function pocketOf(balances: readonly CurrencyBalance[] | undefined, currency: Currency, pocket: Pocket): number {
  const balance = balances?.find((one) => one.currency === currency);
  return balance?.pockets.find((one) => one.pocket === pocket)?.balanceCents ?? 0;
}

const entriesOf = keptByKey((key: string) => {
  const [currency, pocket] = key.split(" ") as [Currency, Pocket];
  const list: PagedResource<PocketEntry> = pagedResource<PocketEntry>({
    load: (cursor) => call("listPocketEntries", { currency, pocket, cursor }, { shownByCaller: true }),
    deltas$: facts$.pipe(
      auditTime(REFETCH_DELAY_MS),
      tap(() => list.refetch()),
      map(() => (same: Pages<PocketEntry>) => same),
    ),
    keyOf: ({ flowNo, line }) => `${flowNo}.${line}`,
  });
  return list;
});

/** The ledger lines behind one balance, newest first. */
export function pocketEntries(currency: Currency, pocket: Pocket): PagedResource<PocketEntry> {
  return entriesOf(`${currency} ${pocket}`);
}

/** The lines of one movement; they never change. */
export const movementOf = keptByKey((flowNo: string): Resource<Movement> =>
  resource<Movement>({ load: () => call("readFlow", { flowNo }, { shownByCaller: true }) }),
);
