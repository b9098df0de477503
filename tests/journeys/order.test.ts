/** Orders in a browser under failures: one intended order is exactly one order, despite double taps and network errors. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Locator, Route } from "playwright-core";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { dayLimits } from "#contract/tick.ts";
import { typedPrice } from "#contract/kernel/money.ts";
import { orderEndpoints } from "#contract/order-endpoints.ts";
import { closePages, newPage, signIn, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { openNetworkProxy } from "#tests/support/network-proxy.ts";
import type { NetworkProxy } from "#tests/support/network-proxy.ts";
import { expectNoErrors, enabled, named, openTicket, ordersOf, recordToasts, review, seen, unknownCommands, until } from "./steps.ts";

let server: TestServer;
let proxy: NetworkProxy;
let visitor: Visit;
let before = 0;

const PLACE = `**${BASE_PATH}${orderEndpoints.placeOrder.path}`;

beforeAll(async () => {
  server = await startTestServer();
  proxy = await openNetworkProxy(server.port);
});

afterAll(async () => {
  await closePages();
  await proxy.close();
  await server.stop();
});

beforeEach(async () => {
  before = (await ordersOf(server)).length;
  visitor = await newPage({ origin: proxy.url });
  await signIn(visitor);
});

afterEach(() => visitor.close());

/** The day's limit-down price: a buy order at this price stays in the order book. */
function restingPrice(code: string): string {
  const instrument = server.venue.instrument(code);
  if (!instrument) throw new Error(`no ${code}`);
  const limits = dayLimits(instrument, server.venue.quote(instrument.row).reference);
  return typedPrice(limits?.down ?? 0, instrument.decimals);
}

/** A reviewed ticket, ready to be confirmed with one button. */
async function reviewed(code: string, lots = 1): Promise<{ ticket: Locator; confirm: Locator }> {
  const ticket = await openTicket(visitor, code);
  await review(ticket, "Limit", lots, restingPrice(code));
  const confirm = ticket.getByRole("button", { name: "Confirm buy" });
  await enabled(confirm);
  return { ticket, confirm };
}

/** Chooses among the ticket's options, and returns to the order. */
async function choose(ticket: Locator, ...choices: string[]): Promise<void> {
  await ticket.getByRole("button", { name: /^Order options/ }).click();
  for (const choice of choices) await ticket.getByRole("radio", { name: choice, exact: true }).check({ force: true });
  await ticket.getByRole("button", { name: "Back to the order" }).click();
}

/** The number of orders placed since the test started, once the page knows the outcome of everything it sent. */
async function placed(): Promise<number> {
  await until(
    () => unknownCommands(visitor),
    (count) => count === 0,
    "a command is still pending",
  );
  return (await ordersOf(server)).length - before;
}

test("a limit order stays in the book, is cancelled, and its hold is released", async () => {
  const { ticket, confirm } = await reviewed("2317", 2);
  await confirm.click();
  await seen(ticket.getByText("Order working"));
  await seen(ticket.getByText(/^Buy 2 lots at \d/));
  await ticket.getByRole("button", { name: "Done" }).click();
  await visit(visitor, "/trade/index");
  await visitor.page.getByRole("tab", { name: /^Working/ }).click();
  await seen(visitor.page.locator("main:visible").getByText("2317"));
  await named(visitor, "button", /^Cancel/)
    .first()
    .click();
  await visitor.page.locator("dialog[open]").getByRole("button", { name: "Yes, cancel it" }).click();
  const [order] = await until(
    () => ordersOf(server),
    ([newest]) => newest?.status === "cancelled",
    "not cancelled",
  );
  // Its row is gone: the list it was in has the focus.
  await seen(visitor.page.locator("[role=tabpanel]:focus"));
  expect(order).toMatchObject({ code: "2317", heldCents: 0 });
  await visitor.page.getByRole("tab", { name: /^Cancelled/ }).click();
  await seen(visitor.page.locator("main:visible").getByText("2317"));
  expectNoErrors(visitor);
});

