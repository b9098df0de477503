/** Futures on the phone: the notice is signed, money is moved into the wallet, a lot is bought at the quote, seen, and closed. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, newPage, signIn, visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { expectNoErrors, seen, signByName } from "./steps.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  await closePages();
  await server.stop();
});

test("a lot is bought on margin, seen, and closed", async () => {
  const visitor = await newPage({ origin: server.url });
  const session = await signIn(visitor);
  const { page } = visitor;
  const main = page.locator("main:visible");
  await visit(visitor, "/home/allTool");
  await main.getByRole("link", { name: /^Futures/ }).click();
  await seen(main.getByText("You cannot trade futures yet"));
  await main.getByRole("link", { name: "Continue" }).click();
  await signByName(visitor);

  await visit(visitor, "/home/futures");
  const first = main.getByRole("list", { name: "TAIEX futures" }).getByRole("link").first();
  await first.click();
  await seen(main.getByText("You hold none of this contract"));
  // Without money in the wallet the margin is missing, and the form says how much.
  await main.getByRole("button", { name: "Buy", exact: true }).click();
  await seen(main.getByText(/^The futures wallet lacks NT\$/));
  const requestId = randomUUID();
  const body = { requestId, currency: "TWD", from: "securities", to: "futures", amount: 100_000_000 } as const;
  expect(await server.call("transferFunds", body, session)).toMatchObject({ status: 1, data: { toCents: 100_000_000 } });
  await main.getByLabel("Lots", { exact: true }).fill("2");
  await main.getByRole("button", { name: "Buy", exact: true }).click();
  const positions = main.getByRole("list", { name: "Positions" });
  await seen(positions.getByText("2 lots"));
  await seen(positions.getByText("Average price"));
  await positions.getByRole("link", { name: "Close" }).click();
  await main.getByRole("button", { name: "Sell", exact: true }).click();
  await seen(positions.getByText("Closed", { exact: true }));
  await main.getByRole("tab", { name: "Trades" }).click();
  await seen(main.getByRole("list", { name: "Trades" }).getByText(/Sell 2 lots/));
  expectNoErrors(visitor);
});
