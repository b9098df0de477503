/** Tests that a ticket estimates nothing while all that it could close is locked. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, expect, it } from "vitest";
import en from "#locales/en.json";
import { Totals } from "#src/screens/ticket/totals.tsx";
import { setUpHarness } from "#tests/src/streams/harness.tsx";
import { show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";

setUpHarness();

let shown: Shown;
beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: "en", resources: { en: { translation: en } } });
});
afterEach(() => shown.gone());

/** What is below the fields of a sale of what is held. */
async function totals(locked: boolean): Promise<string> {
  const draft = { pricing: "limit", market: "board", lotsText: "1", sharesText: "1" };
  const model = { intent: { nothing: null, closes: {} }, plan: null, member: null, lotShares: 1_000, quantum: { per: 1 }, draft, locked };
  shown = await show(<Totals model={model as never} />);
  return shown.place.textContent;
}

it("says what a sale brings, and nothing while it is locked", async () => {
  expect(await totals(false)).toContain("Est. proceeds");
  await shown.gone();
  expect(await totals(true)).toBe("");
});
