/** The words for how something was paid: a coin is no share, and of a day trade the word itself says whether it is paid in cash. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { beforeAll, beforeEach, expect, it } from "vitest";
import taiwan from "#locales/zh-TW.json";
import type { Order } from "#contract/order.ts";
import { usePositionKind } from "#src/screens/quote/position-words.ts";
import { useFillKind } from "#src/screens/trade/fill-words.ts";
import { useOrderFields } from "#src/screens/trade/order-fields.ts";
import { useOrderTags } from "#src/screens/trade/order-tags.tsx";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, mock } from "#tests/src/gateway/broker.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import { setUpHarness, using } from "#tests/src/streams/harness.tsx";
import { fakeInstrument } from "#tests/support/fake-venue.ts";
import { until } from "#tests/support/until.ts";
import { orderOf } from "./orders.ts";

setUpHarness();

beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: "zh-TW", resources: { "zh-TW": { translation: taiwan } } });
});

beforeEach(async () => {
  const worker = fakeWorker();
  await marketApi();
  worker.emit({
    kind: "instruments",
    table: {
      venue: { universe: "u", phase: "open", phaseEndsAt: null, opensAt: 1, closesAt: 2, simulated: true },
      categories: [],
      instruments: [fakeInstrument(0, "2330"), fakeInstrument(1, "BTC", { kind: "crypto" })],
    },
  } as never);
  mock("listConditions", () => accepted({ conditions: [] }));
});

const COIN = orderOf({ code: "BTC", lotShares: 1, unitsPerWhole: 100_000_000 });

/** What a position, an execution, an order's detail and its row say. */
async function said(order: Order): Promise<unknown[]> {
  const given = await using(() => [usePositionKind(), useFillKind(), useOrderFields(order), useOrderTags(order)] as const);
  await until(() => order.code !== "BTC" || given()[0](order) !== "現股");
  const [kindOf, fillKindOf, fields, tags] = given();
  return [kindOf(order), fillKindOf(order), fields.find(({ label }) => label === "資金別")?.value, tags];
}

it("a coin has no board of whole lots", async () => {
  const labels = async (order: Order) => (await using(() => useOrderFields(order)))().map(({ label }) => label);
  expect(await labels(orderOf())).toContain("交易別");
  expect(await labels(COIN)).not.toContain("交易別");
});

it.each([
  ["a coin", COIN, ["現貨", "現貨", "現貨", []]],
  ["a share paid in cash", orderOf(), ["現股", "現股", "現股", []]],
  ["a day trade in cash", orderOf({ dayTrade: true }), ["當沖買", "當沖", "現股", ["現股當沖"]]],
  ["a day trade on margin", orderOf({ dayTrade: true, funding: "margin" }), ["當沖買 · 融資", "當沖", "信用", ["信用", "當沖"]]],
])("of %s", async (_what, order, words) => {
  expect(await said(order)).toEqual(words);
});
