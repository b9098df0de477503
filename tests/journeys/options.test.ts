/** Options on the phone: the notice is signed, a call is bought after its payoff was shown, seen and closed; a put is sold and its margin seen. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, newPage, signIn, visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { expectNoErrors, named, seen, signByName } from "./steps.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await closePages();
  await server.stop();
});

test("a call is bought and closed, and a put is sold on margin", async () => {
  const visitor = await newPage({ origin: server.url });
  const session = await signIn(visitor);
  const { page } = visitor;
  const main = page.locator("main:visible");
  await visit(visitor, "/home/allTool");
  await main.getByRole("link", { name: /^Options/ }).click();
  await seen(main.getByText("You cannot trade options yet"));
  await main.getByRole("link", { name: "Continue" }).click();
  await signByName(visitor);

  await visit(visitor, "/home/options");
  const chain = main.getByRole("list", { name: /^Chain / });
  const middle = chain.locator("[data-middle]");
  // The strike at the money is in view, and the worker has priced it.
  await expect.poll(async () => (await middle.boundingBox())?.y ?? -1).toBeGreaterThan(0);
  // Only the chain was scrolled, not the page with its tabs.
  expect((await main.getByRole("tab", { name: "Chain" }).boundingBox())?.y).toBeGreaterThan(40);
  await seen(middle.getByRole("link", { name: /^Call [\d,]+.* Bid [\d,.]+ Ask [\d,.]+$/ }));
  await named(visitor, "radio", "Delta · IV").press("Space");
  await seen(middle.getByRole("link", { name: /^Put [\d,]+.* Delta −0\.[3-7]\d IV \d+\.\d%$/ }));
  await middle.getByRole("link", { name: /^Call / }).click();

  // Without money in the wallet the order says what it lacks, and the broker refuses it at its field.
  await seen(main.getByText("Not enough in the futures wallet"));
  await main.getByRole("button", { name: "Review" }).click();
  await main.getByRole("button", { name: "Buy now" }).click();
  await seen(main.getByText(/^The futures wallet lacks NT\$[\d,.]+$/));
  await expect.poll(() => main.getByLabel("Lots", { exact: true }).evaluate((field) => field === document.activeElement)).toBe(true);
  await seen(main.getByText(/^If the index is settled at [\d,]+ or lower, you lose TWD [\d,.]+/));
  const requestId = randomUUID();
  const body = { requestId, currency: "TWD", from: "securities", to: "futures", amount: 100_000_000 } as const;
  expect(await server.call("transferFunds", body, session)).toMatchObject({ status: 1, data: { toCents: 100_000_000 } });
  await main.getByLabel("Lots", { exact: true }).fill("0");
  await main.getByRole("button", { name: "Review" }).click();
  await seen(main.getByText(/whole number/i));
  // A typed limit does not change what none would mean.
  await main.getByLabel("Limit in points", { exact: true }).fill("99999");
  await seen(main.getByText("99,999 points"));
  expect(await main.getByText(/^Empty: /).textContent()).not.toContain("99,999");
  await main.getByLabel("Limit in points", { exact: true }).fill("");
  await main.getByLabel("Lots", { exact: true }).fill("2");
  await main.getByRole("button", { name: "Review" }).click();
  await seen(main.getByRole("heading", { name: "Buy 2 lots?" }));
  await seen(main.getByText("Largest loss"));
  await main.getByRole("button", { name: "Buy now" }).click();
  const positions = main.getByRole("list", { name: "Positions" });
  await seen(positions.getByText("2 lots"));
  await seen(positions.getByText("Gain or loss now"));
  await positions.getByRole("link", { name: "Close" }).click();
  await main.getByRole("button", { name: "Review" }).click();
  await seen(main.getByRole("heading", { name: "Sell 2 lots?" }));
  await main.getByRole("button", { name: "Close now" }).click();
  await seen(positions.getByText("Closed", { exact: true }));

  await visit(visitor, "/home/options");
  await chain.locator("[data-middle]").getByRole("link", { name: /^Put / }).click();
  await named(visitor, "radio", "Sell").press("Space");
  await seen(main.getByText(/^The loss of a seller is not limited/));
  await main.getByRole("button", { name: "Review" }).click();
  await seen(main.getByRole("heading", { name: "Sell 1 lot?" }));
  await main.getByRole("button", { name: "Sell now" }).click();
  const sold = positions.locator("li").filter({ hasText: "Open" });
  await seen(sold.getByText("Margin", { exact: true }));
  await main.getByRole("tab", { name: "Trades" }).click();
  const trades = main.getByRole("list", { name: "Trades" });
  await seen(trades.getByText(/Put Sell 1 lot/));
  // Only the closing has made something.
  await seen(trades.getByText(/^Gain that day TWD −[\d,.]+$/));
  expect(await trades.getByText(/^Gain that day/).count()).toBe(1);

  // A put of a lower strike covers it; both are closed as one order, after a review of each leg.
  const chainNow = await server.call("readOptions", { month: null }, session);
  if (chainNow.status !== 1) throw new Error(chainNow.msg);
  const { held, chain: strikes } = chainNow.data;
  const under = strikes.findLast(({ strike }) => strike < (held[0]?.position.strike ?? 0))?.put.code ?? "";
  expect(
    await server.call("openOption", { requestId: randomUUID(), series: under, side: "buy", lots: 1, price: null }, session),
  ).toMatchObject({
    status: 1,
  });
  await main.getByRole("tab", { name: "Positions" }).click();
  await main.getByRole("link", { name: "Close both" }).click();
  await main.getByLabel("Pay at most, in points", { exact: true }).fill("0.1");
  await main.getByRole("button", { name: "Review" }).click();
  await main.getByRole("button", { name: "Close now" }).click();
  await seen(main.getByText(/^Closing both now costs [\d,.]+ points, beyond your limit$/));
  await main.getByLabel("Pay at most, in points", { exact: true }).fill("");
  await main.getByRole("button", { name: "Review" }).click();
  await seen(main.getByRole("heading", { name: "Close 1 lot of each leg?" }));
  await seen(main.getByText("Margin released"));
  await main.getByRole("button", { name: "Close now" }).click();
  await expect.poll(() => positions.getByText("Closed", { exact: true }).count()).toBe(3);
  await expect.poll(() => main.getByRole("link", { name: "Close both" }).count()).toBe(0);
  await main.getByRole("tab", { name: "Trades" }).click();
  await expect.poll(() => trades.getByText(/^Both legs of one order: U\d+ and U\d+$/).count()).toBe(2);
  expectNoErrors(visitor);
});
