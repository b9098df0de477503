/** How a newcomer was offered: a lottery with its chance, a fund without one and with a link to its own page. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Offering, OfferingEntry } from "#contract/offering.ts";
import { OfferingStory } from "#src/screens/quote/offering-story.tsx";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock } from "#tests/src/gateway/broker.ts";
import { NOW, entryOf } from "#tests/src/screens/home/offering-samples.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import { setUpHarness } from "#tests/src/streams/harness.tsx";
import { show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { until } from "#tests/support/until.ts";

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

/** Each test has a code of its own: what was read of one is kept. */
async function storyOf(code: string, over: Partial<Offering>): Promise<{ words: string; link: string | null }> {
  const entry: OfferingEntry = entryOf({ code: code as Offering["code"], ...over });
  mock("findOffering", () => accepted(entry));
  shown = await show(<OfferingStory code={code} />);
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  await until(() => shown?.place.querySelector("a") != null);
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
  return { words: shown.place.textContent, link: shown.place.querySelector("a")?.getAttribute("href") ?? null };
}

it("tells a lottery's chance, and no premium before the listing", async () => {
  const { words, link } = await storyOf("N0001", {});
  expect(words).toContain("Underwriting price52.00");
  expect(words).toContain("Valid applications");
  expect(words).toContain("Winning rate");
  expect(words).toContain("Listing2026.06.02");
  expect(words).not.toContain("Premium");
  expect(words).not.toContain("closes");
  expect(link).toBe("/home/newStockBuy?offering=S1");
});

it("tells a fund's issue price, no draw, and leads to the fund", async () => {
  const { words, link } = await storyOf("N0002", { kind: "fund", drawnAt: null, commitment: null, offeringNo: "S20" });
  expect(words).toContain("Issue price52.00");
  expect(words).toContain("Lots to raise284 lots");
  for (const wrong of ["Underwriting", "Valid applications", "Winning rate", "After the draw", "Lots allotted"]) {
    expect(words).not.toContain(wrong);
  }
  expect(link).toBe("/home/etf?fund=S20");
});
