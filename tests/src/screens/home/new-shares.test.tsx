/** The list of offerings: one request a group of phases and kind, the next page near the end, and what a row says. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { OfferingEntry } from "#contract/offering.ts";
import { price } from "#contract/kernel/money.ts";
import { HOUR_MS, epochMs } from "#contract/kernel/time.ts";
import { NewShares } from "#src/screens/home/new-shares.tsx";
import { OfferingDigest } from "#src/screens/quote/offering-digest.tsx";
import { OfferingRow } from "#src/screens/quote/offering-row.tsx";
import { premiumRate } from "#src/screens/quote/offering-premium.tsx";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock } from "#tests/src/gateway/broker.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import { bodies, setUpHarness } from "#tests/src/streams/harness.tsx";
import { doing, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { OFFERING_RULE } from "#tests/support/offering-rule.ts";
import { until } from "#tests/support/until.ts";
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
});

async function settled(happened: () => unknown): Promise<void> {
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  await until(happened);
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
}

const rowOf = async (entry: OfferingEntry): Promise<string> => {
  shown = await show(<OfferingRow item={entry} />);
  return shown.place.textContent;
};

it("asks for the phases of a tab and for one kind", async () => {
  mock("listOfferings", () => accepted({ page: { items: [], next: null }, rule: OFFERING_RULE, barredDraws: 0 }));
  shown = await show(<NewShares />);
  await settled(() => document.body.textContent.includes("There is nothing here"));
  const press = (name: string) =>
    doing(() => [...document.querySelectorAll<HTMLElement>("button")].find((one) => one.textContent === name)?.click());
  await press("Draw and payment");
  await settled(() => bodies("listOfferings").length === 2);
  await press("New bonds");
  await settled(() => bodies("listOfferings").length === 3);
  expect(bodies("listOfferings")).toEqual([
    { phases: ["open"], kinds: ["share", "bond", "placement", "increase"], cursor: null },
    { phases: ["closed", "drawn", "allotted"], kinds: ["share", "bond", "placement", "increase"], cursor: null },
    { phases: ["closed", "drawn", "allotted"], kinds: ["bond"], cursor: null },
  ]);
});

it("shows the calendar from the header, and the phases again", async () => {
  mock("listOfferings", () => accepted({ page: { items: [], next: null }, rule: OFFERING_RULE, barredDraws: 0 }));
  shown = await show(<NewShares />);
  const tabs = () => [...document.querySelectorAll("[role=tab]")].map((one) => one.textContent);
  const calendar = () => document.querySelector<HTMLElement>("button[aria-label=Calendar]");
  expect(tabs()).toEqual(["Open", "Upcoming", "Draw and payment", "Listed"]);
  await doing(() => calendar()?.click());
  expect(calendar()?.getAttribute("aria-pressed")).toBe("true");
  expect(tabs()).toEqual([]);
  await settled(() => JSON.stringify(bodies("listOfferings").at(-1)).includes("allotted"));
  await doing(() => calendar()?.click());
  expect(tabs()).toHaveLength(4);
});

it("shows on home the two that close first, as the broker orders them", async () => {
  const [soon, later, last] = ["S7", "S8", "S9"].map((offeringNo, nth) =>
    entryOf({ offeringNo, code: `N000${nth + 7}` as never, closesAt: epochMs(NOW + (nth + 1) * HOUR_MS) }),
  );
  if (!soon || !later || !last) throw new Error("no entries");
  mock("listOfferings", ({ phases }) =>
    accepted({ page: { items: phases?.[0] === "open" ? [soon, later, last] : [], next: null }, rule: OFFERING_RULE, barredDraws: 0 }),
  );
  shown = await show(<OfferingDigest />);
  await settled(() => shown?.place.querySelector("li") != null);
  const rows = [...(shown.place.querySelectorAll("li") ?? [])].map((one) => /N\d+/.exec(one.textContent)?.[0]);
  expect(rows).toEqual(["N0007", "N0008"]);
});

it("says in a row when it closes, how far off that is, and that the member applied", async () => {
  const words = await rowOf(entryOf({}, { subscription: subscriptionOf() }));
  expect(words).toContain("closes 11:00");
  expect(words).toContain("in 1 h 0 min");
  expect(words).toContain("Applied · N0001 · New shares");
  expect(words).toContain("52.00284 lots");
});

it("says a winner's deadline while it lasts, and the delivery after it", async () => {
  const drawn = { phase: "drawn" as const, closesAt: epochMs(NOW - HOUR_MS) };
  expect(await rowOf(entryOf(drawn, { subscription: wonOf() }))).toContain("pay by 13:00");
  await shown?.gone();
  const words = await rowOf(entryOf({ ...drawn, payableUntil: epochMs(NOW) }));
  expect(words).not.toContain("pay by");
  expect(words).toContain("delivery 14:00");
});

it("does not name a withdrawn application, and marks a provisional price", async () => {
  const words = await rowOf(entryOf({ price: null }, { subscription: subscriptionOf({ status: "withdrawn" }) }));
  expect(words).not.toContain("Withdrawn");
  expect(words).not.toContain("To be subscribed");
  expect(words).toContain("60.00Provisional");
});

it("shows the chance once it is known, and after the listing the premium with its direction", async () => {
  expect(await rowOf(entryOf({ phase: "closed", winningPerMillion: 12_345 }))).toContain("1.2345%Chance");
  await shown?.gone();
  expect(await rowOf(entryOf({ phase: "closed", kind: "placement", winningPerMillion: 855_204 }))).toContain("85.5204%Allotted");
  await shown?.gone();
  await rowOf(entryOf({ phase: "listed", marketPrice: price(585_000), premium: 65_000 }));
  expect(shown?.place.querySelector("[data-trend=up]")?.textContent).toContain("12.50%");
  expect(premiumRate(-26_000, 520_000)).toBe(-500);
});
