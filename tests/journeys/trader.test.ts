/** A day trader on a phone: search by any name, groups, rankings, news, exit orders, bulk closing and the data saver. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Code, RequestId } from "#contract/kernel/id.ts";
import { closePages, newPage, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import {
  arrive,
  expectNoErrors,
  movePrice,
  named,
  openTicket,
  ordersOf,
  reload,
  review,
  secondSession,
  seen,
  slide,
  until,
} from "./steps.ts";

/** How long a bought position may be locked before it can be closed. */
const LOCK_MS = 120_000;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

const route = ({ page }: Visit): string => new URL(page.url()).hash.slice(1);

test("search finds an instrument by code, by name in both scripts and by misspelt English, and remembers it", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/favorite/search");
  const field = page.getByRole("searchbox");
  const first = page.getByRole("list", { name: "Results" }).getByRole("listitem").first();
  for (const typed of ["2454", "聯發科", "联发科", "mediatek", "Mediatec", "2330"]) {
    await field.fill(typed);
    const code = typed === "2330" ? "2330" : "2454";
    await seen(first.getByText(new RegExp(`^${code}`)));
    // Found, with a live price.
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
    "Enter did not open the first result",
  );
  // Wait for the stock page: going back earlier would not leave the search.
  await seen(named(visitor, "slider", /^Price chart/));
  await page.goBack();
  await seen(page.getByRole("list", { name: "Recently viewed" }).getByText(/^2330/));
  await page.getByRole("searchbox").fill("zzzz");
  await seen(page.getByText("Nothing matches “zzzz”"));
  expectNoErrors(visitor);
  await visitor.close();
});

test("a group is created, renamed and moved first by keyboard; it survives a reload", async () => {
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
    () => secondSession(server).then((member) => server.call("readWatchlist", {}, member)),
    (reply) => reply.status === 1 && reply.data.groups[0]?.name === "晶圓代工",
    "the order was not saved",
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
  expectNoErrors(visitor);
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
    // The limit rankings may be empty, and prices at a limit do not move.
    if (name.startsWith("Limit")) continue;
    const before = await list.innerText();
    const to = await list.locator("a[href*=stockDetail]").first().getAttribute("href");
    movePrice(server, to?.split("=")[1] ?? "", -1);
    await until(
      () => list.innerText(),
      (now) => now !== before,
      `${name} does not change`,
    );
  }
  expectNoErrors(visitor);
  await visitor.close();
});

test("news articles link to their instruments", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/home/newsList");
  // The first news are published some time after the server starts, and the open list does not show them: reload.
  await until(
    async () => {
      const news = await server.call("listNews", { topic: "stocks", code: null, cursor: null }, await secondSession(server));
      return news.status === 1 ? news.data.items.length : 0;
    },
    (count) => count > 0,
    "no news was published",
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
    "the article did not open its instrument",
  );
  await named(visitor, "tab", "News").click();
  await seen(page.getByRole("tabpanel").getByRole("link"));
  expectNoErrors(visitor);
  await visitor.close();
});

/** Cancels and closes everything of the demo member, so that a test starts without orders and positions. */
async function closeEverything(): Promise<void> {
  const member = await server.enter();
  await server.call("cancelOrders", { requestId: RequestId.parse(randomUUID()), code: null }, member);
  await until(
    async () => {
      await server.call("closeOrders", { requestId: RequestId.parse(randomUUID()), code: null }, member);
      const reply = await server.call("listPositions", {}, member);
      return reply.status === 1 ? reply.data.positions.length : -1;
    },
    (held) => held === 0,
    "a position is still open",
    LOCK_MS,
  );
}

/** Buys at market through the API, as from another device. */
async function buy(code: string): Promise<void> {
  const body = { code: Code.parse(code), direction: "rise", pricing: "market", price: null, lots: 1 } as const;
  const reply = await server.call("placeOrder", { ...body, requestId: RequestId.parse(randomUUID()) }, await server.enter());
  if (reply.status !== 1) throw new Error(reply.msg);
}

