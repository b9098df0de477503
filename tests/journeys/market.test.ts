/** From the whole market to one stock: the sector map, a sector sorted by its columns, an index and who moves it, trades, profile, an alert. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { closeBrowser, DESK, newPage, PHONE, visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { arrive, blameless, named, seen, until } from "./stage.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

const route = (page: Page): string => new URL(page.url()).hash.slice(1);

/** The map's tiles and its frame in pixels. */
const mapOf = (page: Page) =>
  page.evaluate(() => {
    const box = (element: Element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x, y, width, height };
    };
    const group = document.querySelector("figure [role=group]");
    return { frame: group && box(group), nodes: group?.querySelectorAll("*").length ?? 0, tiles: [...(group?.children ?? [])].map(box) };
  });

for (const [name, size] of Object.entries({ phone: PHONE, desk: DESK })) {
  test(`the sector map fills its place with few nodes, none smaller than a finger: ${name}`, async () => {
    const visitor = await newPage({ origin: server.url, size });
    const { page } = visitor;
    await arrive(visitor, "/market/Plate?board=otc");
    await seen(page.locator("figure a"));
    const { frame, nodes, tiles } = await mapOf(page);
    if (!frame) throw new Error("no map");
    expect(nodes).toBeLessThanOrEqual(60);
    const area = tiles.reduce((sum, { width, height }) => sum + width * height, 0);
    expect(area / (frame.width * frame.height)).toBeCloseTo(1, 1);
    for (const { width, height } of tiles) expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);

    // Without sight it says what its colour says; by key it leads where a finger leads.
    const tile = page.locator("figure a").first();
    expect(await tile.getAttribute("aria-label")).toMatch(/[+−]?\d+\.\d\d%, turnover .+, \d+ up, \d+ down$/);
    await tile.focus();
    await page.keyboard.press("Enter");
    await until(
      () => route(page),
      (at) => at.startsWith("/market/Plate1?board=otc&category="),
      "the tile leads nowhere",
    );
    blameless(visitor);
    await visitor.close();
  });
}

/** The numbers of a column of the sector's table, from the top, as they stand. */
async function column(page: Page, place: number): Promise<number[]> {
  const texts = await page.locator(`[role=table] [role=row] [role=cell]:nth-child(${place})`).allInnerTexts();
  return texts.map((text) => Number(text.replace("▼ ", "-").replaceAll(/[▲–,% ]/g, "")));
}

const falls = (numbers: readonly number[]): boolean => numbers.every((number, at) => at === 0 || number <= (numbers[at - 1] ?? 0));
const rises = (numbers: readonly number[]): boolean => falls(numbers.toReversed());

test("a sector is sorted by the column one taps, and leads to its stocks", async () => {
  const visitor = await newPage({ origin: server.url, size: PHONE });
  const { page } = visitor;
  await arrive(visitor, "/market/Plate1?board=listed&category=17");
  const heads = named(visitor, "columnheader", /./);
  await seen(heads);
  const top = (numbers: number[]): number[] => numbers.slice(0, 5);
  await until(
    async () => top(await column(page, 3)),
    (percents) => percents.length === 5 && falls(percents),
    "not by change",
  );
  await named(visitor, "button", "Price").click();
  await until(async () => top(await column(page, 2)), falls, "not by price");
  await named(visitor, "button", "Price").click();
  await until(async () => top(await column(page, 2)), rises, "not by price, upwards");
  await page.locator("[role=rowheader] a").first().click();
  await until(
    () => route(page),
    (at) => at.startsWith("/market/stockDetail?code="),
    "the row leads nowhere",
  );
  blameless(visitor);
  await visitor.close();
});

test("an index says how broad it moves and who moves it; a stock's address leads to the stock, an index's to the index", async () => {
  const visitor = await newPage({ origin: server.url, size: PHONE });
  const { page } = visitor;
  await arrive(visitor, "/market/stockDetail?code=IX0028");
  await until(
    () => route(page),
    (at) => at === "/market/stockDetailzs?code=IX0028",
    "an index stays on the stock's address",
  );
  await seen(named(visitor, "heading", "Breadth"));
  const points = page.locator("section", { has: named(visitor, "heading", "Lift it most") }).locator("li");
  await seen(points);
  const all = await points.allInnerTexts();
  const moved = all.map((text) => Number(/\+([\d,.]+) pts/.exec(text)?.[1]?.replaceAll(",", "") ?? Number.NaN));
  expect(falls(moved)).toBe(true);
  await named(visitor, "link", /All constituents/).click();
  await until(
    () => route(page),
    (at) => at === "/market/Plate1?board=listed&category=24",
    "the sector is not found",
  );
  await visit(visitor, "/market/stockDetailzs?code=2330");
  await until(
    () => route(page),
    (at) => at === "/market/stockDetail?code=2330",
    "a stock stays on the index's address",
  );
  blameless(visitor);
  await visitor.close();
});

test("a stock shows its trades one by one, its invented figures as invented, and takes an alert", async () => {
  const visitor = await newPage({ origin: server.url, size: PHONE });
  const { page } = visitor;
  await arrive(visitor, "/market/stockDetail?code=2330");
  await named(visitor, "tab", "Trades").click();
  const rows = page.locator("main table tbody tr");
  await until(
    () => rows.count(),
    (count) => count > 0,
    "no trades",
  );
  const [newest = "", ...older] = await rows.allInnerTexts();
  expect(older.length).toBeLessThan(50);
  expect(
    older.filter((row) => row.slice(0, 8) > newest.slice(0, 8)),
    `later than ${newest}`,
  ).toEqual([]);
  expect(newest).toMatch(/(Buy|Sell|Auction)$/);
  await until(
    () => rows.first().innerText(),
    (text) => text !== newest,
    "the tape stands still",
    // The market has quiet spells.
    90_000,
  );

  await named(visitor, "tab", "Profile").click();
  await seen(page.getByText("Fictitious", { exact: true }));
  await seen(page.getByText("Price / earnings"));

  await named(visitor, "button", /Price alerts of/).click();
  const sheet = page.locator("dialog[open]");
  await sheet.getByRole("button", { name: "Up by" }).click();
  await sheet.getByLabel("Percent up on the day", { exact: true }).fill("9.5");
  await sheet.getByRole("button", { name: "Set alert" }).click();
  await sheet.waitFor({ state: "hidden" });
  await seen(named(visitor, "button", /one is waiting/));
  await visit(visitor, "/information/alerts");
  await seen(page.getByText("Up 9.50% or more on the day"));
  blameless(visitor);
  await visitor.close();
});
