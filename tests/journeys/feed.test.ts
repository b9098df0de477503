/** A silent or broken price feed: prices are marked stale, orders are paused with a reason, and everything recovers. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, newPage, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { openNetworkProxy } from "#tests/support/network-proxy.ts";
import type { NetworkProxy } from "#tests/support/network-proxy.ts";
import { arrive, named, seen, until } from "./steps.ts";

let server: TestServer;
let proxy: NetworkProxy;

beforeAll(async () => {
  server = await startTestServer();
  proxy = await openNetworkProxy(server.port);
});

afterAll(async () => {
  await closePages();
  await proxy.close();
  await server.stop();
});

/** Records the order in which the page marks prices as stale and blocks orders: on a slow machine, polling could miss the order. */
const recordWarnings = ({ page }: Visit, opener: string): Promise<void> =>
  page.evaluate((name) => {
    const warnings: string[] = [];
    Reflect.set(window, "warnings", warnings);
    const note = (warning: string, active: boolean): void => {
      if (active && !warnings.includes(warning)) warnings.push(warning);
    };
    new MutationObserver(() => {
      const button = [...document.querySelectorAll("button")].find((one) => one.textContent.trim() === name);
      note("stale", document.documentElement.hasAttribute("data-stale"));
      note("blocked", button?.getAttribute("aria-disabled") === "true");
    }).observe(document, { attributes: true, childList: true, subtree: true });
  }, opener);

const warnings = ({ page }: Visit): Promise<unknown> => page.evaluate(() => Reflect.get(window, "warnings") as unknown);

test("silence marks prices as stale and pauses orders; afterwards everything is live again", async () => {
  const visitor = await newPage({ origin: proxy.url });
  await arrive(visitor, "/market/stockDetail?code=2330");
  const buy = named(visitor, "button", "Buy");
  const buyDisabled = (): Promise<string | null> => buy.getAttribute("aria-disabled");
  await seen(buy);
  await until(buyDisabled, (disabled) => disabled !== "true", "never tradable");
  const strip = visitor.page.getByText(/Reconnecting/);

  await recordWarnings(visitor, "Buy");
  proxy.silence();
  await seen(strip);
  await until(buyDisabled, (disabled) => disabled === "true", "orders were not paused");
  // First the stale mark, and only after more silence the block.
  expect(await warnings(visitor)).toEqual(["stale", "blocked"]);
  await seen(visitor.page.getByText("Prices are not live", { exact: false }));

  proxy.restore();
  await strip.first().waitFor({ state: "hidden" });
  await until(buyDisabled, (disabled) => disabled !== "true", "orders stayed paused");
  await visitor.close();
});

/** Every screen with live prices except stock detail, which the test above covers. */
const LIVE = [
  "/home/index",
  "/home/stockList",
  "/favorite/index",
  "/favorite/indexCopy",
  "/favorite/zxList",
  "/favorite/moreList?by=volume",
  "/favorite/moreListCate?board=listed&category=24",
  "/favorite/categoryList",
  "/favorite/search",
  "/market/index",
  "/market/Plate",
  "/market/Plate?view=list",
  "/market/Plate1?board=listed&category=24",
  "/market/largeMarket",
  "/market/stockDetailzs?code=IX0001",
  "/information/alerts",
];

test("a broken connection shows on every live screen, and disappears once it is restored", async () => {
  const visitor = await newPage({ origin: proxy.url });
  const { page } = visitor;
  await arrive(visitor, "/home/index");
  const main = page.locator("main:visible");
  const strip = main.getByText(/Reconnecting/);
  const stale = (): Promise<boolean> => page.evaluate(() => document.documentElement.hasAttribute("data-stale"));
  // Load every screen while the connection is up.
  for (const place of LIVE) {
    await visit(visitor, place);
    await until(
      () => main.innerText(),
      (text) => text.trim().length > 20,
      `${place} stayed empty`,
    );
  }
  expect(await stale()).toBe(false);

  proxy.cut();
  await seen(strip);
  for (const place of LIVE) {
    await visit(visitor, place);
    await seen(strip);
    expect(await stale(), `prices are not marked stale on ${place}`).toBe(true);
  }

  proxy.restore();
  await until(stale, (old) => !old, "did not become live again");
  for (const place of LIVE) {
    await visit(visitor, place);
    await strip.first().waitFor({ state: "hidden" });
    await until(
      () => main.innerText(),
      (text) => text.trim().length > 20,
      `${place} did not recover`,
    );
  }
  await visitor.close();
});

test("a venue that stops counts as a silent feed", async () => {
  const visitor = await newPage({ origin: server.url });
  await arrive(visitor, "/market/stockDetail?code=2317");
  const buy = named(visitor, "button", "Buy");
  await seen(buy);
  await until(
    () => buy.getAttribute("aria-disabled"),
    (disabled) => disabled !== "true",
    "never tradable",
  );
  await server.venue.stop();
  await seen(visitor.page.getByText(/Reconnecting/));
  await until(
    () => buy.getAttribute("aria-disabled"),
    (disabled) => disabled === "true",
    "orders were not paused",
  );
  await visitor.close();
});
