/** How much a phone shows: the rows and columns of quotes that are fully visible on 360 x 640, the member's choice of fewer, sparklines and investors. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, newPage, PHONE, signIn, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { arrive, expectNoErrors, named, secondSession, seen, until } from "./steps.ts";

let server: TestServer;

/** More stocks than a screen shows. */
const WATCHED = 20;

beforeAll(async () => {
  server = await startTestServer();
  const member = await secondSession(server);
  const market = server.venue.instruments.filter(({ tradable, board }) => tradable && board === "listed");
  for (const { code } of market.slice(0, WATCHED)) await server.call("addWatch", { code, group: null }, member);
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

/** The shown parts of a kind that lie completely in the list and above everything else: both ends of each can be touched. */
const whole = (list: Locator, part: string): Promise<number> =>
  list.evaluate((scroller, selector) => {
    const frame = scroller.getBoundingClientRect();
    return [...scroller.querySelectorAll(selector)].filter((one) => {
      const { top, bottom, left, right } = one.getBoundingClientRect();
      const inside = top >= frame.top - 0.5 && bottom <= frame.bottom + 0.5 && left >= frame.left - 0.5 && right <= frame.right + 0.5;
      const ends = [top + 1, bottom - 1].map((y) => document.elementFromPoint((left + right) / 2, y));
      return inside && ends.every((end) => end !== null && one.contains(end));
    }).length;
  }, part);

const rows = (list: Locator): Promise<number> => whole(list, "[role=listitem]");

/** The list on screen, once it has its rows. */
async function listOf({ page }: Visit, name: string): Promise<Locator> {
  const list = page.getByRole("region", { name, exact: true });
  await seen(list.getByRole("listitem").nth(2));
  return list;
}

/** Numbers that are wider than their column. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("main [data-d]")]
      .filter((one) => {
        const { left } = one.getBoundingClientRect();
        return one.checkVisibility() && left + 0.5 < (one.parentElement?.getBoundingClientRect().left ?? 0);
      })
      .map((one) => one.textContent),
  );

for (const language of ["en", "zh-TW", "zu"]) {
  test(`a phone shows enough quotes: ${language}`, async () => {
    const visitor = await newPage({ origin: server.url, size: PHONE, language });
    const { page } = visitor;
    await signIn(visitor);

    await visit(visitor, "/home/index");
    const home = page.locator("[role=region]:has([role=list])").first();
    await seen(home.getByRole("listitem").nth(2));
    await until(
      () => rows(home),
      (count) => count >= 3,
      "home shows fewer than three quotes before it is scrolled",
    );
    await home.evaluate((scroller) => {
      const tabs = scroller.querySelector("[role=tablist]");
      scroller.scrollTop += (tabs?.getBoundingClientRect().top ?? 0) - scroller.getBoundingClientRect().top;
    });
    await until(
      () => rows(home),
      (count) => count >= 10,
      "home shows fewer than ten quotes",
    );

    for (const place of ["/favorite/zxList", "/favorite/moreList?by=turnover"]) {
      await visit(visitor, place);
      const list = page.locator("main:visible [role=region]:has([role=list])");
      await seen(list.getByRole("listitem").nth(11));
      expect.soft(await rows(list), place).toBeGreaterThanOrEqual(12);
      expect.soft(await cutOff(page), place).toEqual([]);
    }

    await visit(visitor, "/favorite/indexCopy");
    const table = page.locator("main:visible [role=region]:has([role=table])");
    await seen(table.getByRole("rowheader").nth(13));
    expect.soft(await whole(table, "[role=rowheader]"), "rows of the table").toBeGreaterThanOrEqual(14);
    expect.soft(await whole(table, "[aria-rowindex='2'] [role=cell]"), "columns of the table").toBeGreaterThanOrEqual(3);
    // The name stays while the other columns scroll, and the bid and ask come into view.
    await table.evaluate((scroller) => (scroller.scrollLeft = 200));
    expect.soft(await whole(table, "[role=rowheader]"), "pinned names").toBeGreaterThanOrEqual(14);
    expect.soft(await cutOff(page), "table").toEqual([]);
    expectNoErrors(visitor);
    await visitor.close();
  });
}

test("the table has the bid and the ask, live", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/favorite/indexCopy");
  const heads = page.getByRole("columnheader");
  await seen(heads);
  const names = await heads.allInnerTexts();
  const first = page.locator("[aria-rowindex='2']");
  for (const name of ["Bid", "Ask"]) {
    const at = names.indexOf(name);
    expect(at, name).toBeGreaterThan(0);
    await until(
      () =>
        first
          .getByRole("cell")
          .nth(at - 1)
          .innerText(),
      (text) => /^[\d,]+\.\d+$/.test(text),
      `${name} has no price`,
    );
  }
  await visitor.close();
});

test("the member chooses comfortable rows, and the server keeps the choice", async () => {
  const visitor = await newPage({ origin: server.url });
  await arrive(visitor, "/information/setting");
  await named(visitor, "radio", "Comfortable").check({ force: true });
  await until(
    async () => server.call("readPreferences", {}, await secondSession(server)),
    (reply) => reply.status === 1 && reply.data.density === "comfortable",
    "the density was not saved",
  );
  await visit(visitor, "/favorite/moreList");
  const list = await listOf(visitor, "Gainers");
  const row = list.getByRole("listitem").first();
  await until(
    async () => (await row.boundingBox())?.height ?? 0,
    (height) => height >= 60,
    "the rows are not taller",
  );
  expect(await rows(list)).toBeLessThan(12);
  expectNoErrors(visitor);
  await visitor.close();
});

test("rows with room show the course of the day, read in one call for all of them; narrow ones ask for none", async () => {
  const calls: string[][] = [];
  for (const [width, lines] of [
    [390, true],
    [360, false],
  ] as const) {
    const visitor = await newPage({ origin: server.url, size: { width, height: 640 } });
    const { page } = visitor;
    calls.length = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/sparklines/read")) calls.push((request.postDataJSON() as { codes: string[] }).codes);
    });
    await arrive(visitor, "/favorite/moreList?by=turnover");
    const list = await listOf(visitor, "Turnover");
    const drawn = (): Promise<number> => list.locator("svg path[d^=M]").count();
    if (lines) {
      await until(drawn, (count) => count >= 10, "no row shows a line");
      const mounted = await list.getByRole("listitem").count();
      expect(calls.length).toBeLessThanOrEqual(3);
      expect(new Set(calls.flat()).size).toBeGreaterThanOrEqual(mounted - 2);
      expect(new Set(calls.flat()).size).toBeLessThan(40);
    } else {
      await page.waitForTimeout(1_500);
      expect(calls).toEqual([]);
      expect(await drawn()).toBe(0);
    }
    expectNoErrors(visitor);
    await visitor.close();
  }
});

test("the detail of a stock shows who bought and sold it, and its margin balances, marked as simulated", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/market/stockDetail?code=2330");
  await named(visitor, "tab", "Investors").click();
  const institutions = page.getByRole("region", { name: /Institutional net buying/ });
  await seen(institutions.getByText("Simulated"));
  const reply = await server.call("readInvestors", { code: "2330" }, await secondSession(server));
  const day = reply.status === 1 ? reply.data.days?.[0] : undefined;
  if (!day) throw new Error("the market has no figures");
  const nets = [day.foreign, day.trust, day.dealer].map(({ bought, sold }) => bought - sold);
  const shown = (net: number): string => `${net > 0 ? "+" : net < 0 ? "−" : ""}${Math.abs(net).toLocaleString("en")}`;
  const texts = await institutions.locator("dl").first().locator("dd [aria-hidden]:not([class])").allInnerTexts();
  expect(texts).toEqual([...nets, nets.reduce((sum, net) => sum + net, 0)].map(shown));
  await seen(
    page.getByRole("region", { name: /Margin balances/ }).getByRole("cell", { name: day.margin?.long.balance.toLocaleString("en") ?? "" }),
  );
  expectNoErrors(visitor);
  await visitor.close();
});
