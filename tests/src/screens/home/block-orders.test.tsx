/** The member's block purchases: each with its status and reason, a pending one is cancelled, a bought one leads to its position. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { beforeAll, expect, it } from "vitest";
import type { BlockOrder } from "#contract/block-order.ts";
import { cents, price } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { BlockOrders } from "#src/screens/home/block-orders.tsx";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock } from "#tests/src/gateway/broker.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import { bodies, setUpHarness } from "#tests/src/streams/harness.tsx";
import { doing, show } from "#tests/src/ui/render.tsx";
import { BLOCK_RULE } from "#tests/support/block-rule.ts";
import { until } from "#tests/support/until.ts";

const orderOf = (blockNo: string, over: Partial<BlockOrder>): BlockOrder => ({
  blockNo,
  code: "2330" as BlockOrder["code"],
  status: "pending",
  shares: 10_000,
  price: price(998_000),
  valueCents: cents(99_800_000),
  feeCents: cents(142_200),
  isReviewed: false,
  reason: null,
  placedAt: epochMs(1_000),
  reviewedAt: null,
  endedAt: null,
  unlocksAt: epochMs(2_000),
  orderNo: null,
  ...over,
});

i18next.use(initReactI18next);
setUpHarness();
beforeAll(async () => {
  fakeWorker();
  await marketApi();
});

/** Waits for something outside React. */
async function settled(happened: () => unknown): Promise<void> {
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  await until(happened);
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
}
const words = (): string => document.querySelector("main")?.textContent ?? "";

it("says the status and why, cancels what is pending, and leads to the position", async () => {
  const bought = orderOf("G1", { status: "holding", orderNo: "K000000000001" as BlockOrder["orderNo"] });
  const pending = orderOf("G3", {});
  mock("listBlocks", () => accepted({ items: [pending, orderOf("G2", { status: "cancelled", reason: "moved" }), bought], next: null }));
  mock("cancelBlock", () => accepted({ ...pending, status: "cancelled", reason: "member" }));
  mock("readBlockMarket", () => accepted({ market: { open: true, changesAt: null, offers: [] }, usedShares: 0, rule: BLOCK_RULE }));
  await show(<BlockOrders />);
  await settled(() => document.querySelectorAll("main li").length === 3);
  expect(words()).toContain("The market had moved too far from its price.");
  expect(words()).toContain("TWD 999,422.00");
  expect([...document.querySelectorAll("main a")].map((link) => link.getAttribute("href"))).toEqual([
    "/trade/positionDetail?orderNo=K000000000001",
  ]);
  const cancel = [...document.querySelectorAll("button")].find((button) => button.textContent === "Cancel the purchase");
  await doing(() => cancel?.click());
  await settled(() => words().includes("You cancelled it."));
  expect(bodies("cancelBlock")).toMatchObject([{ blockNo: "G3" }]);
});
