/** Crypto on the phone: the notice is signed, a fraction of a coin is bought, seen, sold in part, explained and exported. */
import { readFileSync } from "node:fs";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unitsPerWhole } from "#contract/instrument.ts";
import { typedPrice, worth } from "#contract/kernel/money.ts";
import { toTick } from "#contract/tick.ts";
import { closePages, newPage, signIn, visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { enabled, expectNoErrors, named, openTicket, ordersOf, secondSession, seen, until, signByName } from "./steps.ts";

const PER = unitsPerWhole({ kind: "crypto" });

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await closePages();
  await server.stop();
});

/** Fills in a ticket with a limit that trades at once, reviews and confirms it. */
async function send(ticket: Locator, coins: string, label: string, percent: number): Promise<void> {
  await ticket.getByRole("radio", { name: "Limit" }).check({ force: true });
  const row = server.venue.instrument("BTC")?.row ?? -1;
  await ticket.getByLabel("Price", { exact: true }).fill(typedPrice(toTick("crypto", (server.venue.quote(row).last * percent) / 100)));
  await ticket.getByLabel("Coins", { exact: true }).fill(coins);
  const done = ticket.getByRole("button", { name: "Done", exact: true });
  if (await done.isVisible()) await done.click();
  await ticket.getByRole("button", { name: "Review order" }).click();
  await seen(ticket.getByText(new RegExp(`^${coins} coins`)).first());
  await seen(ticket.getByText("Fee", { exact: true }).first());
  const confirm = ticket.getByRole("button", { name: label });
  await enabled(confirm);
  await confirm.click();
}

test("a fraction of a coin is bought, seen, sold in part and exported", async () => {
  const visitor = await newPage({ origin: server.url });
  await signIn(visitor);
  const { page } = visitor;
  const main = page.locator("main:visible");
  await visit(visitor, "/home/allTool");
  await main.getByRole("link", { name: /Crypto/ }).click();
  await seen(main.getByText("Before your first order"));
  await seen(main.getByText("Bitcoin").first());
  // Nothing can be ordered before the risk notice is signed, and the way to it is shown.
  await main.getByRole("link", { name: "Continue" }).click();
  await seen(main.getByText("It is no security", { exact: false }).first());
  await signByName(visitor);

  const buying = await openTicket(visitor, "BTC");
  await send(buying, "0.0015", "Confirm buy", 102);
  const [bought] = await until(
    () => ordersOf(server),
    ([newest]) => newest?.code === "BTC" && newest.status === "holding",
    "not bought",
  );
  if (!bought) throw new Error("not bought");
  expect(bought).toMatchObject({ lots: 150_000, filledLots: 150_000, unitsPerWhole: PER, lotShares: 1, heldCents: 0 });
  const entered = await server.call("listFills", {}, await secondSession(server));
  if (entered.status !== 1) throw new Error(`executions refused: ${entered.msg}`);
  // One order may trade at several prices: its value is the sum of its executions, each rounded up, and the average only describes it.
  const fills = entered.data.fills.filter((fill) => fill.orderNo === bought.orderNo);
  expect(fills.reduce((sum, fill) => sum + fill.lots, 0)).toBe(150_000);
  expect(bought.openCents).toBe(fills.reduce((sum, fill) => sum + worth(fill.price, fill.lots, PER, "up"), 0));
  await visit(visitor, "/trade/index");
  await seen(main.getByText(/0\.0015 coins/).first());

  const selling = await openTicket(visitor, "BTC", "Sell");
  await send(selling, "0.0005", "Confirm sell", 98);
  const [sold] = await until(
    () => ordersOf(server),
    ([newest]) => newest?.closedLots === 50_000,
    "not sold",
  );
  expect(sold).toMatchObject({ status: "holding", filledLots: 150_000, closedLots: 50_000 });
  await visit(visitor, "/trade/index");
  await seen(main.getByText(/0\.001 coins/).first());

  await visit(visitor, "/information/index");
  const [download] = await Promise.all([page.waitForEvent("download"), named(visitor, "button", "Executions").click()]);
  const file = readFileSync(await download.path(), "utf8");
  const lines = file.split("\r\n").filter((line) => line.includes(bought.orderNo));
  expect(lines.map((line) => line.split(",")[5])).toEqual(expect.arrayContaining(["0.0005"]));
  expect(lines.reduce((sum, line) => sum + Math.round(Number(line.split(",")[5]) * PER), 0)).toBe(200_000);
  expectNoErrors(visitor);
});
