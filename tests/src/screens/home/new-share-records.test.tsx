/** The member's applications: each in its word, what is to be paid first; paying, waiving with its cost, and withdrawing. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { cents } from "#contract/kernel/money.ts";
import { SUBSCRIPTION_STATUSES } from "#contract/subscription.ts";
import type { Subscription } from "#contract/subscription.ts";
import { NewShareRecords } from "#src/screens/home/new-share-records.tsx";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock, refused } from "#tests/src/gateway/broker.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import { OVERVIEW, bodies, setUpHarness } from "#tests/src/streams/harness.tsx";
import { doing, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { OFFERING_RULE } from "#tests/support/offering-rule.ts";
import { until } from "#tests/support/until.ts";
import { NOW, subscriptionOf, wonOf } from "./offering-samples.ts";

i18next.use(initReactI18next);
setUpHarness();
let shown: Shown | undefined;
beforeAll(async () => {
  fakeWorker();
  await marketApi();
});
beforeEach(() => void vi.spyOn(Date, "now").mockReturnValue(NOW));
afterEach(async () => {
  await shown?.gone();
  vi.restoreAllMocks();
});

/** Waits for something outside React. */
async function settled(happened: () => unknown): Promise<void> {
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  await until(happened);
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
}
const words = (): string => document.body.textContent;
const button = (name: string): HTMLButtonElement | undefined =>
  [...document.querySelectorAll("button")].findLast((one) => one.textContent === name);

async function open(items: Subscription[]): Promise<void> {
  mock("listSubscriptions", () => accepted({ items, next: null }));
  mock("listOfferings", () => accepted({ page: { items: [], next: null }, rule: OFFERING_RULE, barredDraws: 0 }));
  mock("readMember", () => accepted({ ...OVERVIEW, availableCents: 9_000_000 } as never));
  shown = await show(<NewShareRecords />);
  await settled(() => document.querySelectorAll("main li > [role=group]").length === items.length);
}

async function typePassword(text: string): Promise<void> {
  const input = document.querySelector<HTMLInputElement>("dialog input[type=password]");
  if (!input) throw new Error("no field");
  await doing(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, text);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

it("names every state, and shows first what is to be paid", async () => {
  // All of them are on screen.
  Object.assign(window, { innerHeight: 6_000 });
  const ended = (status: Subscription["status"], nth: number): Subscription =>
    wonOf({ status, subscriptionNo: `U${nth + 10}`, restCents: cents(0), reservedCents: cents(0) });
  await open([
    ...SUBSCRIPTION_STATUSES.filter((status) => status !== "subscribing" && status !== "won").map(ended),
    subscriptionOf(),
    subscriptionOf({ subscriptionNo: "U2", phase: "closed", closesAt: wonOf().closesAt }),
    wonOf({ subscriptionNo: "U3", payableFrom: wonOf().payableUntil }),
    wonOf({ subscriptionNo: "U4" }),
  ]);
  const states = [...document.querySelectorAll("main [data-state]")].map((one) => one.textContent);
  expect(states).toEqual([
    "To be paid",
    "Withdrawn",
    "Not won",
    "Paid",
    "Payment failed",
    "Waived",
    "Void",
    "Subscribing",
    "Awaiting the draw",
    "Won",
  ]);
});

it("pays with the fund password, and says what is left to pay before", async () => {
  await open([wonOf()]);
  mock("paySubscription", ({ fundPassword }) =>
    fundPassword === "246810"
      ? accepted(wonOf({ status: "paid", paidCents: cents(4_680_000), restCents: cents(0) }))
      : refused("PWD_FUND_WRONG", { field: "fundPassword" }),
  );
  await doing(() => button("Pay TWD 46,800.00")?.click());
  const sheet = document.querySelector("dialog[open]")?.textContent ?? "";
  expect(sheet).toContain("TWD 52,000.00");
  expect(sheet).toContain("TWD 5,200.00");
  expect(sheet).toContain("TWD 90,000.00");
  await typePassword("111111");
  await doing(() => button("Pay TWD 46,800.00")?.click());
  await settled(() => document.querySelector("dialog [aria-invalid=true]") !== null);
  await typePassword("246810");
  await doing(() => button("Pay TWD 46,800.00")?.click());
  await settled(() => document.querySelector("main [data-state]")?.textContent === "Paid");
  expect(bodies("paySubscription")).toMatchObject([
    { subscriptionNo: "U1", fundPassword: "111111" },
    { subscriptionNo: "U1", fundPassword: "246810" },
  ]);
});

it("waives only after saying what that costs", async () => {
  await open([wonOf()]);
  mock("waiveSubscription", () => accepted(wonOf({ status: "waived", restCents: cents(0) })));
  await doing(() => button("Waive it")?.click());
  await settled(() => words().includes("bars you from the next 3 draws"));
  expect(words()).toContain("Waiving costs the deposit of TWD 5,200.00 and 2 credit points");
  expect(words()).toContain("The delivery fee of TWD 50.00 comes back");
  expect(bodies("waiveSubscription")).toEqual([]);
  await typePassword("246810");
  await doing(() => button("Waive and lose the deposit")?.click());
  await settled(() => document.querySelector("main [data-state]")?.textContent === "Waived");
});

it("withdraws until the close, and says what does not come back", async () => {
  await open([subscriptionOf()]);
  mock("withdrawSubscription", () => accepted(subscriptionOf({ status: "withdrawn", reservedCents: cents(0) })));
  await doing(() => button("Withdraw the application")?.click());
  expect(document.querySelector("dialog[open]")?.textContent).toContain("TWD 5,250.00 comes back; the handling fee of TWD 20.00 does not.");
  await settled(() => document.querySelector("dialog[open]")?.textContent.includes("you cannot apply for this offering again"));
  await doing(() => button("Withdraw the application")?.click());
  await settled(() => document.querySelector("main [data-state]")?.textContent === "Withdrawn");
  expect(bodies("withdrawSubscription")).toMatchObject([{ subscriptionNo: "U1" }]);
});

it("shows of a withdrawn application what came back, and nothing as still to come", async () => {
  await open([subscriptionOf({ status: "withdrawn", reservedCents: cents(0) })]);
  const card = document.querySelector("main li > [role=group]")?.textContent ?? "";
  expect(card).toContain("ReturnedTWD 5,250.00");
  expect(card).toContain("Handling feeTWD 20.00");
  for (const pending of ["After the draw", "Deposit", "Delivery fee", "Held now"]) expect(card).not.toContain(pending);
});

it("never speaks of a draw in a placement", async () => {
  const placement = { kind: "placement" as const };
  await open([
    subscriptionOf({ ...placement }),
    subscriptionOf({ ...placement, subscriptionNo: "U2", phase: "closed", closesAt: wonOf().closesAt }),
    wonOf({ ...placement, subscriptionNo: "U3", payableFrom: wonOf().payableUntil }),
    wonOf({ ...placement, subscriptionNo: "U4", status: "notWon", wonLots: 0 }),
  ]);
  const states = [...document.querySelectorAll("main [data-state]")].map((one) => one.textContent);
  expect(states.toSorted()).toEqual(["Allotted", "Awaiting the allotment", "Not allotted", "Subscribing"]);
  expect(document.querySelector("main")?.textContent).not.toMatch(/\bdraw\b|\bwon\b/i);
});
