/** The lifecycle of a securities loan: offered or lent at once, in progress until its term or a recall, then completed; decided by the server. */
import { setup } from "xstate";
import type { LendingFactType } from "#contract/lending.ts";

/** `lending.offered` creates the loan. */
type LendingEvent = { type: LendingFactType };

export const lendingMachine = setup({ types: { events: {} as LendingEvent } }).createMachine({
  id: "lending",
  initial: "offered",
  states: {
    offered: { on: { "lending.lent": "inProgress", "lending.withdrawn": "withdrawn" } },
    inProgress: { on: { "lending.accrued": "inProgress", "lending.recalled": "recalled", "lending.returned": "completed" } },
    // The borrower has the days of notice; the fee goes on.
    recalled: { on: { "lending.accrued": "recalled", "lending.returned": "completed" } },
    completed: { type: "final" },
    withdrawn: { type: "final" },
  },
});