test("an odd-lot order is entered in shares and matched in the odd-lot auction", async () => {
  const ticket = await openTicket(visitor, "0050");
  await ticket.getByRole("button", { name: "Lots: switch to Shares" }).click();
  // Securities have no minimum value: the default of one share is accepted.
  await until(
    () => ticket.getByLabel("Shares", { exact: true }).inputValue(),
    (shares) => shares === "1",
    "the default is not one share",
  );
  // Odd lots allow no market orders, and the ticket says so.
  expect(await ticket.getByRole("radio", { name: "Market" }).isDisabled()).toBe(true);
  await seen(ticket.getByText("Odd lots take only limit orders good for the day"));
  const instrument = server.venue.instrument("0050");
  const limits = instrument && dayLimits(instrument, server.venue.quote(instrument.row).reference);
  await ticket.getByLabel("Price", { exact: true }).fill(typedPrice(limits?.up ?? 0, instrument?.decimals));
  await ticket.getByLabel("Shares", { exact: true }).fill("30");
  const done = ticket.getByRole("button", { name: "Done", exact: true });
  if (await done.isVisible()) await done.click();
  await ticket.getByRole("button", { name: "Review order" }).click();
  await seen(ticket.getByText("30 shares", { exact: true }));
  const confirm = ticket.getByRole("button", { name: "Confirm buy" });
  await enabled(confirm);
  await confirm.click();
  const [order] = await until(
    () => ordersOf(server),
    ([newest]) => newest?.market === "odd" && newest.status === "holding",
    "the odd-lot auction did not take place",
    120_000,
  );
  expect(order).toMatchObject({ lots: 30, lotShares: 1, filledLots: 30 });
  await visit(visitor, `/trade/positionDetail?orderNo=${order?.orderNo}`);
  await seen(visitor.page.getByText("The one price of the odd-lot auction").first());
  expectNoErrors(visitor);
});

test("an IOC order fills what is available and shows the rest as cancelled", async () => {
  const ticket = await openTicket(visitor, "2412");
  await choose(ticket, "IOC");
  await review(ticket, "Limit", 1, restingPrice("2412"));
  const confirm = ticket.getByRole("button", { name: "Confirm buy" });
  await enabled(confirm);
  await confirm.click();
  await seen(ticket.getByText("Not filled: cancelled"));
  const [order] = await ordersOf(server);
  expect(order).toMatchObject({ code: "2412", validity: "ioc", status: "cancelled", heldCents: 0 });
  expectNoErrors(visitor);
});

test("a resting order is amended to fewer lots and another price from its row", async () => {
  const { ticket, confirm } = await reviewed("1301", 3);
  await confirm.click();
  await seen(ticket.getByText("Order working"));
  await ticket.getByRole("button", { name: "Done" }).click();
  await visit(visitor, "/trade/index");
  await visitor.page.getByRole("tab", { name: /^Working/ }).click();
  await named(visitor, "button", /^More for 1301/)
    .first()
    .click();
  const dialog = visitor.page.locator("dialog[open]");
  await dialog.getByRole("button", { name: "Change order" }).click();
  const lots = dialog.getByLabel("Lots", { exact: true });
  await seen(lots);
  await lots.fill("2");
  await dialog.getByRole("button", { name: "Increase Price" }).click();
  await dialog.getByRole("button", { name: "Change order" }).click();
  const [order] = await until(
    () => ordersOf(server),
    ([newest]) => newest?.lots === 2,
    "not amended",
  );
  expect(order).toMatchObject({ code: "1301", status: "pending" });
  expect(typedPrice(order?.price ?? 0)).not.toBe(restingPrice("1301"));
  await visit(visitor, `/trade/positionDetail?orderNo=${order?.orderNo}`);
  await seen(visitor.page.getByRole("listitem").filter({ hasText: "Changed" }));
  expectNoErrors(visitor);
});

test("a double tap places one order", async () => {
  let sent = 0;
  await visitor.page.route(PLACE, (route: Route) => {
    sent += 1;
    return route.continue();
  });
  const { ticket, confirm } = await reviewed("2330");
  await confirm.dblclick();
  await seen(ticket.getByText("Order working"));
  expect(await placed()).toBe(1);
  expect(sent).toBe(1);
  expectNoErrors(visitor);
});

