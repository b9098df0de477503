/** Orders in a browser under bad luck: whatever the thumb or the network does, one wish is exactly one order. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Locator, Route } from "playwright-core";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { dayLimits } from "#contract/tick.ts";
import { typedPrice } from "#contract/kernel/money.ts";
import { orderEndpoints } from "#contract/ordering.ts";
import { closeBrowser, newPage, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { layWire } from "#tests/support/wire.ts";
import type { Wire } from "#tests/support/wire.ts";
import { arrive, blameless, named, openTicket, ordersOf, review, seen, until } from "./stage.ts";

let server: TestServer;
let wire: Wire;
let visitor: Visit;
let before = 0;

const PLACE = `**${BASE_PATH}${orderEndpoints.placeOrder.path}`;

beforeAll(async () => {
  server = await startTestServer();
  wire = await layWire(server.port);
});

afterAll(async () => {
  await closeBrowser();
  await wire.close();
  await server.stop();
});

beforeEach(async () => {
  before = (await ordersOf(server)).length;
  visitor = await newPage({ origin: wire.url });
  await arrive(visitor, "/home/index");
});

afterEach(() => visitor.close());

/** The lowest price of the day: a limit order there rests in the book. */
function restingPrice(code: string): string {
  const instrument = server.venue.instrument(code);
  if (!instrument) throw new Error(`no ${code}`);
  const limits = dayLimits(instrument.kind, server.venue.quote(instrument.row).reference);
  return typedPrice(limits?.down ?? 0, instrument.decimals);
}

/** A ticket reviewed and ready to be confirmed with one button. */
async function reviewed(code: string, lots = 1): Promise<{ ticket: Locator; confirm: Locator }> {
  const ticket = await openTicket(visitor, code);
  await review(ticket, "Limit", lots, restingPrice(code));
  const confirm = ticket.getByRole("button", { name: "Buy rise" });
  await seen(confirm);
  await until(
    () => confirm.getAttribute("aria-disabled"),
    (disabled) => disabled !== "true",
    "cannot be confirmed",
  );
  return { ticket, confirm };
}

/** How many orders there are more than when the story began, once nothing moves any more. */
async function placed(): Promise<number> {
  await new Promise((later) => setTimeout(later, 1_500));
  return (await ordersOf(server)).length - before;
}

test("a limit order rests, then is cancelled and its money is back", async () => {
  const { ticket, confirm } = await reviewed("2317", 2);
  await confirm.click();
  await seen(ticket.getByText("In the queue"));
  await ticket.getByRole("button", { name: "Done" }).click();
  await visit(visitor, "/trade/index");
  await visitor.page.getByRole("tab", { name: /^Pending/ }).click();
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
  expect(order).toMatchObject({ code: "2317", heldCents: 0 });
  await visitor.page.getByRole("tab", { name: /^Cancelled/ }).click();
  await seen(visitor.page.locator("main:visible").getByText("2317"));
  blameless(visitor);
});

test("a double tap is one order", async () => {
  const { ticket, confirm } = await reviewed("2330");
  await confirm.dblclick();
  await seen(ticket.getByText("In the queue"));
  expect(await placed()).toBe(1);
  blameless(visitor);
});

test("a lost reply is unknown, not failed, and is asked about until it is known", async () => {
  let lost = 0;
  await visitor.page.route(PLACE, async (route: Route) => {
    await route.fetch();
    lost += 1;
    await route.abort("connectionreset");
  });
  const { ticket, confirm } = await reviewed("2454");
  await confirm.click();
  await seen(ticket.getByText("In the queue"));
  expect(lost).toBe(1);
  expect(await placed()).toBe(1);
});

test("a request that never arrived may be sent again, and is one order", async () => {
  let dropped = 0;
  await visitor.page.route(PLACE, (route: Route) => {
    dropped += 1;
    return dropped === 1 ? route.abort("connectionrefused") : route.continue();
  });
  const { ticket, confirm } = await reviewed("2603");
  await confirm.click();
  await seen(ticket.getByText("Your order was not received"));
  expect(await placed()).toBe(0);
  await ticket.getByRole("button", { name: "Send it again" }).click();
  await seen(ticket.getByText("In the queue"));
  expect(await placed()).toBe(1);
});

test("a reload while the order is on its way resumes, and is one order", async () => {
  const { confirm } = await reviewed("2881");
  // It arrives, and its reply is still on the way when the page goes.
  await visitor.page.route(PLACE, async (route: Route) => void (await route.fetch()));
  await confirm.click();
  const [order] = await until(
    () => ordersOf(server),
    (orders) => orders.length === before + 1,
    "never arrived",
  );
  await visitor.page.reload({ waitUntil: "commit" });
  // The word that it arrived stands for two seconds only: look for it again and again, also while the page is still loading.
  const told = visitor.page.getByText(`Your order has arrived: ${order?.orderNo}`);
  await until(
    () => told.isVisible().catch(() => false),
    (visible) => visible,
    "nobody said that it arrived",
  );
  expect(await placed()).toBe(1);
});

test("a tap while the line is down is one order once it is back", async () => {
  const { ticket, confirm } = await reviewed("3008");
  wire.cut();
  await confirm.click();
  await seen(ticket.getByText("We are checking your order"));
  wire.mend();
  await seen(ticket.getByText("In the queue").or(ticket.getByText("Your order was not received")));
  const again = ticket.getByRole("button", { name: "Send it again" });
  if (await again.isVisible()) await again.click();
  await seen(ticket.getByText("In the queue"));
  expect(await placed()).toBe(1);
});
