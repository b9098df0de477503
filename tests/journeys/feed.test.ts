/** The feed falls silent, is cut and comes back: prices are marked, orders are paused with the reason, and all is fresh again. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeBrowser, newPage, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { layWire } from "#tests/support/wire.ts";
import type { Wire } from "#tests/support/wire.ts";
import { arrive, named, seen, until } from "./stage.ts";

let server: TestServer;
let wire: Wire;

beforeAll(async () => {
  server = await startTestServer();
  wire = await layWire(server.port);
});

afterAll(async () => {
  await closeBrowser();
  await wire.close();
  await server.stop();
});

/** Write down in which order the page marks its prices as stale and bars the way to an order: a busy machine may look too late to see it. */
const recordWarnings = ({ page }: Visit, opener: string): Promise<void> =>
  page.evaluate((name) => {
    const warnings: string[] = [];
    Reflect.set(window, "warnings", warnings);
    const note = (warning: string, given: boolean): void => {
      if (given && !warnings.includes(warning)) warnings.push(warning);
    };
    new MutationObserver(() => {
      const button = [...document.querySelectorAll("button")].find((one) => one.textContent.trim() === name);
      note("stale", document.documentElement.hasAttribute("data-stale"));
      note("barred", button?.getAttribute("aria-disabled") === "true");
    }).observe(document, { attributes: true, childList: true, subtree: true });
  }, opener);

const warnings = ({ page }: Visit): Promise<unknown> => page.evaluate(() => Reflect.get(window, "warnings") as unknown);

test("silence marks prices and pauses orders; the line comes back and everything is live", async () => {
  const visitor = await newPage({ origin: wire.url });
  await arrive(visitor, "/market/stockDetail?code=2330");
  const buy = named(visitor, "button", "Buy rise");
  const shut = (): Promise<string | null> => buy.getAttribute("aria-disabled");
  await seen(buy);
  await until(shut, (disabled) => disabled !== "true", "never tradable");
  const strip = visitor.page.getByText(/Reconnecting/);

  await recordWarnings(visitor, "Buy rise");
  wire.silence();
  await seen(strip);
  await until(shut, (disabled) => disabled === "true", "orders were not paused");
  // First a mark, and only after more silence a bar.
  expect(await warnings(visitor)).toEqual(["stale", "barred"]);
  await seen(visitor.page.getByText("Prices are not live", { exact: false }));

  wire.mend();
  await strip.first().waitFor({ state: "hidden" });
  await until(shut, (disabled) => disabled !== "true", "orders stayed paused");
  await visitor.close();
});

/** Every screen with live prices but the detail of a stock, whose story is told above. */
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

test("a line that is cut is told of on every live screen, and forgotten once it is mended", async () => {
  const visitor = await newPage({ origin: wire.url });
  const { page } = visitor;
  await arrive(visitor, "/home/index");
  const main = page.locator("main:visible");
  const strip = main.getByText(/Reconnecting/);
  const stale = (): Promise<boolean> => page.evaluate(() => document.documentElement.hasAttribute("data-stale"));
  // What a screen is made of comes while the line is there.
  for (const place of LIVE) {
    await visit(visitor, place);
    await until(
      () => main.innerText(),
      (text) => text.trim().length > 20,
      `${place} stays empty`,
    );
  }
  expect(await stale()).toBe(false);

  wire.cut();
  await seen(strip);
  for (const place of LIVE) {
    await visit(visitor, place);
    await seen(strip);
    expect(await stale(), `prices look live on ${place}`).toBe(true);
  }

  wire.mend();
  await until(stale, (old) => !old, "never live again");
  for (const place of LIVE) {
    await visit(visitor, place);
    await strip.first().waitFor({ state: "hidden" });
    await until(
      () => main.innerText(),
      (text) => text.trim().length > 20,
      `${place} has not come back`,
    );
  }
  await visitor.close();
});

test("a venue that stops is as silent as a line that does", async () => {
  const visitor = await newPage({ origin: server.url });
  await arrive(visitor, "/market/stockDetail?code=2317");
  const buy = named(visitor, "button", "Buy rise");
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
