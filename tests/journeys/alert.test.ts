/** The life of a price alert: set some ticks away, fired by the price, shown at the bell, read in the inbox. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { typedPrice } from "#contract/kernel/money.ts";
import { step } from "#contract/tick.ts";
import { closePages, newPage, visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { arrive, expectNoErrors, movePrice, named, seen, until } from "./steps.ts";

const CODE = "2330";
const TICKS_AWAY = 5;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

test("an alert fires, shows at the bell, and is read", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await server.call("readAllMessages", {}, await server.enter());
  await arrive(visitor, "/home/index");
  await seen(named(visitor, "link", "Messages"));

  const { venue } = server;
  const bell = named(visitor, "link", /^Messages, \d+ unread$/);
  const dialog = page.locator("dialog[open]");
  const instrument = venue.instrument(CODE);
  if (!instrument) throw new Error(`no ${CODE}`);
  const { row, kind, decimals } = instrument;
  await visit(visitor, `/market/stockDetail?code=${CODE}`);
  await named(visitor, "button", /^Price alerts of/).click();
  await page.getByRole("button", { name: "Price above" }).click();
  // High enough that the market does not reach it while it is being typed.
  let level: number = venue.quote(row).last;
  for (let tick = 0; tick < TICKS_AWAY; tick += 1) level = step(kind, level, 1);
  await page.getByLabel("Price to rise to", { exact: true }).fill(typedPrice(level, decimals));
  await page.getByRole("button", { name: "Set alert" }).click();
  await dialog.waitFor({ state: "hidden" });
  await visit(visitor, "/home/index");
  expect(await bell.count()).toBe(0);
  movePrice(server, CODE, 2 * TICKS_AWAY);
  await seen(bell);

  await bell.click();
  const messages = page.getByRole("list", { name: "Messages" }).getByRole("link");
  await seen(messages);
  const unread = page.locator("[data-unread]");
  for (let left = await unread.count(); left > 0; left -= 1) {
    await unread.first().click();
    await seen(page.locator("main:visible article"));
    await page.goBack();
    await until(
      () => unread.count(),
      (count) => count === left - 1,
      "opening a message did not mark it as read",
    );
  }
  await visit(visitor, "/home/index");
  await seen(named(visitor, "link", "Messages"));
  expect(await bell.count()).toBe(0);

  await visit(visitor, "/information/alerts");
  await seen(page.getByRole("heading", { name: "Triggered" }));
  expectNoErrors(visitor);
  await visitor.close();
});
