/** The credit score with its changes, and what the member may borrow with their loans; updated by facts. */
import { filter, map, merge } from "rxjs";
import type { Answer } from "#contract/endpoints.ts";
import { isLoanFact } from "#contract/fact-kind.ts";
import type { Loan } from "#contract/loan.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { withNewest } from "./newest.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

export type Credit = Answer<"readCredit">;
export type Lending = Answer<"readLoans">;

/** Loan facts only. */
export const loanFacts$ = facts$.pipe(filter(isLoanFact));

const credit: Resource<Credit> = resource<Credit>({
  load: () => call("readCredit", {}, { shownByCaller: true }),
  deltas$: refetchAfter<Credit>(facts$.pipe(filter(({ type }) => type === "credit.changed" || type.startsWith("loan."))), () => credit),
});

/** Only the server can value the account, on which the limit depends. */
export const lending: Resource<Lending> = resource<Lending>({
  load: () => call("readLoans", {}, { shownByCaller: true }),
  deltas$: merge(
    loanFacts$.pipe(map(({ loan }) => withNewest("loans", loan, "loanNo"))),
    refetchAfter<Lending>(facts$, () => lending),
  ),
});

/** Apply the answer of a command. */
export function takeLoan(loan: Loan): void {
  lending.change(withNewest("loans", loan, "loanNo"));
  lending.refetch();
}

/** Read the credit score in a component. */
export const useCredit = (): Read<Credit> => useResource(credit);

/** Read what may be borrowed, and the loans, in a component. */
export const useLending = (): Read<Lending> => useResource(lending);
