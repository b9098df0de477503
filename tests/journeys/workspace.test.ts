/** The workspace of the wide layout: panes resized by keyboard and kept, several charts, saved workspaces, search over the page, keys, and the dock. */
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { limitsOf } from "#contract/tick.ts";
import { closePages, newPage, visit, WIDE } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { expectAccessible } from "./all-screens.ts";
import { arrive, expectNoErrors, named, ordersOf, reload, secondSession, seen, until } from "./steps.ts";

let server: TestServer;
let visitor: Visit;

beforeAll(async () => {
  server = await startTestServer();
  visitor = await newPage({ origin: server.url, size: WIDE });
  await arrive(visitor, "/market/stockDetail?code=2330");
  await seen(named(visitor, "slider", /^Price chart of TSMC/));
});

afterAll(async () => {
  expectNoErrors(visitor);
  await closePages();
  await server.stop();
});

const route = (): string => new URL(visitor.page.url()).hash.slice(1);
const lists = (): Locator => named(visitor, "navigation", "Lists");
const separator = (name: string): Locator => named(visitor, "separator", name);
const charts = (): Locator => visitor.page.getByRole("slider", { name: /^Price chart of/ });

const widthOf = async (what: Locator): Promise<number> => Math.round((await what.boundingBox())?.width ?? 0);

const isAt = (to: string): Promise<string> =>
  until(
    () => route(),
    (at) => at === to,
    `did not reach ${to}`,
  );

const counted = (what: Locator, count: number): Promise<number> =>
  until(
    () => what.count(),
    (found) => found === count,
    `not ${count} of them`,
  );

/** What the server has stored of the workspace. */
async function stored() {
  const reply = await server.call("readWorkspaces", {}, await secondSession(server));
  if (reply.status !== 1) throw new Error(reply.msg);
  return reply.data;
}

/** The heights of the panes of the first chart: prices, studies, time axis. */
const paneHeights = (): Promise<number[]> =>
  visitor.page
    .locator(".tv-lightweight-charts")
    .first()
    .evaluate((chart) => [...chart.querySelectorAll("tr")].map((row) => row.getBoundingClientRect().height).filter((height) => height > 8));

test("the prices have 400 px, whatever is open below them", async () => {
  const heights = await until(paneHeights, (panes) => panes.length >= 3, "the chart has no volume pane");
  expect(heights[0]).toBeGreaterThanOrEqual(400);
  const session = await secondSession(server);
  const preferences = await server.call("readPreferences", {}, session);
  if (preferences.status !== 1) throw new Error(preferences.msg);
  await server.call("savePreferences", { ...preferences.data, sub: ["vol", "kd", "macd"] }, session);
  await reload(visitor);
  const many = await until(paneHeights, (panes) => panes.length >= 5, "three panes do not show");
  expect(many[0]).toBeGreaterThanOrEqual(400);
  await server.call("savePreferences", preferences.data, session);
});

test("panes are resized by keyboard or by a tap, and kept", async () => {
  const before = await widthOf(lists());
  await separator("Resize the lists").focus();
  await visitor.page.keyboard.press("ArrowRight");
  const wider = await until(
    () => widthOf(lists()),
    (width) => width > before,
    "the list did not get wider",
  );
  expect(Number(await separator("Resize the lists").getAttribute("aria-valuenow"))).toBeGreaterThan(0);
  await until(
    async () => (await stored()).current?.sizes.list,
    (width) => Math.abs((width ?? 0) - wider) <= 1,
    "the width is not stored",
  );
  await reload(visitor);
  await seen(lists());
  expect(Math.abs((await widthOf(lists())) - wider)).toBeLessThanOrEqual(1);

  await visitor.page.keyboard.press("l");
  await named(visitor, "button", "Lists: smaller").click();
  await until(
    () => widthOf(lists()),
    (width) => width < wider,
    "the list did not get narrower",
  );
  await expectAccessible(visitor.page, "the layout sheet", { dark: true });
  await visitor.page.keyboard.press("Escape");
  await visitor.page.locator("dialog[open]").waitFor({ state: "hidden" });
});

