/** The breakdown of today's profit: what futures made of it is a line of its own, and only where there are futures. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { cents } from "#contract/kernel/money.ts";
import en from "#locales/en.json";
import { ProfitSheet } from "#src/screens/quote/profit-sheet.tsx";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock } from "#tests/src/gateway/broker.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import { OVERVIEW, setUpHarness } from "#tests/src/streams/harness.tsx";
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
beforeEach(() => mock("listPositions", () => accepted({ positions: [] })));
afterEach(() => shown?.gone());

async function sheetOf(futuresTodayCents: number): Promise<string> {
  mock("readMember", () => accepted({ ...OVERVIEW, futuresTodayCents: cents(futuresTodayCents) }));
  shown = await show(<ProfitSheet of={{ kind: "today", todayCents: 500_00 }} open onClose={() => undefined} />);
  const words = (): string => document.body.textContent;
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  // The currency is known once the overview is.
  await until(() => words().includes("TWD"));
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
  return words();
}

it("has what futures made", async () => {
  const words = await sheetOf(-1_234_56);
  expect(words).toContain(`${en.profit.futures}down 1,234.56`);
  expect(words).toContain(en.profit.futuresWhy);
});

it("says nothing of futures to who has none", async () => {
  const words = await sheetOf(0);
  expect(words).not.toContain(en.profit.futures);
  expect(words).not.toContain(en.profit.futuresWhy);
});
