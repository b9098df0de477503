/** Labels of resting orders: closing a long sells, closing a short buys back. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import en from "#locales/en.json";
import type { Order } from "#contract/order.ts";
import { AmendSheet } from "#src/screens/trade/amend-sheet.tsx";
import { CancelAlert } from "#src/screens/trade/cancel-alert.tsx";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock } from "#tests/src/gateway/broker.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import { setUpHarness } from "#tests/src/streams/harness.tsx";
import { one, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { orderOf } from "./orders.ts";

setUpHarness();

let shown: Shown;

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: "en", resources: { en: { translation: en } } });
});

beforeEach(async () => {
  fakeWorker();
  await marketApi();
  mock("listPositions", () => accepted({ positions: [] }));
  mock("listOrders", () => accepted({ items: [], next: null }));
});

afterEach(() => shown.gone());

const PENDING = { status: "pending", lots: 5, filledLots: 0 } as const;
const CLOSING = { status: "readyToClose", lots: 5, filledLots: 5, closingLots: 3, closePrice: 11_000_000 } as const;

/** The line of a sheet or an alert that names the order. */
async function nameIn(dialog: typeof AmendSheet | typeof CancelAlert, but: Partial<Record<keyof Order, unknown>>): Promise<string> {
  const Dialog = dialog;
  shown = await show(<Dialog order={orderOf(but)} onClose={() => undefined} />);
  return [...one(document, "dialog").querySelectorAll("p")].map((line) => line.textContent).find((line) => line.includes("2330")) ?? "";
}

describe("a resting order", () => {
  it.each([
    ["an order to buy", { ...PENDING }, "Buy · 2330 · 5 lots"],
    ["an order to sell short", { ...PENDING, direction: "fall" }, "Sell short · 2330 · 5 lots"],
    ["the close of a long", { ...CLOSING }, "Sell · 2330 · 3 lots"],
    ["the close of a short", { ...CLOSING, direction: "fall" }, "Cover · 2330 · 3 lots"],
  ])("is amended as %s", async (_what, but, name) => {
    expect(await nameIn(AmendSheet, but)).toBe(name);
  });

  it.each([
    ["an order to buy", { ...PENDING }, "Buy · 2330 · Limit 1,000.00 · 5 lots"],
    ["the close of a long", { ...CLOSING }, "Sell · 2330 · Limit 1,100.00 · 3 lots"],
    ["the close of a short at market", { ...CLOSING, direction: "fall", closePrice: null }, "Cover · 2330 · At market · 3 lots"],
  ])("is cancelled as %s", async (_what, but, name) => {
    expect(await nameIn(CancelAlert, but)).toBe(name);
  });
});
