/** One offering: its cost before applying, what keeps a member back, the application, a reminder, and its draw repeated. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import { expose } from "comlink";
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { Route, Routes } from "react-router-dom";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { crowdHashOf, drawSlices, hashOf, runSlices } from "#contract/draw.ts";
import type { OfferingEntry } from "#contract/offering.ts";
import { NewShareApply } from "#src/screens/home/new-share-apply.tsx";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock, refused } from "#tests/src/gateway/broker.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import { OVERVIEW, bodies, setUpHarness } from "#tests/src/streams/harness.tsx";
import { doing, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { OFFERING_RULE } from "#tests/support/offering-rule.ts";
import { until } from "#tests/support/until.ts";
import { drawApi } from "#workers/draw.ts";
import { NOW, entryOf, subscriptionOf, wonOf } from "./offering-samples.ts";

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
  vi.unstubAllGlobals();
});

/** Waits for something outside React. */
async function settled(happened: () => unknown): Promise<void> {
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  await until(happened);
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
}
const words = (): string => document.querySelector("main")?.textContent ?? "";
const button = (name: string | RegExp): HTMLButtonElement | undefined =>
  [...document.querySelectorAll("button")].find((one) =>
    typeof name === "string" ? one.textContent === name : name.test(one.textContent),
  );

const MAY = { ...OVERVIEW.facts, fundPassword: true, agreements: ["subscription"] as const };

async function open(entry: OfferingEntry, barredDraws = 0, facts: object = MAY, offeringNo = "S1"): Promise<void> {
  mock("readOffering", () => accepted(entry));
  mock("listOfferings", () => accepted({ page: { items: [], next: null }, rule: OFFERING_RULE, barredDraws }));
  mock("readMember", () => accepted({ ...OVERVIEW, facts, availableCents: 9_000_000 } as never));
  shown = await show(
    <Routes>
      <Route path="/home/newStockBuy" element={<NewShareApply />} />
      <Route path="/home/etf" element={<main>Terms of a fund</main>} />
      <Route path="/home/newShareOrder" element={<main>My applications</main>} />
    </Routes>,
    `/home/newStockBuy?offering=${offeringNo}`,
  );
  await settled(() => words().includes("Terms"));
}

