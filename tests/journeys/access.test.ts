/** For everyone: text at 200 %, forced colours, one pointer without dragging, the order of the focus, where it returns to, and titles. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, newPage, signIn, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { brokenNumbers, disordered, sharedNames } from "./access.ts";
import { seedMember } from "./all-screens.ts";
import { overflow } from "./overflow.ts";
import { enabled, expectNoErrors, named, openTicket, ordersOf, review, seen, until } from "./steps.ts";

let server: TestServer;
let visitor: Visit;

beforeAll(async () => {
  server = await startTestServer();
  await seedMember(server);
  visitor = await newPage({ origin: server.url });
  await signIn(visitor);
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

const PAGES = ["/home/index", "/favorite/index", "/favorite/zxList", "/market/stockDetail?code=2330", "/trade/index", "/information/index"];

/** Opens a page and waits until its numbers are there. */
async function open(place: string): Promise<void> {
  await visit(visitor, place);
  const main = visitor.page.locator("main:visible");
  await until(
    () => main.innerText(),
    (text) => /\d[.,]\d/.test(text) && !text.includes("--.--"),
    `${place} shows no number`,
  );
}

test("everything that is dragged works by taps with one pointer", async () => {
  const { page } = visitor;
  const before = (await ordersOf(server)).length;
  const ticket = await openTicket(visitor, "2603");
  await review(ticket, "Market", 1);
  const track = ticket.getByRole("button", { name: /Confirm buy/ });
  await enabled(track);
  await track.tap();
  await seen(ticket.getByRole("button", { name: /press again/ }));
  await page.waitForTimeout(400);
  await track.tap();
  await seen(ticket.getByText("Filled", { exact: true }));
  expect((await ordersOf(server)).length).toBe(before + 1);

  await visit(visitor, "/favorite/editSelf");
  const rows = page.locator("main:visible [role=listitem]");
  await seen(rows);
  const first = rows.and(page.locator("[aria-posinset='1']"));
  const moved = await first.getAttribute("data-key");
  await first.getByRole("button", { name: /^Move / }).tap();
  await first.getByRole("button", { name: / down$/ }).tap();
  await until(
    () => page.locator(`[data-key="${moved}"]`).getAttribute("aria-posinset"),
    (at) => at === "2",
    "the row did not move",
  );
});

test("Tab follows the screen, and the focus returns to the row", async () => {
  const { page } = visitor;
  for (const place of PAGES) {
    await open(place);
    await page.locator("main:visible").focus();
    expect.soft(await disordered(page, 12), place).toEqual([]);
  }
  const focused = (): Promise<string | null> => page.evaluate(() => document.activeElement?.getAttribute("href") ?? null);
  for (const place of ["/home/stockList", "/favorite/zxList"]) {
    await open(place);
    const row = page.locator("main:visible a[href*='stockDetail']").nth(2);
    const href = await row.getAttribute("href");
    await row.tap();
    await seen(named(visitor, "button", "Buy"));
    await page.goBack();
    await until(focused, (now) => now === href, `${place}: the focus did not return to ${href}`);
  }
});

test("in a sheet no two buttons share a name, and a sheet opened from a sheet gives the focus back to the row", async () => {
  const { page } = visitor;
  const dialog = page.locator("dialog[open]");
  await open("/trade/index?position=0050:rise:cash");
  await page.locator("main:visible").getByRole("button", { name: "Sell", exact: true }).click();
  await seen(dialog);
  expect.soft(await sharedNames(page, "close")).toEqual([]);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await named(visitor, "button", /^More for /)
    .first()
    .click();
  await seen(dialog);
  expect.soft(await sharedNames(page, "actions")).toEqual([]);
  await dialog.locator("li button").nth(1).click();
  await seen(dialog.getByRole("button", { name: "Close window" }).and(page.locator("dialog[open] button")));
  expect.soft(await sharedNames(page, "action")).toEqual([]);
  await page.keyboard.press("Escape");
  await until(
    () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? ""),
    (name) => name.startsWith("More for "),
    "the focus did not return to the row",
  );
});

test("forced colours show what is chosen and what has the focus", async () => {
  const { page } = visitor;
  await page.emulateMedia({ forcedColors: "active" });
  for (const [place, chosen, other] of [
    ["/home/index", "nav [aria-current=page]", "nav a:not([aria-current])"],
    ["/trade/index", "[role=tab][aria-selected=true]", "[role=tab][aria-selected=false]"],
    ["/market/stockDetail?code=2330", "[aria-pressed=true]", "[aria-pressed=false]"],
  ] as const) {
    await open(place);
    const colour = (selector: string): Promise<string> =>
      page
        .locator(`${selector} >> visible=true`)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    expect.soft(await colour(chosen), place).not.toBe(await colour(other));
  }
  await page.keyboard.press("Tab");
  const ring = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
  expect(ring).toBe("solid");
  await page.emulateMedia({ forcedColors: "none" });
});

test("the way to what a chip of the ticket lacks looks like a link", async () => {
  const { page } = visitor;
  await openTicket(visitor, "2330");
  await named(visitor, "button", "Day trade").click({ force: true });
  const link = page.locator("dialog[open] [role=status] a");
  await seen(link);
  expect(await link.evaluate((element) => getComputedStyle(element).textDecorationLine)).toBe("underline");
  await page.keyboard.press("Escape");
  await page.locator("dialog[open]").waitFor({ state: "hidden" });
});

test("the title names the stock, its price and the site", async () => {
  const { page } = visitor;
  await open("/market/stockDetail?code=2330");
  await until(
    () => page.title(),
    (title) => /^2330 TSMC [\d,]+\.\d+ · Kuroshio$/.test(title),
    "the title does not name the stock",
  );
  await open("/trade/index");
  expect(await page.title()).toMatch(/^Trade · /);
  expectNoErrors(visitor);
});

test("at 200 % no number is broken or cut off, and no page scrolls sideways", async () => {
  await visitor.close();
  visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await signIn(visitor);
  // The reader's own font size: the root's is a percentage of it, and media queries count in it.
  const session = await visitor.context.newCDPSession(page);
  await session.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
  for (const place of PAGES) {
    await open(place);
    expect.soft(await brokenNumbers(page, place)).toEqual([]);
    expect.soft(await overflow(page, place)).toEqual([]);
  }
  await openTicket(visitor, "2454");
  expect.soft(await brokenNumbers(page, "ticket")).toEqual([]);
  expect.soft(await overflow(page, "ticket")).toEqual([]);
});
