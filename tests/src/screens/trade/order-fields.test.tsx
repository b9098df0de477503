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

  it("show what a fee voucher paid, and what it may still pay", async () => {
    expect(await labelled({ voucherCents: 808 })).toMatchObject({ "−8.08": "Fee voucher" });
    expect(await labelled({ voucherLeftCents: 909 })).toMatchObject({ "up to −9.0": "Fee voucher" });
    expect(Object.values(await labelled({}))).not.toContain("Fee voucher");
  });

  it("label the first side of a short sold short and the second covered", async () => {
    expect(await labelled({ direction: "fall", collateralCents: 0 })).toMatchObject({
      "101.00": "Sold short at",
      "3.03": "Sold short for",
      "4.04": "Short sale fee",
      "202.00": "Covered at",
      "5.05": "Covered for",
      "6.06": "Cover fee",
      "2026.01.05": "Sold short",
      "2026.01.06": "Covered",
    });
  });

  it("name a short's own collateral as the ticket does, and its sale proceeds apart, for the lots that are open", async () => {
    const fields = { direction: "fall", filledLots: 4, closedLots: 1, openCents: 40_000, collateralCents: 57_000 };
    expect(await labelled(fields)).toMatchObject({ "270.00": en.ticket.collateral, "300.00": en.order.proceedsKept });
    // A debt may have used up the collateral, and more.
    expect(await labelled({ ...fields, collateralCents: 20_000 })).toMatchObject({ "200.00": en.order.proceedsKept });
    expect(Object.values(await labelled({ ...fields, direction: "rise" }))).not.toContain(en.order.proceedsKept);
  });
});
