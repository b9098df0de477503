/** The credit score with its changes, and what the member may borrow with their loans; updated by facts. */
import { filter, map, merge } from "rxjs";
import type { Answer } from "#contract/endpoints.ts";
import { isLoanFact } from "#contract/fact-kind.ts";
import type { Loan } from "#contract/loan.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";

export type Credit = Answer<"readCredit">;
export type Lending = Answer<"readLoans">;

/** Loan facts only. */
export const loanFacts$ = facts$.pipe(filter(isLoanFact));

const credit: Resource<Credit> = resource<Credit>({
  load: () => call("readCredit", {}, { shownByCaller: true }),
  deltas$: refetchAfter<Credit>(facts$.pipe(filter(({ type }) => type === "credit.changed" || type.startsWith("loan."))), () => credit),
});

/** A loan that moved on takes the place of its older version; a new one comes first. */
function withLoan(loan: Loan): Delta<Lending> {
  return (lending) => {
    const known = lending.loans.find(({ loanNo }) => loanNo === loan.loanNo);
    if (known && known.version >= loan.version) return lending;
    const loans = known ? lending.loans.map((one) => (one === known ? loan : one)) : [loan, ...lending.loans];
    return { ...lending, loans };
  };
}

/** Only the server can value the account, on which the limit depends. */
export const lending: Resource<Lending> = resource<Lending>({
  load: () => call("readLoans", {}, { shownByCaller: true }),
  deltas$: merge(
    loanFacts$.pipe(map(({ loan }) => withLoan(loan))),
    refetchAfter<Lending>(facts$, () => lending),
  ),
});

/** Apply the answer of a command. */
export function takeLoan(loan: Loan): void {
  lending.change(withLoan(loan));
  lending.refetch();
}

/** Read the credit score in a component. */
export const useCredit = (): Read<Credit> => useResource(credit);

/** Read what may be borrowed, and the loans, in a component. */
export const useLending = (): Read<Lending> => useResource(lending);
