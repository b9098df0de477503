/** The lifecycle of a loan on the screen: the machine takes each step that the server tells, and starts again where one was missed. */
import { useSelector } from "@xstate/react";
import { useEffect, useState } from "react";
import { createActor } from "xstate";
import type { ActorRefFrom } from "xstate";
import type { Loan, LoanStatus } from "#contract/loan.ts";
import { loanMachine } from "#machines/loan.ts";
import { loanFacts$ } from "#src/streams/loans.ts";
import { registerActor } from "./registry.ts";

const beginAt = (status: LoanStatus): ActorRefFrom<typeof loanMachine> =>
  registerActor(createActor(loanMachine, { id: "loan", snapshot: loanMachine.resolveState({ value: status }) })).start();

/** The status of one loan; a component that shows another loan needs another key. */
export function useLoanStatus({ loanNo, status }: Pick<Loan, "loanNo" | "status">): LoanStatus {
  const [actor, setActor] = useState(() => beginAt(status));
  const [read, setRead] = useState(status);
  // The answer of a command, or a list read again, may be ahead of the facts.
  if (read !== status) {
    setRead(status);
    if (actor.getSnapshot().value !== status) setActor(beginAt(status));
  }
  const now = useSelector(actor, ({ value }) => value);
  useEffect(() => {
    const following = loanFacts$.subscribe(({ type, loan }) => {
      if (loan.loanNo === loanNo) actor.send({ type });
    });
    return () => following.unsubscribe();
  }, [actor, loanNo]);
  return now;
}
