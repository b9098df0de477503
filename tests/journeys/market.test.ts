/** From the whole market to one stock: the sector map, a sector sorted by columns, an index and its contributors, trades, profile, an alert. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { closePages, WIDE, newPage, PHONE, visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { arrive, expectNoErrors, named, seen, until } from "./steps.ts";

let server: TestServer;

beforeAll(async () => {
  // The whole market: its map, sectors and indices are the subject.
  server = await startTestServer({ venue: { codes: undefined } });
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

const route = (page: Page): string => new URL(page.url()).hash.slice(1);

/** The sizes and positions (px) of the map's tiles and frame. */
const mapOf = (page: Page) =>
  page.evaluate(() => {
    const box = (element: Element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x, y, width, height };
    };
    const group = document.querySelector("figure [role=group]");
    return { frame: group && box(group), nodes: group?.querySelectorAll("*").length ?? 0, tiles: [...(group?.children ?? [])].map(box) };
  });

/** The changes on the map that are broken over two lines. */
const brokenChanges = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("figure a span")].flatMap((words) => {
      const text = words.firstChild;
      const change = text?.textContent?.split("\n", 1)[0] ?? "";
      if (!text || change === "") return [words.innerHTML];
      const range = document.createRange();
      range.setStart(text, 0);
      range.setEnd(text, change.length);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size === 1 ? [] : [change];
    }),
  );

for (const [name, size] of Object.entries({ phone: PHONE, wide: WIDE })) {
  test(`the sector map fills its frame with few nodes, all of touch size: ${name}`, async () => {
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
    expect(await brokenChanges(page)).toEqual([]);

    // Its label says what its colour shows, and Enter follows the same link as a tap.
    const tile = page.locator("figure a").first();
    expect(await tile.getAttribute("aria-label")).toMatch(/[+−]?\d+\.\d\d%, turnover .+, \d+ up, \d+ down$/);
    await tile.focus();
    await page.keyboard.press("Enter");
    await until(
      () => route(page),
      (at) => at.startsWith("/market/Plate1?board=otc&category="),
      "the tile did not open its sector",
    );
    expectNoErrors(visitor);
    await visitor.close();
  });
}

/** The numbers of a column of the sector's table, from top to bottom. */
async function column(page: Page, place: number): Promise<number[]> {
  const texts = await page.locator(`[role=table] [role=row] [role=cell]:nth-child(${place})`).allInnerTexts();
  return texts.map((text) => Number(text.replace("▼ ", "-").replaceAll(/[▲–,% ]/g, "")));
}

const descending = (numbers: readonly number[]): boolean => numbers.every((number, at) => at === 0 || number <= (numbers[at - 1] ?? 0));
const ascending = (numbers: readonly number[]): boolean => descending(numbers.toReversed());

test("a sector is sorted by the tapped column, and links to its stocks", async () => {
  const visitor = await newPage({ origin: server.url, size: PHONE });
  const { page } = visitor;
  await arrive(visitor, "/market/Plate1?board=listed&category=17");
  const heads = named(visitor, "columnheader", /./);
  await seen(heads);
  const top = (numbers: number[]): number[] => numbers.slice(0, 5);
  await until(
    async () => top(await column(page, 3)),
    (percents) => percents.length === 5 && descending(percents),
    "not sorted by change",
  );
  await named(visitor, "button", "Price").click();
  await until(async () => top(await column(page, 2)), descending, "not sorted by price");
  await named(visitor, "button", "Price").click();
  await until(async () => top(await column(page, 2)), ascending, "not sorted by price, ascending");
  await page.locator("[role=rowheader] a").first().click();
  await until(
    () => route(page),
    (at) => at.startsWith("/market/stockDetail?code="),
    "the row did not open its stock",
  );
  expectNoErrors(visitor);
  await visitor.close();
});

test("an index shows breadth and contributors; the detail routes of stocks and indices redirect to each other", async () => {
  const visitor = await newPage({ origin: server.url, size: PHONE });
  const { page } = visitor;
  await arrive(visitor, "/market/stockDetail?code=IX0028");
  await until(
    () => route(page),
    (at) => at === "/market/stockDetailzs?code=IX0028",
    "the index was not redirected to its own route",
  );
  await seen(named(visitor, "heading", "Breadth"));
  const points = page.locator("section", { has: named(visitor, "heading", "Lifting the index") }).locator("li");
  await seen(points);
  const all = await points.allInnerTexts();
  const moved = all.map((text) => Number(/\+([\d,.]+) pts/.exec(text)?.[1]?.replaceAll(",", "") ?? Number.NaN));
  expect(descending(moved)).toBe(true);
  await named(visitor, "link", /All constituents/).click();
  await until(
    () => route(page),
    (at) => at === "/market/Plate1?board=listed&category=24",
    "the sector did not open",
  );
  await visit(visitor, "/market/stockDetailzs?code=2330");
  await until(
    () => route(page),
    (at) => at === "/market/stockDetail?code=2330",
    "the stock was not redirected to its own route",
  );
  expectNoErrors(visitor);
  await visitor.close();
});

test("a stock shows its trades one by one, marks fictitious figures, and accepts an alert", async () => {
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
    "the tape does not change",
    // The market can be quiet for a while.
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
  expectNoErrors(visitor);
  await visitor.close();
});
