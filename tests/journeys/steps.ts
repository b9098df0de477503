/** Shared steps of the journeys: a real server with a live market, and common actions in the browser. */
import { expect } from "vitest";
import type { Locator } from "playwright-core";
import type { Price } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { step } from "#contract/tick.ts";
import { DEMO_MEMBER } from "#server/ops/seed.ts";
import { signIn, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import type { TestServer } from "#tests/support/server.ts";

/** How long a journey waits for something to appear on a busy machine. */
export const WAIT_MS = 20_000;

/** A control, heading or text by role and English name. */
export function named({ page }: Visit, role: Parameters<Visit["page"]["getByRole"]>[0], name: string | RegExp): Locator {
  return page.getByRole(role, { name, exact: typeof name === "string" });
}

/** Waits until something is visible. */
export async function seen(what: Locator): Promise<void> {
  await what.first().waitFor({ state: "visible", timeout: WAIT_MS });
}

/** Polls until a value is right. @throws with the last value when that takes too long */
export async function until<Value>(
  read: () => Promise<Value> | Value,
  accept: (value: Value) => boolean,
  failure: string,
  limitMs = WAIT_MS,
): Promise<Value> {
  const end = Date.now() + limitMs;
  for (;;) {
    const value = await read();
    if (accept(value)) return value;
    if (Date.now() > end) throw new Error(`${failure}: still ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Where an element is, in CSS pixels, once it is shown: right after a step it may be about to be replaced. */
export async function boxOf(what: Locator): Promise<NonNullable<Awaited<ReturnType<Locator["boundingBox"]>>>> {
  await seen(what);
  const box = await until(
    () => what.boundingBox(),
    (at) => at !== null,
    "the element is not visible",
  );
  if (!box) throw new Error("the element is not visible");
  return box;
}

/** Signs in, opens a route and waits until the app is mounted. */
export async function arrive(visitor: Visit, route: string): Promise<void> {
  await signIn(visitor);
  await visit(visitor, route);
  await seen(visitor.page.locator("main:visible"));
}

const sessions = new WeakMap<TestServer, ReturnType<TestServer["enter"]>>();

/** A second session of the demo member, opened once: a member keeps only the newest, so polling must not open one per call. */
export function secondSession(server: TestServer): ReturnType<TestServer["enter"]> {
  const session = sessions.get(server) ?? server.enter();
  sessions.set(server, session);
  return session;
}

/** The demo member's orders as the server has them, newest first. */
export async function ordersOf(server: TestServer): Promise<Order[]> {
  const member = await secondSession(server);
  const reply = await server.call(
    "listOrders",
    { statuses: ["pending", "holding", "readyToClose", "closed", "cancelled"], cursor: null },
    member,
  );
  if (reply.status !== 1) throw new Error(`orders refused: ${reply.msg}`);
  return reply.data.items;
}

/**
 * From now on an instrument trades some ticks away from its market price, and every subscriber is updated:
 * the sandbox's prices may not move for minutes, and no test may depend on chance.
 */
export function movePrice({ venue }: TestServer, code: string, ticks: number): void {
  const instrument = venue.instrument(code);
  if (!instrument) throw new Error(`no ${code}`);
  const { row, kind } = instrument;
  const quote = venue.quote.bind(venue);
  const direction = ticks < 0 ? -1 : 1;
  venue.quote = (requested) => {
    const now = quote(requested);
    if (requested !== row) return now;
    let { last } = now;
    for (let tick = 0; tick < Math.abs(ticks); tick += 1) last = step(kind, last, direction);
    return { ...now, last };
  };
  // What is published is then later than what members have traded.
  const publicQuote = venue.publicQuote.bind(venue);
  venue.publicQuote = (requested) => {
    const now = publicQuote(requested);
    return requested === row ? { ...now, last: venue.quote(row).last } : now;
  };
  // Consumes nothing, but marks the row as changed.
  const last = quote(row).last as Price;
  venue.consume({ row, side: "buy", limit: null, lots: 1 }, [{ price: last, lots: 0, level: 1, best: last }]);
}

/** The words on the keys of a stock: plain, or what they do to a position in it. */
const KEYS = { Buy: /^(?:Buy|Buy more|Cover)$/, Sell: /^(?:Sell|Sell more short)$/ };

/** Opens a stock's order ticket. @returns the ticket, as a sheet or docked */
export async function openTicket(visitor: Visit, code: string, side: "Buy" | "Sell" = "Buy"): Promise<Locator> {
  await visit(visitor, `/market/stockDetail?code=${code}`);
  const opener = named(visitor, "button", KEYS[side]).first();
  await enabled(opener);
  await opener.click();
  const ticket = visitor.page.locator("dialog[open]");
  await seen(ticket);
  return ticket;
}

/** Fills in a ticket and goes to its review. */
export async function review(ticket: Locator, pricing: "Market" | "Limit", lots: number, price?: string): Promise<void> {
  await ticket.getByRole("radio", { name: pricing }).check({ force: true });
  if (price !== undefined) await ticket.getByLabel("Price", { exact: true }).fill(price);
  await ticket.getByLabel("Lots", { exact: true }).fill(String(lots));
  // The number pad covers the Review button; "Done" hides it.
  const done = ticket.getByRole("button", { name: "Done", exact: true });
  if (await done.isVisible()) await done.click();
  await ticket.getByRole("button", { name: "Review order" }).click();
}

/** Waits until a control is no longer marked as disabled. */
export async function enabled(control: Locator): Promise<void> {
  await until(
    () => control.getAttribute("aria-disabled"),
    (disabled) => disabled !== "true",
    "the control stayed disabled",
  );
}

/** Confirms by sliding, as a thumb does. */
export async function slide(visitor: Visit, track: Locator): Promise<void> {
  await enabled(track);
  const { mouse } = visitor.page;
  const { height } = await boxOf(track);
  // hover() waits until the track is stable; once pressed, the thumb follows the mouse even if the page moves.
  await track.hover({ position: { x: height / 2, y: height / 2 } });
  const box = await boxOf(track);
  await mouse.down();
  await mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 });
  await mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 5 });
  await mouse.up();
}

/** The number of commands the page stores because their outcome is not known yet. */
export const unknownCommands = ({ page }: Visit): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open("kuroshio", 1);
        opening.onerror = () => reject(new Error("IndexedDB could not be opened"));
        opening.onsuccess = () => {
          const database = opening.result;
          const counting = database.transaction("commands").objectStore("commands").count();
          counting.onerror = () => reject(new Error("the commands could not be counted"));
          counting.onsuccess = () => {
            database.close();
            resolve(counting.result);
          };
        };
      }),
  );

/** Records every toast from the next page load on: a toast lasts two seconds, which polling on a busy machine could miss. */
export async function recordToasts({ page }: Visit): Promise<string[]> {
  const texts: string[] = [];
  await page.exposeFunction("recordToast", (text: string) => texts.push(text));
  await page.addInitScript(() => {
    const record: unknown = Reflect.get(window, "recordToast");
    new MutationObserver(() => {
      for (const toast of document.querySelectorAll("[popover] p[data-tone]")) {
        if (typeof record === "function") record(toast.textContent);
      }
    }).observe(document, { childList: true, subtree: true });
  });
  return texts;
}

/** Reloads the page; retries on ERR_ABORTED, because the history step back of a just closed sheet can abort the load. */
export async function reload({ page }: Visit): Promise<void> {
  const once = (): Promise<boolean> =>
    page.reload().then(
      () => true,
      (problem: unknown) => {
        if (!String(problem).includes("ERR_ABORTED")) throw problem;
        return false;
      },
    );
  await until(once, (done) => done, "the page did not reload");
}

/** Asserts that the page had no errors. */
export function expectNoErrors(visitor: Visit): void {
  expect(visitor.errors).toEqual([]);
}

/** Signs the open agreement with the demo member's typed name, by keyboard. */
export async function signByName(visitor: Visit): Promise<void> {
  await named(visitor, "checkbox", "I have read the text to its end").press("Space");
  await named(visitor, "radio", "Type my name").press("Space");
  const field = visitor.page.getByLabel("Your name", { exact: true });
  await field.fill(DEMO_MEMBER.name);
  await field.press("Enter");
  await seen(
    visitor.page
      .locator("main:visible")
      .getByText(/^Signed /)
      .first(),
  );
}
