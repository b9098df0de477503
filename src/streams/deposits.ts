/** Deposits: the channels with the one on its way, those submitted in pages, and one of them; updated by facts. */
import { map } from "rxjs";
import type { Answer } from "#contract/endpoints.ts";
import { isOpenDeposit } from "#contract/deposit.ts";
import type { Deposit } from "#contract/deposit.ts";
import { call } from "#src/gateway/api.ts";
import { depositFacts$ } from "./facts.ts";
import { pagedResource, usePages } from "./pages.ts";
import type { PagedResource, Pages, ReadPages } from "./pages.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, resourceByKey, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";

export type Depositing = Answer<"readDepositing">;

/** The channels, and the deposit on its way. What is left for today only the server knows. */
export const depositing: Resource<Depositing> = resource<Depositing>({
  load: () => call("readDepositing", {}, { shownByCaller: true }),
  deltas$: refetchAfter<Depositing>(depositFacts$, () => depositing),
});

function withDeposit(deposit: Deposit): Delta<Pages<Deposit>> {
  return (pages) => {
    const known = pages.items.some(({ depositNo }) => depositNo === deposit.depositNo);
    const items = known ? pages.items.map((one) => (one.depositNo === deposit.depositNo ? deposit : one)) : [deposit, ...pages.items];
    return { ...pages, items };
  };
}

const changes$ = depositFacts$.pipe(map(({ deposit }) => deposit));

/** The member's deposits, newest first. */
export const deposits: PagedResource<Deposit> = pagedResource<Deposit>({
  load: (cursor) => call("listDeposits", { cursor }, { shownByCaller: true }),
  deltas$: changes$.pipe(map(withDeposit)),
  keyOf: ({ depositNo }) => depositNo,
});

const depositOf: (depositNo: string) => Resource<Deposit> = resourceByKey((depositNo: string) => ({
  load: () => call("readDeposit", { depositNo }, { shownByCaller: true }),
  deltas$: changes$.pipe(
    map(
      (deposit): Delta<Deposit> =>
        (known) =>
          known.depositNo === deposit.depositNo ? deposit : known,
    ),
  ),
}));

/** Take a command's answer, without waiting for its fact. */
export function takeDeposit(deposit: Deposit): void {
  deposits.change(withDeposit(deposit));
  depositing.change((known) => ({ ...known, pending: isOpenDeposit(deposit) ? deposit : null }));
}

/** Read the channels in a component. */
export function useDepositing(): Read<Depositing> {
  return useResource(depositing);
}

/** Read the deposits in a component, page by page. */
export function useDeposits(): ReadPages<Deposit> {
  return usePages(deposits);
}

/** Read one deposit in a component. */
export function useDeposit(depositNo: string): Read<Deposit> {
  return useResource(depositOf(depositNo));
}
