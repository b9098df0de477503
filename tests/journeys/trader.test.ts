/** A day trader's hour on a phone: finds by any name, keeps groups, follows the rankings, reads the news, and saves data. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeBrowser, newPage, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { layWire } from "#tests/support/wire.ts";
import type { Wire } from "#tests/support/wire.ts";
import { arrive, blameless, named, seen, until, reload } from "./stage.ts";

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

const route = ({ page }: Visit): string => new URL(page.url()).hash.slice(1);

test("an instrument is found by code, by its name in both scripts, by English with a slip; what was looked up is remembered", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/favorite/search");
  const field = page.getByRole("searchbox");
  const first = page.getByRole("list", { name: "Results" }).getByRole("listitem").first();
  for (const typed of ["2454", "聯發科", "联发科", "mediatek", "Mediatec", "2330"]) {
    await field.fill(typed);
    const code = typed === "2330" ? "2330" : "2454";
    await seen(first.getByText(new RegExp(`^${code}`)));
    // Found, and live.
    await until(
      () => first.innerText(),
      (text) => /\d\.\d\d/.test(text),
      `${typed}: no price`,
    );
  }
  await field.press("Enter");
  await until(
    () => route(visitor),
    (at) => at === "/market/stockDetail?code=2330",
    "Enter does not open the first result",
  );
  await page.goBack();
  await seen(page.getByRole("list", { name: "Opened lately" }).getByText(/^2330/));
  await page.getByRole("searchbox").fill("zzzz");
  await seen(page.getByText("Nothing matches “zzzz”"));
  blameless(visitor);
  await visitor.close();
});

test("a group is made, named anew and put first by key; a reload finds it there", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/favorite/editSelf");
  await page.getByRole("radio", { name: "Groups" }).check({ force: true });
  await named(visitor, "button", "New group").click();
  await page.getByRole("textbox").fill("Foundries");
  await page.getByRole("textbox").press("Enter");
  await named(visitor, "button", "Rename Foundries").click();
  await page.getByRole("textbox").fill("晶圓代工");
  await page.getByRole("textbox").press("Enter");
  await named(visitor, "button", "Move 晶圓代工").press("ArrowUp");
  await until(
    () => server.enter().then((member) => server.call("readWatchlist", {}, member)),
    (reply) => reply.status === 1 && reply.data.groups[0]?.name === "晶圓代工",
    "the order is not kept",
  );

  await visit(visitor, "/market/stockDetail?code=2330");
  await named(visitor, "button", "TSMC on my watchlist").click();
  await page.locator("dialog[open]").getByRole("switch", { name: "晶圓代工" }).click({ force: true });
  await seen(page.locator("dialog[open]").getByText("1 stock", { exact: true }));
  await visit(visitor, "/favorite/zxList");
  await reload(visitor);
  await seen(named(visitor, "tab", /^晶圓代工/));
  expect(await page.getByRole("tab").allInnerTexts()).toEqual([expect.stringMatching(/^晶圓代工/), expect.stringMatching(/^My stocks/)]);
  const mine = page.getByRole("region", { name: "晶圓代工" });
  await seen(mine.getByText("TSMC"));
  blameless(visitor);
  await visitor.close();
});

test("every ranking is live", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/favorite/moreList");
  const tabs = page.getByRole("tablist", { name: "Rankings" }).getByRole("tab");
  await seen(tabs);
  for (const name of await tabs.allInnerTexts()) {
    await page.getByRole("tab", { name, exact: true }).click();
    const list = page.getByRole("region", { name, exact: true });
    await seen(list.getByRole("listitem").or(list.getByText(/^No stock is at its limit|No /)));
    // Limits may have nobody to name, and who stands at one does not move.
    if (name.startsWith("Limit")) continue;
    const before = await list.innerText();
    await until(
      () => list.innerText(),
      (now) => now !== before,
      `${name} stands still`,
    );
  }
  blameless(visitor);
  await visitor.close();
});

test("the news leads to what it is about", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/home/newsList");
  // The newsroom opens a while after the house; the list is read when one comes to it.
  await until(
    async () => {
      const news = await server.call("listNews", { topic: "stocks", code: null, cursor: null }, await server.enter());
      return news.status === 1 ? news.data.items.length : 0;
    },
    (count) => count > 0,
    "the newsroom writes nothing",
    150_000,
  );
  await reload(visitor);
  await named(visitor, "tab", "Stocks").click();
  const headline = page.getByRole("region", { name: "News" }).getByRole("link").first();
  await seen(headline);
  await headline.click();
  await seen(page.locator("main:visible article h2"));
  await seen(page.locator("main:visible article").getByText("None of it is real news", { exact: false }));
  const about = page.locator("main:visible article li a").first();
  await until(
    () => about.innerText(),
    (text) => /\d\.\d\d/.test(text),
    "the instrument in the article has no price",
  );
  await about.click();
  await until(
    () => route(visitor),
    (at) => at.startsWith("/market/stockDetail"),
    "the article leads nowhere",
  );
  await named(visitor, "tab", "News").click();
  await seen(page.getByRole("tabpanel").getByRole("link"));
  blameless(visitor);
  await visitor.close();
});

/** Bytes the browser received over a busy stock, its book and its chart in a stretch of time. */
async function bytesOver(visitor: Visit): Promise<number> {
  await visit(visitor, "/market/stockDetail?code=2330");
  await seen(named(visitor, "slider", /^Price chart/));
  await visitor.page.waitForTimeout(2_000);
  const before = wire.received();
  await visitor.page.waitForTimeout(8_000);
  return wire.received() - before;
}

test("saving data, the same screen costs less", async () => {
  const visitor = await newPage({ origin: wire.url });
  const { page } = visitor;
  await arrive(visitor, "/home/stockList");
  const before = await bytesOver(visitor);
  await visit(visitor, "/information/setting");
  await page.getByRole("switch", { name: /^Save data/ }).click({ force: true });
  await until(
    () => server.enter().then((member) => server.call("readPreferences", {}, member)),
    (reply) => reply.status === 1 && reply.data.saveData,
    "the wish is not kept",
  );
  // The market is livelier at one moment than at another: what counts is that it can be had for less.
  const after = await until(
    () => bytesOver(visitor),
    (bytes) => bytes < before * 0.8,
    `it costs as much as the ${before} bytes before`,
    90_000,
  );
  // Slower, not silent.
  expect(after).toBeGreaterThan(0);
  blameless(visitor);
  await visitor.close();
});
