/** The member's own lines on a chart: a working order, a trigger and a trailing stop are dragged to other prices. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Code, RequestId } from "#contract/kernel/id.ts";
import { onTick, step, tickSize } from "#contract/tick.ts";
import { closePages, newPage } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { arrive, boxOf, expectNoErrors, named, secondSession, seen, slide, until } from "./steps.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

/** A price that the market does not reach while the test lasts, and that the chart of days shows. */
const below = (from: number): number => Array.from({ length: 8 }).reduce((at: number) => step("stock", at, -1), from);

test("a working order's line is dragged to another price, reviewed and amended; a tap opens the same sheet", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/market/stockDetail?code=2330");
  // Its prices span far more than a tick, whatever the day has been like.
  await named(visitor, "button", "Day").click();
  const session = await secondSession(server);
  const instrument = server.venue.instrument("2330");
  const { reference, last } = server.venue.quote(instrument?.row ?? 0);
  const price = below(Math.min(reference, last));
  const placed = await server.call(
    "placeOrder",
    { requestId: RequestId.parse(crypto.randomUUID()), code: Code.parse("2330"), direction: "rise", pricing: "limit", price, lots: 2 },
    session,
  );
  if (placed.status !== 1) throw new Error(placed.msg);
  const { orderNo } = placed.data;
  const tag = page.getByRole("button", { name: /^Change .* 2 lots/ }).first();
  await seen(tag);
  const sheet = page.locator("dialog[open]");
  const field = sheet.getByLabel("Price", { exact: true });
  const typed = async (): Promise<number> => Math.round(Number((await field.inputValue()).replaceAll(",", "")) * 10_000);
  await tag.click();
  await seen(field);
  expect(await typed()).toBe(price);
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "hidden" });

  await tag.hover();
  const box = await boxOf(tag);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.down();
  await page.mouse.move(x, y + 16, { steps: 4 });
  await page.mouse.up();
  await seen(field);
  const wanted = await typed();
  expect(wanted).toBeLessThan(price);
  expect(onTick("stock", wanted)).toBe(true);
  await sheet.getByRole("button", { name: "Change order" }).click();
  await until(
    () => server.call("readOrder", { orderNo }, session),
    (reply) => reply.status === 1 && reply.data.order.price === wanted,
    "the order was not amended",
  );
  await sheet.waitFor({ state: "hidden" });
  await server.call("cancelOrder", { requestId: RequestId.parse(crypto.randomUUID()), orderNo }, session);
  expectNoErrors(visitor);
  await visitor.close();
});

test("a conditional order's trigger and a trailing stop are dragged into their reviews", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/market/stockDetail?code=2330");
  await named(visitor, "button", "Day").click();
  const session = await secondSession(server);
  const instrument = server.venue.instrument("2330");
  const { reference, last } = server.venue.quote(instrument?.row ?? 0);
  const place = async (more: object) => {
    const ticket = { requestId: RequestId.parse(crypto.randomUUID()), code: Code.parse("2330"), direction: "rise" as const, lots: 1 };
    const reply = await server.call("placeOrder", { ...ticket, pricing: "market", price: null, ...more }, session);
    if (reply.status !== 1) throw new Error(reply.msg);
    return reply.data;
  };
  const target = below(Math.min(reference, last));
  const waits = await place({ lots: 3, trigger: { kind: "takeProfit", price: target } });
  const tick = tickSize("stock", last);
  const sheet = page.locator("dialog[open]");
  const drag = async (name: RegExp): Promise<void> => {
    const tag = page.getByRole("button", { name }).first();
    await seen(tag);
    await tag.hover();
    const box = await boxOf(tag);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.down();
    await page.mouse.move(x, y + 14, { steps: 4 });
    await page.mouse.up();
  };
  const typed = async (label: string): Promise<number> => {
    const field = sheet.getByLabel(label, { exact: true });
    await seen(field);
    return Math.round(Number((await field.inputValue()).replaceAll(",", "")) * 10_000);
  };

  await drag(/^Change .* 3 lots/);
  const wanted = await typed("Trigger price");
  expect(wanted).toBeLessThan(target);
  expect(onTick("stock", wanted)).toBe(true);
  // At market, so it is confirmed like every market order.
  await slide(visitor, sheet.getByRole("button", { name: "Change order" }));
  await until(
    () => server.call("readOrder", { orderNo: waits.orderNo }, session),
    (reply) => reply.status === 1 && reply.data.order.trigger?.price === wanted && reply.data.order.price === null,
    "the trigger was not moved",
  );
  await sheet.waitFor({ state: "hidden" });
  await server.call("cancelOrder", { requestId: RequestId.parse(crypto.randomUUID()), orderNo: waits.orderNo }, session);

  const held = await place({});
  const exits = [{ kind: "trailing" as const, price: 6 * tick }];
  await server.call("setConditions", { requestId: RequestId.parse(crypto.randomUUID()), orderNo: held.orderNo, exits }, session);
  await drag(/^Change Trailing stop/);
  const distance = await typed("Trailing distance");
  expect(distance).not.toBe(6 * tick);
  await sheet.getByRole("button", { name: "Set the conditions" }).click();
  await until(
    () => server.call("listConditions", { orderNo: held.orderNo }, session),
    (reply) => reply.status === 1 && reply.data.conditions.some(({ status, price }) => status === "waiting" && price === distance),
    "the trailing stop was not changed",
  );
  expectNoErrors(visitor);
  await visitor.close();
});
