/** A price alert's whole way: set a tick away, fired by the price, a dot on the bell, read in the inbox, the dot gone. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Instrument } from "#contract/instrument.ts";
import { typedPrice } from "#contract/kernel/money.ts";
import { step } from "#contract/tick.ts";
import { closeBrowser, newPage, visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { arrive, blameless, movePrice, named, seen, until } from "./stage.ts";

const CODE = "2330";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await closeBrowser();
  await server.stop();
});

test("an alert fires, is told of at the bell, and is read", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await server.call("readAllMessages", {}, await server.enter());
  await arrive(visitor, "/home/index");
  await seen(named(visitor, "link", "Messages"));

  const { venue } = server;
  const bell = named(visitor, "link", /^Messages, \d+ unread$/);
  const dialog = page.locator("dialog[open]");
  /** Set an alert a tick above or below the last price, as a member does; what is reached already is refused at the field. */
  const set = async ({ row, kind, decimals }: Instrument, way: 1 | -1): Promise<void> => {
    await named(visitor, "button", /^Price alerts of/).click();
    await page.getByRole("button", { name: way > 0 ? "Price above" : "Price below" }).click();
    const level = typedPrice(step(kind, venue.quote(row).last, way), decimals);
    await page.getByLabel(way > 0 ? "Price to rise to" : "Price to fall to", { exact: true }).fill(level);
    await page.getByRole("button", { name: "Set alert" }).click();
    await until(
      async () => (await dialog.count()) === 0 || (await dialog.getByText("reached already").isVisible()),
      (told) => told,
      "the alert was neither set nor refused",
    );
    if ((await dialog.count()) > 0) await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
  };
  const instrument = venue.instrument(CODE);
  if (!instrument) throw new Error(`no ${CODE}`);
  await visit(visitor, `/market/stockDetail?code=${CODE}`);
  await set(instrument, 1);
  await set(instrument, -1);
  await visit(visitor, "/home/index");
  movePrice(server, CODE, 3);
  await seen(bell);
  // No more of them, while those that fired are read.
  const member = await server.enter();
  const alerts = await server.call("listAlerts", {}, member);
  if (alerts.status !== 1) throw new Error(alerts.msg);
  for (const { id, status } of alerts.data.alerts) if (status === "waiting") await server.call("withdrawAlert", { id }, member);

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
      "opening a message does not read it",
    );
  }
  await visit(visitor, "/home/index");
  await seen(named(visitor, "link", "Messages"));
  expect(await bell.count()).toBe(0);

  await visit(visitor, "/information/alerts");
  await seen(page.getByRole("heading", { name: "Fired" }));
  blameless(visitor);
  await visitor.close();
});