test("each of two charts has its own instrument and time frame, and a saved workspace restores them", async () => {
  const { page } = visitor;
  await page.keyboard.press("g");
  await counted(charts(), 2);
  await page.keyboard.press("]");
  await seen(page.getByRole("button", { name: /^Chart 2: /, pressed: true }));
  await lists().getByText(/^2317/).click();
  await isAt("/market/stockDetail?code=2317");
  await seen(page.getByRole("button", { name: /^Chart 2: Hon Hai/i, pressed: true }));
  await seen(page.getByRole("button", { name: /^Chart 1: TSMC/, pressed: false }));

  await page.keyboard.press("l");
  await page.getByLabel("Save this layout as").fill("Two stocks");
  await named(visitor, "button", "Save").click();
  await until(
    async () => (await stored()).saved.map(({ name, workspace }) => [name, workspace.charts.map(({ code }) => code)]),
    (saved) => JSON.stringify(saved) === '[["Two stocks",["2330","2317"]]]',
    "the workspace is not stored",
  );
  await page.getByRole("radio", { name: "1 chart", exact: true }).check({ force: true });
  await counted(charts(), 1);
  await named(visitor, "button", "Rename Two stocks").click();
  await page.getByLabel("New name").fill("Pair");
  await named(visitor, "button", "Rename").click();
  await named(visitor, "button", "Pair").click();
  await page.locator("dialog[open]").waitFor({ state: "hidden" });
  await counted(charts(), 2);
  await isAt("/market/stockDetail?code=2330");
  await seen(page.getByRole("button", { name: /^Chart 2: Hon Hai/i, pressed: false }));

  // The workspace as it was left comes back after a reload, with the other chart's instrument.
  await until(
    async () => {
      const { current, saved } = await stored();
      return [current?.charts.map(({ code }) => code), saved.map(({ name }) => name)];
    },
    (state) => JSON.stringify(state) === '[["2330","2317"],["Pair"]]',
    "the charts and the new name are not stored",
  );
  await reload(visitor);
  await counted(charts(), 2);
  await seen(page.getByRole("button", { name: /^Chart 2: Hon Hai/i }));
  await expectAccessible(page, "two charts", { dark: true });

  await named(visitor, "button", "Layout").click();
  await named(visitor, "button", "Delete Pair").click();
  await until(
    async () => (await stored()).saved.length,
    (count) => count === 0,
    "the workspace is not deleted",
  );
  await page.getByRole("radio", { name: "1 chart", exact: true }).check({ force: true });
  await page.keyboard.press("Escape");
  await page.locator("dialog[open]").waitFor({ state: "hidden" });
});

test("the search opens over any page, and chooses the workspace's instrument", async () => {
  const { page } = visitor;
  await visit(visitor, "/information/index");
  await seen(page.locator("main:visible"));
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Search code or name" });
  await seen(dialog.locator("input[type=search]:focus"));
  expect(route()).toBe("/information/index");
  await expectAccessible(page, "the search over a page", { dark: true });
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  expect(route()).toBe("/information/index");
  await page.keyboard.type("/2603");
  await page.keyboard.press("Enter");
  await isAt("/market/stockDetail?code=2603");
  await dialog.waitFor({ state: "hidden" });
  await seen(charts());
});

test("? lists the keys", async () => {
  const { page } = visitor;
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await seen(sheet.getByText("Open or collapse the dock"));
  await seen(sheet.getByText("1, 5 or 10 lots"));
  await expectAccessible(page, "the keys", { dark: false });
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "hidden" });
});

test("D collapses and opens the dock, and a reload right after it loses nothing", async () => {
  const { page } = visitor;
  const toggle = (name: string): Locator => named(visitor, "button", name);
  await seen(toggle("Collapse the dock"));
  await page.keyboard.press("d");
  await seen(toggle("Open the dock"));
  await reload(visitor);
  await seen(toggle("Open the dock"));
  expect((await stored()).current?.sizes.dock).toBe(0);
  await page.keyboard.press("d");
  await seen(toggle("Collapse the dock"));
});

test("the dock shows a position and a working order, and cancels it", async () => {
  const { page } = visitor;
  const session = await secondSession(server);
  const instrument = server.venue.instrument("2603");
  if (!instrument) throw new Error("no 2603");
  const { last, reference } = server.venue.quote(instrument.row);
  const { down } = limitsOf(instrument, reference, 0) ?? { down: last };
  const order = { code: "2603", direction: "rise", lots: 1 } as const;
  for (const pricing of [
    { pricing: "market", price: null },
    { pricing: "limit", price: down },
  ] as const) {
    const reply = await server.call("placeOrder", { requestId: crypto.randomUUID(), ...order, ...pricing }, session);
    if (reply.status !== 1) throw new Error(reply.msg);
  }
  expect(down).toBeGreaterThan(PRICE_ONE / 100);
  const dock = page.getByRole("region", { name: "Positions and orders" });
  const table = (name: string): Locator => dock.getByRole("table", { name });
  await dock.getByRole("tab", { name: /^Positions/ }).click();
  await seen(table("Positions").getByRole("row", { name: /2603/ }));
  await dock.getByRole("tab", { name: /^Executions/ }).click();
  await seen(table("Executions").getByRole("row", { name: /2603/ }));
  await dock.getByRole("tab", { name: "Day P/L" }).click();
  await seen(dock.getByText("Realised today"));
  await dock.getByRole("tab", { name: /^Working orders/ }).click();
  await dock.getByRole("button", { name: /^Cancel the order for 2603/ }).click();
  await page.getByRole("button", { name: "Yes, cancel it" }).click();
  await until(
    async () => (await ordersOf(server)).map(({ status }) => status).toSorted(),
    (all) => all.includes("cancelled"),
    "the order is not cancelled",
  );
  await counted(table("Working orders").getByRole("row", { name: /2603/ }), 0);
  await page.locator("dialog[open]").waitFor({ state: "hidden" });
  // The dock collapses to its tabs; a tab opens it again.
  await dock.getByRole("button", { name: "Collapse the dock" }).click();
  await dock.getByRole("tabpanel").waitFor({ state: "hidden" });
  await dock.getByRole("tab", { name: /^Positions/ }).click();
  await seen(table("Positions"));
  await expectAccessible(page, "the dock", { dark: true });
});
