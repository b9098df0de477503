/** Tests the result of an order that waits: its status is said once. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, expect, it } from "vitest";
import en from "#locales/en.json";
import zh from "#locales/zh-TW.json";
import { TicketResult } from "#src/screens/ticket/outcome.tsx";
import { accepted, mock } from "#tests/src/gateway/broker.ts";
import { orderOf } from "#tests/src/screens/trade/orders.ts";
import { setUpHarness } from "#tests/src/streams/harness.tsx";
import { show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";

setUpHarness();

let shown: Shown;

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: "en", resources: { en: { translation: en } } });
});
afterEach(() => shown.gone());

const result = async (but: Parameters<typeof orderOf>[0]): Promise<string> => {
  const order = orderOf(but);
  mock("readOrder", () => accepted({ order, fills: [], adjustments: [], events: [] }));
  shown = await show(<TicketResult placed={order} decimals={2} onDone={() => undefined} />);
  return shown.place.textContent;
};

it("is said in one place", async () => {
  const text = await result({ status: "pending", filledLots: 0, openAverage: null });
  expect(text.match(/working/gi)).toEqual(["working"]);
  expect(text).not.toContain("Open");
  expect(`${zh.ticket.queued}${zh.ticket.queuedWhy}`.match(/委託中/g)).toHaveLength(1);
});

it("of a filled order, the status of what it became is said beside it", async () => {
  expect(await result({ status: "holding" })).toMatch(/Open.*Filled/);
});

it("of a filled order of coins, both quantities are in coins", async () => {
  const coins = { code: "BTC", lots: 1_230_000, filledLots: 1_230_000, lotShares: 1, unitsPerWhole: 100_000_000 };
  expect(await result({ ...coins, status: "holding" })).toContain("0.0123 of 0.0123 coins at an average of");
});
