/** The quick actions of quote rows by finger and by keyboard: swipe, long press, and the menu, to the order ticket. */
import type { CDPSession, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, newPage } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { arrive, boxOf, expectNoErrors, seen, until } from "./steps.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

/** Longer than a long press. */
const HELD_MS = 700;

type Finger = (kind: "touchStart" | "touchMove" | "touchEnd", x: number, y: number) => Promise<unknown>;

async function fingerOf({ context, page }: Visit): Promise<Finger> {
  const session: CDPSession = await context.newCDPSession(page);
  return (type, x, y) => session.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
}

async function centre(row: Locator): Promise<{ x: number; y: number }> {
  const box = await boxOf(row);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Moves a finger in small steps. Sent at once: waiting for each step, a slow machine would turn a swipe into a long press. */
async function drag(finger: Finger, from: { x: number; y: number }, x: number, y: number): Promise<void> {
  const steps = Array.from({ length: 8 }, (_, step) => (step + 1) / 8);
  await Promise.all([
    finger("touchStart", from.x, from.y),
    ...steps.map((part) => finger("touchMove", from.x + x * part, from.y + y * part)),
    finger("touchEnd", 0, 0),
  ]);
}

const rowsOf = ({ page }: Visit): Locator => page.locator("main:visible [data-quote]");
const hash = ({ page }: Visit): Promise<string> => page.evaluate(() => window.location.hash);

/** The ticket is open on a side of an instrument, and its address is the plain one. */
async function expectTicket(visitor: Visit, code: string, side: string): Promise<void> {
  const { page } = visitor;
  const ticket = page.locator("dialog[open]");
  await seen(ticket.getByRole("heading", { name: new RegExp(`^${code}`) }));
  expect(await ticket.getByRole("radio", { name: side, exact: true }).isChecked()).toBe(true);
  await until(
    () => hash(visitor),
    (at) => at === `#/market/stockDetail?code=${code}`,
    "the side is still in the address",
  );
  expect(await page.evaluate(() => (JSON.parse(localStorage.getItem("stockDetail") ?? "{}") as { code?: string }).code)).toBe(code);
}

test("a swipe uncovers the keys of a row, and one opens the ticket", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/favorite/zxList");
  const finger = await fingerOf(visitor);
  const row = rowsOf(visitor).nth(2);
  await seen(row);
  const code = (await row.getAttribute("data-quote")) ?? "";
  const keys = page.locator("[data-row-keys]");
  // The code of the gestures loads after the first screen.
  await until(
    async () => {
      await drag(finger, await centre(row), -160, 3);
      return keys.count();
    },
    (count) => count === 1,
    "the swipe uncovered no keys",
  );
  // A short swipe back leaves them, a longer one covers them.
  await drag(finger, await centre(row.locator("a")), 30, 3);
  expect(await keys.count()).toBe(1);
  await drag(finger, await centre(row.locator("a")), 130, 3);
  await until(
    () => keys.count(),
    (count) => count === 0,
    "the swipe back did not cover the keys",
  );
  await drag(finger, await centre(row), -30, 3);
  expect(await keys.count()).toBe(0);
  await drag(finger, await centre(row), -160, 3);
  await seen(keys);
  expect(await hash(visitor)).toBe("#/favorite/zxList");
  await keys.getByRole("button", { name: "Buy", exact: true }).click();
  await expectTicket(visitor, code, "Buy");
  // Back closes the ticket, then returns to the list, and opens no ticket again.
  await page.goBack();
  await until(
    () => page.locator("dialog[open]").count(),
    (count) => count === 0,
    "Back did not close the ticket",
  );
  await page.goBack();
  await until(
    () => hash(visitor),
    (at) => at === "#/favorite/zxList",
    "Back did not return to the list",
  );
  expectNoErrors(visitor);
  await visitor.close();
});

