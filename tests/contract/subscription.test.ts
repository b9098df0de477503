/** Tests the ten words of the specification: which of them an offering is to a member, by its phase, the application and the clock. */
import { expect, it } from "vitest";
import { OFFERING_PHASES } from "#contract/offering-kind.ts";
import type { OfferingPhase } from "#contract/offering-kind.ts";
import { SUBSCRIPTION_STATES, SUBSCRIPTION_STATUSES, subscriptionState } from "#contract/subscription.ts";
import type { SubscriptionState, SubscriptionStatus } from "#contract/subscription.ts";

const CLOSES = 100;
const PAYABLE = 200;
const stateOf = (phase: OfferingPhase, status: SubscriptionStatus | null, now: number, payableFrom: number | null = null) =>
  subscriptionState({ phase, closesAt: CLOSES, payableFrom }, status, now);

it.each<[OfferingPhase, SubscriptionStatus | null, number, SubscriptionState]>([
  ["upcoming", null, 1, "toBeSubscribed"],
  ["open", null, 99, "toBeSubscribed"],
  ["open", null, 100, "ended"],
  ["closed", null, 101, "ended"],
  ["drawn", null, 250, "ended"],
  ["listed", null, 900, "ended"],
  ["void", null, 900, "ended"],
  ["open", "withdrawn", 50, "toBeSubscribed"],
  ["closed", "withdrawn", 150, "ended"],
  ["void", "voided", 150, "ended"],
  ["open", "subscribing", 99, "subscribing"],
  // The window is over, and the clock has not come by yet.
  ["open", "subscribing", 100, "awaitingDraw"],
  ["closed", "subscribing", 101, "awaitingDraw"],
  // Drawn, and the result is not told yet.
  ["drawn", "subscribing", 250, "awaitingDraw"],
  ["drawn", "notWon", 250, "notWon"],
  ["drawn", "paid", 250, "paid"],
  ["allotted", "paid", 300, "paid"],
  ["listed", "paid", 900, "paid"],
  ["drawn", "waived", 250, "waived"],
  ["allotted", "paymentFailed", 300, "paymentFailed"],
])("an offering that is %s with an application that is %s is, at %i, %s", (phase, status, now, state) =>
  expect(stateOf(phase, status, now)).toBe(state),
);

it("is won until the payment window opens, and then to be paid", () => {
  expect(stateOf("drawn", "won", PAYABLE - 1, PAYABLE)).toBe("won");
  expect(stateOf("drawn", "won", PAYABLE, PAYABLE)).toBe("toBePaid");
  expect(stateOf("drawn", "won", PAYABLE)).toBe("won");
});

it("has a word for everything, and uses all ten", () => {
  const words = OFFERING_PHASES.flatMap((phase) =>
    [null, ...SUBSCRIPTION_STATUSES].flatMap((status) => [1, 150, 250].map((now) => stateOf(phase, status, now, PAYABLE))),
  );
  expect(new Set(words)).toEqual(new Set(SUBSCRIPTION_STATES));
});
