/** Every screen, light and dark, on the smallest phone and on a desk: nothing axe objects to, nothing runs off the side, no complaint. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeBrowser, DESK, newPage, PHONE, signIn, visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { blameless, openTicket, review, seen, until } from "./stage.ts";

let server: TestServer;
let orderNo = "";

const OPEN = ["/login/start", "/login/login", "/login/reLogin"];
const screens = (): string[] => [
  "/home/index",
  "/home/stockList",
  "/favorite/index",
  "/favorite/search",
  "/market/stockDetail?code=2330",
  "/trade/index",
  `/trade/positionDetail?orderNo=${orderNo}`,
  "/information/index",
  "/information/setting",
  "/information/changeLang",
  "/information/aboutUs",
  "/information/fundRecord",
  "/lab/ui",
];

/** How far the page runs off the side, in pixels. */
const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

beforeAll(async () => {
  server = await startTestServer();
  const member = await server.enter();
  const reply = await server.call(
    "placeOrder",
    { requestId: crypto.randomUUID(), code: "0050", direction: "rise", pricing: "market", price: null, lots: 1 },
    member,
  );
  if (reply.status !== 1) throw new Error(reply.msg);
  orderNo = reply.data.orderNo;
});

afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

for (const theme of ["light", "dark"] as const) {
  for (const [name, size] of Object.entries({ phone: PHONE, desk: DESK })) {
    test(`${name}, ${theme}`, async () => {
      const visitor = await newPage({ origin: server.url, size, theme });
      const { page } = visitor;
      const look = async (route: string): Promise<void> => {
        await visit(visitor, route);
        await seen(page.locator("main:visible"));
        // A skeleton is shown for at least 300 ms; what is judged is the screen.
        await until(
          () => page.locator("main:visible").innerText(),
          (text) => text.trim().length > 20,
          `${route} stays empty`,
        );
        await page.waitForTimeout(700);
        const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]).analyze();
        const found = violations.map(({ id, nodes }) => `${route} ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
        expect.soft(found).toEqual([]);
        expect.soft(await overflowOf(page), `${route} runs off the side`).toBe(0);
      };
      for (const route of OPEN) await look(route);
      await signIn(visitor);
      for (const route of screens()) await look(route);
      blameless(visitor);
      await visitor.close();
    });
  }
}

for (const language of ["zu", "af", "zh-TW"]) {
  test(`the narrowest phone, in ${language}`, async () => {
    const visitor = await newPage({ origin: server.url, size: { width: 320, height: 568 }, language });
    const { page } = visitor;
    const look = async (route: string): Promise<void> => {
      await visit(visitor, route);
      await seen(page.locator("main:visible"));
      await page.waitForTimeout(700);
      expect.soft(await overflowOf(page), `${route} runs off the side`).toBe(0);
    };
    for (const route of OPEN) await look(route);
    await signIn(visitor);
    for (const route of screens()) await look(route);
    blameless(visitor);
    await visitor.close();
  });
}

test("the ticket and its review fit a 360 x 560 viewport without scrolling", async () => {
  const visitor = await newPage({ origin: server.url, size: { width: 360, height: 560 } });
  await signIn(visitor);
  const ticket = await openTicket(visitor, "0050");
  const fits = (): Promise<boolean> =>
    ticket.evaluate((sheet) =>
      [sheet, ...sheet.querySelectorAll("*")].every(
        (element) => getComputedStyle(element).overflowY === "visible" || element.scrollHeight <= element.clientHeight + 1,
      ),
    );
  await seen(ticket.getByRole("button", { name: "Review order" }));
  expect(await fits()).toBe(true);
  await review(ticket, "Market", 1);
  await seen(ticket.getByRole("button", { name: /Buy rise/ }));
  expect(await fits()).toBe(true);
  await visitor.close();
});