test("a held Enter confirms no market order; a second press does", async () => {
  const ticket = await openTicket(visitor, "0050");
  await review(ticket, "Market", 1);
  const track = ticket.getByRole("button", { name: /Confirm buy/ });
  await enabled(track);
  await track.focus();
  const { keyboard } = visitor.page;
  // Every keydown without a keyup in between is a repeat.
  for (let nth = 0; nth < 10; nth += 1) await keyboard.down("Enter");
  await seen(ticket.getByRole("button", { name: /press again/ }));
  await keyboard.up("Enter");
  expect(await placed()).toBe(0);
  await keyboard.press("Enter");
  await seen(ticket.getByText("Filled", { exact: true }));
  expect(await placed()).toBe(1);
  expectNoErrors(visitor);
});

test("a lost reply is unknown, not failed, and is queried until it is known", async () => {
  let lost = 0;
  await visitor.page.route(PLACE, async (route: Route) => {
    await route.fetch();
    lost += 1;
    await route.abort("connectionreset");
  });
  const { ticket, confirm } = await reviewed("2454");
  await confirm.click();
  await seen(ticket.getByText("Order working"));
  expect(lost).toBe(1);
  expect(await placed()).toBe(1);
});

test("the push resolves an order before its late reply", async () => {
  const { promise: late, resolve: release } = Promise.withResolvers<void>();
  const { promise: answered, resolve: answer } = Promise.withResolvers<unknown>();
  await visitor.page.route(PLACE, async (route: Route) => {
    const response = await route.fetch();
    answer(await response.json());
    await late;
    await route.fulfill({ response }).catch(() => undefined);
  });
  const { ticket, confirm } = await reviewed("2882");
  await confirm.click();
  expect(await answered, "a refusal is never pushed").toMatchObject({ status: 1 });
  await seen(ticket.getByText("Order working"));
  release();
  expect(await placed()).toBe(1);
  expectNoErrors(visitor);
});

test("a request that never arrived can be sent again and is one order", async () => {
  let dropped = 0;
  await visitor.page.route(PLACE, (route: Route) => {
    dropped += 1;
    return dropped === 1 ? route.abort("connectionrefused") : route.continue();
  });
  const { ticket, confirm } = await reviewed("2603");
  await confirm.click();
  await seen(ticket.getByText("Your order was not received"));
  expect((await ordersOf(server)).length).toBe(before);
  await ticket.getByRole("button", { name: "Send it again" }).click();
  await seen(ticket.getByText("Order working"));
  expect(await placed()).toBe(1);
});

test("an order pending during a reload is resumed and is one order", async () => {
  const { confirm } = await reviewed("2881");
  // The order arrives, but neither its reply nor the push reaches the page before it is gone.
  await visitor.page.route(PLACE, async (route: Route) => {
    proxy.cut();
    const { token = "", account = "" } = route.request().headers();
    const path = new URL(route.request().url()).pathname;
    const headers = { "content-type": "application/json", token, account };
    await fetch(`${server.url}${path}`, { method: "POST", headers, body: route.request().postData() });
  });
  await confirm.click();
  const [order] = await until(
    () => ordersOf(server),
    (orders) => orders.length === before + 1,
    "never arrived",
  );
  const there = visitor.page.url();
  const shownToasts = await recordToasts(visitor);
  await visitor.page.goto("about:blank");
  proxy.restore();
  await visitor.page.goto(there);
  await until(
    () => shownToasts,
    (toasts) => toasts.some((text) => text.includes(`Your order has arrived: ${order?.orderNo}`)),
    "no toast said that it arrived",
  );
  expect(await placed()).toBe(1);
});

test("a tap while offline is one order once online again", async () => {
  const { ticket, confirm } = await reviewed("3008");
  proxy.cut();
  await confirm.click();
  await seen(ticket.getByText("We are checking your order"));
  proxy.restore();
  await seen(ticket.getByText("Order working").or(ticket.getByText("Your order was not received")));
  const again = ticket.getByRole("button", { name: "Send it again" });
  if (await again.isVisible()) await again.click();
  await seen(ticket.getByText("Order working"));
  expect(await placed()).toBe(1);
});
