/** Every screen, light and dark, on the smallest phone and on a desk: nothing axe objects to, nothing runs off the side, no complaint. */
import { AxeBuilder } from "@axe-core/playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeBrowser, DESK, newPage, PHONE, signIn, visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { blameless, seen, until } from "./stage.ts";

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
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect.soft(overflow, `${route} runs off the side`).toBe(0);
      };
      for (const route of OPEN) await look(route);
      await signIn(visitor);
      for (const route of screens()) await look(route);
      blameless(visitor);
      await visitor.close();
    });
  }
}
