/** The lifecycle of a withdrawal: cancelled by the member while requested, then reviewed and paid, or failed; decided by the server. */
import { setup } from "xstate";
import type { WithdrawalFactType } from "#contract/withdrawal.ts";

type WithdrawalEvent = { type: WithdrawalFactType };

export const withdrawalMachine = setup({ types: { events: {} as WithdrawalEvent } }).createMachine({
  id: "withdrawal",
  initial: "requested",
  states: {
    requested: {
      on: {
        "withdrawal.reviewed": "underReview",
        "withdrawal.cancelled": "cancelled",
      },
    },
    underReview: {
      on: {
        "withdrawal.approved": "processing",
        "withdrawal.failed": "failed",
      },
    },
    processing: {
      on: {
        "withdrawal.paid": "paid",
        "withdrawal.failed": "failed",
      },
    },
    paid: { type: "final" },
    failed: { type: "final" },
    cancelled: { type: "final" },
  },
});
