/** An order's fields: a short position is sold first and bought back, and is labelled so. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import en from "#locales/en.json";
import type { Order } from "#contract/order.ts";
import { useMoneyFields, useTimeFields } from "#src/screens/trade/order-fields.ts";
import { marketApi } from "#src/streams/worker-link.ts";
import { mock, refused } from "#tests/src/gateway/broker.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import { setUpHarness, using } from "#tests/src/streams/harness.tsx";
import { orderOf } from "./orders.ts";

setUpHarness();

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: "en", resources: { en: { translation: en } } });
});

beforeEach(async () => {
  fakeWorker();
  await marketApi();
  mock("readRules", () => refused("GEN_TOO_FREQUENT"));
});

/** The label of each amount and time of an order. */
async function labelled(but: Partial<Record<keyof Order, unknown>>): Promise<Record<string, string>> {
  const order = orderOf({
    openAverage: 1_010_000,
    closeAverage: 2_020_000,
    openCents: 303,
    openFeeCents: 404,
    closeCents: 505,
    closeFeeCents: 606,
    collateralCents: 707,
    boughtAt: Date.UTC(2026, 0, 5),
    soldAt: Date.UTC(2026, 0, 6),
    ...but,
  });
  const fields = await using(() => [...useMoneyFields(order), ...useTimeFields(order)]);
  return Object.fromEntries(fields().map(({ label, value }) => [typeof value === "string" ? value.slice(0, 10) : "", label]));
}

describe("the fields of an order", () => {
  it("label the first side of a long bought and the second sold", async () => {
    expect(await labelled({ direction: "rise" })).toMatchObject({
      "101.00": "Buy price",
      "3.03": "Cost",
      "4.04": "Buy fee",
      "202.00": "Sell price",
      "5.05": "Sold for",
      "6.06": "Sell fee",
      "7.07": "Collateral",
      "2026.01.05": "Bought",
      "2026.01.06": "Sold",
    });
  });

  it("label the first side of a short sold and the second bought back", async () => {
    expect(await labelled({ direction: "fall" })).toMatchObject({
      "101.00": "Sell price",
      "3.03": "Sold for",
      "4.04": "Sell fee",
      "202.00": "Buy price",
      "5.05": "Covered for",
      "6.06": "Buy fee",
      "7.07": "Collateral and sale proceeds",
      "2026.01.05": "Sold",
      "2026.01.06": "Bought",
    });
  });
});
