/** The stage of the journeys: a real server with a living market, and the moves every story makes in the browser. */
import { expect } from "vitest";
import type { Locator } from "playwright-core";
import type { Price } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { step } from "#contract/tick.ts";
import { signIn, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import type { TestServer } from "#tests/support/server.ts";

/** How long a story waits for something to appear on a busy machine. */
export const PATIENCE_MS = 20_000;

/** The name of a control, a heading or a text on the screen, in English. */
export function named({ page }: Visit, role: Parameters<Visit["page"]["getByRole"]>[0], name: string | RegExp): Locator {
  return page.getByRole(role, { name, exact: typeof name === "string" });
}

/** Wait until something is seen. */
export async function seen(what: Locator): Promise<void> {
  await what.first().waitFor({ state: "visible", timeout: PATIENCE_MS });
}

/** Wait until something is true of the world outside the browser, or say what it was at last. */
export async function until<Value>(
  read: () => Promise<Value> | Value,
  right: (value: Value) => boolean,
  what: string,
  patienceMs = PATIENCE_MS,
): Promise<Value> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const value = await read();
    if (right(value)) return value;
    if (Date.now() > end) throw new Error(`${what}: still ${JSON.stringify(value)}`);
    await new Promise((later) => setTimeout(later, 50));
  }
}

/** Signed in, at a route, the app mounted. */
export async function arrive(visitor: Visit, route: string): Promise<void> {
  await signIn(visitor);
  await visit(visitor, route);
  await seen(visitor.page.locator("main:visible"));
}

/** The demo member's orders as the server has them, newest first. */
export async function ordersOf(server: TestServer): Promise<Order[]> {
  const member = await server.enter();
  const reply = await server.call(
    "listOrders",
    { statuses: ["pending", "holding", "readyToClose", "closed", "cancelled"], cursor: null },
    member,
  );
  if (reply.status !== 1) throw new Error(`orders refused: ${reply.msg}`);
  return reply.data.items;
}

/**
 * From now on an instrument trades some ticks away from where the market has it, and everybody who watches it is told:
 * the sandbox's prices stand still for minutes at times, and no story may wait for luck.
 */
export function movePrice({ venue }: TestServer, code: string, ticks: number): void {
  const instrument = venue.instrument(code);
  if (!instrument) throw new Error(`no ${code}`);
  const { row, kind } = instrument;
  const quote = venue.quote.bind(venue);
  const way = ticks < 0 ? -1 : 1;
  venue.quote = (asked) => {
    const now = quote(asked);
    if (asked !== row) return now;
    let { last } = now;
    for (let tick = 0; tick < Math.abs(ticks); tick += 1) last = step(kind, last, way);
    return { ...now, last };
  };
  // Nothing is taken, but the row counts as changed.
  const last = quote(row).last as Price;
  venue.consume({ row, side: "buy", limit: null, lots: 1 }, [{ price: last, lots: 0, level: 1, best: last }]);
}

/** Open a stock and its ticket; the ticket, whether it rose as a sheet or is docked. */
export async function openTicket(visitor: Visit, code: string, side: "Buy rise" | "Buy fall" = "Buy rise"): Promise<Locator> {
  await visit(visitor, `/market/stockDetail?code=${code}`);
  const opener = named(visitor, "button", side).first();
  await enabled(opener);
  await opener.click();
  const ticket = visitor.page.locator("dialog[open]");
  await seen(ticket);
  return ticket;
}

/** Fill in a ticket up to its review. */
export async function review(ticket: Locator, pricing: "Market" | "Limit", lots: number, price?: string): Promise<void> {
  await ticket.getByRole("radio", { name: pricing }).check({ force: true });
  if (price !== undefined) await ticket.getByLabel("Price", { exact: true }).fill(price);
  await ticket.getByLabel("Lots", { exact: true }).fill(String(lots));
  // A finger's number pad stands where Review stands; "Done" puts it away.
  const done = ticket.getByRole("button", { name: "Done", exact: true });
  if (await done.isVisible()) await done.click();
  await ticket.getByRole("button", { name: "Review order" }).click();
}

/** Wait until a control can be used: it says so itself. */
export async function enabled(control: Locator): Promise<void> {
  await until(
    () => control.getAttribute("aria-disabled"),
    (disabled) => disabled !== "true",
    "a control stays disabled",
  );
}

/** Confirm by sliding, as a thumb does. */
export async function slide(visitor: Visit, track: Locator): Promise<void> {
  await enabled(track);
  const { mouse } = visitor.page;
  const height = (await track.boundingBox())?.height ?? 0;
  // Hovering waits until the track stands still; once held, the thumb follows the mouse wherever the page moves.
  await track.hover({ position: { x: height / 2, y: height / 2 } });
  const box = await track.boundingBox();
  if (!box) throw new Error("nothing to slide on");
  await mouse.down();
  await mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 });
  await mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 5 });
  await mouse.up();
}

/** How many commands the page keeps because it does not know yet what became of them. */
export const unknownCommands = ({ page }: Visit): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open("kuroshio", 1);
        opening.onerror = () => reject(new Error("no database"));
        opening.onsuccess = () => {
          const database = opening.result;
          const counting = database.transaction("commands").objectStore("commands").count();
          counting.onerror = () => reject(new Error("commands cannot be counted"));
          counting.onsuccess = () => {
            database.close();
            resolve(counting.result);
          };
        };
      }),
  );

/** Everything that is said in a toast from the next page on: a toast stands for two seconds, and a busy machine may look away that long. */
export async function recordToasts({ page }: Visit): Promise<string[]> {
  const said: string[] = [];
  await page.exposeFunction("recordToast", (text: string) => said.push(text));
  await page.addInitScript(() => {
    const record: unknown = Reflect.get(window, "recordToast");
    new MutationObserver(() => {
      for (const toast of document.querySelectorAll("[popover] p[data-tone]")) {
        if (typeof record === "function") record(toast.textContent);
      }
    }).observe(document, { childList: true, subtree: true });
  });
  return said;
}

/** Load the page anew. The step back in history that a closed sheet still takes may call the load off: then again. */
export async function reload({ page }: Visit): Promise<void> {
  const once = (): Promise<boolean> =>
    page.reload().then(
      () => true,
      (problem: unknown) => {
        if (!String(problem).includes("ERR_ABORTED")) throw problem;
        return false;
      },
    );
  await until(once, (done) => done, "the page does not load anew");
}

/** Everything a page must not have done by the end of a story. */
export function blameless(visitor: Visit): void {
  expect(visitor.complaints).toEqual([]);
}
