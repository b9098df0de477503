/** Check-ins and fee vouchers: the days of a month, the vouchers in pages, and the one that the next order uses; updated by facts. */
import { filter, merge } from "rxjs";
import type { CheckIns } from "#contract/check-in.ts";
import type { Answer } from "#contract/endpoints.ts";
import { isRewardFact } from "#contract/fact-kind.ts";
import type { Voucher } from "#contract/voucher.ts";
import { call } from "#src/gateway/api.ts";
import { facts$, orderFacts$ } from "./facts.ts";
import { pagedResource, usePages } from "./pages.ts";
import type { PagedResource, Pages, ReadPages } from "./pages.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, resourceByKey, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

type CheckInMonth = Answer<"readCheckIns">;

const rewardFacts$ = facts$.pipe(filter(isRewardFact));

/** A month as `2026-07`; empty for the current one. */
const monthOf: (month: string) => Resource<CheckInMonth> = resourceByKey((month: string) => ({
  load: () => call("readCheckIns", { month: month === "" ? null : month }, { shownByCaller: true }),
  deltas$: refetchAfter<CheckInMonth>(rewardFacts$, () => monthOf(month)),
}));

/** The member's vouchers, newest first. */
export const vouchers: PagedResource<Voucher> = pagedResource<Voucher>({
  load: (cursor) => call("listVouchers", { cursor }, { shownByCaller: true }),
  deltas$: refetchAfter<Pages<Voucher>>(rewardFacts$, () => vouchers),
  keyOf: ({ voucherNo }) => voucherNo,
});

/** The voucher of the member's next order. */
const nextVoucher: Resource<Answer<"nextVoucher">> = resource<Answer<"nextVoucher">>({
  load: () => call("nextVoucher", {}, { shownByCaller: true }),
  deltas$: refetchAfter<Answer<"nextVoucher">>(merge(rewardFacts$, orderFacts$), () => nextVoucher),
});

/** Take a command's answer, without waiting for its fact. */
export function takeCheckIns(checkIns: CheckIns): void {
  monthOf("").change((known) => {
    const days = checkIns.checkedIn && !known.days.includes(checkIns.today) ? [...known.days, checkIns.today] : known.days;
    return { ...known, days, checkIns };
  });
}

/** Load the check-ins and the vouchers again. */
export function refetchRewards(): void {
  monthOf("").refetch();
  vouchers.refetch();
}

/** Read a month of check-ins in a component; empty for the current month. */
export function useCheckIns(month: string): Read<CheckInMonth> {
  return useResource(monthOf(month));
}

/** Read the vouchers in a component, page by page. */
export function useVouchers(): ReadPages<Voucher> {
  return usePages(vouchers);
}

/** Read the voucher that the next order uses, in a component; null for none, and while it is not known. */
export function useNextVoucher(): Voucher | null {
  return useResource(nextVoucher).value?.voucher ?? null;
}
