/** Tests the machine of applications: its states are the contract's statuses, and what was won is paid, waived or lost. */
import { describe, expect, it } from "vitest";
import { SUBSCRIPTION_FACTS, SUBSCRIPTION_STATUSES } from "#contract/subscription.ts";
import { subscriptionMachine } from "#machines/subscription.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(SUBSCRIPTION_FACTS.map((type) => [type, { type }]));

describe("subscription", () => {
  it("has the contract's statuses", () => {
    expect(declaredStates(subscriptionMachine).toSorted()).toEqual([...SUBSCRIPTION_STATUSES].toSorted());
  });

  it("is withdrawn, voided or drawn; what was won is paid, waived or lost", () => {
    expect(transitionTable(subscriptionMachine, events, undefined)).toEqual({
      subscribing: {
        "subscription.withdrawn": "withdrawn",
        "subscription.won": "won",
        "subscription.notWon": "notWon",
        "subscription.voided": "voided",
      },
      won: {
        "subscription.reminded": "won",
        "subscription.paid": "paid",
        "subscription.paymentFailed": "paymentFailed",
        "subscription.waived": "waived",
        "subscription.voided": "voided",
      },
      paid: { "subscription.allotted": "paid", "subscription.voided": "voided" },
      withdrawn: {},
      notWon: {},
      paymentFailed: {},
      waived: {},
      voided: {},
    });
  });
});
