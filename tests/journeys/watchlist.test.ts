/** A member's watchlist on a phone: create a group, fill it from the search, reorder it by drag and keys, sort it, remove entries, and view it as a table. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, newPage, signIn, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { arrive, boxOf, expectNoErrors, named, seen, until } from "./steps.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

/** The groups saved on the server: name and codes. */
async function groups(): Promise<[name: string, codes: string][]> {
  const reply = await server.call("readWatchlist", {}, await server.enter());
  if (reply.status !== 1) throw new Error(reply.msg);
  return reply.data.groups.map(({ name, codes }) => [name, codes.join(" ")]);
}

const saved = (name: string, codes: string): Promise<unknown> =>
  until(groups, (all) => all.some((one) => one[0] === name && one[1] === codes), `${name} does not contain ${codes}`);

/** Searches for an instrument and adds the first result to a group. */
async function addFromSearch(visitor: Visit, typed: string, code: string, group: string): Promise<void> {
  const { page } = visitor;
  await visit(visitor, "/favorite/search");
  await page.getByRole("searchbox").fill(typed);
  const row = page.getByRole("list", { name: "Results" }).getByRole("listitem").first();
  await seen(row.getByText(code));
  await row.getByRole("button").click();
  const sheet = page.locator("dialog[open]");
  // The switch turns on when the server has answered.
  await sheet.getByRole("switch", { name: new RegExp(group) }).click({ force: true });
  await until(groups, (all) => all.some((one) => one[0] === group && one[1].includes(code)), `${code} is not in ${group}`);
  await sheet.getByRole("button", { name: "Close window" }).click();
}

/** Drags a row by its handle to another row's position. */
async function drag({ page }: Visit, from: string, to: string): Promise<void> {
  const start = await boxOf(page.getByRole("button", { name: `Move ${from}` }));
  const end = await boxOf(page.getByRole("button", { name: `Move ${to}` }));
  const x = start.x + start.width / 2;
  await page.mouse.move(x, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(x, end.y + end.height / 2, { steps: 8 });
  await page.mouse.up();
}

test("create a group, fill, reorder and sort it, and remove entries", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/favorite/editSelf");

  await page.getByRole("radio", { name: "Groups" }).check({ force: true });
  await named(visitor, "button", "New group").click();
  const name = page.getByRole("textbox");
  await name.press("Enter");
  await seen(page.getByText("Enter a group name of 1 to 20 characters."));
  await name.fill("Chips");
  await name.press("Enter");
  await saved("Chips", "");
  await named(visitor, "button", "New group").click();
  await name.fill("Chips");
  await name.press("Enter");
  await seen(page.getByText("You already have a group of that name."));
  await named(visitor, "button", "Cancel").click();

  await addFromSearch(visitor, "tsmc", "2330", "Chips");
  await addFromSearch(visitor, "聯發科", "2454", "Chips");
  await addFromSearch(visitor, "3711", "3711", "Chips");

  await visit(visitor, "/favorite/zxList");
  await named(visitor, "tab", /^Chips/).click();
  await named(visitor, "button", "Edit watchlist").click();
  await seen(named(visitor, "button", "Move TSMC"));
  await drag(visitor, "TSMC", "ASE Technology");
  await saved("Chips", "2454 3711 2330");
  await named(visitor, "button", "Move TSMC").press("Home");
  await saved("Chips", "2330 2454 3711");

  // Sorted by price ascending, the cheapest of the three comes first; the member's own order is kept.
  await page.goBack();
  const first = page.getByRole("region", { name: "Chips" }).locator("[aria-posinset='1']");
  await seen(first.getByText("TSMC"));
  const sort = page.getByRole("combobox", { name: "Sort by" });
  await sort.selectOption("Price ↑");
  await seen(first.getByText("ASE Technology"));
  await sort.selectOption("My order");
  await seen(first.getByText("TSMC"));

  await named(visitor, "button", "Edit watchlist").click();
  for (const stock of ["TSMC", "MediaTek"]) await page.getByRole("checkbox", { name: new RegExp(stock) }).check();
  await named(visitor, "button", "Remove 2").click();
  const question = page.getByRole("alertdialog");
  await seen(question.getByText("MediaTek"));
  await question.getByRole("button", { name: "Remove" }).click();
  await saved("Chips", "3711");
  expectNoErrors(visitor);
  await visitor.close();
});

test("view the market as one table, and navigate the categories", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await signIn(visitor);

  await visit(visitor, "/favorite/index");
  await named(visitor, "button", "Show as table").click();
  const table = page.getByRole("table", { name: "Watchlist" });
  await seen(table.getByRole("rowheader", { name: /TSMC/ }));
  await page.getByRole("button", { name: "Turnover" }).first().click();
  await page.getByRole("combobox", { name: "Lists" }).selectOption("Gainers");
  const gainers = page.getByRole("table", { name: "Gainers" });
  await until(
    async () => Number(await gainers.getAttribute("aria-rowcount")),
    (rows) => rows === 101,
    "the table does not have a hundred gainers and its head row",
  );
  await gainers.getByRole("button", { name: "Amplitude" }).click();
  expect(await gainers.getByRole("columnheader", { name: "Amplitude" }).getAttribute("aria-sort")).toBe("descending");

  await visit(visitor, "/favorite/categoryList");
  const rail = page.getByRole("slider", { name: "Jump to a category" });
  await rail.press("PageDown");
  await until(
    () => rail.getAttribute("aria-valuetext"),
    (text) => text?.startsWith("TPEx") === true,
    "the rail did not reach the second board",
  );
  await named(visitor, "button", "Jump to a category").click();
  await page
    .locator("dialog[open]")
    .getByRole("button", { name: /Semiconductor/ })
    .first()
    .click();
  const heading = page.getByRole("link", { name: "TWSE · Semiconductor" });
  await seen(heading);
  await heading.click();
  await seen(page.getByRole("heading", { name: "Semiconductor", level: 1 }));
  await named(visitor, "tab", "Turnover").click();
  await seen(page.getByRole("region", { name: "Turnover" }).getByText("TSMC"));
  expectNoErrors(visitor);
  await visitor.close();
});
