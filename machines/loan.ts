/** The lifecycle of a credit loan: offered, signed, drawn, then repaid, if need be after it was overdue; decided by the server. */
import { setup } from "xstate";
import type { LoanFactType } from "#contract/loan.ts";

type LoanEvent = { type: LoanFactType };

export const loanMachine = setup({ types: { events: {} as LoanEvent } }).createMachine({
  id: "loan",
  initial: "offered",
  states: {
    offered: {
      on: {
        "loan.signed": "signed",
        "loan.lapsed": "lapsed",
      },
    },
    signed: {
      on: {
        "loan.drawn": "drawn",
        "loan.lapsed": "lapsed",
      },
    },
    drawn: {
      on: {
        "loan.accrued": "drawn",
        "loan.partlyRepaid": "drawn",
        "loan.overdue": "overdue",
        "loan.repaid": "repaid",
      },
    },
    overdue: {
      on: {
        "loan.accrued": "overdue",
        "loan.partlyRepaid": "overdue",
        "loan.repaid": "repaid",
      },
    },
    repaid: { type: "final" },
    lapsed: { type: "final" },
  },
});
