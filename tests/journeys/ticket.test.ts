/** The ticket as a trader uses it: sides and kinds, selling what is held, shorts by choice only, flash orders, and no review by choice. */
import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from "vitest";
import { USUAL_PREFERENCES } from "#contract/usual-preference.ts";
import { dayLimits } from "#contract/tick.ts";
import { Code, RequestId } from "#contract/kernel/id.ts";
import { typedPrice } from "#contract/kernel/money.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import { tradingDayFrom } from "#server/venue/calendar/trading-calendar.ts";
import { closePages, newPage, signIn, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { boxOf, enabled, expectNoErrors, named, openTicket, ordersOf, review, secondSession, seen, slide, until } from "./steps.ts";

/** A stock whose register closes on the fifth trading day from now: the last day to cover has come. */
const STOPPED = "2603";

let server: TestServer;
let visitor: Visit;

beforeAll(async () => {
  server = await startTestServer();
  const row = server.venue.instrument(STOPPED)?.row ?? -1;
  const day = tradingDayFrom(taipeiDay(Date.now()), 5);
  server.venue.bookClosures = () => [{ row, reason: "dividend", day }];
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

beforeEach(async () => {
  visitor = await newPage({ origin: server.url });
  await signIn(visitor);
});

afterEach(() => visitor.close());

/** The day's limit-down price, at which a purchase rests. */
function lowest(code: string): string {
  const instrument = server.venue.instrument(code);
  if (!instrument) throw new Error(`no ${code}`);
  return typedPrice(dayLimits(instrument, server.venue.quote(instrument.row).reference)?.down ?? 0, instrument.decimals);
}

test("what is held is sold by the sell side, with the price it got; more than is held is refused at the lots", async () => {
  const buying = await openTicket(visitor, "0050");
  await review(buying, "Market", 2);
  await slide(visitor, buying.getByRole("button", { name: /Confirm buy/ }));
  await seen(buying.getByText("Filled", { exact: true }));
  await seen(buying.getByText(/2 of 2 lots at an average of \d/));
  await buying.getByRole("button", { name: "Done" }).click();
  const [bought] = await ordersOf(server);
  await until(
    () => Date.now(),
    (now) => now > (bought?.lockedUntil ?? 0),
    "still locked",
    90_000,
  );

  const selling = await openTicket(visitor, "0050", "Sell");
  await seen(selling.getByText("Sells from what you hold: 2 lots"));
  expect(await selling.getByLabel("Lots", { exact: true }).inputValue()).toBe("2");
  await review(selling, "Market", 3);
  await seen(selling.locator("input[aria-invalid=true]:focus"));
  expect((await ordersOf(server)).length).toBe(1);
  // The field of the problem has the focus, and with it the number pad.
  await selling.locator("input:focus").fill("2");
  const done = selling.getByRole("button", { name: "Done", exact: true });
  if (await done.isVisible()) await done.click();
  await selling.getByRole("button", { name: "Review order" }).click();
  const track = selling.getByRole("button", { name: /Confirm sell/ });
  await slide(visitor, track);
  await seen(selling.getByText("Filled", { exact: true }));
  await seen(selling.getByText(/Sell 2 lots at an average of \d/));
  const [order] = await ordersOf(server);
  expect(order).toMatchObject({ code: "0050", direction: "rise", status: "closed", closedLots: 2 });
  expectNoErrors(visitor);
});

test("selling what is not held refuses; a short is opened only by its chip, and says so", async () => {
  const before = (await ordersOf(server)).length;
  const ticket = await openTicket(visitor, "2330", "Sell");
  await seen(ticket.getByText(/You hold none of this kind to sell/));
  await ticket.getByRole("button", { name: "Review order" }).click();
  expect(
    await ticket
      .getByRole("alert")
      .first()
      .evaluate((alert) => alert === document.activeElement),
  ).toBe(true);
  expect((await ordersOf(server)).length).toBe(before);
  await ticket.getByRole("button", { name: "Sell short" }).click();
  await seen(ticket.getByText(/Opens a short/));
  await review(ticket, "Market", 1);
  await seen(ticket.getByText(/Opens a short with borrowed shares/));
  // The review's heading has the focus.
  expect(await ticket.locator("h3:focus").innerText()).toMatch(/Sell short 2330/);
  await slide(visitor, ticket.getByRole("button", { name: /Confirm short sale/ }));
  await seen(ticket.getByText("Filled", { exact: true }));
  const [order] = await ordersOf(server);
  expect(order).toMatchObject({ code: "2330", direction: "fall", status: "holding" });
  await ticket.getByRole("button", { name: "Done" }).click();
  // Buying now buys it back, unless the member chooses to open.
  const covering = await openTicket(visitor, "2330");
  await seen(covering.getByText("Covers your short: 1 lot"));
  await covering.getByRole("button", { name: "Cash", exact: true }).click();
  await covering.getByText("Covers your short: 1 lot").waitFor({ state: "hidden" });
  expectNoErrors(visitor);
});

test("from the last day to cover on a stock takes no new short, and the ticket says so", async () => {
  const ticket = await openTicket(visitor, STOPPED, "Sell");
  await ticket.getByRole("button", { name: "Sell short" }).click();
  await seen(ticket.getByText(/No new shorts before \d{4}\.\d\d\.\d\d \(ex-dividend\)/));
  await review(ticket, "Market", 1);
  await slide(visitor, ticket.getByRole("button", { name: /Confirm short sale/ }));
  await seen(ticket.getByText(/No new short sales before its register closes; again from \d{4}/));
  expect((await ordersOf(server)).filter(({ code }) => code === STOPPED)).toEqual([]);
  expectNoErrors(visitor);
});

test("a purchase that would cover a short opened meanwhile is not reviewed before it was chosen again", async () => {
  const ticket = await openTicket(visitor, "0050");
  await seen(ticket.getByRole("heading", { name: /^0050 \S/ }));
  await ticket.getByLabel("Lots", { exact: true }).fill("2");
  const short = { code: Code.parse("0050"), direction: "fall", pricing: "market", price: null, lots: 2 } as const;
  await server.call("placeOrder", { ...short, requestId: RequestId.parse(crypto.randomUUID()) }, await secondSession(server));
  await seen(ticket.getByText(/would no longer do what you chose: Buy/));
  const done = ticket.getByRole("button", { name: "Done", exact: true });
  if (await done.isVisible()) await done.click();
  await ticket.getByRole("button", { name: "Review order" }).click();
  expect(await ticket.locator("[role=alert]:focus").innerText()).toMatch(/Please choose again/);
  await ticket.getByRole("button", { name: "Continue with: Cover" }).click();
  await ticket.getByText(/Please choose again/).waitFor({ state: "detached" });
  await ticket.getByRole("button", { name: "Review order" }).click();
  await seen(ticket.getByRole("heading", { name: /Please check: Cover/ }));
  expectNoErrors(visitor);
});

test("a flash order is sent by one tap on a price, and undone while it rests", async () => {
  const { page } = visitor;
  await visit(visitor, "/market/stockDetail?code=2317");
  await enabled(named(visitor, "button", "Buy"));
  await named(visitor, "button", "Flash orders").click();
  const sheet = page.locator("dialog[open]");
  await sheet.getByRole("button", { name: "Switch on" }).click();
  // Its risk must be read first.
  await seen(sheet.getByText("Please tick that you understand."));
  await sheet.getByRole("checkbox").check({ force: true });
  await sheet.getByRole("button", { name: "Switch on" }).click();
  await seen(page.getByText("Flash is on: a price sends an order at once"));
  const before = (await ordersOf(server)).length;
  await seen(page.getByText(/Buy · Cash · 1 lot/));
  const level = page.locator("[data-level=bids4]");
  const { height } = await boxOf(page.getByRole("group", { name: "Flash orders" }));
  await level.dblclick();
  await seen(page.getByRole("button", { name: "Cancel order" }));
  // What is sent must not move the prices under the finger.
  expect((await boxOf(page.getByRole("group", { name: "Flash orders" }))).height).toBe(height);
  const [order] = await ordersOf(server);
  expect((await ordersOf(server)).length).toBe(before + 1);
  expect(order).toMatchObject({ code: "2317", direction: "rise", pricing: "limit", lots: 1 });
  await page.getByRole("button", { name: "Cancel order" }).click();
  await until(
    () => ordersOf(server),
    ([newest]) => newest?.status === "cancelled",
    "not cancelled",
  );
  // Of nothing nothing is sold.
  await page.getByRole("group", { name: "Flash orders" }).getByRole("radio", { name: "Sell" }).check({ force: true });
  await page.waitForTimeout(600);
  await level.click();
  await seen(page.getByText("Not sent: you hold nothing to sell"));
  expect((await ordersOf(server)).length).toBe(before + 1);
  await page.getByRole("button", { name: "Switch off" }).click();
  await level.click();
  await seen(page.locator("dialog[open]").getByRole("button", { name: "Review order" }));
  expectNoErrors(visitor);
});

test("a plain limit order up to the member's amount is sent without a review, a larger one is not", async () => {
  const member = await secondSession(server);
  await server.call("savePreferences", { ...USUAL_PREFERENCES, skipReviewCents: 10_000_000 }, member);
  await visitor.close();
  visitor = await newPage({ origin: server.url });
  await signIn(visitor);
  const ticket = await openTicket(visitor, "2412");
  await ticket.getByRole("button", { name: "Lots: switch to Shares" }).click();
  await ticket.getByLabel("Price", { exact: true }).fill(lowest("2412"));
  await ticket.getByLabel("Shares", { exact: true }).fill("500");
  const done = ticket.getByRole("button", { name: "Done", exact: true });
  if (await done.isVisible()) await done.click();
  await ticket.getByRole("button", { name: "Buy now" }).click();
  await seen(ticket.getByText("Order working"));
  expect((await ordersOf(server))[0]).toMatchObject({ code: "2412", market: "odd", lots: 500, status: "pending" });
  await ticket.getByRole("button", { name: "Done" }).click();
  const larger = await openTicket(visitor, "2330");
  await seen(larger.getByRole("button", { name: "Review order" }));
  await server.call("savePreferences", USUAL_PREFERENCES, member);
  expectNoErrors(visitor);
});
