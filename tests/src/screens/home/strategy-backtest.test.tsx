/** The result of a back-test names the amount it was computed with, whatever stands in the field by then. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, expect, it } from "vitest";
import { cents } from "#contract/kernel/money.ts";
import type { Backtest } from "#contract/strategy.ts";
import { BacktestForm } from "#src/screens/home/strategy-backtest.tsx";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock } from "#tests/src/gateway/broker.ts";
import { press, settled, type } from "#tests/src/screens/form.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import { setUpHarness } from "#tests/src/streams/harness.tsx";
import { show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";

const RESULT: Backtest = {
  strategy: "cross",
  code: "0056" as Backtest["code"],
  amountCents: cents(50_000_000),
  curve: [0, 50_000_000, 50_000_000, 1, 50_100_000, 50_200_000],
  profitCents: cents(100_000),
  heldProfitCents: cents(200_000),
  costCents: cents(1_000),
  drawdownPerMillion: 0,
  heldDrawdownPerMillion: 0,
  sales: 0,
  gains: 0,
  trades: [],
  weights: null,
  said: null,
};

let shown: Shown;
i18next.use(initReactI18next);
setUpHarness();
beforeAll(async () => {
  fakeWorker();
  await marketApi();
});
afterEach(() => shown.gone());

it("names its amount", async () => {
  mock("readBacktest", () => accepted(RESULT));
  shown = await show(<BacktestForm strategy="cross" code={RESULT.code} />);
  await press("Run the test");
  const tested = (): string | undefined =>
    [...document.querySelectorAll("dt")].find(({ textContent }) => textContent === "Tested with")?.nextElementSibling?.textContent ??
    undefined;
  await settled(() => tested());
  await type("Amount to test with, NT$", "900000");
  expect(tested()).toBe("TWD 500,000.00");
});
