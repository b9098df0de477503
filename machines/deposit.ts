/** The lifecycle of a deposit: pending until the bank reports it, processing until it is credited or rejected; decided by the server. */
import { setup } from "xstate";
import type { DepositFactType } from "#contract/deposit.ts";

type DepositEvent = { type: DepositFactType };

export const depositMachine = setup({ types: { events: {} as DepositEvent } }).createMachine({
  id: "deposit",
  initial: "pending",
  states: {
    pending: {
      on: {
        "deposit.received": "processing",
        "deposit.expired": "expired",
      },
    },
    processing: {
      on: {
        "deposit.credited": "credited",
        "deposit.rejected": "rejected",
      },
    },
    credited: { type: "final" },
    rejected: { type: "final" },
    expired: { type: "final" },
  },
});