test(
  "a leveraged order shows its liquidation price before it is sent; a trailing stop closes it automatically",
  async () => {
    const visitor = await newPage({ origin: server.url });
    const { page } = visitor;
    await arrive(visitor, "/home/index");
    await closeEverything();
    const ticket = await openTicket(visitor, "0050");
    await ticket.getByRole("button", { name: "Order options" }).click();
    await ticket.getByRole("radio", { name: "3×" }).check({ force: true });
    await ticket.getByRole("switch", { name: "Trailing stop" }).click({ force: true });
    await ticket.getByRole("textbox", { name: "Trailing distance" }).fill("0.05");
    await ticket.getByRole("button", { name: "Back to the order" }).click();
    await seen(ticket.getByText("3× · Trailing by 0.05"));
    await review(ticket, "Market", 1);
    const liquidation = ticket.locator("dl > div").filter({ hasText: "Liquidation price" });
    expect(await liquidation.innerText()).toMatch(/\d+\.\d\d/);
    await seen(ticket.getByRole("note"));
    await slide(visitor, ticket.getByRole("button", { name: /Confirm buy/ }));
    await seen(ticket.getByText("Filled", { exact: true }));
    await ticket.getByRole("button", { name: "Done" }).click();
    movePrice(server, "0050", -4);
    const [order] = await until(
      () => ordersOf(server),
      ([newest]) => newest?.status === "closed",
      "the trailing stop did not fire",
    );
    expect(order).toMatchObject({ funding: "leverage", leverage: 3, loanCents: 0, closeCause: "condition" });
    await visit(visitor, `/trade/positionDetail?orderNo=${order?.orderNo}`);
    await seen(page.getByText("Condition triggered"));
    await seen(page.getByText("closed by a condition"));
    // The breakdown adds up to the profit or loss.
    await page
      .getByRole("button", { name: /See breakdown/ })
      .first()
      .click();
    await seen(page.locator("dialog[open]").getByText("Fee of closing"));
    expectNoErrors(visitor);
    await visitor.close();
  },
  LOCK_MS + 180_000,
);

test(
  "closing all positions closes what it can and shows why the rest stays",
  async () => {
    const visitor = await newPage({ origin: server.url });
    const { page } = visitor;
    await arrive(visitor, "/trade/index");
    await closeEverything();
    await buy("0050");
    await buy("2330");
    await seen(page.locator("main:visible").getByText("2330"));
    await named(visitor, "button", "Sell all positions").click();
    const dialog = page.locator("dialog[open]");
    // Everything at market: one press only asks again, as for every market order.
    await slide(visitor, dialog.getByRole("button", { name: "Sell 2 positions" }));
    await seen(dialog.getByText("Done: 1. Left unchanged: 1"));
    await seen(dialog.getByText(/Cannot be closed within \d+ minutes of opening/));
    await dialog.getByRole("button", { name: "Done", exact: true }).click();
    await until(
      async () => (await ordersOf(server)).map(({ code, status }) => `${code} ${status}`),
      ([second, first]) => second === "2330 holding" && first === "0050 closed",
      "the positions differ from the shown result",
    );
    expectNoErrors(visitor);
    await visitor.close();
  },
  LOCK_MS + 120_000,
);

test("with the data saver on, the same screen requests a slower update interval, and is still live", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  /** The update intervals (ms) the page requested, newest last. */
  const intervals: number[] = [];
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      for (const [, intervalMs] of String(payload).matchAll(/"beatMs":(\d+)/g)) intervals.push(Number(intervalMs));
    }),
  );
  await arrive(visitor, "/market/stockDetail?code=2330");
  await seen(named(visitor, "slider", /^Price chart/));
  const normalMs = await until(
    () => intervals.at(-1) ?? Infinity,
    (intervalMs) => intervalMs < 1_000,
    "the page did not request a fast interval",
  );
  await visit(visitor, "/information/setting");
  await page.getByRole("switch", { name: /^Save data/ }).click({ force: true });
  await until(
    () => secondSession(server).then((member) => server.call("readPreferences", {}, member)),
    (reply) => reply.status === 1 && reply.data.saveData,
    "the preference was not saved",
  );
  await visit(visitor, "/market/stockDetail?code=2330");
  await seen(named(visitor, "slider", /^Price chart/));
  await until(
    () => intervals.at(-1),
    (intervalMs) => intervalMs === 1_000,
    `the page still requests ${normalMs} ms`,
  );
  // Slower, but still live.
  const shown = await page.locator("main:visible").innerText();
  movePrice(server, "2330", 2);
  await until(
    () => page.locator("main:visible").innerText(),
    (now) => now !== shown,
    "the price did not change",
  );
  expectNoErrors(visitor);
  await visitor.close();
});