test("a finger moving up and down scrolls the list", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/favorite/moreList?by=turnover");
  const finger = await fingerOf(visitor);
  const rows = rowsOf(visitor);
  await seen(rows.nth(8));
  await drag(finger, await centre(rows.nth(6)), 8, -200);
  await until(
    () => page.locator("main:visible [role=region]").evaluate((list) => list.scrollTop),
    (top) => top > 50,
    "the list does not scroll",
  );
  expect(await page.locator("[data-row-keys]").count()).toBe(0);
  expectNoErrors(visitor);
  await visitor.close();
});

test("a long press and the context menu key open the menu of a row", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/favorite/zxList");
  const finger = await fingerOf(visitor);
  const row = rowsOf(visitor).first();
  await seen(row);
  const code = (await row.getAttribute("data-quote")) ?? "";
  const menu = page.locator("dialog[open]");

  const { x, y } = await centre(row);
  const press = async (): Promise<number> => {
    await finger("touchStart", x, y);
    await page.waitForTimeout(HELD_MS);
    const opened = await menu.count();
    await finger("touchEnd", x, y);
    return opened;
  };
  // The code of the gestures loads after the first screen.
  await until(
    () => press(),
    (opened) => opened === 1,
    "the menu did not open while the finger was down",
  );
  await seen(menu.getByRole("button", { name: "Buy", exact: true }));
  expect(await hash(visitor)).toBe("#/favorite/zxList");
  await menu.getByRole("button", { name: "Price alert" }).click();
  await seen(page.locator("dialog[open]").nth(1));
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await until(
    () => menu.count(),
    (count) => count === 0,
    "Esc did not close the menu",
  );

  await row.locator("a").focus();
  await row.locator("a").dispatchEvent("contextmenu");
  await menu.getByRole("button", { name: "Sell", exact: true }).click();
  await expectTicket(visitor, code, "Sell");
  expectNoErrors(visitor);
  await visitor.close();
});

test("a swipe over the head of a detail, or its buttons, move through the list it was opened from", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  await arrive(visitor, "/favorite/zxList");
  const rows = rowsOf(visitor);
  await seen(rows.nth(3));
  const codes = await rows.evaluateAll((all) => all.map((one) => one.getAttribute("data-quote") ?? ""));
  const shows = (code: string | undefined): Promise<unknown> =>
    until(
      async () => [
        await hash(visitor),
        await page.evaluate(() => (JSON.parse(localStorage.getItem("stockDetail") ?? "{}") as { code?: string }).code),
      ],
      ([at, stored]) => at === `#/market/stockDetail?code=${code}` && stored === code,
      `the detail is not that of ${code}`,
    );
  await rows.nth(1).locator("a").click();
  await shows(codes[1]);
  const next = page.locator("main:visible").getByRole("button", { name: /^Next: / });
  await next.click();
  await shows(codes[2]);
  // The same button again, by keyboard: it kept the focus.
  await until(
    () => next.evaluate((button) => button === document.activeElement),
    (focused) => focused,
    "the focus was lost",
  );
  // The address is ahead of its page, and a finger that is down while the page comes has not swiped over it.
  const arrives = async (step: () => Promise<unknown>): Promise<void> => {
    const label = () => next.getAttribute("aria-label");
    const before = await label();
    await step();
    await until(label, (now) => now !== null && now !== before, "no other detail came");
  };
  await arrives(() => page.keyboard.press("Enter"));
  await shows(codes[3]);
  const finger = await fingerOf(visitor);
  const head = page.locator("main:visible p:has([data-phase])").first();
  await arrives(async () => drag(finger, await centre(head), 120, 4));
  await shows(codes[2]);
  await drag(finger, await centre(head), -30, 2);
  await drag(finger, await centre(head), -120, 4);
  await shows(codes[3]);
  await page.goBack();
  await until(
    () => hash(visitor),
    (at) => at === "#/favorite/zxList",
    "Back did not return to the list",
  );

  // Opened by its address, a detail is in no list.
  await page.goto(`${server.url}/#/market/stockDetail?code=${codes[1]}`);
  await page.reload();
  await seen(page.getByRole("button", { name: "Buy", exact: true }));
  expect(await next.count()).toBe(0);
  expectNoErrors(visitor);
  await visitor.close();
});