async function type(selector: string, text: string): Promise<void> {
  const input = document.querySelector<HTMLInputElement>(selector);
  if (!input) throw new Error(`no ${selector}`);
  await doing(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(input, text);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

it("says what is held and paid, what a win costs, and applies only with the terms accepted", async () => {
  await open(entryOf());
  await settled(() => button(/^Apply \(/) !== undefined);
  for (const amount of ["TWD 52,000.00", "TWD 20.00", "TWD 50.00", "TWD 5,200.00", "TWD 5,270.00", "TWD 46,800.00", "TWD 90,000.00"]) {
    expect(words()).toContain(amount);
  }
  expect(words()).toContain("bars you from the next 3 draws");
  mock("applySubscription", ({ fundPassword }) =>
    fundPassword === "246810" ? accepted(subscriptionOf()) : refused("PWD_FUND_WRONG", { field: "fundPassword" }),
  );
  await type("main input[type=password]", "111111");
  await doing(() => button(/^Apply \(/)?.click());
  expect(words()).toContain("Accept the terms to apply");
  expect(bodies("applySubscription")).toEqual([]);
  await doing(() => document.querySelector<HTMLInputElement>("main input[type=checkbox]")?.click());
  await doing(() => button("Apply (TWD 5,270.00 now)")?.click());
  await settled(() => document.querySelector("main [aria-invalid=true]") !== null);
  await type("main input[type=password]", "246810");
  await doing(() => button(/^Apply \(/)?.click());
  await settled(() => words() === "My applications");
  expect(bodies("applySubscription")).toMatchObject([
    { offeringNo: "S1", lots: 1, fundPassword: "111111" },
    { offeringNo: "S1", lots: 1, fundPassword: "246810" },
  ]);
});

it("says before applying that a withdrawal is final, where one application is all", async () => {
  await open(entryOf());
  await settled(() => words().includes("You may withdraw until"));
  expect(words()).toContain("After withdrawing you cannot apply for this offering again.");
});

it("leaves a fund to its own page", async () => {
  await open(entryOf({ kind: "fund", drawnAt: null, commitment: null }));
  expect(words()).toBe("Terms of a fund");
});

it("does not claim that a commitment was there before the window where it was not", async () => {
  await open(entryOf());
  expect(words()).toContain("Before the window opened");
  await shown?.gone();
  const { commitment, closesAt } = entryOf().offering;
  await open(entryOf({ offeringNo: "S2", commitment: commitment && { ...commitment, committedAt: closesAt } }), 0, MAY, "S2");
  expect(words()).not.toContain("Before the window opened");
  expect(words()).toContain("when applications were already open");
});

it("reckons a placement by its lots, and refuses too many at the field", async () => {
  await open(entryOf({ kind: "placement", mostLots: 20 }));
  await settled(() => document.querySelector("main input[inputmode=numeric]:not([type=password])") !== null);
  const lots = "main input[inputmode=numeric]:not([type=password])";
  await type(lots, "20");
  expect(words()).toContain("TWD 1,040,000.00");
  await type(lots, "21");
  await doing(() => document.querySelector<HTMLInputElement>("main input[type=checkbox]")?.click());
  await type("main input[type=password]", "246810");
  await doing(() => button(/^Apply \(/)?.click());
  await settled(() => document.querySelector(`${lots}[aria-invalid=true]`) !== null);
  expect(bodies("applySubscription")).toEqual([]);
});

it("says what keeps a member back instead of the form", async () => {
  await open(entryOf({}, { subscription: subscriptionOf({ status: "withdrawn" }) }), 2, OVERVIEW.facts);
  await settled(() => words().includes("You cannot apply yet"));
  expect(words()).toContain("Please set a fund password first");
  expect(words()).toContain("may not take part in the next 2 draw(s)");
  expect(words()).toContain("at most 1 time(s)");
  expect(document.querySelector('main a[href="/information/shou?kind=subscription"]')).not.toBeNull();
  expect(button(/^Apply \(/)).toBeUndefined();
});

it("books a reminder once while it is upcoming", async () => {
  await open(entryOf({ phase: "upcoming", opensAt: entryOf().offering.closesAt, closesAt: entryOf().offering.allottedAt }));
  mock("bookOffering", () => accepted({ offeringNo: "S1" }));
  await doing(() => button("Remind me when it opens")?.click());
  await settled(() => words().includes("Reminder booked"));
  expect(bodies("bookOffering")).toMatchObject([{ offeringNo: "S1" }]);
  expect(button("Remind me when it opens")).toBeUndefined();
});

/** A worker in this process, reached over a channel as the real one. */
function stubWorker(): void {
  vi.stubGlobal("Worker", function started() {
    const { port1, port2 } = new MessageChannel();
    expose(drawApi, port2);
    return Object.assign(port1, { terminate: () => port1.close() });
  });
}

/** A draw of 12 applications for two lots, one of them the member's. */
function drawOf() {
  const receipt = subscriptionOf().receipt;
  const entries = [
    { receipt: "01".repeat(32), lots: 1 },
    { receipt, lots: 1 },
  ];
  const head = { offeringNo: "S1", kind: "share" as const, lots: 2, crowdKey: "ke", crowdLots: 10 };
  // A secret with which the member wins.
  const secret = Array.from({ length: 200 }, (_, nth) => `secret ${nth}`).find(
    (one) => runSlices(drawSlices({ ...head, entries }, one)).wonLots[1] === 1,
  );
  if (secret === undefined) throw new Error("nobody wins");
  const { listHash, resultHash } = runSlices(drawSlices({ ...head, entries }, secret));
  const draw = {
    ...head,
    secret,
    listHash,
    resultHash,
    secretHash: hashOf(secret),
    crowdHash: crowdHashOf(head.crowdKey, head.crowdLots),
    applications: 2,
    winningLots: 2,
  };
  return { draw, entries };
}

const drawn = { phase: "drawn" as const, winningLots: 2, subscribedLots: 12, winningPerMillion: 166_666 };

it("repeats the draw in a worker from all pages of the list, and finds the member's lot", async () => {
  stubWorker();
  const { draw, entries } = drawOf();
  await open(entryOf(drawn, { subscription: wonOf() }));
  mock("readDraw", () => accepted(draw));
  mock("listDrawEntries", ({ cursor }) =>
    accepted(cursor === null ? { items: entries.slice(0, 1), next: "1" } : { items: entries.slice(1), next: null }),
  );
  await doing(() => button("Check this draw")?.click());
  await settled(() => words().includes("found the same result"));
  expect(document.querySelectorAll("main [data-ok=yes]")).toHaveLength(5);
  expect(words()).toContain("Your application is in the list and gets 1 lot");
});

it("says which step differs when the published list was changed", async () => {
  stubWorker();
  const { draw, entries } = drawOf();
  await open(entryOf(drawn, { subscription: wonOf() }));
  mock("readDraw", () => accepted(draw));
  mock("listDrawEntries", () => accepted({ items: entries.slice(1), next: null }));
  await doing(() => button("Check this draw")?.click());
  await settled(() => words().includes("found something else"));
  expect(document.querySelectorAll("main [data-ok=no]").length).toBeGreaterThanOrEqual(1);
  expect(document.querySelectorAll("main [data-ok=yes]").length).toBeGreaterThanOrEqual(2);
});
