/** Nothing happens silently: orders fill and a position is closed by force while the member looks at another page; settings for sound and vibration. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Asked } from "#contract/endpoints.ts";
import { RequestId } from "#contract/kernel/id.ts";
import type { Order } from "#contract/order.ts";
import { closePages, newPage, PHONE, visit, WIDE } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { arrive, expectNoErrors, movePrice, named, secondSession, seen, until } from "./steps.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

/** The member's other device buys at market. */
async function buyElsewhere(over: Partial<Asked<"placeOrder">> = {}): Promise<Order> {
  const order = {
    requestId: RequestId.parse(randomUUID()),
    code: "2330",
    direction: "rise",
    pricing: "market",
    price: null,
    lots: 2,
    ...over,
  };
  const reply = await server.call("placeOrder", order as Asked<"placeOrder">, await secondSession(server));
  if (reply.status !== 1) throw new Error(reply.msg);
  return reply.data;
}

/** Waits until the page announces what happens. */
async function live({ page }: Visit): Promise<void> {
  await until(
    () => page.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => /\/announcing-/.test(name))),
    Boolean,
    "the announcements were not loaded",
  );
}

test("an order that fills elsewhere is told by toast, badge and inbox", async () => {
  const visitor = await newPage({ origin: server.url, size: PHONE });
  const { page } = visitor;
  await server.call("readAllMessages", {}, await secondSession(server));
  await arrive(visitor, "/home/index");
  await live(visitor);
  const tabs = page.getByRole("navigation");
  const trade = tabs.getByRole("link", { name: /^Trade/ });
  expect(await trade.textContent()).toBe("Trade");

  // The first fact may precede the socket's connection; then the lists have it already, and the next one is told.
  const toast = page.getByRole("status").getByText(/TSMC|Taiwan Semiconductor/);
  await until(
    async () => {
      await buyElsewhere();
      await toast
        .first()
        .waitFor({ state: "visible", timeout: 2_000 })
        .catch(() => undefined);
      return toast.count();
    },
    (count) => count > 0,
    "no toast",
  );
  expect(await toast.first().textContent()).toMatch(/^.+: Buy filled, 2 lots at [\d,.]+$/);
  await seen(tabs.getByRole("link", { name: /^Trade \(\d orders? changed\)$/ }));
  await seen(tabs.getByRole("link", { name: /^Account \(Messages, \d unread\)$/ }));

  // Looking at the orders takes the badge away; the inbox keeps the message, which leads to the order.
  await trade.click();
  await until(
    () => trade.textContent(),
    (text) => text === "Trade",
    "the badge stayed",
  );
  await visit(visitor, "/information/userInfo");
  const row = page.getByRole("list", { name: "Messages" }).getByRole("link", { name: /Buy filled, 2 lots at/ });
  await row.first().click();
  await page.getByRole("link", { name: "View order" }).click();
  await seen(page.locator("main:visible").getByText(/^K\d{12}$/));
  expectNoErrors(visitor);
  await visitor.close();
});

test("a forced close interrupts", async () => {
  const visitor = await newPage({ origin: server.url, size: WIDE });
  const { page } = visitor;
  await arrive(visitor, "/home/newsList");
  await live(visitor);
  await buyElsewhere({ funding: "leverage", leverage: 3, code: "2330", lots: 1 });
  // Half of the margin is lost a sixth below the price; the market itself has not moved.
  movePrice(server, "2330", -300);
  const alarm = page.getByRole("alert").getByText(/^Forced close of/);
  await seen(alarm);
  expect(await alarm.first().textContent()).toMatch(/^Forced close of .+: Sell, 1 lot at [\d,.]+$/);
  await seen(page.getByRole("link", { name: /^Trade \(\d orders? changed\)$/ }));
  expectNoErrors(visitor);
  await visitor.close();
});

test("sound and vibration are the member's choice", async () => {
  const visitor = await newPage({ origin: server.url, size: PHONE });
  await arrive(visitor, "/information/setting");
  const sound = named(visitor, "switch", /^Sound/);
  await seen(sound);
  expect(await sound.isChecked()).toBe(false);
  await sound.click();
  const saved = await until(
    async () => {
      const reply = await server.call("readPreferences", {}, await secondSession(server));
      return reply.status === 1 ? reply.data.sound : null;
    },
    (on) => on === true,
    "the choice was not saved",
  );
  expect(saved).toBe(true);
  expectNoErrors(visitor);
  await visitor.close();
});
