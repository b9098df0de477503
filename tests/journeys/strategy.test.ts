/** Strategies on the phone: a rule is read and tested on past prices, run with an amount, seen to trade, paused, resumed and stopped. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { STRATEGY_CODES } from "#contract/strategy.ts";
import { DEMO, closePages, newPage, signIn, visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";
import { FUND_PASSWORD } from "./moved-time.ts";
import { expectNoErrors, named, ordersOf, secondSession, seen, until } from "./steps.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ venue: { codes: sampleUniverse(2, ...STRATEGY_CODES) } });
});
afterAll(async () => {
  await closePages();
  await server.stop();
});

test("a strategy is tested on past prices, run, paused and stopped", async () => {
  const visitor = await newPage({ origin: server.url });
  await signIn(visitor);
  const { page } = visitor;
  const main = page.locator("main:visible");
  await visit(visitor, "/home/allTool");
  await main.getByRole("link", { name: /AI and quant strategies/ }).click();
  await seen(main.getByText(/They promise nothing/));
  await main.getByRole("link", { name: /Learned rule/ }).click();
  await seen(main.getByText(/That is all that “AI” means here/));
  await named(visitor, "button", "Run the test").click();
  await seen(main.getByText(/on simulated past prices. The future can be different./));
  await seen(main.getByText("What it has learned"));
  await seen(main.getByRole("img", { name: /At the end the strategy is worth/ }));

  await seen(main.getByText("You cannot run a strategy yet").first());
  const member = await secondSession(server);
  await server.call("setFundPassword", { current: DEMO.password, fundPassword: FUND_PASSWORD, confirmation: FUND_PASSWORD }, member);
  // One that holds something on nearly every day.
  await visit(visitor, "/home/qcList?strategy=volatility");
  await page.reload();
  await page.getByLabel("Amount, NT$", { exact: true }).fill("99,999");
  await named(visitor, "button", "Start").click();
  await seen(main.getByText(/100,000/).first());
  await page.getByLabel("Amount, NT$", { exact: true }).fill("1,000,000");
  await named(visitor, "button", "Start").click();
  await seen(main.getByText("Running", { exact: true }).last());
  const traded = await until(
    () => ordersOf(server),
    (orders) => orders.some(({ origin }) => origin === "strategy"),
    "nothing was bought",
  );
  expect(traded.filter(({ origin }) => origin === "strategy")).toMatchObject([{ code: STRATEGY_CODES[0], status: "holding" }]);
  await seen(main.getByText("1 bought, 0 sold, 0 left out"));
  await named(visitor, "link", "What it traded").click();
  await main.getByRole("link", { name: /Bought \d+ lots?/ }).click();
  await seen(main.getByText("Strategy").first());

  await visit(visitor, "/home/qcList?part=mine");
  await named(visitor, "button", "Pause").click();
  await seen(main.getByText("Paused", { exact: true }));
  await named(visitor, "button", "Resume").click();
  await seen(named(visitor, "button", "Pause"));
  await named(visitor, "button", "Stop and keep").click();
  await page.locator("dialog[open]").getByRole("button", { name: "Stop and keep" }).click();
  await seen(main.getByText("No strategy is running"));
  expect((await ordersOf(server)).filter(({ origin }) => origin === "strategy")).toMatchObject([{ status: "holding" }]);
  expectNoErrors(visitor);
});
