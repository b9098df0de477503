/** Securities lending on the phone: shares are lent to a borrower, recalled and paid for; others are offered at an own rate and taken back. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import type { LendingDemand } from "#contract/lending.ts";
import { PlaceOrderBody } from "#contract/order.ts";
import { closePages, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import type { TestServer } from "#tests/support/server.ts";
import { uuid } from "#tests/support/uuid.ts";
import { openPhone, passTo, signAs, startMovedServer } from "./moved-time.ts";
import { expectNoErrors, named, secondSession, seen, until } from "./steps.ts";

const LOTS = 3;
/** A little more than a session of compressed hours. */
const SESSION_MS = 11 * MINUTE_MS;

let server: TestServer;
beforeAll(async () => {
  server = await startMovedServer();
});
afterAll(async () => {
  await closePages();
  await server.stop();
  vi.restoreAllMocks();
});

async function openMarket(visitor: Visit): Promise<void> {
  let at = Date.now();
  while (server.venue.phase(at) !== "open" || server.venue.phase(at + MINUTE_MS) !== "open") at += MINUTE_MS / 4;
  await passTo(visitor, at);
  await until(
    () => server.venue.phase(Date.now()),
    (phase) => phase === "open",
    "the market did not open",
  );
}

/** Buys lots that a borrower asks for, the cheapest that are sold at once. */
async function buyAsked(): Promise<LendingDemand> {
  const member = await secondSession(server);
  const market = await server.call("readLendingMarket", {}, member);
  if (market.status !== 1) throw new Error(market.msg);
  const fits = market.data.demands.filter(
    ({ left, referencePrice, minimumCents }) => left >= LOTS && referencePrice * 10 * (LOTS - 1) >= minimumCents,
  );
  for (const demand of fits.toSorted((a, b) => a.referencePrice - b.referencePrice)) {
    const ticket = { requestId: uuid(), code: demand.code, direction: "rise", pricing: "market", price: null, lots: LOTS, validity: "fok" };
    const bought = await server.call("placeOrder", PlaceOrderBody.parse(ticket), member);
    if (bought.status === 1 && bought.data.status === "holding") return demand;
  }
  throw new Error("nothing that is asked for could be bought");
}

test("shares are lent and recalled, others offered and taken back", async () => {
  const visitor = await openPhone(server);
  const { page } = visitor;
  const main = page.locator("main:visible");
  await visit(visitor, "/home/coupons");
  await openMarket(visitor);
  const { code, demandId } = await buyAsked();
  await main
    .getByRole("list", { name: "For what you hold" })
    .getByRole("link", { name: new RegExp(code) })
    .click();
  await seen(main.getByText("You cannot lend yet"));
  // Signed on another device: the open form begins to work.
  await signAs(server, "lending");
  await page.getByLabel("Lots to lend", { exact: true }).fill("9");
  await named(visitor, "button", "Lend").click();
  await seen(main.getByText(/more than|exceed/i));
  await page.getByLabel("Lots to lend", { exact: true }).fill(String(LOTS - 1));
  await named(visitor, "button", "Lend").click();
  await seen(main.getByText("In progress", { exact: true }).last());
  expect(page.url()).not.toContain(demandId);

  await visit(visitor, "/home/coupons?demand=own");
  await page.getByLabel("Lots to lend", { exact: true }).fill("1");
  await page.getByLabel("My rate, % a year", { exact: true }).fill("0.1");
  await named(visitor, "button", "Offer").click();
  await named(visitor, "button", "Withdraw the offer").click();
  await page.locator("dialog[open]").getByRole("button", { name: "Withdraw the offer" }).click();
  await named(visitor, "button", "Ask for them back").click();
  await page.locator("dialog[open]").getByRole("button", { name: "Ask for them back" }).click();
  await seen(main.getByText("Recalled", { exact: true }));

  const member = await secondSession(server);
  const isBack = async (): Promise<boolean> => {
    const list = await server.call("listLendings", { cursor: null }, member);
    return list.status === 1 && list.data.items.every(({ status }) => status === "completed" || status === "withdrawn");
  };
  // The notice is ten days at most.
  await passTo(visitor, Date.now() + 10 * SESSION_MS);
  await until(isBack, (back) => back, "the shares did not come back");
  await page
    .getByRole("radio", { name: "Completed" })
    .or(page.getByRole("button", { name: "Completed" }))
    .first()
    .click();
  await seen(main.getByText("You asked for them back."));
  await seen(main.getByText("Paid to you"));
  await named(visitor, "link", "To the position").first().click();
  await seen(main.getByText("Lending fees"));
  expectNoErrors(visitor);
});
