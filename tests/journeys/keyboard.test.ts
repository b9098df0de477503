/** The wide layout by keyboard: `/` searches, arrows move through the list, B and S choose the side, 1 to 7 the range, Esc closes. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, WIDE, newPage, visit } from "#tests/support/browser.ts";
import type { Visit } from "#tests/support/browser.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";
import { arrive, expectNoErrors, movePrice, named, secondSession, seen, until } from "./steps.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await closePages();
  await server.stop();
});

const route = ({ page }: Visit): string => new URL(page.url()).hash.slice(1);

const reaches = (visitor: Visit, to: string): Promise<string> =>
  until(
    () => route(visitor),
    (at) => at === to,
    `did not reach ${to}`,
  );

/** Presses keys within one task of the page, before it can render. */
const pressAtOnce = ({ page }: Visit, ...keys: string[]): Promise<void> =>
  page.evaluate((all) => {
    for (const key of all) {
      (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    }
  }, keys);

test("the wide layout works by keyboard", async () => {
  const visitor = await newPage({ origin: server.url, size: WIDE });
  const { page } = visitor;
  const { keyboard } = page;
  await arrive(visitor, "/market/stockDetail?code=2330");
  const list = page.getByRole("list", { name: "Watchlist" });
  await seen(list.getByText(/^2330/));

  const groups = await server.call("readWatchlist", {}, await server.enter());
  if (groups.status !== 1) throw new Error(groups.msg);
  const [first, second, third] = groups.data.groups[0]?.codes ?? [];
  expect(first).toBe("2330");
  await keyboard.press("ArrowDown");
  await reaches(visitor, `/market/stockDetail?code=${second}`);
  await seen(list.locator("[aria-current=true]").getByText(new RegExp(`^${second}`)));

  const ticket = page.getByRole("region", { name: "Order ticket" });
  const chosen = (side: string): Promise<boolean> =>
    until(
      () => ticket.getByRole("radio", { name: side }).isChecked(),
      (checked) => checked,
      `${side} is not chosen`,
    );
  // All at once, before the screen can render: the side applies to the stock the arrow selected.
  await pressAtOnce(visitor, "ArrowUp", "s");
  await reaches(visitor, "/market/stockDetail?code=2330");
  await seen(list.locator("[aria-current=true]").getByText(/^2330/));
  await chosen("Sell");
  await keyboard.press("b");
  await chosen("Buy");
  await pressAtOnce(visitor, "ArrowDown", "ArrowDown");
  await reaches(visitor, `/market/stockDetail?code=${third}`);
  await pressAtOnce(visitor, "ArrowUp", "ArrowUp");
  await reaches(visitor, "/market/stockDetail?code=2330");

  const ranges = page.getByRole("group", { name: "Time frame" });
  for (const [at, name] of ["Intraday", "5 min", "Day", "Week", "Month", "1D", "1W", "1M", "3M"].entries()) {
    await keyboard.press(String(at + 1));
    await until(
      () => ranges.getByRole("button", { name, exact: true }).getAttribute("aria-pressed"),
      (pressed) => pressed === "true",
      `${at + 1} does not choose ${name}`,
    );
  }
  // The chart rendered the last time frame.
  await seen(named(visitor, "slider", /^Price chart of TSMC.*, 3M$/));

  await named(visitor, "button", "Chart settings").press("Enter");
  const dialog = page.locator("dialog[open]");
  await seen(dialog);
  // Inside an overlay the page's shortcuts are inactive.
  await keyboard.press("2");
  await keyboard.press("/");
  expect(route(visitor)).toBe("/market/stockDetail?code=2330");
  await keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  expect(await ranges.getByRole("button", { name: "3M", exact: true }).getAttribute("aria-pressed")).toBe("true");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Chart settings");

  // Fast typing waits neither for the field nor for the results.
  await keyboard.type("/2317");
  await keyboard.press("Enter");
  await reaches(visitor, "/market/stockDetail?code=2317");
  await seen(named(visitor, "slider", /^Price chart/));
  await pressAtOnce(visitor, "/", "2", "4", "5", "4", "Enter");
  await reaches(visitor, "/market/stockDetail?code=2454");
  await seen(named(visitor, "slider", /^Price chart/));
  // Slow typing shows the results first.
  await keyboard.press("/");
  await seen(page.locator("input[type=search]:focus"));
  await keyboard.type("2330");
  await seen(page.getByRole("list", { name: "Results" }).getByText("2330"));
  await keyboard.press("Enter");
  await reaches(visitor, "/market/stockDetail?code=2330");
  expectNoErrors(visitor);
  await visitor.close();
});

test("what is typed right after an overlay is closed reaches the search, however late the browser leaves the overlay's entry", async () => {
  const visitor = await newPage({ origin: server.url, size: WIDE });
  const { page } = visitor;
  const { keyboard } = page;
  await arrive(visitor, "/market/stockDetail?code=2330");
  await seen(named(visitor, "slider", /^Price chart/));
  const depth = await page.evaluate(() => window.history.length);
  await named(visitor, "button", "Chart settings").press("Enter");
  const dialog = page.locator("dialog[open]");
  await seen(dialog);
  // The browser steps back only when it is told to.
  await page.evaluate(() => {
    const back = window.history.back.bind(window.history);
    window.history.back = () => {
      window.history.back = back;
      window.addEventListener("late", back, { once: true });
    };
  });
  await keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await keyboard.type("/2317");
  await keyboard.press("Enter");
  // Shown before it has a history entry, the search could not be closed by Back.
  expect(await dialog.count()).toBe(0);
  await page.evaluate(() => window.dispatchEvent(new Event("late")));
  await reaches(visitor, "/market/stockDetail?code=2317");
  await seen(named(visitor, "slider", /^Price chart of Hon Hai/));
  // Back leads to where it was opened, not to an overlay or away.
  await page.goBack();
  await reaches(visitor, "/market/stockDetail?code=2330");
  await seen(named(visitor, "slider", /^Price chart of TSMC/));
  expect(await dialog.count()).toBe(0);
  expect(await page.evaluate(() => window.history.length)).toBeLessThanOrEqual(depth + 2);
  expectNoErrors(visitor);
  await visitor.close();
});

test.each([
  ["the second half of a code", "23", "17"],
  ["Enter", "2317", ""],
])("what is typed while the search opens is in its field before %s is typed there", async (_what, before, rest) => {
  const visitor = await newPage({ origin: server.url, size: WIDE });
  const { page } = visitor;
  await arrive(visitor, "/market/stockDetail?code=2330");
  await seen(named(visitor, "slider", /^Price chart/));
  // The field has the focus: this comes in the next task of the page, before a render that is scheduled.
  await page.evaluate((text) => {
    const show = HTMLDialogElement.prototype.showModal;
    HTMLDialogElement.prototype.showModal = function showAndType() {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener("message", () => {
        if (text !== "") document.execCommand("insertText", false, text);
        else document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
      });
      port1.start();
      port2.postMessage(null);
      show.call(this);
    };
  }, rest);
  await pressAtOnce(visitor, "/", ...before.split(""));
  if (rest !== "") {
    await seen(page.getByRole("list", { name: "Results" }));
    expect(await page.locator("input[type=search]").inputValue()).toBe("2317");
    await page.keyboard.press("Enter");
  }
  await reaches(visitor, "/market/stockDetail?code=2317");
  expectNoErrors(visitor);
  await visitor.close();
});

test("lists keep their scroll position after leaving and returning", async () => {
  const visitor = await newPage({ origin: server.url });
  const { page } = visitor;
  // More stocks than a screen shows.
  const member = await secondSession(server);
  for (const { code } of server.venue.instruments.filter(({ tradable }) => tradable).slice(0, 40))
    await server.call("addWatch", { code, group: null }, member);
  await arrive(visitor, "/home/stockList");
  for (const [place, label] of [
    ["/home/stockList", "All stocks"],
    ["/favorite/index", "Watchlist"],
  ] as const) {
    await visit(visitor, place);
    const list = page.locator("main:visible").getByRole("region", { name: label, exact: true });
    await seen(list.getByRole("listitem"));
    const far = await list.evaluate((element) => {
      element.scrollTop = Math.min(40_000, (element.scrollHeight - element.clientHeight) / 2);
      return element.scrollTop;
    });
    expect(far).toBeGreaterThan(50);
    // A row in the middle of the visible part.
    const code = await until(
      () =>
        list.evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          const links = [...element.querySelectorAll<HTMLAnchorElement>("a[href*=stockDetail]")];
          const row = links.find((one) => one.getBoundingClientRect().top > (top + bottom) / 2 - 40);
          return row?.getAttribute("href") ?? null;
        }),
      (href) => href !== null,
      "no row after scrolling",
    );
    await list.locator(`a[href="${code}"]`).first().click();
    await until(
      () => route(visitor),
      (at) => at.startsWith("/market/stockDetail"),
      "the row did not open its stock",
    );
    await seen(named(visitor, "button", "Buy").or(page.getByText("Not for trading")));
    await page.goBack();
    await reaches(visitor, place);
    expect(await list.evaluate((element) => element.scrollTop)).toBe(far);
    // The list is live again.
    const shown = await list.innerText();
    movePrice(server, code?.split("=")[1] ?? "", 2);
    await until(
      () => list.innerText(),
      (now) => now !== shown,
      `${place} is not live after returning`,
    );
  }
  expectNoErrors(visitor);
  await visitor.close();
});
