/** The main journey on a phone: sign in, watch prices move, buy at market, see the profit change, close, and reconcile every cent. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, DEMO, newPage, visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { expectNoErrors, movePrice, named, openTicket, ordersOf, review, seen, slide, until } from "./steps.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

test("sign in, watch, buy at market, hold, close, reconcile the cash ledger", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;

  await visit(visitor, "/");
  await named(visitor, "link", "Sign in")
    .or(named(visitor, "button", "Sign in"))
    .first()
    .click();
  await page.getByLabel("ID number").first().fill(DEMO.idNumber);
  await page.getByLabel("Password", { exact: true }).fill(DEMO.password);
  await page.getByLabel("Guarantee code").fill(DEMO.guaranteeCode);
  await named(visitor, "button", "Sign in").click();
  await seen(page.getByText("10,000,000.00"));
  await until(
    () => page.evaluate(() => Object.keys(localStorage).toSorted().join()),
    (keys) => keys.includes("account,"),
    "not signed in",
  );

  // The market moves: some price on the list of all stocks changes within a few seconds.
  await visit(visitor, "/home/stockList");
  const list = page.locator("main:visible");
  await seen(list.getByText("台泥"));
  const before = await list.innerText();
  await until(
    () => list.innerText(),
    (now) => now !== before,
    "no price moved",
  );

  const ticket = await openTicket(visitor, "0050");
  await review(ticket, "Market", 2);
  await slide(visitor, ticket.getByRole("button", { name: /Confirm buy/ }));
  await seen(ticket.getByText("Filled", { exact: true }));
  await ticket.getByRole("button", { name: "Done" }).click();

  await visit(visitor, "/trade/index");
  await seen(list.getByText("0050").first());
  const held = await list.innerText();
  movePrice(server, "0050", 4);
  await until(
    () => list.innerText(),
    (now) => now !== held,
    "the profit did not change",
  );
  // The only position shows its orders and its actions at a tap.
  await named(visitor, "button", /0050/).click();
  await named(visitor, "button", "Sell").click();
  const closing = page.locator("dialog[open]");
  await seen(closing);
  await closing.getByRole("radio", { name: "Market" }).check({ force: true });
  await closing.getByRole("button", { name: "Review order" }).click();
  await slide(visitor, closing.getByRole("button", { name: /^Confirm sell/ }));
  const [order] = await until(
    () => ordersOf(server),
    ([newest]) => newest?.status === "closed",
    "the order did not close",
  );
  expect(order).toMatchObject({ code: "0050", lots: 2, filledLots: 2, closedLots: 2, direction: "rise" });

  // Every cent: the ledger entries other than deposits add up to the realised profit.
  const member = await server.enter();
  const flows = await server.call("listFlows", { kinds: null, cursor: null }, member);
  if (flows.status !== 1) throw new Error(flows.msg);
  const sum = flows.data.items.filter(({ kind }) => kind !== "deposit").reduce((total, { amountCents }) => total + amountCents, 0);
  expect(sum).toBe(order?.profitCents);
  await visit(visitor, "/information/fundRecord");
  await seen(list.getByText("Sold").first());
  await seen(list.getByText("Bought").first());
  expectNoErrors(visitor);
  await visitor.close();
});
