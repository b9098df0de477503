/** Withdrawals: what decides whether one may be requested, those requested in pages, and one of them; updated by facts. */
import { map } from "rxjs";
import type { Answer } from "#contract/endpoints.ts";
import type { Withdrawal } from "#contract/withdrawal.ts";
import { call } from "#src/gateway/api.ts";
import { facts$, withdrawalFacts$ } from "./facts.ts";
import { pagedResource, usePages } from "./pages.ts";
import type { PagedResource, Pages, ReadPages } from "./pages.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, resourceByKey, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";

type Withdrawing = Answer<"readWithdrawing">;

/** Everything that may keep a withdrawal back. Any fact can change it: an order, a deposit, a debt. */
export const withdrawing: Resource<Withdrawing> = resource<Withdrawing>({
  load: () => call("readWithdrawing", {}, { shownByCaller: true }),
  deltas$: refetchAfter<Withdrawing>(facts$, () => withdrawing),
});

function withWithdrawal(withdrawal: Withdrawal): Delta<Pages<Withdrawal>> {
  return (pages) => {
    const { withdrawalNo } = withdrawal;
    const known = pages.items.some((one) => one.withdrawalNo === withdrawalNo);
    const items = known ? pages.items.map((one) => (one.withdrawalNo === withdrawalNo ? withdrawal : one)) : [withdrawal, ...pages.items];
    return { ...pages, items };
  };
}

const changes$ = withdrawalFacts$.pipe(map(({ withdrawal }) => withdrawal));

/** The member's withdrawals, newest first. */
export const withdrawals: PagedResource<Withdrawal> = pagedResource<Withdrawal>({
  load: (cursor) => call("listWithdrawals", { cursor }, { shownByCaller: true }),
  deltas$: changes$.pipe(map(withWithdrawal)),
  keyOf: ({ withdrawalNo }) => withdrawalNo,
});

const replacing =
  (withdrawal: Withdrawal): Delta<Withdrawal> =>
  (known) =>
    known.withdrawalNo === withdrawal.withdrawalNo ? withdrawal : known;

const withdrawalOf: (withdrawalNo: string) => Resource<Withdrawal> = resourceByKey((withdrawalNo: string) => ({
  load: () => call("readWithdrawal", { withdrawalNo }, { shownByCaller: true }),
  deltas$: changes$.pipe(map(replacing)),
}));

/** Take a command's answer, without waiting for its fact. */
export function takeWithdrawal(withdrawal: Withdrawal): void {
  withdrawals.change(withWithdrawal(withdrawal));
  withdrawalOf(withdrawal.withdrawalNo).change(replacing(withdrawal));
  withdrawing.refetch();
}

/** Read what decides in a component. */
export function useWithdrawing(): Read<Withdrawing> {
  return useResource(withdrawing);
}

/** Read the withdrawals in a component, page by page. */
export function useWithdrawals(): ReadPages<Withdrawal> {
  return usePages(withdrawals);
}

/** Read one withdrawal in a component. */
export function useWithdrawal(withdrawalNo: string): Read<Withdrawal> {
  return useResource(withdrawalOf(withdrawalNo));
}
