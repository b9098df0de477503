/** Positions on a small phone: seven in view, each with its orders; closing takes the oldest lots first and names the price; the book beside what is held; today's executions. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Code, RequestId } from "#contract/kernel/id.ts";
import { typedPrice } from "#contract/kernel/money.ts";
import type { Direction } from "#contract/order.ts";
import { PHONE, closePages, newPage, visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { arrive, expectNoErrors, named, ordersOf, secondSession, seen, slide, until } from "./steps.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

async function open(code: string, lots: number, direction: Direction = "rise"): Promise<void> {
  const body = { code: Code.parse(code), direction, pricing: "market", price: null, lots } as const;
  const reply = await server.call("placeOrder", { ...body, requestId: RequestId.parse(randomUUID()) }, await secondSession(server));
  if (reply.status !== 1) throw new Error(`${code}: ${reply.msg}`);
}

test("seven positions fit on a small phone; one of several orders is closed first in first out, at a price that is shown", async () => {
  for (const code of ["2330", "2317", "2603", "2412", "1301", "2882"]) await open(code, 1);
  for (const lots of [1, 2, 1]) await open("0050", lots);
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/trade/index");
  const list = page.getByRole("list", { name: "Positions" });
  const rows = list.locator(":scope > li");
  await until(
    () => rows.count(),
    (count) => count === 7,
    "not one row a position",
  );
  // All of the seventh row is above the tab bar, each row has a name, a size, a live price and a live profit, and is big enough to tap.
  const bar = await page.getByRole("navigation").last().boundingBox();
  for (const row of await rows.all()) {
    const box = await row.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? PHONE.height);
    expect(box?.height).toBeGreaterThanOrEqual(44);
    await until(
      () => row.innerText(),
      (text) => /\d lots? × [\d,.]+\s+[\d,]+\.\d\d\s+[+−][\d,]+\.\d\d/.test(text),
      "a row without its figures",
    );
  }

  // Newest first: the three orders of 0050 are one position of four lots.
  const row = rows.first();
  await seen(row.getByText(/0050 · 4 lots × /));
  await row.getByRole("button", { expanded: false }).click();
  await until(
    () => row.getByRole("list").getByRole("listitem").count(),
    (count) => count === 3,
    "its orders are not listed",
  );
  await row.getByRole("button", { name: "Sell", exact: true }).click();
  const sheet = page.locator("dialog[open]");
  const lots = sheet.getByLabel("Lots", { exact: true });
  await until(
    () => lots.inputValue(),
    (value) => value === "4",
    "not all of it by default",
  );
  await sheet.getByRole("button", { name: "Decrease Lots" }).click();
  await seen(sheet.getByText("Fees of 2 orders"));
  await sheet.getByRole("button", { name: "Review order" }).click();
  await seen(sheet.getByText("Oldest first (2)"));
  await slide(visitor, sheet.getByRole("button", { name: /^Confirm sell/ }));
  await seen(sheet.getByText("Filled", { exact: true }));
  const orders = (await ordersOf(server)).filter(({ code }) => code === "0050").toReversed();
  expect(orders.map(({ closedLots }) => closedLots)).toEqual([1, 2, 0]);
  const shares = orders.reduce((sum, order) => sum + order.closedLots * order.lotShares, 0);
  const average = (orders.reduce((sum, order) => sum + order.closeCents, 0) * 100) / shares;
  await seen(sheet.getByText(`Sell 3 lots at an average of ${typedPrice(Math.round(average))}`));
  await sheet.getByRole("button", { name: "Done" }).click();
  await seen(row.getByText(/0050 · 1 lot × /));
  const realised = orders.reduce((sum, order) => sum + order.profitCents, 0);
  const member = await server.call("readMember", {}, await secondSession(server));
  expect(member.status === 1 && member.data.todayRealisedCents).toBe(realised);

  // The detail shows the position, and leads to its orders.
  await visit(visitor, "/market/stockDetail?code=0050");
  await page
    .getByRole("list", { name: "Positions" })
    .getByRole("link", { name: /Long 1 lot × / })
    .click();
  await seen(named(visitor, "tab", /^Positions/));
  await seen(row.getByRole("button", { expanded: true }));
  expectNoErrors(visitor);
  await visitor.close();
});

test("the rows stay where they are while their figures come: a tap meets what it was meant for", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await page.addInitScript(() => {
    const seen: { text: string; y: number }[] = [];
    Reflect.set(window, "rowsSeen", seen);
    new MutationObserver(() => {
      const [list] = document.querySelectorAll("main ul[aria-label=Positions]");
      const [head] = document.querySelectorAll<HTMLElement>("main dl");
      if (list && head) seen.push({ text: head.innerText, y: list.getBoundingClientRect().y - head.getBoundingClientRect().y });
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  await arrive(visitor, "/trade/index");
  await seen(page.locator("main dl").getByText(/^[+−][\d,]+\.\d\d$/));
  await seen(page.locator("main dl").getByText(/^[+−]?[\d.]+%$/));
  const rows = await page.evaluate(() => Reflect.get(window, "rowsSeen") as { text: string; y: number }[]);
  expect(rows[0]?.text).toContain("--");
  expect([...new Set(rows.map(({ y }) => y))]).toHaveLength(1);
  expectNoErrors(visitor);
  await visitor.close();
});

test("chosen orders of a position are closed, others stay", async () => {
  // Beside the lot that the test before left.
  for (const lots of [2, 3]) await open("0050", lots);
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/trade/index?position=0050:rise:cash");
  const row = page.getByRole("list", { name: "Positions" }).locator(":scope > li").first();
  await row.getByRole("button", { name: "Sell", exact: true }).click();
  const sheet = page.locator("dialog[open]");
  await sheet.getByRole("radio", { name: "Choose orders" }).check({ force: true });
  for (const name of [/ 1 lot × /, / 2 lots × /]) await sheet.getByRole("checkbox", { name }).uncheck();
  await until(
    () => sheet.getByLabel("Lots", { exact: true }).inputValue(),
    (value) => value === "3",
    "the number does not follow the choice",
  );
  await sheet.getByRole("button", { name: "Review order" }).click();
  await seen(sheet.getByText("Chosen orders (1)"));
  await slide(visitor, sheet.getByRole("button", { name: /^Confirm sell/ }));
  await seen(sheet.getByText("Filled", { exact: true }));
  const [newest, older] = await ordersOf(server);
  expect([newest?.closedLots, older?.closedLots]).toEqual([3, 0]);
  expectNoErrors(visitor);
  await visitor.close();
});

test("today's executions have a tab: what was done, its costs and what it realised, and new ones appear at once", async () => {
  await open("0050", 3);
  const [opened] = await ordersOf(server);
  if (!opened) throw new Error("nothing was opened");
  const { code, direction, funding, dayTrade, lotShares, orderNo } = opened;
  const shares = 3 * lotShares;
  const body = { code, direction, funding, dayTrade, shares, pricing: "market" as const, price: null, orderNos: [orderNo] };
  const closed = await server.call("closePosition", { ...body, requestId: RequestId.parse(randomUUID()) }, await secondSession(server));
  if (closed.status !== 1) throw new Error(closed.msg);
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/trade/index");
  await named(visitor, "tab", "Executions").click();
  const rows = page.getByRole("list", { name: "Executions" }).getByRole("listitem");
  await seen(rows);
  const before = await rows.count();
  const reply = await server.call("listFills", {}, await secondSession(server));
  if (reply.status !== 1) throw new Error(reply.msg);
  expect(before).toBe(reply.data.fills.length);
  const close = reply.data.fills.find(({ side }) => side === "close");
  if (!close) throw new Error("nothing was closed");
  const sold = rows.nth(reply.data.fills.indexOf(close));
  await seen(sold.getByText("Sell", { exact: true }));
  expect(await sold.innerText()).toContain(`3 lots × ${typedPrice(close.price)}`);
  expect(await sold.innerText()).toMatch(/Cash\s+\d\d:\d\d:\d\d\s+Fee and tax [\d,.]+\s+Realised profit\/loss/);
  await open("2881", 2, "fall");
  const first = rows.first();
  await seen(first.getByText(/^2881 /));
  await seen(first.getByText("Sell short", { exact: true }));
  expect(await rows.count()).toBe(before + 1);
  await first.getByRole("link").click();
  await until(
    () => page.url(),
    (url) => url.includes("/trade/positionDetail?orderNo="),
    "a row does not lead to its order",
  );
  expectNoErrors(visitor);
  await visitor.close();
});

test.each([
  ["upright", PHONE],
  ["on its side", { width: 640, height: 360 }],
  ["on its side and long", { width: 844, height: 390 }],
])("a phone %s shows the five levels, the chart and what is held at once", async (_how, size) => {
  const visitor = await newPage({ origin: server.url, size, language: "zu" });
  const { page } = visitor;
  await arrive(visitor, "/market/stockDetail?code=2330");
  const foot = page.locator("main button[class]").last();
  const last = page.locator("[data-level=bids4]");
  await until(
    () => last.innerText(),
    (text) => /\d/.test(text),
    "no five levels",
  );
  await seen(page.locator("main a[href*='position=2330']"));
  const chart = page.locator(".tv-lightweight-charts");
  await seen(chart);
  const bottom = (await foot.boundingBox())?.y ?? 0;
  for (const name of ["bids4", "asks4"]) {
    const level = page.locator(`[data-level=${name}]`);
    // The page settles with the first quotes.
    await until(
      () => level.boundingBox(),
      (box) => (box?.y ?? size.height) + (box?.height ?? 0) <= bottom,
      `the level is below the keys at ${bottom}`,
    );
    // Price and size are whole.
    expect(await level.evaluate((button) => button.scrollWidth <= button.clientWidth)).toBe(true);
  }
  const box = await chart.boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(90);
  expect((box?.y ?? size.height) + (box?.height ?? 0)).toBeLessThanOrEqual(bottom);
  expectNoErrors(visitor);
  await visitor.close();
});

test("exits of a position are set on all of its orders in one step, and all of it is reversed in one", async () => {
  await open("0050", 1, "fall");
  await open("0050", 2, "fall");
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/trade/index?position=0050:fall:cash");
  const row = page.getByRole("list", { name: "Positions" }).locator(":scope > li").first();
  await row.getByRole("button", { name: "Stop-loss and take-profit" }).click();
  const sheet = page.locator("dialog[open]");
  await seen(sheet.getByText(/Short · 0050 .* · 3 lots/));
  await sheet.getByRole("switch", { name: /^Stop/ }).click();
  await sheet.getByRole("button", { name: "Set the conditions" }).click();
  await sheet.waitFor({ state: "hidden" });
  const [second, first] = (await ordersOf(server)).filter(({ direction }) => direction === "fall");
  const reply = await server.call("listConditions", { orderNo: null }, await secondSession(server));
  if (reply.status !== 1) throw new Error(reply.msg);
  const waiting = reply.data.conditions.filter(({ status, kind }) => status === "waiting" && kind === "stop");
  expect(waiting.map(({ orderNo }) => orderNo).toSorted()).toEqual([first?.orderNo, second?.orderNo]);
  expect(new Set(waiting.map(({ price }) => price)).size).toBe(1);

  await row.getByRole("button", { name: "Reverse" }).click();
  await seen(sheet.getByText("3 lots · At market"));
  await slide(visitor, sheet.getByRole("button", { name: "Reverse" }));
  await until(
    async () => (await ordersOf(server)).filter(({ direction, status }) => direction === "fall" && status === "closed").length,
    (count) => count === 2,
    "not both orders were closed",
  );
  const [newest] = await ordersOf(server);
  expect(newest).toMatchObject({ code: "0050", direction: "rise", lots: 3, funding: "cash" });
  expectNoErrors(visitor);
  await visitor.close();
});
