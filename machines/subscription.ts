/** The lifecycle of an application: withdrawn until the close, drawn, paid or not, and at last a position; decided by the server. */
import { setup } from "xstate";
import type { SubscriptionFactType } from "#contract/subscription.ts";

type SubscriptionEvent = { type: SubscriptionFactType };

export const subscriptionMachine = setup({ types: { events: {} as SubscriptionEvent } }).createMachine({
  id: "subscription",
  initial: "subscribing",
  states: {
    subscribing: {
      on: {
        "subscription.withdrawn": "withdrawn",
        "subscription.won": "won",
        "subscription.notWon": "notWon",
        "subscription.voided": "voided",
      },
    },
    won: {
      on: {
        "subscription.reminded": "won",
        "subscription.paid": "paid",
        "subscription.paymentFailed": "paymentFailed",
        "subscription.waived": "waived",
        // The server was off until the listing, or the market is gone: everything is given back.
        "subscription.voided": "voided",
      },
    },
    // The delivered shares are an ordinary position, with the order's lifecycle.
    paid: { on: { "subscription.allotted": "paid", "subscription.voided": "voided" } },
    withdrawn: { type: "final" },
    notWon: { type: "final" },
    paymentFailed: { type: "final" },
    waived: { type: "final" },
    voided: { type: "final" },
  },
});
